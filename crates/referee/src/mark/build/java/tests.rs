//! Tests of the choice of a class.

use super::*;

fn main_of(files: &[(&str, &str)]) -> Option<Main> {
    let mut tree = Tree::default();
    files.iter().for_each(|(path, text)| tree.put(*path, *text));
    Main::of(&tree, &["joueur".to_owned()], &["joueuraleatoire"])
}

fn class_of(files: &[(&str, &str)]) -> String {
    main_of(files).map(|main| main.class).unwrap_or_default()
}

#[test]
fn the_method_main_is_found_as_java_finds_it() {
    for main in [
        "public static void main(String[] a)",
        "static public void main(String[] a)",
        "public static final void main(final String... a)",
        "public  static\n\tvoid   main (String a[])",
        "/* x */ public static /* y */ void main(String[] a)",
        "public static synchronized strictfp void main(String[] a)",
        "void main()",
    ] {
        assert_eq!(class_of(&[("Bot.java", &format!("class Bot {{ {main} {{}} }}"))]), "Bot", "{main}");
    }
    for none in [
        "class Bot { // public static void main(String[] a)\n }",
        "class Bot { String s = \"static void main(\"; char c = '\"'; String t = \"\\\"\"; }",
        "class Bot { String s = \"\"\"\n static void main(\n\"\"\"; }",
        "class Bot { void domain() {} int main() { return 1; } }",
        "class Bot { void f() { new Object() { void main() {} }; } }",
    ] {
        assert_eq!(main_of(&[("Bot.java", none)]), None, "{none}");
    }
}

fn framework() -> &'static JavaFramework {
    courses::registry::find("connect5").unwrap().assignment().java_framework().unwrap()
}

/// Builds a work of Connect5 in mind: the class that plays, the package of the framework, and the sources that it lacks.
fn hosted(files: &[(&str, &str)]) -> Option<(String, String, Vec<String>)> {
    let mut tree = Tree::default();
    files.iter().for_each(|(path, text)| tree.put(*path, *text));
    let main = Main::hosted(&tree, framework())?;
    let host = main.host.as_ref()?;
    let paths = host.sources().map(|(path, source)| {
        let package = folder_of(&path).replace('/', ".");
        assert!(package.is_empty() || source.contains(&format!("package {package};")), "{path}");
        path
    });
    Some((main.class.clone(), host.package.clone(), paths.collect()))
}

