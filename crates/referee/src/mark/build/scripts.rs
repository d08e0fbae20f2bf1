//! The script that is the program, among those of some work.

use super::recipe::is_named;
use crate::mark::paths::{depth, name_of};
use courses::archive::Tree;
use std::collections::HashSet;

/// The scripts of one language, the likeliest program first.
pub(super) struct Scripts<'a>(Vec<Script<'a>>);

/// A script, with what tells whether it is the program: what comes first counts more.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Script<'a> {
    /// The rank of its kind before the depth counts: 0 for a name of the course's, 1 for an assignment's, 3 for parts.
    class: u8,
    /// The place of that name among the course's.
    name: usize,
    depth: usize,
    kind: Kind,
    /// A copy by a browser has a longer name: `tp1 (1).py`.
    length: usize,
    path: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// It has a name of the course's.
    Named,
    /// The name of an assignment.
    Tp,
    /// A name of the course's is part of its own.
    Like,
    Main,
    /// It tells what it does when it is started.
    Starts,
    Other,
    /// Another one imports it, and no name tells that it is the program; tests and tools.
    Part,
}

impl<'a> Scripts<'a> {
    /// Finds the scripts with this ending. `names` are those of the course's programs.
    pub(super) fn of(tree: &'a Tree, end: &str, names: &[String]) -> Self {
        /// Maximum number of scripts, and of the bytes of one and of all that are read.
        const MOST: (usize, usize, usize) = (1000, 1 << 20, 8 << 20);
        let mut files: Vec<_> =
            tree.named().filter_map(|(path, file)| Some((path, stem(path, end)?, file))).collect();
        files.retain(|(path, ..)| {
            !path.split('/').any(|part| ["site-packages", "node_modules"].contains(&part))
        });
        files.sort_by_key(|(path, ..)| depth(path));
        files.truncate(MOST.0);
        let mut left = MOST.2;
        let modules: HashSet<&str> = files.iter().map(|(_, stem, _)| &**stem).collect();
        let name_of_course = |stem: &str| names.iter().position(|name| is_named(stem, name));
        // Imported by a program, by one whose name tells that it is the program, and by `main`.
        let (mut imported, mut by_named, mut by_main) = (HashSet::new(), HashSet::new(), HashSet::new());
        let mut starting = HashSet::new();
        for (path, stem, file) in files.iter().filter(|(_, stem, _)| !is_tool(stem)) {
            let read = file.bytes.len().min(MOST.1).min(left);
            left -= read;
            let text = String::from_utf8_lossy(&file.bytes[..read]);
            starting.extend(text.contains("__main__").then_some(*path));
            imports(&text, |word| {
                let module = modules.get(word).filter(|module| **module != *stem).copied();
                imported.extend(module);
                by_named.extend(module.filter(|_| name_of_course(stem).is_some() || is_of_assignment(stem)));
                by_main.extend(module.filter(|_| is_main(stem)));
            });
        }
        let mut all: Vec<Script<'_>> = files
            .iter()
            .filter(|(_, stem, _)| stem != "__init__")
            .map(|&(path, ref stem, _)| {
                let module = &**stem;
                let is_of_package =
                    module == "__main__" && tree.get(&path.replace("__main__", "__init__")).is_some();
                let (name, is_like) =
                    (name_of_course(module), names.iter().any(|name| module.contains(name)));
                let kind = match () {
                    // No module has such a name by chance.
                    () if name.is_some_and(|nth| names[nth].ends_with('*')) => Kind::Named,
                    () if is_tool(module) || is_of_package => Kind::Part,
                    () if by_main.contains(module) || by_named.contains(module) => Kind::Part,
                    () if name.is_some() => Kind::Named,
                    () if module.starts_with("tp") => Kind::Tp,
                    () if is_like => Kind::Like,
                    () if is_main(module) => Kind::Main,
                    () if imported.contains(module) => Kind::Part,
                    () if starting.contains(path) => Kind::Starts,
                    () => Kind::Other,
                };
                let class = match kind {
                    Kind::Named => 0,
                    Kind::Tp => 1,
                    Kind::Like | Kind::Main | Kind::Starts | Kind::Other => 2,
                    Kind::Part => 3,
                };
                Script {
                    class,
                    name: name.unwrap_or(names.len()),
                    depth: depth(path),
                    kind,
                    length: path.len(),
                    path,
                }
            })
            .collect();
        all.sort();
        Self(all)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns true if one has the course's name.
    pub(super) fn is_named(&self) -> bool {
        self.0.iter().any(|script| script.kind == Kind::Named)
    }

    /// Returns the one that is meant. `None` among several of which no name and no text tells it.
    pub(super) fn program(&self) -> Option<&'a str> {
        match &self.0[..] {
            [first, second, ..]
                if first.kind >= Kind::Other && (first.depth, first.kind) == (second.depth, second.kind) =>
            {
                None
            }
            all => all.first().map(|script| script.path),
        }
    }
}

/// Returns the name without its ending, in small letters.
fn stem(path: &str, end: &str) -> Option<String> {
    name_of(path).strip_suffix(end).map(str::to_lowercase)
}

