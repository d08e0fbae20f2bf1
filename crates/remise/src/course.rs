//! The five archives, one file a course: what the assignment asks for, in the form that it prescribes.

mod connect5;
mod credits;
mod gounki;
mod moules;
mod othello;
mod uttt;

use crate::pack::Form;
use crate::progress::Show;
use crate::team::Team;
use crate::tree::Tree;
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::path::Path;

/// The assignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Game {
    /// Gomoku, exactly five.
    Connect5,
    /// Stacks and rebounds.
    Gounki,
    /// Mussels in a maze.
    Moules,
    /// Othello at a given depth.
    Othello,
    /// Ultimate tic-tac-toe.
    Uttt,
}

wire::named!(Game, French "jeu inconnu":
    Connect5 = "connect5",
    Gounki = "gounki",
    Moules = "moules",
    Othello = "othello",
    Uttt = "uttt",
);

/// A team's hand-in.
#[derive(Debug)]
pub struct HandIn {
    /// The archive's file name.
    pub name: String,
    /// Its form.
    pub form: Form,
    /// Its contents.
    pub tree: Tree,
    /// Notes for the team, a line each: the language that the course asks for and its rule on others' work come first.
    pub notes: Vec<String>,
}

impl Game {
    /// The largest team. Three assignments say two; the other two are silent, and four is what a class allows.
    #[must_use]
    pub fn largest_team(self) -> usize {
        match self {
            Self::Gounki | Self::Othello | Self::Uttt => 2,
            Self::Connect5 | Self::Moules => 4,
        }
    }

    /// The language that the assignment asks for, and the one that this game's player is written in.
    #[must_use]
    pub fn language(self) -> &'static str {
        match self {
            Self::Connect5 => include_str!("../modeles/connect5/langage.txt").trim_end(),
            Self::Gounki => include_str!("../modeles/gounki/langage.txt").trim_end(),
            Self::Moules => include_str!("../modeles/moules/langage.txt").trim_end(),
            Self::Othello => include_str!("../modeles/othello/langage.txt").trim_end(),
            Self::Uttt => include_str!("../modeles/uttt/langage.txt").trim_end(),
        }
    }

    /// The assignment's rule on handing in another's work, in its own words.
    #[must_use]
    pub fn rule_on_others_work(self) -> &'static str {
        match self {
            Self::Connect5 => include_str!("../modeles/connect5/regle.txt").trim_end(),
            Self::Gounki => include_str!("../modeles/gounki/regle.txt").trim_end(),
            Self::Moules => include_str!("../modeles/moules/regle.txt").trim_end(),
            Self::Othello => include_str!("../modeles/othello/regle.txt").trim_end(),
            Self::Uttt => include_str!("../modeles/uttt/regle.txt").trim_end(),
        }
    }

    /// Returns whether the assignment asks for the students' numbers.
    #[must_use]
    pub fn wants_numbers(self) -> bool {
        matches!(self, Self::Connect5 | Self::Uttt)
    }
}

/// How an archive is made.
#[derive(Clone, Copy)]
pub struct Making<'a> {
    /// The folder where executables that belong to an archive are built.
    pub target: &'a Path,
    /// Variables for that build.
    pub environment: &'a [(String, String)],
    /// Othello: the Java classes alone, without the executable and its sources.
    pub class_alone: bool,
    /// Told what is being done.
    pub show: Show<'a>,
}

/// Makes what the course receives.
///
/// # Errors
/// A project that cannot be read or built.
pub fn hand_in(game: Game, team: &Team, project: &Path, making: Making<'_>) -> Result<HandIn> {
    if game.wants_numbers() && team.numbers().is_none() {
        bail!("{game} wants the students' numbers");
    }
    let build = |workspace: &Workspace, executable: &str| {
        workspace.build(executable, making.target, making.environment, making.show)
    };
    (making.show)("rassemble les sources et les dépendances");
    let mut hand_in = match game {
        Game::Connect5 => connect5::hand_in(team, project),
        Game::Gounki => gounki::hand_in(team, project),
        Game::Moules => moules::hand_in(team, project),
        Game::Othello if making.class_alone => othello::class_alone(team, project),
        Game::Othello => othello::hand_in(team, project, build),
        Game::Uttt => uttt::hand_in(team, project, build),
    }?;
    cut_credits(&mut hand_in.tree, game)?;
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    hand_in.notes.splice(0..0, [game.language(), game.rule_on_others_work()].map(on_one_line));
    Ok(hand_in)
}

