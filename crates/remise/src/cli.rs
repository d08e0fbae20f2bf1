//! The command line, in French as the courses are.

use courses::hand_in::team::Team;
use courses::hand_in::{self, Making, Submission, check, submission, workspace};
use courses::registry::{self, Game};
use lexopt::{Arg, ValueExt};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use wire::Failure;

/// Returns the help text.
#[must_use]
pub fn help() -> String {
    let all: Vec<&str> = known().into_iter().map(|game| game.assignment().name()).collect();
    let (two, four) = (those(|game| game.largest_team() == 2), those(|game| game.largest_team() == 4));
    let (numbers, mails) = (those(|game| game.wants_numbers()), those(|game| game.wants_mails()));
    let teams =
        wrapped(&format!("\"A. Dupont, B. Dupond\" : deux personnes au plus pour {two}, quatre pour {four}"));
    format!(
        "\
remise : l'archive que chaque cours demande, qui se compile sans réseau

Usage : remise JEU --noms NOMS [--matricules N,…] [--courriels C,…] [--essai] [--classe-seule] DOSSIER

  JEU                {}, ou tout pour les cinq
  DOSSIER            dossier de l'archive, créé s'il n'existe pas
  --noms NOMS        {teams}
  --matricules N,…   un par nom ; {numbers} les {}
  --courriels C,…    un par nom ; {mails} les {}
  --essai            déballe l'archive dans un dossier vide, la compile sans réseau et joue,
                     comme le fait le cours ; l'arbitre du projet le note, s'il est compilé
  --classe-seule     {} : les classes Java seules, sans l'exécutable ni ses sources ;
                     elles jouent moins bien
  -h, --help         cette aide

Codes de retour : 0 succès ; 1 fabrication ou essai impossible ; 2 arguments refusés.
",
        all.join(", "),
        demand(&numbers),
        demand(&mails),
        those(|game| game.has_class()),
    )
}

/// Lists the games with such an archive, as in a sentence.
fn those(is_such: fn(&dyn Submission) -> bool) -> String {
    let such = known().into_iter().filter(|game| submission(*game).is_ok_and(is_such));
    match such.map(|game| game.assignment().name()).collect::<Vec<_>>().as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} et {last}", first.join(", ")),
        names => names.concat(),
    }
}

fn demand(names: &str) -> &'static str {
    if names.contains(" et ") { "demandent" } else { "demande" }
}

/// Breaks a text into lines that stand below each other in the second column of the help.
fn wrapped(text: &str) -> String {
    const WIDTH: usize = 74;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join(&format!("\n{:21}", ""))
}

#[derive(Debug, Default)]
struct Arguments {
    words: Vec<OsString>,
    names: Option<String>,
    numbers: Option<String>,
    mails: Option<String>,
    check: bool,
    class_alone: bool,
    help: bool,
}

