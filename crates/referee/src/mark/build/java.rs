//! The build of Java: the class that is started, its class path, and the text of its sources.

use crate::mark::paths::{depth, folder_of, name_of};
use courses::archive::{File, Tree};
use courses::framework::{JavaFramework, Starter};
use std::borrow::Cow;
use std::collections::HashSet;

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
    /// The framework that starts it, if it is one of its classes.
    pub(super) host: Option<Host>,
}

/// The course's framework, as a participant's class knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Host {
    framework: &'static JavaFramework,
    /// The package of the framework's classes.
    package: String,
}

impl Host {
    /// Returns the framework's sources by path, and the program that starts a class.
    pub(super) fn sources(&self) -> impl Iterator<Item = (String, String)> {
        let sources = self.framework.sources.iter().map(|&(path, source)| match &self.framework.starter {
            Some(starter) => {
                let (from, to) =
                    (format!("package {};", starter.package), format!("package {};", self.package));
                let folder = self.package.replace('.', "/");
                (format!("{folder}/{}", name_of(path)), source.replacen(&from, &to, 1))
            }
            None => (path.to_owned(), source.to_owned()),
        });
        let starter = self.framework.starter.iter();
        sources.chain(starter.map(|starter| (starter.path.to_owned(), starter.source.to_owned())))
    }

    /// Returns the program that starts a class, if the referee does not.
    pub(super) fn starter(&self) -> Option<&'static Starter> {
        self.framework.starter.as_ref()
    }
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
        Some(Self::at(path, &package, class))
    }

    /// Returns the class that extends the framework's `Joueur`, itself or by others. One with the framework's name in its
    /// package is meant, and none of the framework's own.
    pub(super) fn hosted(tree: &Tree, framework: &'static JavaFramework) -> Option<Self> {
        /// Most classes between a class and the framework's.
        const MOST: usize = 20;
        let sources = sources(tree);
        let all: Vec<(&str, Vec<&str>)> = sources.iter().map(|(path, text)| (*path, tokens(text))).collect();
        let types: Vec<Type<'_>> = all.iter().flat_map(|(path, tokens)| Type::all(path, tokens)).collect();
        let mut players = HashSet::from(["Joueur"]);
        for _ in 0..MOST {
            let known = types.iter().filter(|class| class.is_one_of(&players)).map(|class| class.name);
            let known: Vec<&str> = known.filter(|name| !players.contains(name)).collect();
            if known.is_empty() {
                break;
            }
            players.extend(known);
        }
        let is_home = |class: &Type<'_>| class.package.split('.').any(|part| part == framework.package);
        let is_meant = |class: &&Type<'_>| {
            let Some(starter) = &framework.starter else { return true };
            // Work for another interface of the course may have an interface of that name.
            let is_own = types.iter().any(|class| class.is_interface && class.name == "Joueur");
            let is_like = class.name == framework.class || is_home(class);
            class.answers_by(starter.methods) && (!is_own || is_like)
        };
        let classes = types.iter().filter(|class| !class.is_abstract && class.is_one_of(&players));
        let class = classes.filter(is_meant).min_by_key(|class| {
            let is_home = is_home(class);
            let is_named = class.name == framework.class;
            let last = class.package.rsplit('.').next().unwrap_or_default();
            let is_own = framework.own.iter().any(|own| [class.name, last].contains(own));
            (!(is_home && is_named), !is_home, is_own, !is_named, depth(class.path))
        })?;
        let package = package_of_framework(&all).unwrap_or_else(|| {
            let end = format!(".{}", framework.package);
            class.package.strip_suffix(&end).unwrap_or(&class.package).to_owned()
        });
        let host = Host { framework, package };
        Some(Self { host: Some(host), ..Self::at(class.path, &class.package, class.name.to_owned()) })
    }

    fn at(path: &str, package: &str, class: String) -> Self {
        let folder = folder_of(path);
        let root = folder.strip_suffix(&package.replace('.', "/")).unwrap_or(folder).trim_end_matches('/');
        let class = if package.is_empty() { class } else { format!("{package}.{class}") };
        let root = if root.is_empty() { String::new() } else { format!("{root}/") };
        let source = path[root.len()..].to_owned();
        Self { class, start: root.clone(), root, source, host: None }
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
        let starter = self.host.as_ref().and_then(Host::starter).map(|starter| format!("./{}", starter.path));
        let sources = [Some(format!("./{}", self.source)), starter].into_iter().flatten();
        let sources = shell_words::join(sources);
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
compiled @\"$work/.sources\" 2>\"$work/.errors\" || compiled -sourcepath . {sources} 2>/dev/null || failed=1
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

/// A class or interface that extends or implements others.
struct Type<'a> {
    path: &'a str,
    package: String,
    name: &'a str,
    /// The names of the others without their packages.
    parents: Vec<&'a str>,
    is_interface: bool,
    is_abstract: bool,
    /// The words of its source from its name on.
    words: &'a [&'a str],
}