#[test]
fn a_class_of_the_first_interface_is_found_in_the_layouts_of_many_years() {
    let move_of = |package: &str, import: &str, class: &str| {
        format!(
            "package {package}; {import} public class {class} implements Joueur, Runnable {{
                public int[] getProchainCoup(Grille g, int delais) {{ return null; }} }}"
        )
    };
    let own = move_of("connect5.ia", "import connect5.Grille; import connect5.Joueur;", "JoueurArtificiel");
    let found = |class: &str, package: &str| Some((class.to_owned(), package.to_owned()));
    let class_of = |files: &[(&str, &str)]| hosted(files).map(|(class, package, _)| (class, package));
    for path in
        ["tp1/src/connect5/ia/JoueurArtificiel.java", "ia/JoueurArtificiel.java", "JoueurArtificiel.java"]
    {
        let (class, package, sources) = hosted(&[(path, &own)]).unwrap();
        assert_eq!((&*class, &*package), ("connect5.ia.JoueurArtificiel", "connect5"), "{path}");
        assert!(sources.contains(&"connect5/Grille.java".to_owned()), "{sources:?}");
        assert!(sources.contains(&"referee/Bridge.java".to_owned()), "{sources:?}");
    }
    for (package, import, framework) in [
        ("ift615tp1", "import java.util.*; import connect5.Grille; import connect5.Joueur;", "connect5"),
        ("planeteH_2.ia", "import planeteH_2.Grille; import planeteH_2.Joueur;", "planeteH_2"),
        ("connect5.ia", "import java.util.*; import connect5.*;", "connect5"),
        ("Connect5Game", "import java.util.*;", "Connect5Game"),
    ] {
        let text = move_of(package, import, "JoueurArtificiel");
        let expected = found(&format!("{package}.JoueurArtificiel"), framework);
        assert_eq!(class_of(&[("JoueurArtificiel.java", &text)]), expected, "{package}");
    }
    let tool = "package connect5; public interface Joueur { int[] getProchainCoup(Grille g, int delais); }";
    let remote = move_of("connect5", "", "JoueurClientCmd");
    let server = "package connect5; class Serveur { public static void main(String[] a) {} }";
    let whole = [
        ("src/connect5/Joueur.java", tool),
        ("src/connect5/JoueurClientCmd.java", &*remote),
        ("src/connect5/Serveur.java", server),
        ("src/connect5/ia/JoueurArtificiel.java", &*own),
    ];
    assert_eq!(class_of(&whole), found("connect5.ia.JoueurArtificiel", "connect5"));
    let bot = move_of("inf4230.connect5.ia", "import inf4230.connect5.*;", "BotInterne");
    let bot = bot.replace("int[] getProchainCoup", "Position getAction");
    let later =
        [("Joueur.java", "package inf4230.connect5; interface Joueur {}"), ("ia/BotInterne.java", &*bot)];
    assert_eq!(class_of(&later), found("inf4230.connect5.ia.BotInterne", "inf4230.connect5"));
    let base = "package connect5.ia; public class JoueurArtificiel extends Base {}";
    let parts = [
        ("ia/JoueurArtificiel.java", base),
        ("ia/Base.java", &*own.replace("class JoueurArtificiel", "abstract class Base<T extends Object>")),
    ];
    assert_eq!(class_of(&parts), found("connect5.ia.JoueurArtificiel", "connect5"));
}

#[test]
fn work_for_the_second_interface_is_not_of_the_first_for_its_names() {
    let own = "class Minimax implements Joueur { public int[] getProchainCoup(Grille g, int t) {} }";
    let main = "class Go { public static void main(String[] a) { new Minimax(); } }";
    let files = [("Minimax.java", own), ("Go.java", main), ("Joueur.java", "interface Joueur {}")];
    assert_eq!(hosted(&files), None);
    let other = own.replace("getProchainCoup", "jouer");
    assert_eq!(hosted(&[("Minimax.java", &other), ("Go.java", main)]), None);
}

/// Each type of the source has a copy of its name.
#[test]
fn a_package_of_a_whole_source_is_none() {
    let package = "a".repeat(500_000);
    let classes = "class JoueurA extends Joueur { Position getProchainCoup(Grille g) { } }".repeat(5_000);
    let (class, package, _) = hosted(&[("A.java", &format!("package {package};{classes}"))]).unwrap();
    assert_eq!((class.as_str(), package.as_str()), ("JoueurA", ""));
}

#[test]
fn no_text_of_a_stranger_takes_long() {
    let began = std::time::Instant::now();
    let mut tree = Tree::default();
    tree.put("Bot.java", format!("class Bot {{ }} {}", "void main(".repeat(6_000_000)));
    tree.put("Mots.java", "a ".repeat(30_000_000));
    for nth in 0..9_000 {
        tree.put(format!("a/C{nth}.java"), format!("class C{nth} {{ static void main(String[] a) {{}} }}"));
    }
    assert!(Main::of(&tree, &[], &[]).is_some());
    let (mut tree, framework) = (Tree::default(), framework());
    for nth in 0..8 {
        tree.put(format!("A{nth}.java"), "class A extends Joueur{}".repeat(40_000));
    }
    assert!(Main::hosted(&tree, framework).is_none());
    assert!(began.elapsed() < std::time::Duration::from_secs(20), "{:?}", began.elapsed());
}

