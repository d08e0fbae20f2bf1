//! The files of a package that an archive needs: the compiler's input, and the licence.

use crate::archive::Tree;
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The macros that include a file.
const INCLUDES: [&str; 3] = ["include_str!(", "include_bytes!(", "include!("];

/// Returns the manifest, the sources, the build script, the licences, and the files that sources include, without
/// tests, benches, examples and documents.
///
/// # Errors
/// If a file cannot be read, or a source includes a file from outside its package.
pub fn files(folder: &Path) -> Result<Tree> {
    let all = Tree::read(folder)?;
    let mut kept = Tree::default();
    let mut included = BTreeSet::new();
    for (path, file) in all.iter().filter(|(path, _)| belongs(path)) {
        if let (true, Ok(text)) = (path.ends_with(".rs"), std::str::from_utf8(&file.bytes)) {
            for name in includes(text) {
                let parent = Path::new(path).parent().unwrap_or(Path::new(""));
                match inside(&parent.join(name)) {
                    Some(target) => included.insert(target),
                    None => bail!("{}: {path} includes \"{name}\" from outside", folder.display()),
                };
            }
        }
        kept.put(path, file.bytes.clone());
    }
    // A name without a file occurs in a comment.
    for path in included {
        if let Some(file) = all.get(&path) {
            kept.put(path, file.bytes.clone());
        }
    }
    Ok(kept)
}

/// Like [`files`], for a package of the project: without unit tests, which need packages that players do not.
///
/// # Errors
/// Those of [`files`].
pub fn own_files(folder: &Path) -> Result<Tree> {
    let mut kept = Tree::default();
    let mut tests = Vec::new();
    for (path, file) in files(folder)?.iter() {
        if !path.ends_with(".rs") {
            kept.put(path, file.bytes.clone());
            continue;
        }
        let text = std::str::from_utf8(&file.bytes).with_context(|| path.to_owned())?;
        let (text, modules) = without_tests(text);
        let own_folder = match path.strip_suffix("/lib.rs").or(path.strip_suffix("/main.rs")) {
            Some(root) => root.to_owned(),
            None => path.trim_end_matches(".rs").to_owned(),
        };
        tests.extend(modules.into_iter().map(|module| format!("{own_folder}/{module}")));
        kept.put(path, text);
    }
    kept.retain(|path| !tests.iter().any(|test| is_of(path, test)));
    Ok(kept)
}

/// Returns true for the file of a module, whose path is given without `.rs`, and for those in its folder.
fn is_of(path: &str, module: &str) -> bool {
    path.strip_prefix(module).is_some_and(|rest| rest == ".rs" || rest.starts_with('/'))
}

/// Drops the public modules of a workspace's libraries that no other code names.
pub fn drop_unused_modules(all: &mut Tree) {
    let sources: Vec<(&str, &str)> = all
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .filter_map(|(path, file)| Some((path, std::str::from_utf8(&file.bytes).ok()?)))
        .collect();
    let mut dropped = Vec::new();
    let mut roots = Vec::new();
    for &(path, text) in sources.iter().filter(|(path, _)| path.ends_with("/src/lib.rs")) {
        let folder = path.trim_end_matches("lib.rs");
        let mut kept = String::new();
        for line in text.lines() {
            let name = line.strip_prefix("pub mod ").and_then(|rest| rest.strip_suffix(';'));
            if let Some(name) = name {
                let module = format!("{folder}{name}");
                let uses = |&(path, text): &(&str, &str)| !is_of(path, &module) && names(text, name, line);
                if !sources.iter().any(uses) {
                    dropped.push(module);
                    continue;
                }
            }
            kept.push_str(line);
            kept.push('\n');
        }
        roots.push((path.to_owned(), kept));
    }
    all.retain(|path| !dropped.iter().any(|module| is_of(path, module)));
    for (path, text) in roots {
        all.put(path, text);
    }
}

/// Returns true if the code of a source names a module anywhere but in its declaration.
fn names(text: &str, module: &str, declaration: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.lines()
        .filter(|line| *line != declaration && !line.trim_start().starts_with("//"))
        .any(|line| line.split(|c| !is_word(c)).any(|word| word == module))
}

fn belongs(path: &str) -> bool {
    const FOLDERS: [&str; 2] = ["src/", "build/"];
    const LICENCES: [&str; 6] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE"];
    path == "Cargo.toml"
        || path == "build.rs"
        || FOLDERS.iter().any(|folder| path.starts_with(folder))
        || LICENCES.iter().any(|licence| path.starts_with(licence))
}