/// Runs `remise`.
///
/// # Errors
/// A message on one line, and an exit code.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    let arguments =
        parse(arguments).map_err(|error| Failure::input(format!("{error} (--help donne l'aide)")))?;
    if arguments.help {
        return wire::print(help());
    }
    let [game, folder] = <[OsString; 2]>::try_from(arguments.words)
        .map_err(|_| Failure::input("il faut un jeu et un dossier (--help donne l'aide)"))?;
    let game = game.to_string_lossy();
    let games: Vec<Game> = if game == "tout" {
        known()
    } else {
        let names = known().into_iter().map(|game| game.name());
        let unknown = wire::UnknownName::new(wire::Language::French, "jeu inconnu", &game, names);
        let found = known().into_iter().find(|known| known.name() == game);
        vec![found.ok_or_else(|| Failure::input(format!("{unknown} ; tout : les cinq")))?]
    };
    let has_class = |game: &Game| submission(*game).is_ok_and(|submission| submission.has_class());
    if arguments.class_alone && !games.iter().any(has_class) {
        let names = those(|game| game.has_class());
        let of = if names.starts_with(['a', 'e', 'i', 'o', 'u']) { "d'" } else { "de " };
        return Err(Failure::input(format!(
            "--classe-seule : seule l'archive {of}{names} a une classe Java"
        )));
    }
    // All arguments and files are checked before the first archive is made.
    let names = arguments.names.unwrap_or_default();
    let mut teams = Vec::new();
    for game in games {
        let submission = submission(game).map_err(Failure::input)?;
        let team = Team::parse(
            &names,
            arguments.numbers.as_deref(),
            arguments.mails.as_deref(),
            submission.largest_team(),
        )
        .map_err(Failure::input)?;
        if submission.wants_numbers() && team.numbers().is_none() {
            return Err(Failure::input(format!(
                "--matricules : {} les demande, un par nom, séparés par des virgules",
                game.name()
            )));
        }
        teams.push((game, team));
    }
    courses::peer::children::guarded()
        .map_err(|error| Failure::run(format!("aucun processus ne peut être lancé : {error}")))?;
    let folder = PathBuf::from(folder);
    fs::create_dir_all(&folder).map_err(|error| Failure::input(format!("{} : {error}", folder.display())))?;
    let conditions =
        check::Conditions { referee: referee(), show: Some(show), ..check::Conditions::default() };
    if arguments.check && conditions.referee.is_none() {
        wire::note("remise : « referee » absent du dossier de ce programme : archive non notée");
    }
    let mut printed = wire::Progress::default();
    for (game, team) in teams {
        let name = game.name();
        let failed = |error: anyhow::Error| Failure::run(format!("{name} : {error:#}"));
        let project = workspace::project();
        let target = project.join("target/remise");
        let making = Making {
            target: &target,
            environment: &[],
            class_alone: arguments.class_alone,
            show: &|line| show(&format!("{name} : {line}")),
        };
        let hand_in = hand_in::hand_in(game, &team, &project, making).map_err(failed)?;
        let bytes = hand_in.form.pack(&hand_in.tree).map_err(failed)?;
        let path = folder.join(&hand_in.name);
        put(&path, &bytes)?;
        let (files, kilobytes) = (hand_in.tree.len(), bytes.len().div_ceil(1000));
        printed.line(format_args!("{name} : {} ({files} fichiers, {kilobytes} ko)", path.display()));
        for note in &hand_in.notes {
            wire::note(format_args!("remise : {name} : {note}"));
        }
        if arguments.check {
            for line in check::check(game, &path, &conditions).map_err(failed)? {
                printed.line(format_args!("  {line}"));
            }
        }
    }
    printed.end()
}

/// Returns the games whose course receives an archive.
fn known() -> Vec<Game> {
    registry::all().into_iter().filter(|game| submission(*game).is_ok()).collect()
}

/// Writes progress to standard error, apart from the results on standard output.
fn show(line: &str) {
    wire::note(format_args!("remise : … {line}"));
}

/// Writes an archive, whole or not at all.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    wire::file::write(path, bytes).map_err(|error| Failure::run(format!("{} : {error}", path.display())))
}

/// Returns the project's referee, built in the same folder as this executable.
fn referee() -> Option<PathBuf> {
    let beside = std::env::current_exe().ok()?.with_file_name("referee");
    beside.is_file().then_some(beside)
}

fn parse(words: Vec<OsString>) -> Result<Arguments, lexopt::Error> {
    let mut arguments = Arguments::default();
    let mut parser = lexopt::Parser::from_args(words);
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Value(word) => arguments.words.push(word),
            Arg::Long("noms") => arguments.names = Some(parser.value()?.string()?),
            Arg::Long("matricules") => arguments.numbers = Some(parser.value()?.string()?),
            Arg::Long("courriels") => arguments.mails = Some(parser.value()?.string()?),
            Arg::Long("essai") => arguments.check = true,
            Arg::Long("classe-seule") => arguments.class_alone = true,
            Arg::Short('h') | Arg::Long("help") => arguments.help = true,
            _ => return Err(argument.unexpected()),
        }
    }
    Ok(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::file::faults::{self, Fault};

    #[test]
    fn whichever_call_fails_an_archive_is_the_old_one_or_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tp1.zip");
        for fault in Fault::ALL {
            for nth in 0.. {
                put(&path, b"old").unwrap();
                let (written, struck) = faults::with(fault, nth, || put(&path, b"the new one"));
                let expected: &[u8] = if written.is_ok() { b"the new one" } else { b"old" };
                assert_eq!(fs::read(&path).unwrap(), expected, "{fault:?} at call {nth}: {written:?}");
                if !struck {
                    break;
                }
            }
        }
        let error = faults::with(Fault::Full, 0, || put(&path, b"x")).0.unwrap_err();
        assert!(error.to_string().contains("tp1.zip : "), "{error}");
    }
}