fn is_main(stem: &str) -> bool {
    stem == "main" || stem == "__main__"
}

/// True for the name of an assignment's work: `tp1`, `tp1_2`.
pub(super) fn is_of_assignment(stem: &str) -> bool {
    stem.strip_prefix("tp").is_some_and(|rest| rest.starts_with(|sign: char| sign.is_ascii_digit()))
}

/// True for the name of tests and of a package's tools.
fn is_tool(stem: &str) -> bool {
    stem.starts_with("test")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || ["setup", "conftest"].contains(&stem)
}

/// Calls `each` with the words of the lines that import modules, in small letters.
fn imports(text: &str, mut each: impl FnMut(&str)) {
    for line in text.lines().map(str::trim_start) {
        if line.starts_with("import ") || line.starts_with("from ") {
            let line = line.to_lowercase();
            line.split(|sign: char| !sign.is_alphanumeric() && sign != '_').skip(1).for_each(&mut each);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program of Python files, each with its text.
    fn program(files: &[(&str, &str)]) -> String {
        named(&["joueur"], files)
    }

    fn named(names: &[&str], files: &[(&str, &str)]) -> String {
        let mut tree = Tree::default();
        files.iter().for_each(|(path, text)| tree.put(*path, *text));
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Scripts::of(&tree, ".py", &names).program().unwrap_or("none").to_owned()
    }

    #[test]
    fn the_file_that_the_course_runs_comes_before_modules_of_the_games_name() {
        let program = |files: &[(&str, &str)]| named(&["tp1_*", "uttt"], files);
        let own = ("tp1_1234567_7654321.py", "import uttt_game, uttt");
        for other in ["uttt.py", "UTTT.py", "uttt_game.py", "uttt_gui.py", "joue_uttt.py", "main.py"] {
            assert_eq!(program(&[(own.0, ""), (other, "import tp1_1234567_7654321")]), own.0, "{other}");
            assert_eq!(program(&[own, (other, "")]), own.0, "{other}");
            assert_eq!(program(&[("src/tp1_1.py", ""), (other, "")]), "src/tp1_1.py", "{other}");
        }
        assert_eq!(program(&[own, ("tp1_outils.py", "")]), own.0);
        assert_eq!(program(&[("tp1_1 (1).py", ""), ("tp1_1.py", "")]), "tp1_1.py");
        let names = ("tp1_tremblay_roy.py", "import tp1_arbre");
        assert_eq!(program(&[names, ("tp1_arbre.py", "")]), names.0);
        assert_eq!(program(&[("uttt.py", "import tp1_outils"), ("tp1_outils.py", "")]), "uttt.py");
        assert_eq!(program(&[("uttt_game.py", ""), ("tests/uttt_tests.py", "")]), "uttt_game.py");
    }

    #[test]
    fn the_program_is_told_by_its_name_or_by_what_imports_it() {
        let starts = "if __name__ == \"__main__\":\n    main()\n";
        let uses = format!("from grille import *\n{starts}");
        assert_eq!(program(&[("bot.py", "")]), "bot.py");
        assert_eq!(program(&[("main.py", "import grille"), ("grille.py", "")]), "main.py");
        assert_eq!(program(&[("main.py", &uses), ("grille.py", starts)]), "main.py");
        assert_eq!(program(&[("zorro.py", &uses), ("grille.py", starts)]), "zorro.py");
        assert_eq!(program(&[("zorro.py", "from .grille import a"), ("grille.py", "")]), "zorro.py");
        assert_eq!(program(&[("zorro.py", &uses), ("tests.py", starts), ("grille.py", "")]), "zorro.py");
        assert_eq!(program(&[("Joueur.py", "import grille"), ("grille.py", starts)]), "Joueur.py");
        assert_eq!(program(&[("joueur.py", ""), ("test_joueur.py", "import joueur")]), "joueur.py");
        assert_eq!(program(&[("src/main.py", ""), ("setup.py", ""), ("tests/test_x.py", "")]), "src/main.py");
        assert_eq!(program(&[("a.py", ""), ("b.py", "")]), "none");
        assert_eq!(program(&[("prog.py", ""), ("lib/a.py", ""), ("lib/b.py", "")]), "prog.py");
        assert_eq!(program(&[("main.py", "from joueur import Joueur"), ("joueur.py", "")]), "main.py");
        let pip = ("venv/lib/site-packages/pip/__main__.py", starts);
        assert_eq!(program(&[("bot.py", ""), pip, ("venv/lib/site-packages/joueur.py", "")]), "bot.py");
        assert_eq!(program(&[("bot.py", starts), ("ancien/main.py", "")]), "bot.py");
        assert_eq!(program(&[("bot.py", ""), ("m/__main__.py", ""), ("m/__init__.py", "")]), "bot.py");
        assert_eq!(program(&[("arbitre.py", "import joueur"), ("joueur.py", "")]), "joueur.py");
        assert_eq!(program(&[("test_joueur.py", "import joueur"), ("src/joueur.py", "")]), "src/joueur.py");
    }
}