/// Iterates over the literal names in a source's includes.
fn includes(text: &str) -> impl Iterator<Item = &str> {
    INCLUDES.into_iter().flat_map(move |include| {
        text.match_indices(include).filter_map(move |(at, _)| {
            let argument = text[at + include.len()..].trim_start().strip_prefix('"')?;
            argument.split('"').next()
        })
    })
}

/// Normalises `.` and `..` in a path. Returns `None` if it leaves the package.
fn inside(path: &Path) -> Option<String> {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !parts.pop() {
                    return None;
                }
            }
            Component::Normal(part) => parts.push(part),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.to_str()?.replace('\\', "/"))
}

/// Attributes of modules that only tests or tools compile.
const NOT_FOR_PLAYERS: [&str; 4] = [
    "#[cfg(test)]",
    "#[cfg(feature = \"testing\")]",
    "#[cfg(any(test, feature = \"faults\"))]",
    "#[cfg(all(target_os = \"linux\", feature = \"attributes\"))]",
];

/// Returns a source without test-only items, and the names of the modules that it only declared for tests. Relies on
/// rustfmt: an item that begins in the first column ends there.
fn without_tests(text: &str) -> (String, Vec<String>) {
    let mut kept = String::new();
    let mut modules = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_left_out = NOT_FOR_PLAYERS.contains(&line);
        let module = lines.peek().and_then(|next| next.trim_start_matches("pub ").strip_prefix("mod "));
        let (true, Some(module)) = (is_left_out, module) else {
            kept.push_str(line);
            kept.push('\n');
            continue;
        };
        if let Some(name) = module.strip_suffix(';') {
            modules.push(name.to_owned());
            lines.next();
        } else {
            while lines.next().is_some_and(|line| line != "}") {}
        }
        // Drops the blank line before the removed module.
        if lines.peek().is_none_or(|line| line.is_empty()) && kept.ends_with("\n\n") {
            kept.pop();
        }
    }
    (kept, modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_that_no_code_names_are_left_out() {
        let mut all = Tree::default();
        all.put("crates/a/src/lib.rs", "//! [`two`]\npub mod one;\npub mod two;\npub mod three;\n");
        for (name, text) in [
            ("one", "use crate::three;\n"),
            ("two", "//! `two`\nmod two;\n"),
            ("three", ""),
            ("two/more", ""),
        ] {
            all.put(format!("crates/a/src/{name}.rs"), text);
        }
        all.put("crates/b/src/main.rs", "use a::one;\n// two\n");
        drop_unused_modules(&mut all);
        let paths: Vec<&str> = all.iter().map(|(path, _)| path).collect();
        let files = ["a/src/lib.rs", "a/src/one.rs", "a/src/three.rs", "b/src/main.rs"];
        assert_eq!(paths, files.map(|file| format!("crates/{file}")));
        let root = all.get("crates/a/src/lib.rs").unwrap();
        assert_eq!(root.bytes, b"//! [`two`]\npub mod one;\npub mod three;\n");
    }

    #[test]
    fn sources_lose_their_tests_and_nothing_else() {
        let text = "mod a;\n\nfn f() {}\n\n#[cfg(test)]\nmod tests {\n    fn g() {\n    }\n}\n\nfn h() {}\n";
        assert_eq!(without_tests(text).0, "mod a;\n\nfn f() {}\n\nfn h() {}\n");
        let text = "mod a;\n#[cfg(feature = \"testing\")]\npub mod testing;\nmod b;\n";
        assert_eq!(without_tests(text), ("mod a;\nmod b;\n".into(), vec!["testing".into()]));
        let text = "#[cfg(test)]\nuse a::b;\nfn f() {}\n";
        assert_eq!(without_tests(text).0, text);
    }

    #[test]
    fn an_included_file_comes_along_if_it_lies_inside() {
        let text = "const A: &str = include_str!(\"../../equipe.txt\");\ninclude_bytes!(\n    \"x.bin\"\n)";
        assert_eq!(includes(text).collect::<Vec<_>>(), ["../../equipe.txt", "x.bin"]);
        assert_eq!(inside(Path::new("src/protocol/../../equipe.txt")).as_deref(), Some("equipe.txt"));
        assert_eq!(inside(Path::new("src/../../equipe.txt")), None);
    }
}
