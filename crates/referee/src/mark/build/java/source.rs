//! Reads the sources of Java: their classes, methods and texts.

use crate::mark::paths::{depth, name_of};
use courses::archive::Tree;
use std::collections::{HashMap, HashSet};

/// Returns the paths and texts of the sources nearest to the root, within bounds: a stranger wrote them.
pub(super) fn sources(tree: &Tree) -> Vec<(&str, String)> {
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
pub(super) fn literals(text: &str) -> Vec<String> {
    /// Most texts, and the longest one.
    const MOST: (usize, usize) = (200, 200);
    let lines = text.lines().flat_map(|line| line.split('"').skip(1).step_by(2));
    let paths = lines.filter(|text| text.len() <= MOST.1 && text.contains(is_of_word));
    paths.take(MOST.0).map(str::to_owned).collect()
}

/// True for names of Java, with points between them, that are short enough for a path.
fn is_name(text: &str) -> bool {
    /// Longest name in bytes.
    const LONGEST: usize = 500;
    text.len() <= LONGEST && text.split('.').all(|part| !part.is_empty() && part.chars().all(is_of_word))
}

/// A class or interface that extends or implements others.
pub(super) struct Type<'a> {
    pub(super) path: &'a str,
    pub(super) package: String,
    pub(super) name: &'a str,
    /// The names of the others without their packages.
    parents: Vec<&'a str>,
    pub(super) is_interface: bool,
    pub(super) is_abstract: bool,
    /// The place of its name in its source, in words.
    at: usize,
}

impl<'a> Type<'a> {
    /// Finds the first ones of a source.
    pub(super) fn all(path: &'a str, tokens: &'a [&'a str]) -> Vec<Self> {
        /// Most types, and most words of a type's parameters and parents.
        const MOST: (usize, usize) = (1000, 80);
        let package = package_of(tokens);
        let word = |at: usize| tokens.get(at).copied().unwrap_or_default();
        let is_kind = |at: usize| ["class", "interface"].contains(&word(at)) && is_name(word(at + 1));
        let found = (0..tokens.len()).filter(|&at| is_kind(at)).map(|at| {
            let (mut parents, mut nesting, mut is_parent) = (Vec::new(), 0_u32, false);
            for ahead in (at + 2..at + 2 + MOST.1).take_while(|&at| !["{", ";", ""].contains(&word(at))) {
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
            let (name, is_abstract) = (word(at + 1), is_abstract || is_interface);
            Self { path, package: package.clone(), name, parents, is_interface, is_abstract, at: at + 1 }
        });
        found.take(MOST.0).collect()
    }

    /// True if it extends one of these.
    pub(super) fn is_one_of(&self, types: &HashSet<&str>) -> bool {
        self.parents.iter().any(|parent| types.contains(parent))
    }

    /// True if its source has a method after its name, or if it may inherit it. `last` holds the place of the method's last
    /// use in each source, by path.
    pub(super) fn answers_by(&self, last: &HashMap<&str, usize>) -> bool {
        self.parents.iter().any(|parent| *parent != "Joueur")
            || last.get(self.path).is_some_and(|&last| last > self.at)
    }
}

/// Returns the last place where one of these methods is declared or called, in words.
pub(super) fn last_use(methods: &[&str], tokens: &[&str]) -> Option<usize> {
    tokens.windows(2).rposition(|pair| methods.contains(&pair[0]) && pair[1] == "(")
}

/// Returns the package from which sources import the framework's classes.
pub(super) fn package_of_framework(sources: &[(&str, Vec<&str>)]) -> Option<String> {
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
pub(super) struct Found {
    pub(super) package: String,
    pub(super) class: String,
    /// False for a method of an object, which Java starts since version 25.
    pub(super) is_static: bool,
}

impl Found {
    /// Finds the method in a source at `path`.
    pub(super) fn of(tokens: &[&str], path: &str) -> Option<Self> {
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
pub(super) fn tokens(text: &str) -> Vec<&str> {
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