impl<'a> Type<'a> {
    /// Finds those of a source.
    fn all(path: &'a str, tokens: &'a [&'a str]) -> Vec<Self> {
        let package = package_of(tokens);
        let word = |at: usize| tokens.get(at).copied().unwrap_or_default();
        let is_kind = |at: usize| ["class", "interface"].contains(&word(at)) && is_name(word(at + 1));
        let found = (0..tokens.len()).filter(|&at| is_kind(at)).map(|at| {
            /// Most words of a class's parameters and parents.
            const MOST: usize = 80;
            let (mut parents, mut nesting, mut is_parent) = (Vec::new(), 0_u32, false);
            for ahead in (at + 2..at + 2 + MOST).take_while(|&at| !["{", ";", ""].contains(&word(at))) {
                match word(ahead) {
                    "<" => nesting += 1,
                    ">" => nesting = nesting.saturating_sub(1),
                    _ if nesting > 0 => {}
                    "extends" | "implements" => is_parent = true,
                    name if is_parent && is_name(name) && word(ahead + 1) != "." => parents.push(name),
                    _ => {}
                }
            }
            let before = tokens[at.saturating_sub(3)..at].iter().rev();
            let is_abstract =
                before.take_while(|word| !";{}".contains(**word)).any(|word| *word == "abstract");
            let is_interface = word(at) == "interface";
            let (name, words) = (word(at + 1), &tokens[at + 1..]);
            let is_abstract = is_abstract || is_interface;
            Self { path, package: package.clone(), name, parents, is_interface, is_abstract, words }
        });
        found.collect()
    }

    /// True if it extends one of these.
    fn is_one_of(&self, types: &HashSet<&str>) -> bool {
        self.parents.iter().any(|parent| types.contains(parent))
    }

    /// True if its source has one of these methods, or may inherit it.
    fn answers_by(&self, methods: &[&str]) -> bool {
        let is_method = |pair: &[&str]| methods.contains(&pair[0]) && pair[1] == "(";
        self.parents.iter().any(|parent| *parent != "Joueur") || self.words.windows(2).any(is_method)
    }
}

/// Returns the package from which sources import the framework's classes.
fn package_of_framework(sources: &[(&str, Vec<&str>)]) -> Option<String> {
    let imports = |name: &'static str| {
        sources.iter().find_map(|(_, tokens)| {
            tokens.split(|word| *word == ";").find_map(|line| {
                let at = line.iter().rposition(|word| *word == "import")?;
                let path: String = line[at + 1..].concat();
                let package = path.strip_suffix(name)?.strip_suffix('.')?;
                (is_name(package) && !package.starts_with("java")).then(|| package.to_owned())
            })
        })
    };
    ["Joueur", "Grille", "*"].into_iter().find_map(imports)
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

    /// Builds a work of Connect5 in mind: the class that plays, the package of the framework, and the sources that it lacks.
    fn hosted(files: &[(&str, &str)]) -> Option<(String, String, Vec<String>)> {
        let game = courses::registry::find("connect5").unwrap();
        let mut tree = Tree::default();
        files.iter().for_each(|(path, text)| tree.put(*path, *text));
        let main = Main::hosted(&tree, game.assignment().java_framework()?)?;
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
        let own =
            move_of("connect5.ia", "import connect5.Grille; import connect5.Joueur;", "JoueurArtificiel");
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
        let tool =
            "package connect5; public interface Joueur { int[] getProchainCoup(Grille g, int delais); }";
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
            (
                "ia/Base.java",
                &*own.replace("class JoueurArtificiel", "abstract class Base<T extends Object>"),
            ),
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
