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
mod tests;
