//! Archives for handing in to each course, which build and run offline.
//!
//! - [`Submission`]: an assignment's rules for its archive; [`hand_in`] makes it.
//! - [`team`]: the students' names, numbers and addresses.
//! - [`package`]: the files of a package that an archive needs.
//! - [`workspace`]: the project pruned to one player, with its dependencies.
//! - [`check`]: unpacks, builds offline and plays an archive.
//! - [`progress`]: progress messages while cargo compiles.

pub mod check;
mod credits;
pub mod package;
pub mod progress;
pub mod team;
pub mod workspace;

use crate::archive::{Form, Tree};
use crate::registry::Game;
use anyhow::{Context, Result, bail};
use check::Place;
use progress::Show;
use std::path::Path;
use team::Team;
use workspace::Workspace;

/// The archive that a team hands in.
#[derive(Debug)]
pub struct HandIn {
    /// The name of the archive file.
    pub name: String,
    /// The format of the archive.
    pub form: Form,
    /// The files of the archive.
    pub tree: Tree,
    /// Notes for the team, one a line. The course's language and its rule on others' work come first.
    pub notes: Vec<String>,
}

/// An assignment's rules for its archive.
pub trait Submission: Sync {
    /// Returns the maximum number of students in a team.
    fn largest_team(&self) -> usize;

    /// Returns the language that the assignment asks for, and the one that this game's player is written in.
    fn language(&self) -> &'static str;

    /// Returns the same for an archive of Java classes alone.
    fn language_of_classes(&self) -> &'static str {
        self.language()
    }

    /// Quotes the assignment's rule on handing in others' work.
    fn rule_on_others_work(&self) -> &'static str;

    /// Returns true if the assignment asks for the students' numbers.
    fn wants_numbers(&self) -> bool {
        false
    }

    /// Returns true if the assignment asks for the students' addresses.
    fn wants_mails(&self) -> bool {
        false
    }

    /// Returns true if the archive can be made of Java classes alone.
    fn has_class(&self) -> bool {
        false
    }

    /// Returns the heading of CREDITS.md on this game, and the words that mark a table row as being about it.
    fn credits(&self) -> (&'static str, &'static [&'static str]);

    /// Makes the archive of a team from the project.
    ///
    /// # Errors
    /// If the project cannot be read or built.
    fn make(&self, team: &Team, project: &Path, making: Making<'_>) -> Result<HandIn>;

    /// Builds and plays the unpacked archive as the course does.
    ///
    /// # Errors
    /// The first thing that does not work.
    fn check(&self, place: &mut Place<'_>) -> Result<()>;

    /// Returns the built player as an argument of `referee mark`, or `None` if nothing was built.
    fn player(&self, place: &Place<'_>) -> Option<String>;

    /// Returns further options of `referee mark`.
    fn mark_options(&self) -> &'static [&'static str] {
        &[]
    }
}

/// Returns the submission of a game.
///
/// # Errors
/// If the game's course receives no archive.
pub fn submission(game: Game) -> Result<&'static dyn Submission> {
    game.assignment().submission().with_context(|| format!("{} has no archive", game.name()))
}

/// The settings for making an archive.
#[derive(Clone, Copy)]
pub struct Making<'a> {
    /// The build folder for executables that belong to an archive.
    pub target: &'a Path,
    /// Environment variables for that build.
    pub environment: &'a [(String, String)],
    /// True for an archive of classes alone, without the executable and its sources, if the game [has](Submission::has_class) one.
    pub class_alone: bool,
    /// The listener to progress messages.
    pub show: Show<'a>,
}

impl Making<'_> {
    /// Builds an executable of a pruned workspace, and returns its bytes.
    ///
    /// # Errors
    /// If the build fails.
    pub fn build(&self, workspace: &Workspace, executable: &str) -> Result<Vec<u8>> {
        workspace.build(executable, self.target, self.environment, self.show)
    }
}

/// Makes the archive of a course.
///
/// # Errors
/// If the project cannot be read or built.
pub fn hand_in(game: Game, team: &Team, project: &Path, making: Making<'_>) -> Result<HandIn> {
    let submission = submission(game)?;
    if submission.wants_numbers() && team.numbers().is_none() {
        bail!("{} wants the students' numbers", game.name());
    }
    (making.show)("rassemble les sources et les dépendances");
    let language = if making.class_alone { submission.language_of_classes() } else { submission.language() };
    let mut hand_in = submission.make(team, project, making)?;
    cut_credits(&mut hand_in.tree, game)?;
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = [language, submission.rule_on_others_work()];
    hand_in.notes.splice(0..0, told.map(on_one_line));
    Ok(hand_in)
}

/// Reduces every CREDITS.md to the parts that this game uses.
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

/// Replaces the `{{NAMES}}` in a template. A value may contain names that come later in the list.
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

/// Returns a Makefile whose default target builds offline and copies these programs next to it.
pub(crate) fn makefile(title: &str, programs: &[(&str, &str)]) -> Result<String> {
    makefile_after(title, programs, "", "")
}

/// Like [`makefile`], for dependencies in [`PACKED`].
pub(crate) fn makefile_unpacking(title: &str, programs: &[(&str, &str)]) -> Result<String> {
    let unpack = format!("\nvendor: {PACKED}\n\ttar xzf {PACKED} && touch vendor\n");
    makefile_after(title, programs, " vendor", &unpack)
}

/// The archive of `vendor/` as one file.
pub(crate) const PACKED: &str = "vendor.tar.gz";

fn makefile_after(title: &str, programs: &[(&str, &str)], first: &str, rules: &str) -> Result<String> {
    let names: Vec<_> = programs.iter().map(|(program, _)| *program).collect();
    let copies: Vec<_> = programs
        .iter()
        .map(|(program, executable)| format!("\tcp -f \"$(CIBLE)/{executable}\" {program}"))
        .collect();
    fill(
        include_str!("hand_in/modeles/Makefile"),
        &[
            ("TITRE", title),
            ("PROGRAMMES", &names.join(" ")),
            ("COPIES", &copies.join("\n")),
            ("AVANT", first),
            ("REGLES", rules),
        ],
    )
}

/// Returns a document: the course's own text, with the team, the language, the rule on others' work, and how to build
/// it.
pub(crate) fn readme(
    of: &dyn Submission,
    template: &str,
    team: &Team,
    values: &[(&str, &str)],
) -> Result<String> {
    let lines = team.lines();
    let common = include_str!("hand_in/modeles/compiler.txt").trim_end();
    let others = include_str!("hand_in/modeles/autrui.txt").trim_end();
    let rule = of.rule_on_others_work();
    let mut all = vec![
        ("EQUIPE", lines.trim_end()),
        ("LANGAGE", of.language()),
        ("COMPILER", common),
        ("AUTRUI", others),
        ("REGLE", rule),
    ];
    all.extend_from_slice(values);
    fill(template, &all)
}

/// Returns the kind of machine that the executables run on, for documents.
pub(crate) fn machine() -> String {
    format!("{} {}", std::env::consts::OS, std::env::consts::ARCH)
}
