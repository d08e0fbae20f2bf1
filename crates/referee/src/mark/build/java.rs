//! The build of Java: the class that is started, and its class path.

mod source;

use crate::mark::paths::{depth, name_of};
use courses::archive::{File, Tree, folder_of};
use courses::framework::{JavaFramework, Starter};
use source::{Found, Type, last_use, literals, package_of_framework, sources, tokens};
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
        /// Most classes between a class and the framework's, and most in all.
        const MOST: (usize, usize) = (20, 10_000);
        let sources = sources(tree);
        let all: Vec<(&str, Vec<&str>)> = sources.iter().map(|(path, text)| (*path, tokens(text))).collect();
        let types = all.iter().flat_map(|(path, tokens)| Type::all(path, tokens));
        let types: Vec<Type<'_>> = types.take(MOST.1).collect();
        let mut players = HashSet::from(["Joueur"]);
        for _ in 0..MOST.0 {
            let known = types.iter().filter(|class| class.is_one_of(&players)).map(|class| class.name);
            let known: Vec<&str> = known.filter(|name| !players.contains(name)).collect();
            if known.is_empty() {
                break;
            }
            players.extend(known);
        }
        let is_home = |class: &Type<'_>| class.package.split('.').any(|part| part == framework.package);
        // Work for another interface of the course may have an interface of that name.
        let is_own = types.iter().any(|class| class.is_interface && class.name == "Joueur");
        let last_uses: Option<HashMap<&str, usize>> = framework.starter.as_ref().map(|starter| {
            let last_use = |tokens| last_use(starter.methods, tokens);
            all.iter().filter_map(|(path, tokens)| Some((*path, last_use(tokens)?))).collect()
        });
        let is_meant = |class: &&Type<'_>| {
            let is_like = class.name == framework.class || is_home(class);
            last_uses.as_ref().is_none_or(|last| class.answers_by(last) && (!is_own || is_like))
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
        let text = wire::text::decode(&file.bytes);
        if text.as_bytes() != file.bytes {
            all.put_file(path, File { bytes: text.into_bytes(), ..file.clone() });
        }
    }
    all.renamed(|path| path.replace(':', "-"))
}

#[cfg(test)]
mod tests;
