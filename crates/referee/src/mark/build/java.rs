//! The build of Java: the class that is started, its class path, and the text of its sources.

use super::recipe::{depth, folder_of, name_of};
use courses::archive::{File, Tree};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The class that is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Main {
    /// Its name with its package.
    pub(super) class: String,
    /// The folder of the package's root, with a slash unless it is the work's.
    pub(super) root: String,
    /// Its source, from that folder.
    source: String,
    /// The folder where it starts, with a slash unless it is the work's: the package's root, or the project's above `src`.
    pub(super) start: String,
    /// True if the course's framework starts it, by a class that it extends.
    pub(super) is_hosted: bool,
}

impl Main {
    /// Returns the class with a method `main` that is nearest to the work's root. Among several, one with a name of
    /// `programs` is meant, or else one that no other class names and that is none of the course's `examples`.
    pub(super) fn of(tree: &Tree, programs: &[String], examples: &[&str]) -> Option<Self> {
        let sources = sources(tree);
        let all: Vec<(&str, Vec<&str>)> = sources.iter().map(|(path, text)| (*path, tokens(text))).collect();
        let mut found: Vec<_> =
            all.iter().filter_map(|(path, tokens)| Some((*path, Found::of(tokens, path)?))).collect();
        if found.len() > 1 {
            let words: Vec<(&str, HashSet<&str>)> =
                all.iter().map(|(path, tokens)| (*path, tokens.iter().copied().collect())).collect();
            let is_named = |path: &str, class: &str| {
                words.iter().any(|(other, words)| *other != path && words.contains(class))
            };
            found.sort_by_cached_key(|(path, found)| {
                let class = found.class.to_lowercase();
                let is_whole = programs.contains(&class);
                let is_part = programs.iter().any(|name| class.contains(name.as_str()));
                let is_named = is_named(path, &found.class);
                let is_example = examples.contains(&&*class);
                (!found.is_static, depth(path), !is_whole, !is_part, class != "main", is_named, is_example)
            });
        }
        let (path, Found { package, class, .. }) = found.into_iter().next()?;
        Some(Self::at(path, &package, class, false))
    }

