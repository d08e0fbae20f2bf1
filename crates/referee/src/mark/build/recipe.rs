//! The way from a student's sources to a program, and the command that starts it.

use super::java::{Host, Main};
use crate::mark::paths::{depth, name_of};
use anyhow::{Result, bail, ensure};
use courses::archive::{File, Tree};
use std::path::Path;

/// The build of some work, and the start of its program.
#[derive(Debug)]
pub(super) struct Recipe {
    /// The program that builds, empty if there is nothing to build.
    pub(super) by: &'static str,
    /// The shell script of the build.
    pub(super) script: Option<String>,
    /// The folder where the build runs, from the root of the work.
    pub(super) folder: String,
    pub(super) start: Start,
}

#[derive(Debug)]
pub(super) enum Start {
    /// An executable with one of these names, or the only one that the build has made.
    Executable(Vec<String>),
    /// The same among those that cargo has made.
    Cargo(Vec<String>),
    /// A script of this interpreter.
    Script(String, String),
    /// A class in the folder of the build.
    Java(Main),
}

/// The program of some work.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Program {
    /// The command that starts it.
    pub(super) command: String,
    /// True if it was handed in, and the build has left it.
    pub(super) is_old: bool,
    /// True if it is an executable with the course's name.
    pub(super) is_named: bool,
}

impl Program {
    fn new(command: String) -> Self {
        Self { command, is_old: false, is_named: false }
    }
}

impl Recipe {
    /// Returns the program that the build needs, if there is a build.
    pub(super) fn tool(&self) -> Option<&'static str> {
        self.script.as_ref().and_then(|_| self.by.split(' ').next())
    }

    /// Returns true if the program is Java's.
    pub(super) fn is_java(&self) -> bool {
        matches!(self.start, Start::Java(_))
    }

    /// Adds the classes of the course's framework that the work is built with, where it has none.
    pub(super) fn add_framework(&self, tree: &mut Tree) {
        let Start::Java(main) = &self.start else { return };
        for (path, source) in main.host.iter().flat_map(Host::sources) {
            let is_there = |end: &str| {
                let class = path.replace(".java", end);
                tree.iter().any(|(path, _)| path.ends_with(&class))
            };
            if !is_there(".java") && !is_there(".class") {
                tree.put(format!("{}{path}", main.root), source);
            }
        }
    }

    /// Returns the program after the build. Paths are those from the folder of the build.
    pub(super) fn program(&self, before: &Tree, after: &Tree) -> Result<Program> {
        let text = |path: &str| {
            // The referee would take `{seed}` for its own word, and look for another file.
            ensure!(!path.contains(['{', '}']), "{path}: a path without braces is expected");
            Ok(from(&self.folder, path))
        };
        let quoted = |path: &str| -> Result<String> { Ok(shell_words::quote(&text(path)?).into_owned()) };
        match &self.start {
            Start::Script(interpreter, path) => Ok(Program::new(format!("{interpreter} {}", quoted(path)?))),
            Start::Java(main) => {
                let places = main.class_path(after).into_iter().map(|path| text(&path));
                let places = places.collect::<Result<Vec<_>>>()?.join(":");
                let (places, class) = (shell_words::quote(&places), shell_words::quote(&main.class));
                let command = match &main.host {
                    None => format!("java -cp {places} {class}"),
                    Some(host) => match host.starter() {
                        Some(starter) => format!("java -cp {places} {} {class}", starter.class),
                        None => format!("java:{places} {class}"),
                    },
                };
                Ok(Program::new(command))
            }
            Start::Executable(names) | Start::Cargo(names) => {
                let mut all: Vec<&str> = executables(after).collect();
                all.sort_by_key(|path| depth(path));
                let mut new = all.clone();
                // What was handed in may be older than what is made in its place.
                let is_kept = |old: &File, new: &File| {
                    old.bytes == new.bytes && (old.changed.is_none() || old.changed == new.changed)
                };
                let is_old = |path: &str| {
                    before.led_to(path).zip(after.led_to(path)).is_some_and(|(old, new)| is_kept(old, new))
                };
                new.retain(|path| !is_old(path));
                if matches!(self.start, Start::Cargo(_)) {
                    let made = Path::new(&self.folder).join(RELEASE);
                    all.retain(|path| Path::new(path).parent() == Some(&*made));
                    new.clone_from(&all);
                }
                let is_one = |path: &&&str, name: &str| is_named(name_of(path), name);
                let named = names.iter().find_map(|name| all.iter().find(|path| is_one(path, name)));
                let expected = if names.is_empty() { "one".to_owned() } else { names.join(" or ") };
                match (named, &new[..]) {
                    (Some(path), _) => Ok(Program {
                        is_old: self.script.is_some() && !new.contains(path),
                        is_named: true,
                        ..Program::new(quoted(path)?)
                    }),
                    (None, [path]) => Ok(Program::new(quoted(path)?)),
                    (None, []) => bail!("{} made no program: expected {expected}", self.by),
                    (None, _) => bail!("{} made several programs: expected {expected}", self.by),
                }
            }
        }
    }
}

