//! The choice of a way from a student's sources to a program: `make`, cargo, `javac`, or nothing.

use super::java::Main;
use super::recipe::{CARGO, Recipe, Start, executables, holds, is_compiled, is_named};
use super::run::{MAKE, MAKE_ANEW};
use super::scripts::{Scripts, is_of_assignment};
use crate::mark::paths::{depth, is_below, is_makefile, is_of_report, is_to_compile, is_within, name_of};
use anyhow::{Context, Result, bail, ensure};
use courses::archive::{File, Tree, folder_of, is_unread};
use courses::peer::SHELLS;
use courses::registry::Game;
use std::path::Path;

impl Recipe {
    /// Chooses the way for these files: `make`, cargo, `javac`, a program or script. A script with the course's name comes
    /// before what lies in folders below it, and a crate before a `Makefile` there: a report's, a library's.
    pub(super) fn of(tree: &Tree, game: &Game) -> Result<Self> {
        let all: Vec<&str> = tree.named().map(|(path, _)| path).collect();
        let paths = || all.iter().copied();
        let names = names_of(game);
        let found = |by, script: &str, path: &str, start| {
            let script = Some(script.to_owned()).filter(|script| !script.is_empty());
            Ok(Self { by, script, folder: folder_of(path).to_owned(), start })
        };
        // A class of the course's framework needs it, which a `Makefile` has elsewhere.
        let framework = game.assignment().java_framework();
        let hosted = framework.and_then(|framework| Main::hosted(tree, framework));
        let java = |main: Main| {
            let main = main.placed(tree);
            found("javac", &main.script(), &format!("{}x", main.start), Start::Java(main))
        };
        if let Some(main) = hosted {
            return java(main);
        }
        let scripts = named_scripts(tree, &names);
        let is_below_script = |path: &str| scripts.iter().any(|script| is_below(path, script));
        let crates = nearest(paths().filter(|path| name_of(path) == "Cargo.toml"));
        let makefiles = nearest(paths().filter(|path| is_makefile(path)));
        let makefile = makefiles
            .iter()
            .filter(|path| !is_below_script(path) && has_sources(tree, folder_of(path)))
            .filter(|path| !crates.iter().any(|of| is_below(path, of)))
            .min_by_key(|path| {
                let names_it = |file: &File| names.iter().any(|name| holds(file, name.trim_end_matches('*')));
                (depth(path), !tree.led_to(path).is_some_and(names_it))
            });
        if let Some(path) = makefile {
            return found("make", MAKE, path, Start::Executable(names));
        }
        let crates = crates.iter().filter(|path| !is_below_script(path));
        if let Some(path) = crates.min_by_key(|path| (depth(path), !has_program(tree, path))) {
            let default = tree.led_to(path).and_then(default_run);
            let names = names.into_iter().chain(default).collect();
            return found("cargo build", CARGO, path, Start::Cargo(names));
        }
        let sources = paths().filter(|path| path.ends_with(".java"));
        if let Some(path) = sources.min_by_key(|path| depth(path)).filter(|path| !is_below_script(path)) {
            let main = Main::of(tree, &names, game.assignment().examples()).with_context(|| {
                format!("{path}: no class has a method main; add one that speaks the course's protocol")
            })?;
            return java(main);
        }
        let named = |path: &&str| names.iter().any(|name| is_named(name_of(path), name));
        let made: Vec<&str> = executables(tree).collect();
        if let Some(path) = made.iter().copied().filter(named).min_by_key(|path| depth(path)) {
            return found("", "", path, Start::Executable(names.clone()));
        }
        let mut scripts =
            [("python3", ".py"), ("sh", ".sh")].map(|kind| (kind.0, Scripts::of(tree, kind.1, &names)));
        // A script with the course's name is meant, whatever the other one is.
        scripts.sort_by_key(|(_, scripts)| !scripts.is_named());
        for (interpreter, scripts) in &scripts {
            if let Some(path) = scripts.program() {
                let is_of_build = *interpreter == "sh" && !scripts.is_named();
                ensure!(
                    !(is_of_build && paths().any(is_to_compile)),
                    "{path}: a script beside sources to compile; expected a Makefile, or the name {}",
                    names.join(" or ")
                );
                let shell = tree.led_to(path).and_then(shell_of).filter(|_| *interpreter == "sh");
                let interpreter = shell.unwrap_or(interpreter).to_owned();
                return found("", "", path, Start::Script(interpreter, path.to_owned()));
            }
        }
        match made[..] {
            _ if let Some(path) = makefiles.first() => found("make", MAKE, path, Start::Executable(names)),
            [only] => found("", "", only, Start::Executable(vec![name_of(only).to_owned()])),
            [] if let Some(path) = paths().find(|path| is_unread(Path::new(path))) => {
                bail!("{path}: an archive of a kind that is not read: .zip, .tar, .tar.gz and .tgz are")
            }
            [] if scripts.iter().any(|(_, scripts)| !scripts.is_empty()) => {
                bail!("several scripts, and none named {}, main or tp", names.join(", "))
            }
            _ => {
                let name = names.iter().find(|name| !name.ends_with('*')).map_or("main", String::as_str);
                bail!(
                    "found no Makefile, Cargo.toml, .java, .py or .sh file, and no single executable; \
                     hand in a Makefile that makes \"{name}\", or a script \"{name}.sh\" that starts it"
                )
            }
        }
    }