    /// Returns the class that extends the framework's `Joueur`, itself or by others. One of that name in a package of
    /// `Participants`, as the course loads it, is meant, and not the framework's own.
    pub(super) fn hosted(tree: &Tree) -> Option<Self> {
        let sources = sources(tree);
        let all: Vec<Class<'_>> = sources.iter().flat_map(|(path, text)| Class::all(path, text)).collect();
        let parents: HashMap<&str, &str> = all.iter().map(|class| (class.name, class.parent)).collect();
        let is_hosted = |class: &&Class<'_>| {
            /// Most classes between a class and the framework's.
            const MOST: usize = 20;
            let parent = |name: &&str| parents.get(name).copied();
            let mut line = std::iter::successors(Some(class.parent), parent).take(MOST);
            !class.is_abstract && line.any(|parent| parent == "Joueur")
        };
        let class = all.iter().filter(is_hosted).min_by_key(|class| {
            let is_meant = class.package.starts_with("Participants");
            let is_own = class.package.ends_with(".Console");
            (!(is_meant && class.name == "Joueur"), !is_meant, is_own, depth(class.path))
        })?;
        Some(Self::at(class.path, &class.package, class.name.to_owned(), true))
    }

    fn at(path: &str, package: &str, class: String, is_hosted: bool) -> Self {
        let folder = folder_of(path);
        let root = folder.strip_suffix(&package.replace('.', "/")).unwrap_or(folder).trim_end_matches('/');
        let class = if package.is_empty() { class } else { format!("{package}.{class}") };
        let root = if root.is_empty() { String::new() } else { format!("{root}/") };
        let source = path[root.len()..].to_owned();
        Self { class, start: root.clone(), root, source, is_hosted }
    }

    /// Returns the class as one that starts where IDEs start it, above `src`, if the sources name files there and none
    /// as seen from the package's root.
    pub(super) fn placed(self, tree: &Tree) -> Self {
        let Some(project) = self.root.strip_suffix("src/").or(self.root.strip_suffix("src/main/java/"))
        else {
            return self;
        };
        let is_there = |folder: &str, text: &str| {
            let text = text.trim_start_matches("./").trim_end_matches('/');
            !text.is_empty() && tree.has(&format!("{folder}{text}"))
        };
        /// Most texts.
        const MOST: usize = 10_000;
        let sources = sources(tree);
        let texts: HashSet<String> = sources.iter().flat_map(|(_, text)| literals(text)).take(MOST).collect();
        let is_above = texts.iter().any(|text| is_there(project, text))
            && !texts.iter().any(|text| text.starts_with("../") || is_there(&self.root, text));
        if is_above { Self { start: project.to_owned(), ..self } } else { self }
    }

    /// Returns the script that compiles all classes, or else the program's alone: others may be tests of a library that is
    /// not here, which a module may require. In javac's list a name with blanks stands in quotes.
    pub(super) fn script(&self) -> String {
        let source = shell_words::quote(&self.source);
        // By a path without a colon, which would end it in javac's list.
        let root = format!("./{}", "../".repeat(depth(&self.root)));
        let below = shell_words::quote(&self.root[self.start.len()..]);
        format!(
            "cd ./{below}
find . -name module-info.java -exec rm {{}} +
find . -name '*.java' | sed 's/[\\\\\"]/\\\\&/g; s/.*/\"&\"/' >\"$work/.sources\"
libraries=$(find {root} -name '*.jar' | tr '\\n' ':')
failed=
compiled() {{ javac -encoding UTF-8 -cp \".:$libraries\" -d . \"$@\"; }}
compiled @\"$work/.sources\" 2>\"$work/.errors\" || compiled -sourcepath . ./{source} 2>/dev/null || failed=1
cat \"$work/.errors\" >&2
rm \"$work/.sources\" \"$work/.errors\"
test ! \"$failed\""
        )
    }

    /// Returns the folders and libraries with its classes and resources.
    pub(super) fn class_path<'a>(&'a self, tree: &'a Tree) -> Vec<Cow<'a, str>> {
        let mut all = vec![Cow::Borrowed(self.root.trim_end_matches('/'))];
        // The folders of Maven and Gradle, and of an IDE's project.
        all.extend(
            self.root.strip_suffix("main/java/").map(|source| format!("{source}main/resources").into()),
        );
        let project = self.root.strip_suffix("src/");
        let beside = |name: &str| project.map(|project| format!("{project}{name}"));
        let is_there = |folder: &String| tree.iter().any(|(path, _)| path.starts_with(&format!("{folder}/")));
        all.extend(["resources", "res"].into_iter().filter_map(beside).filter(is_there).map(Cow::Owned));
        // Java ends a path at a colon, which a build may put there.
        let is_library = |path: &&str| path.ends_with(".jar") && !path.contains(':');
        all.extend(tree.iter().map(|(path, _)| path).filter(is_library).map(Cow::Borrowed));
        all
    }
}

/// Returns the work with its sources in UTF-8 without a byte order mark, as `javac` is told, and in folders that a class
/// path can name: Java ends one at a colon.
pub(super) fn prepared(tree: &Tree) -> Tree {
    let mut all = tree.clone();
    for (path, file) in tree.iter().filter(|(path, _)| path.ends_with(".java")) {
        let text = text(file);
        if text.as_bytes() != file.bytes {
            all.put_file(path, File { bytes: text.into_bytes(), ..file.clone() });
        }
    }
    all.renamed(|path| path.replace(':', "-"))
}

fn text(file: &File) -> String {
    wire::text::decode(&file.bytes)
}

/// Returns the paths and texts of the sources nearest to the root, within bounds: a stranger wrote them.
fn sources(tree: &Tree) -> Vec<(&str, String)> {
    /// Maximum number of sources.
    const FILES: usize = 1000;
    /// Maximum number of bytes of one source and of all.
    const BYTES: (usize, usize) = (1 << 20, 8 << 20);
    let is_source = |path: &str| name_of(path).strip_suffix(".java").is_some_and(is_name);
    let mut all: Vec<_> = tree.iter().filter(|(path, _)| is_source(path)).collect();
    all.sort_by_key(|(path, _)| depth(path));
    let mut left = BYTES.1;
    let read = all.into_iter().take(FILES).map_while(|(path, file)| {
        let bytes = &file.bytes[..file.bytes.len().min(BYTES.0)];
        left = left.checked_sub(bytes.len())?;
        Some((path, wire::text::decode(bytes)))
    });
    read.collect()
}

/// Returns the first texts in quotes of a source that may be paths.
fn literals(text: &str) -> Vec<String> {
    /// Most texts, and the longest one.
    const MOST: (usize, usize) = (200, 200);
    let lines = text.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
    let paths = lines.filter(|text| text.len() <= MOST.1 && text.contains(is_of_word));
    paths.take(MOST.0).map(str::to_owned).collect()
}

/// True for names of Java, with points between them.
fn is_name(text: &str) -> bool {
    text.split('.').all(|part| !part.is_empty() && part.chars().all(is_of_word))
}

/// A class that extends another one.
struct Class<'a> {
    path: &'a str,
    package: String,
    name: &'a str,
    /// The name of the other one without its package.
    parent: &'a str,
    is_abstract: bool,
}