/// Returns a path of the work as seen from a folder of it.
fn from(folder: &str, path: &str) -> String {
    let shared = |(of_folder, of_path): &(&str, &str)| of_folder == of_path;
    let parts = |path| str::split(path, '/').filter(|part| !part.is_empty());
    let common = parts(folder).zip(parts(path)).take_while(shared).count();
    let above = parts(folder).skip(common).map(|_| "..");
    let start = if above.clone().next().is_none() { "." } else { ".." };
    let rest: Vec<&str> = above.skip(1).chain(parts(path).skip(common)).collect();
    [&[start][..], &rest].concat().join("/")
}

/// The folder where cargo's programs are.
const RELEASE: &str = "target/release";

/// Builds in a new folder, and puts the programs where the student has them: what was handed in there is older. With a
/// processor in the student's settings, cargo has a folder for it. In folders above the work it looks for nothing.
pub(super) const CARGO: &str =
    "__CARGO_TEST_ROOT=$work cargo build --release --offline --target-dir \"$work/.target\"
rm -rf target
mkdir -p target/release
for made in \"$work\"/.target/release \"$work\"/.target/*/release; do
    if [ -d \"$made\" ]; then
        find \"$made\" -maxdepth 1 -type f -perm -100 ! -name '*.so' -exec cp {} target/release ';'
    fi
done
rm -rf \"$work/.target\"";

/// True for what a compiler or linker has made, on this system or another.
pub(super) fn is_compiled(path: &str, file: &File) -> bool {
    const STARTS: [&[u8]; 4] = [b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe"];
    [".o", ".obj", ".a"].iter().any(|end| path.ends_with(end))
        || STARTS.iter().any(|start| file.bytes.starts_with(start))
}

/// True for a name that the course expects; one that ends with `*` is a beginning, which figures follow.
pub(super) fn is_named(name: &str, expected: &str) -> bool {
    expected.strip_suffix('*').map_or(name == expected, |start| {
        name.strip_prefix(start).is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
    })
}

/// True if a text is in the first part of a file.
pub(super) fn holds(file: &File, text: &str) -> bool {
    const MOST: usize = 1 << 16;
    let start = &file.bytes[..file.bytes.len().min(MOST)];
    start.windows(text.len()).any(|part| part == text.as_bytes())
}

/// Returns the executable files that a system can start: programs and scripts, no libraries.
pub(super) fn executables(tree: &Tree) -> impl Iterator<Item = &str> {
    let is_library = |path: &str| path.ends_with(".so") || name_of(path).contains(".so.");
    let starts = |file: &File| {
        file.executable && (file.bytes.starts_with(b"\x7fELF") || file.bytes.starts_with(b"#!"))
    };
    tree.named().filter(move |(path, file)| starts(file) && !is_library(path)).map(|(path, _)| path)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use courses::registry;

    pub(in super::super) fn recipe(files: &[(&str, &str)]) -> Result<Recipe> {
        let mut tree = Tree::default();
        files.iter().for_each(|(path, text)| tree.put(*path, *text));
        Recipe::of(&tree, &registry::all()[0])
    }

    /// The command of a recipe whose build adds these executables.
    pub(in super::super) fn command(files: &[(&str, &str)], made: &[&str]) -> String {
        let mut before = Tree::default();
        files.iter().for_each(|(path, text)| before.put(*path, *text));
        let mut after = before.clone();
        made.iter().for_each(|path| after.put_executable(*path, "\x7fELF"));
        let recipe = Recipe::of(&before, &registry::all()[0]).unwrap();
        match recipe.program(&before, &after) {
            Ok(Program { command, .. }) => format!("{} {}: {command}", recipe.by, recipe.folder),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_a_build_replaces_is_new() {
        let of = |bytes: &str, changed| File { bytes: bytes.into(), executable: true, changed };
        let mut before = Tree::default();
        before.put("Makefile", "");
        before.put_file("five", of("#!old", Some(1)));
        before.put_file("tool", of("#!tool", Some(1)));
        let recipe = Recipe::of(&before, &registry::all()[0]).unwrap();
        for made in [of("#!new", Some(1)), of("#!old", Some(2))] {
            let mut after = before.clone();
            after.put_file("five", made);
            assert_eq!(recipe.program(&before, &after).unwrap().command, "./five");
        }
        let error = recipe.program(&before, &before).unwrap_err().to_string();
        assert!(error.starts_with("make made no program"), "{error}");
        let bins =
            [("Cargo.toml", "default-run = \"tp1\""), ("src/bin/tp1.rs", ""), ("src/bin/outil.rs", "")];
        let made = ["target/release/outil", "target/release/tp1"];
        assert_eq!(command(&bins, &made), "cargo build : ./target/release/tp1");
    }

    #[test]
    fn paths_are_those_seen_from_the_folder_of_the_build() {
        for (folder, path, seen) in [
            ("", "a/b", "./a/b"),
            ("a", "a/b", "./b"),
            ("a/c", "a/b", "../b"),
            ("a/c", "b", "../../b"),
            ("a", "a", "."),
            ("", "-x.py", "./-x.py"),
        ] {
            assert_eq!(from(folder, path), seen, "{folder} {path}");
        }
    }

    #[test]
    fn a_class_of_the_courses_framework_is_started_by_it() {
        let of = |game: &str| registry::find(game).unwrap();
        let own = "package Participants.Ana; public class Joueur extends Othello.Joueur {}";
        let mut tree = Tree::default();
        tree.put("tp/Participants/Ana/Joueur.java", own);
        tree.put("tp/Participants/Ana/Essai.java", "class Essai { static void main(String[] a) {} }");
        let recipe = Recipe::of(&tree, &of("othello")).unwrap();
        assert_eq!(recipe.program(&tree, &tree).unwrap().command, "java:. Participants.Ana.Joueur");
        let mut all = tree.clone();
        recipe.add_framework(&mut all);
        assert!(all.get("tp/Othello/Joueur.java").is_some() && all.get("tp/Othello/Move.java").is_some());
        let again = all.clone();
        recipe.add_framework(&mut all);
        assert_eq!(all, again, "the work's own stay");
        tree.put("tp/Makefile", "all:\n\tjavac Participants/Ana/Joueur.java\n");
        tree.put("tp/Participants/Console/Joueur.java", own.replace("Ana", "Console"));
        tree.put("tp/Participants/Ana/AncienJoueur.java", own.replace("class Joueur", "class AncienJoueur"));
        let base = "package Participants.Ana; class Fil<T extends Comparable<T>> extends Thread {} \
                    abstract class Base extends Othello.Joueur {}";
        tree.put("tp/Participants/Ana/Base.java", base);
        for text in [own, "package Participants.Ana; public class Joueur extends Base {}"] {
            tree.put("tp/Participants/Ana/Joueur.java", text);
            let recipe = Recipe::of(&tree, &of("othello")).unwrap();
            assert_eq!(
                recipe.program(&tree, &tree).unwrap().command,
                "java:. Participants.Ana.Joueur",
                "{text}"
            );
        }
        tree.take("tp/Makefile");
        let other = Recipe::of(&tree, &of("uttt")).unwrap();
        assert_eq!(other.program(&tree, &tree).unwrap().command, "java -cp . Essai");
    }

    #[test]
    fn the_text_of_a_work_is_no_part_of_its_command() {
        let main = "/*\npackage -Dx=/home Bot\n*/\npackage a.b;\npublic static void main(String[] a)";
        assert_eq!(command(&[("a/b/Bot.java", main)], &[]), "javac : java -cp . a.b.Bot");
        let named = [("x -jar y.java", main), ("Bot.java", "static void main(")];
        assert_eq!(command(&named, &[]), "javac : java -cp . Bot");
        let braces = "{time}/bot.py: a path without braces is expected";
        assert_eq!(command(&[("{time}/bot.py", "")], &[]), braces);
    }

    #[test]
    fn javac_is_given_names_with_blanks_and_quotes() {
        use std::process::Command;
        let folder = tempfile::tempdir().unwrap();
        let mut tree = Tree::default();
        tree.put("mes essais/L\"a\\b'.java", "");
        let bot = [("Bot.java", "class Bot { static void main(String[] a) {} }")];
        let script = recipe(&bot).unwrap().script.unwrap();
        tree.put_executable("bin/javac", "#!/bin/sh\nfor last; do :; done\ncat \"${last#@}\"\n");
        tree.write(folder.path()).unwrap();
        let path = format!("{}:{}", folder.path().join("bin").display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).current_dir(folder.path());
        let output = shell.env("PATH", path).env("work", folder.path()).output().unwrap();
        let listed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(listed, "\"./mes essais/L\\\"a\\\\b'.java\"\n", "{output:?}");
    }
}