    /// Returns the way of `make` that makes everything anew. Compiled files that were handed in may be another system's, and
    /// newer than their sources.
    ///
    /// # Errors
    /// There is no such file, or another way.
    pub(super) fn anew(tree: &Tree, game: &Game) -> Result<Self> {
        let usual = Self::of(tree, game)?;
        let is_there = tree.iter().any(|(path, file)| is_compiled(path, file));
        ensure!(usual.by == "make" && is_there, "it is new");
        Ok(Self { by: "make -B", script: Some(MAKE_ANEW.to_owned()), ..usual })
    }

    /// Returns another way where `make` or cargo made no program: a `Makefile` may run the program, test or document it, or
    /// start `javac`, and a crate be a script's source.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn instead(tree: &Tree, game: &Game) -> Result<Self> {
        let is_build = |path: &str| is_makefile(path) || name_of(path) == "Cargo.toml";
        let usual = Self::of(tree, game)?;
        ensure!(matches!(usual.start, Start::Executable(_) | Start::Cargo(_)), "there is one way");
        let mut others = tree.clone();
        others.retain(|path| !is_build(path));
        let other = Self::of(&others, game).ok().filter(|other| match other.start {
            Start::Java(_) => true,
            // Beside sources it is a tool.
            Start::Script(..) => !others.iter().any(|(path, _)| is_to_compile(path)),
            Start::Executable(_) | Start::Cargo(_) => false,
        });
        other.or_else(|| Self::named(tree, game)).context("there is no other way")
    }

    /// Returns the script with the course's name nearest to the root, as a program that needs no build.
    fn named(tree: &Tree, game: &Game) -> Option<Self> {
        let names = names_of(game);
        let path = named_scripts(tree, &names).into_iter().min_by_key(|path| depth(path))?;
        let mut alone = Tree::default();
        alone.put_file(path, tree.led_to(path)?.clone());
        Self::of(&alone, game).ok()
    }
}

/// Returns the names that the course's programs may have.
fn names_of(game: &Game) -> Vec<String> {
    game.assignment().programs().iter().map(|&name| name.to_owned()).collect()
}

/// Returns the scripts with a course's name: `joueur.py`, `tp1_1.py`, `joueur` with the line of its interpreter.
fn named_scripts<'a>(tree: &'a Tree, names: &[String]) -> Vec<&'a str> {
    let is_named = |path: &str, file: &File| {
        let name = name_of(path).to_lowercase();
        let stem = name.strip_suffix(".py").or(name.strip_suffix(".sh"));
        let is_program = file.executable && file.bytes.starts_with(b"#!");
        let is_whole = |stem: &str| names.iter().any(|name| is_named(stem, name));
        stem.map_or_else(|| is_program && is_whole(&name), |stem| is_whole(stem) || is_of_assignment(stem))
    };
    nearest(tree.named().filter(|(path, file)| is_named(path, file)).map(|(path, _)| path))
}

/// True for a folder with more in it, or below, than a report's texts and pictures.
fn has_sources(tree: &Tree, folder: &str) -> bool {
    tree.iter().any(|(path, _)| is_within(path, folder) && !is_makefile(path) && !is_of_report(path))
}

/// Returns the paths nearest to the root, not too many of a stranger's.
fn nearest<'a>(paths: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    const MOST: usize = 100;
    let mut all: Vec<&str> = paths.collect();
    all.sort_by_key(|path| depth(path));
    all.truncate(MOST);
    all
}