#[test]
fn the_class_is_that_of_the_text_and_not_of_the_files_name() {
    let two =
        "package a.b; class Aide { void f() {} } final class Joueur { static void main(String[] a) {} }";
    assert_eq!(class_of(&[("src/a/b/joueur.java", two)]), "a.b.Joueur");
    // A file without a class.
    assert_eq!(class_of(&[("Bot.java", "void main() {}")]), "Bot");
}

#[test]
fn among_several_the_courses_name_counts_and_then_the_class_that_no_other_names() {
    let main =
        |of: &str, more: &str| format!("class {of} {{ public static void main(String[] a) {{}} {more} }}");
    let (grid, joueur) = (main("Grille", ""), main("Joueur", "Grille g;"));
    assert_eq!(class_of(&[("Grille.java", &grid), ("Joueur.java", &joueur)]), "Joueur");
    let bot = main("Zorro", "Grille g;");
    assert_eq!(class_of(&[("Grille.java", &grid), ("Zorro.java", &bot)]), "Zorro");
    let own = main("JoueurPrudent", "");
    assert_eq!(class_of(&[("A.java", &main("A", "")), ("JoueurPrudent.java", &own)]), "JoueurPrudent");
    let (given, own) = (main("JoueurAleatoire", ""), main("JoueurMinimax", ""));
    let both = [("JoueurAleatoire.java", &*given), ("JoueurMinimax.java", &*own)];
    assert_eq!(class_of(&both), "JoueurMinimax", "the other one is the course's example");
    let object = "class Essai { void main() {} }";
    assert_eq!(class_of(&[("Essai.java", object), ("src/Zorro.java", &bot)]), "Zorro");
}

#[test]
fn sources_of_any_encoding_are_compiled_as_utf_8() {
    let mut tree = Tree::default();
    tree.put("A.java", &b"// \xe9t\xe9"[..]);
    tree.put("B.java", &b"\xef\xbb\xbf// b"[..]);
    tree.put("C.java", "// été");
    tree.put("tp 10:30/image.png", &b"\xe9"[..]);
    let all = prepared(&tree);
    let bytes = |path: &str| all.get(path).unwrap().bytes.clone();
    assert_eq!([bytes("A.java"), bytes("C.java")], ["// été"; 2].map(Vec::from));
    assert_eq!((bytes("B.java"), bytes("tp 10-30/image.png")), (b"// b".to_vec(), b"\xe9".to_vec()));
}

#[test]
fn libraries_and_resources_are_on_the_class_path() {
    let mut tree = Tree::default();
    tree.put("w/src/main/java/Bot.java", "class Bot { static void main(String[] a) {} }");
    tree.put("w/lib/aide.jar", "x");
    tree.put("q:/etc:z.jar", "x");
    let main = Main::of(&tree, &[], &[]).unwrap();
    assert_eq!(main.class_path(&tree), ["w/src/main/java", "w/src/main/resources", "w/lib/aide.jar"]);
}

#[test]
fn the_program_starts_where_its_files_are() {
    let start = |text: &str, files: &[&str]| {
        let mut tree = Tree::default();
        tree.put(
            "tp/src/p/Go.java",
            format!("package p; class Go {{ static void main(String[] a) {{ {text} }} }}"),
        );
        files.iter().for_each(|path| tree.put(*path, ""));
        Main::of(&tree, &[], &[]).unwrap().placed(&tree).start
    };
    let file = "new File(\"data/x.txt\");";
    assert_eq!(start(file, &["tp/data/x.txt"]), "tp/");
    assert_eq!(start("Path.of(\"./data\", name);", &["tp/data/x.txt"]), "tp/");
    assert_eq!(start(file, &["tp/src/data/x.txt", "tp/data/x.txt"]), "tp/src/");
    assert_eq!(start("new File(\"../data/x.txt\");", &["tp/data/x.txt"]), "tp/src/");
    assert_eq!(start(file, &[]), "tp/src/");
}