/// Cuts every CREDITS.md to what this game uses.
fn cut_credits(tree: &mut Tree, game: Game) -> Result<()> {
    let is_credits = |path: &str| path == "CREDITS.md" || path.ends_with("/CREDITS.md");
    let paths: Vec<String> =
        tree.iter().map(|(path, _)| path.to_owned()).filter(|path| is_credits(path)).collect();
    for path in paths {
        let text =
            tree.get(&path).map(|file| String::from_utf8(file.bytes.clone())).context("it was there")??;
        tree.put(path, credits::of_game(&text, game));
    }
    Ok(())
}

/// Builds an executable of a pruned workspace, and gives its bytes.
trait Build: Fn(&Workspace, &str) -> Result<Vec<u8>> {}
impl<F: Fn(&Workspace, &str) -> Result<Vec<u8>>> Build for F {}

/// A template with its `{{NAMES}}` replaced; a value may contain names that come later in the list.
fn fill(template: &str, values: &[(&str, &str)]) -> Result<String> {
    let mut text = template.to_owned();
    for (name, value) in values {
        text = text.replace(&format!("{{{{{name}}}}}"), value);
    }
    match text.split_once("{{") {
        None => Ok(text),
        Some((_, rest)) => bail!("nothing for {{{{{}", rest.lines().next().unwrap_or_default()),
    }
}

/// The Makefile: a plain `make` builds without network and puts these programs beside it.
fn makefile(title: &str, programs: &[(&str, &str)]) -> Result<String> {
    makefile_after(title, programs, "", "")
}

/// The same for dependencies that lie in [`PACKED`].
fn makefile_unpacking(title: &str, programs: &[(&str, &str)]) -> Result<String> {
    let unpack = format!("\nvendor: {PACKED}\n\ttar xzf {PACKED} && touch vendor\n");
    makefile_after(title, programs, " vendor", &unpack)
}

/// `vendor/` as one file.
const PACKED: &str = "vendor.tar.gz";

fn makefile_after(title: &str, programs: &[(&str, &str)], first: &str, rules: &str) -> Result<String> {
    let names: Vec<_> = programs.iter().map(|(program, _)| *program).collect();
    let copies: Vec<_> = programs
        .iter()
        .map(|(program, executable)| format!("\tcp -f \"$(CIBLE)/{executable}\" {program}"))
        .collect();
    fill(
        include_str!("../modeles/commun/Makefile"),
        &[
            ("TITRE", title),
            ("PROGRAMMES", &names.join(" ")),
            ("COPIES", &copies.join("\n")),
            ("AVANT", first),
            ("REGLES", rules),
        ],
    )
}

/// A document: the course's own text, the team, the language that it asks for, its rule on handing in another's work, and what all archives say of how
/// they are built.
fn readme(game: Game, template: &str, team: &Team, values: &[(&str, &str)]) -> Result<String> {
    let lines = team.lines();
    let common = include_str!("../modeles/commun/compiler.txt").trim_end();
    let others = include_str!("../modeles/commun/autrui.txt").trim_end();
    let rule = game.rule_on_others_work();
    let mut all = vec![
        ("EQUIPE", lines.trim_end()),
        ("LANGAGE", game.language()),
        ("COMPILER", common),
        ("AUTRUI", others),
        ("REGLE", rule),
    ];
    all.extend_from_slice(values);
    fill(template, &all)
}

/// The kind of machine that built executables run on, as a document names it.
fn machine() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}