/// Returns the program of a crate that cargo runs.
fn default_run(file: &File) -> Option<String> {
    let text = String::from_utf8_lossy(&file.bytes);
    let line = text.lines().find_map(|line| line.trim().strip_prefix("default-run"));
    line?.split('"').nth(1).map(str::to_owned)
}

/// True for a crate with a program, or a workspace.
fn has_program(tree: &Tree, path: &str) -> bool {
    let below = path.strip_suffix("Cargo.toml").unwrap_or_default();
    let has_main = tree.get(&format!("{below}src/main.rs")).is_some();
    let has_more = |file: &File| holds(file, "[[bin]]") || holds(file, "[workspace]");
    let bins = format!("{below}src/bin/");
    has_main || tree.get(path).is_some_and(has_more) || tree.iter().any(|(path, _)| path.starts_with(&bins))
}

/// Returns the shell that a script's first line names.
fn shell_of(file: &File) -> Option<&'static str> {
    let first = file.bytes.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    let first = String::from_utf8_lossy(first);
    let mut names = first.split_whitespace().map(name_of);
    names.find_map(|name| SHELLS.into_iter().find(|shell| *shell == name))
}

#[cfg(test)]
mod tests {
    use super::super::recipe::tests::{command, recipe};
    use super::*;
    use courses::registry;

    #[test]
    fn each_language_has_its_way() {
        let c = [("tp1/src/Makefile", "x"), ("tp1/src/a.c", "x"), ("tp1/test.py", "x")];
        assert_eq!(command(&c, &["tp1/src/bot"]), "make tp1/src: ./bot");
        let Start::Executable(names) = recipe(&c).unwrap().start else {
            panic!("a Makefile makes a program")
        };
        let name = &names[0];
        let named = format!("tp1/src/{name}");
        assert_eq!(command(&c, &[&named, "tp1/src/test"]), format!("make tp1/src: ./{name}"));
        assert_eq!(command(&c, &[]), format!("make made no program: expected {name}"));
        assert_eq!(command(&c, &["a", "b"]), format!("make made several programs: expected {name}"));
        assert_eq!(
            command(
                &[("my bot/Cargo.toml", ""), ("my bot/x.rs", "")],
                &["my bot/target/release/x", "my bot/y"]
            ),
            "cargo build my bot: ./target/release/x"
        );
        let java = [
            ("src/p/q/Bot.java", "package p.q;\npublic static void main(String[] a)"),
            ("src/p/q/A.java", ""),
        ];
        assert_eq!(command(&java, &[]), "javac src: java -cp . p.q.Bot");
        let flat = [("Bot.java", "public class Bot { public static void main(String[] a) {} }")];
        assert_eq!(command(&flat, &[]), "javac : java -cp . Bot");
        assert_eq!(command(&[("a/tp1_ana.py", ""), ("a/rules.py", "")], &[]), " a: python3 ./tp1_ana.py");
        assert_eq!(
            command(&[("x.py", ""), ("y.py", "if __name__ == '__main__':")], &[]),
            " : python3 ./y.py"
        );
        assert_eq!(command(&[("bot.sh", "")], &[]), " : sh ./bot.sh");
    }

    #[test]
    fn the_file_nearest_to_the_root_is_the_program() {
        let name = registry::all()[0].assignment().programs()[0];
        let (own, old) = (format!("{name}.py"), format!("ancien/{name}_v1.py"));
        assert_eq!(command(&[(&old, ""), (&own, "")], &[]), format!(" : python3 ./{own}"));
        let helper = format!("aide_{name}.py");
        assert_eq!(command(&[(&helper, ""), (&own, "")], &[]), format!(" : python3 ./{own}"));
        let main = "public static void main(String[] a)";
        assert_eq!(command(&[("Anc/Bot.java", main), ("Bot.java", main)], &[]), "javac : java -cp . Bot");
        let made = [&*format!("bin/{name}"), name];
        assert_eq!(command(&[("Makefile", "")], &made), format!("make : ./{name}"));
    }