impl<'a> Class<'a> {
    /// Finds those of a source.
    fn all(path: &'a str, text: &'a str) -> Vec<Self> {
        let tokens = tokens(text);
        let package = package_of(&tokens);
        let word = |at: usize| tokens.get(at).copied().unwrap_or_default();
        let found =
            (0..tokens.len()).filter(|&at| word(at) == "class" && is_name(word(at + 1))).filter_map(|at| {
                /// Most words of a class's parameters.
                const MOST: usize = 40;
                let ahead = (at + 2..at + 2 + MOST).take_while(|&at| !["{", ";", ""].contains(&word(at)));
                // The last one before the class's text: parameters may extend others.
                let extends = ahead.filter(|&at| word(at) == "extends").last()?;
                let parent = (extends + 1..).step_by(2).find(|&at| word(at + 1) != ".").map(word)?;
                let before = &tokens[at.saturating_sub(3)..at];
                let is_abstract = before
                    .iter()
                    .rev()
                    .take_while(|word| !";{}".contains(**word))
                    .any(|word| *word == "abstract");
                Some(Self { path, package: package.clone(), name: word(at + 1), parent, is_abstract })
            });
        found.collect()
    }
}

/// A method `main` and the class that it is in.
struct Found {
    package: String,
    class: String,
    /// False for a method of an object, which Java starts since version 25.
    is_static: bool,
}

impl Found {
    /// Finds the method in a source at `path`.
    fn of(tokens: &[&str], path: &str) -> Option<Self> {
        /// Most words before `main` of its declaration.
        const BEFORE: usize = 16;
        let word = |at: usize| tokens.get(at).copied().unwrap_or_default();
        let mut class = name_of(path).strip_suffix(".java")?;
        let (mut depth, mut found) = (0_usize, None);
        for at in 0..tokens.len() {
            match word(at) {
                "{" => depth += 1,
                "}" => depth = depth.saturating_sub(1),
                "class" | "enum" | "interface" | "record" if depth == 0 && is_name(word(at + 1)) => {
                    class = word(at + 1);
                }
                "main" if at > 0 && word(at - 1) == "void" && word(at + 1) == "(" && depth <= 1 => {
                    let before = tokens[..at].iter().rev().take(BEFORE);
                    let is_static =
                        before.take_while(|token| !";{}".contains(**token)).any(|token| *token == "static");
                    if is_static || found.is_none() {
                        found = Some((class, is_static));
                    }
                }
                _ => {}
            }
        }
        let (class, is_static) = found?;
        Some(Self { package: package_of(tokens), class: class.to_owned(), is_static })
    }
}

/// Returns the package of a source, empty if it has none.
fn package_of(tokens: &[&str]) -> String {
    let at = tokens.iter().position(|token| *token == "package");
    let rest = at.map_or(&[][..], |at| &tokens[at + 1..]);
    let package: String = rest.iter().copied().take_while(|token| *token != ";").collect();
    if is_name(&package) { package } else { String::new() }
}

/// Returns the words and signs of a source, without comments and literals.
fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let after = |end: &str, from: usize| {
            let at = rest[from..].find(end).map_or(rest.len(), |at| from + at + end.len());
            &rest[at..]
        };
        rest = match sign {
            '/' if rest.starts_with("//") => after("\n", 2),
            '/' if rest.starts_with("/*") => after("*/", 2),
            '"' if rest.starts_with("\"\"\"") => after("\"\"\"", 3),
            '"' | '\'' => {
                let mut signs = rest.char_indices().skip(1);
                let mut end = rest.len();
                while let Some((at, within)) = signs.next() {
                    match within {
                        '\\' => drop(signs.next()),
                        _ if within == sign || within == '\n' => {
                            end = at + 1;
                            break;
                        }
                        _ => {}
                    }
                }
                &rest[end..]
            }
            _ if is_of_word(sign) => {
                let end = rest.find(|sign| !is_of_word(sign)).unwrap_or(rest.len());
                all.push(&rest[..end]);
                &rest[end..]
            }
            _ => {
                if !sign.is_whitespace() {
                    all.push(&rest[..sign.len_utf8()]);
                }
                &rest[sign.len_utf8()..]
            }
        };
    }
    all
}

fn is_of_word(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '$'
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn no_text_of_a_stranger_takes_long() {
        let began = std::time::Instant::now();
        let mut tree = Tree::default();
        tree.put("Bot.java", format!("class Bot {{ }} {}", "void main(".repeat(6_000_000)));
        tree.put("Mots.java", "a ".repeat(30_000_000));
        for nth in 0..9_000 {
            tree.put(
                format!("a/C{nth}.java"),
                format!("class C{nth} {{ static void main(String[] a) {{}} }}"),
            );
        }
        assert!(Main::of(&tree, &[], &[]).is_some());
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
        let main = |of: &str, more: &str| {
            format!("class {of} {{ public static void main(String[] a) {{}} {more} }}")
        };
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
}
