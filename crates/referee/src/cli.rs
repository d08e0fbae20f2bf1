//! The command line, with one file a command.

mod check;
mod demo;
mod files;
mod games;
mod gradebook;
mod interrupt;
pub(crate) mod language;
mod mark;
mod openings;
mod options;
mod outputs;
mod play;
mod players;
mod progress;
mod replay;
mod rounds;
mod sandbox;
mod sequential;
mod suite;
mod tournament;
mod tune;
mod works;

use clap::parser::ValueSource;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use courses::registry;
use std::ffi::OsString;
use std::io::BufReader;
use wire::Failure;

/// Plays, marks, rates and records any executable as its course would.
#[derive(Debug, Parser)]
#[command(name = "referee", version, max_term_width = 100, after_help = players_help())]
struct Arguments {
    #[command(subcommand)]
    command: Task,
}

/// The ways to write a player, those of each game among them.
fn players_help() -> String {
    let mut text = "\
Players
  builtin:random, builtin:greedy, builtin:search:DEPTH, builtin:first
  tcp:HOST:PORT            a player that is already running
  COMMAND                  a process that speaks the course's protocol
  PROTOCOL:COMMAND         a process that speaks another protocol, as listed below
NAME= before a player sets its name in tables. In a command, {seed}, {time} (ms) and {seat} are
replaced by their values.
"
    .to_owned();
    for game in registry::all() {
        let protocols: Vec<String> = game.protocols().iter().map(|name| format!("{name}:")).collect();
        let lines = (!protocols.is_empty()).then(|| (protocols.join(" "), "protocols of its own"));
        let forms = game.forms().iter().map(|&(form, meaning)| (form.to_owned(), meaning));
        for (form, meaning) in lines.into_iter().chain(forms) {
            text.push_str(&format!("\n  {:<9} {form:<28} {meaning}", game.name()));
        }
    }
    text + "\n\nExit codes: 0 done; 1 the run failed; 2 bad arguments or a bad file."
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Plays one whole game of each assignment, every executable as a process
    Demo(demo::Demo),
    /// Plays two players against each other, each opening from both sides
    Match(tournament::Match),
    /// Plays a tournament: round robin, gauntlet, Swiss or knockout
    Tournament(tournament::Tournament),
    /// Plays two players until one of two hypotheses on their difference is accepted
    Sprt(sequential::Sequential),
    /// Tunes a player's parameters by playing (SPSA)
    Tune(tune::Tune),
    /// Joins the records of a run's shards and prints the results
    Merge(tournament::Merge),
    /// Prints the results of a record file
    Report(tournament::Report),
    /// Checks a program against its course's protocol, step by step
    Check(check::Check),
    /// Applies the course's marking scheme and prints a report card
    Mark(mark::Mark),
    /// Shows a recorded game and judges every move again
    Replay(replay::Replay),
    /// Tests players on positions with known solutions
    Suite(suite::Positions),
    /// Makes a set of random openings
    Openings(openings::Openings),
    /// Lists the games: name, most players, executables, own options, with tabs between
    Games,
    /// Kills the processes that a killed referee left running
    #[command(hide = true)]
    Guard { mark: String },
}

/// Options common to several commands that some do not use. Those are neither listed nor accepted.
const UNUSED: [(&str, &[&[&str]]); 5] = [
    ("demo", &[&OPENINGS]),
    ("mark", &[&OPENINGS, &["size", "adjudicate", "turns", "dunes"]]),
    ("replay", &[&["seed"], &OPENINGS, &CONDITIONS]),
    (
        "suite",
        &[
            &OPENINGS,
            &["size", "adjudicate", "turns", "dunes", "resign", "draw", "max_moves", "pin", "live", "pace"],
            &FILES,
        ],
    ),
    ("openings", &[&OPENINGS, &CONDITIONS, &["turns", "dunes"]]),
];

/// Options on the conditions of games, for commands that play none.
const CONDITIONS: [&str; 8] =
    ["time", "grace", "watchdog", "start_up", "memory", "bin_dir", "depth", "adjudicate"];

/// Options on files of games, for commands that play none.
const FILES: [&str; 6] = ["record", "log", "log_faults", "shard", "html", "notation"];

/// Options on openings, for commands with their own.
const OPENINGS: [&str; 4] = ["openings", "openings_order", "openings_start", "openings_plies"];

/// The commands that run programs by strangers, in a sandbox unless `--sandbox off` is given. The others are for authors, who
/// trust both players.
const CONFINED: [&str; 3] = ["check", "mark", "tournament"];

/// Returns the parser, with only the options that each command uses, and each command's own defaults.
fn command() -> clap::Command {
    let command = UNUSED.iter().fold(Arguments::command(), |command, (name, unused)| {
        let hidden = |of: clap::Command, id: &&str| of.mut_arg(id, |arg| arg.hide(true));
        command.mut_subcommand(name, |of| unused.iter().copied().flatten().fold(of, hidden))
    });
    CONFINED.iter().fold(command, |command, name| {
        command.mut_subcommand(name, |of| of.mut_arg("sandbox", |arg| arg.default_value("auto")))
    })
}

/// Refuses options that a command does not use.
fn refuse_unused(matches: &clap::ArgMatches) -> Result<(), Failure> {
    let Some((name, given)) = matches.subcommand() else { return Ok(()) };
    let unused =
        UNUSED.iter().filter(|(of, _)| *of == name).flat_map(|(_, unused)| unused.iter().copied().flatten());
    for id in unused {
        if given.value_source(id) == Some(ValueSource::CommandLine) {
            let option = id.replace('_', "-");
            return Err(Failure::input(format!("{name} does not use --{option} (referee {name} --help)")));
        }
    }
    Ok(())
}

/// Runs `referee`.
///
/// # Errors
/// A message on one line, and an exit code.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    courses::peer::catch_signals();
    let words = std::iter::once(OsString::from("referee")).chain(arguments);
    let matches = command().try_get_matches_from(words);
    if let Ok(matches) = &matches {
        refuse_unused(matches)?;
        files::check(matches)?;
    }
    let parsed = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => return Err(Failure::usage("referee", &error.to_string())),
        Err(help) => return wire::print(help),
    };
    match arguments.command {
        Task::Demo(demo) => demo.run(),
        Task::Match(options) => options.run(),
        Task::Tournament(options) => options.run(),
        Task::Sprt(options) => options.run(),
        Task::Tune(options) => options.run(),
        Task::Merge(options) => options.run(),
        Task::Report(options) => options.run(),
        Task::Check(options) => options.run(),
        Task::Mark(options) => options.run(),
        Task::Replay(options) => options.run(),
        Task::Suite(options) => options.run(),
        Task::Openings(options) => options.run(),
        Task::Games => games::run(),
        Task::Guard { mark } => {
            courses::peer::guard(&mark, BufReader::new(std::io::stdin()));
            Ok(())
        }
    }
}