    #[test]
    fn what_lies_in_a_folder_of_its_own_is_not_the_program() {
        let name = registry::all()[0].assignment().programs()[0];
        let main = "public static void main(String[] a)";
        let script = format!("{name}.py");
        let report = [("rapport/Makefile", "pdf:"), ("rapport/r.tex", "")];
        let with = |files: &[(&str, &str)]| command(&[&report[..], files].concat(), &[]);
        assert_eq!(with(&[(&script, "")]), format!(" : python3 ./{script}"));
        assert_eq!(with(&[("Bot.java", main)]), "javac : java -cp . Bot");
        assert_eq!(
            with(&[("tp/src/Makefile", ""), ("tp/src/a.c", "")]),
            format!("make made no program: expected {name}")
        );
        let vendored =
            [("Cargo.toml", ""), ("src/main.rs", ""), ("vendor/z/Makefile", ""), ("vendor/z/z.c", "")];
        assert_eq!(command(&vendored, &["target/release/x"]), "cargo build : ./target/release/x");
        let two = [("a/Cargo.toml", ""), ("a/src/lib.rs", ""), ("b/Cargo.toml", ""), ("b/src/main.rs", "")];
        assert_eq!(command(&two, &["b/target/release/x"]), "cargo build b: ./target/release/x");
        let handed_in = [("tp1_1.py", ""), ("sources/Cargo.toml", ""), ("sources/src/main.rs", "")];
        assert_eq!(command(&handed_in, &[]), " : python3 ./tp1_1.py");
        for tool in ["outils/Cargo.toml", "outils/Affiche.java", "outils/Makefile"] {
            let files = [(&*script, ""), (tool, main), ("outils/a.c", "")];
            assert_eq!(command(&files, &[]), format!(" : python3 ./{script}"), "{tool}");
        }
    }

    #[test]
    fn a_program_with_the_courses_name_comes_before_scripts() {
        let name = registry::all()[0].assignment().programs()[0];
        let mut tree = Tree::default();
        tree.put_executable(name, "#!/usr/bin/env python3");
        for helper in ["grille.py", "tests.sh"] {
            tree.put(helper, "");
            let recipe = Recipe::of(&tree, &registry::all()[0]).unwrap();
            assert_eq!(recipe.program(&tree, &tree).unwrap().command, format!("./{name}"));
        }
        let script = format!("{name}.sh");
        assert_eq!(command(&[(&script, ""), ("bot.py", "")], &[]), format!(" : sh ./{script}"));
        let bash = [("bot.sh", "#!/usr/bin/env bash\nfor ((;;)); do :; done\n")];
        assert_eq!(command(&bash, &[]), " : bash ./bot.sh");
        let refused = command_error(&[("a.py", ""), ("b.py", "")]);
        assert!(refused.starts_with("several scripts"), "{refused}");
    }

    #[test]
    fn a_script_beside_sources_to_compile_is_no_program() {
        let error = command_error(&[("bot.cpp", ""), ("compile.sh", "g++ -o bot bot.cpp")]);
        assert!(error.starts_with("compile.sh: a script beside sources to compile; expected a Makefile"));
    }

    fn command_error(files: &[(&str, &str)]) -> String {
        recipe(files).unwrap_err().to_string()
    }

    #[test]
    fn another_way_is_taken_where_a_makefile_makes_no_program() {
        let game = registry::all()[0];
        let other = |files: &[(&str, &str)]| {
            let mut tree = Tree::default();
            files.iter().for_each(|(path, text)| tree.put(*path, *text));
            let recipe = Recipe::instead(&tree, &game);
            recipe.map_or_else(
                |error| error.to_string(),
                |recipe| recipe.program(&tree, &tree).unwrap().command,
            )
        };
        let main = "public static void main(String[] a)";
        assert_eq!(other(&[("Makefile", "all:\n\tjavac *.java"), ("Bot.java", main)]), "java -cp . Bot");
        let report = [("rapport/Makefile", ""), ("rapport/courbe.gp", ""), ("Bot.java", main)];
        assert_eq!(other(&report), "java -cp . Bot");
        let manual = [("docs/Makefile", ""), ("docs/conf.py", ""), ("main.py", "")];
        assert_eq!(other(&manual), "python3 ./main.py");
        let made = [("Makefile", ""), ("bot.c", ""), ("trace.py", "")];
        assert_eq!(other(&made), "there is no other way", "a tool beside sources");
        assert_eq!(other(&[("Bot.java", main)]), "there is one way");
    }

    #[test]
    fn work_without_a_program_is_refused() {
        let error = |files: &[(&str, &str)]| recipe(files).unwrap_err().to_string();
        assert!(error(&[("a.txt", "x")]).starts_with("found no Makefile"));
        assert!(
            error(&[("a.txt", "x"), ("tp1.7z", "x")]).starts_with("tp1.7z: an archive of a kind that is not")
        );
        assert_eq!(
            error(&[("A.java", "class A {}")]),
            "A.java: no class has a method main; add one that speaks the course's protocol"
        );
    }
}
