//! The command line: arguments, help and exit codes.

use crate::endgame::Goal;
use crate::evaluation::Evaluation;
use crate::evaluation::patterns::Weights;
use crate::player::{DEFAULT_DEPTH, Player, Settings};
use crate::protocol::{self, DEPTHS, Engine};
use crate::rules::Side;
use lexopt::{Arg, Parser, ValueExt};
use search_core::{Depth, Limits};
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufReader, Write};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use wire::{Failure, MAX_MILLIS, SearchLog, choice_of, number_of};

/// The text of `--help`.
const HELP: &str = "\
Othello: alpha-beta search to a given depth or by the clock.

Usage: othello-player COMMAND [OPTIONS]

Commands
  gtp              the Go Text Protocol, for GoGui and tournament scripts
  nboard           the NBoard protocol, version 2
  tournoi          the course's tournament: moves as \"column row\" from 0, or null
                     --joueur 0|1   0: red, who moves first; 1: blue
  analyse          the analysis protocol: position OBF, analyse N, stop
  play             a game against a person in this terminal
                     --side black|white   the person's side (black)
  solve FILE       the exact scores of the problems of an OBF file
                     --winner       only who wins: +1, +0 or -1
  perft N          the number of move sequences of 1 to N moves; a pass counts as a move

Options
  --depth D        search depth in plies, passes counted, never exceeded: 1 to 120 (5)
  --time MS        time for a move in milliseconds; with --depth, whichever ends first
  --probcut on|off cut deep searches by shallow ones; the depth is then no longer strict
                   (on with --time and without --depth, otherwise off)
  --solve N        solve the last N empty squares exactly, whatever the depth: 0 to 60 (0)
  --eval NAME      discs, positional, mobility, patterns (patterns)
  --table MIB      size of the transposition table: 1 to 4096 (64)
  --random N       play the first N plies of a game at random (0)
  --seed S         seed of the random plies (0)
  --threads N      threads of a search, but for tournoi: 1 to 64 (1)
  -h, --help       print this help
      --version    print the version

Environment: PLAYER_INFO=moves logs each move's search on standard error; PLAYER_INFO=depths
also logs each iteration.

Exit codes: 0 success, 1 the run or the peer failed, 2 bad arguments or input.
A search to which the system refuses memory aborts (134 in a shell), or ends with 1 if it was built
with the project's tools.
";

/// The parsed command line.
#[derive(Debug, Default)]
struct Arguments {
    depth: Option<Depth>,
    time: Option<Duration>,
    settings: Settings,
    winner: bool,
    joueur: Option<Side>,
    side: Option<Side>,
    values: Vec<OsString>,
}

/// Runs the executable.
///
/// # Errors
/// The message for the user, with its exit code.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    let Some(arguments) = parse(arguments)? else { return Ok(()) };
    let mut values = arguments.values.iter();
    let command = values.next().map(|command| command.to_string_lossy().into_owned());
    let command = command.ok_or_else(|| {
        wire::note(HELP.trim_end());
        Failure::input("a command is missing")
    })?;
    if arguments.settings.threads > 1 && command == "tournoi" {
        return Err(Failure::input(
            "tournoi takes no --threads: the course's games are played on one thread",
        ));
    }
    let mut value = |what: &str| {
        values.next().cloned().ok_or_else(|| Failure::input(format!("{command}: {what} is missing")))
    };
    if arguments.settings.evaluation == Evaluation::Patterns {
        Weights::check_embedded().map_err(Failure::run)?;
    }
    let search_log = SearchLog::from_env()?;
    let engine = || {
        let player = Player::new(arguments.settings);
        if arguments.time.is_some() {
            player.prepare();
        }
        Engine { search_log, ..Engine::new(player, arguments.limits()) }
    };
    let input = || BufReader::new(io::stdin());
    let output = &mut io::stdout().lock();
    match command.as_str() {
        "gtp" => protocol::gtp::run(engine(), input(), output),
        "nboard" => protocol::nboard::run(engine(), input(), output),
        "tournoi" => {
            let side = arguments.joueur.ok_or_else(|| Failure::input("tournoi: --joueur 0|1 is missing"))?;
            protocol::tournoi::run(engine(), side, input(), output)
        }
        "analyse" => {
            let mut analyst = protocol::analysis::Analyst::new(arguments.settings);
            wire::analysis::serve(&mut analyst, input(), output)
        }
        "play" => protocol::terminal::run(engine(), arguments.side.unwrap_or(Side::Black), input(), output),
        "solve" => {
            let goal = if arguments.winner { Goal::Winner } else { Goal::Score };
            protocol::solve::run(&PathBuf::from(value("the file")?), arguments.settings, goal, output)
        }
        "perft" => protocol::perft::run(number_of("N", value("N")?, 0..=60)?, output),
        _ => Err(Failure::input(format!("unknown command \"{command}\"; --help lists them"))),
    }
}

/// Parses the arguments; `None` if help or the version was printed instead.
fn parse(arguments: Vec<OsString>) -> Result<Option<Arguments>, Failure> {
    let mut parser = Parser::from_args(arguments);
    let mut parsed = Arguments::default();
    while let Some(argument) = parser.next().map_err(Failure::input)? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => {
                io::stdout().write_all(HELP.as_bytes())?;
                return Ok(None);
            }
            Arg::Long("version") => {
                wire::put_line(&mut io::stdout(), concat!("othello-player ", env!("CARGO_PKG_VERSION")))?;
                return Ok(None);
            }
            Arg::Long("depth") => parsed.depth = Some(option(&mut parser, "--depth", DEPTHS)?),
            Arg::Long("time") => {
                let millis = option(&mut parser, "--time", 1..=MAX_MILLIS)?;
                parsed.time = Some(Duration::from_millis(millis));
            }
            Arg::Long("table") => {
                let text = parser.value().map_err(Failure::input)?;
                parsed.settings.table_bytes = wire::mebibytes_of("--table", text, 1..=4096)?;
            }
            Arg::Long("solve") => parsed.settings.solve_from = option(&mut parser, "--solve", 0..=60)?,
            Arg::Long("random") => parsed.settings.random_plies = option(&mut parser, "--random", 0..=60)?,
            Arg::Long("threads") => parsed.settings.threads = option(&mut parser, "--threads", 1..=64)?,
            Arg::Long("seed") => parsed.settings.seed = option(&mut parser, "--seed", 0..=u64::MAX)?,
            Arg::Long("eval") => {
                let name = parser.value().map_err(Failure::input)?;
                parsed.settings.evaluation = choice_of("--eval", name)?;
            }
            Arg::Long("probcut") => {
                let value = parser.value().map_err(Failure::input)?;
                parsed.settings.probcut = match value.to_str() {
                    Some("on") => Some(true),
                    Some("off") => Some(false),
                    _ => {
                        let found = value.to_string_lossy();
                        return Err(Failure::input(format!(
                            "--probcut: expected on or off, found \"{found}\""
                        )));
                    }
                };
            }
            Arg::Long("winner") => parsed.winner = true,
            Arg::Long("joueur") => {
                let number: u8 = option(&mut parser, "--joueur", 0..=1)?;
                parsed.joueur = Some(if number == 0 { Side::Black } else { Side::White });
            }
            Arg::Long("side") => {
                let name = parser.value().and_then(|name| name.string()).map_err(Failure::input)?;
                let side = [Side::Black, Side::White].into_iter().find(|side| side.to_string() == name);
                let bad = || Failure::input(format!("--side: expected black or white, found \"{name}\""));
                parsed.side = Some(side.ok_or_else(bad)?);
            }
            Arg::Value(value) if parsed.values.len() < values_after(&parsed.values) => {
                parsed.values.push(value)
            }
            unexpected => return Err(Failure::input(unexpected.unexpected())),
        }
    }
    Ok(Some(parsed))
}

/// The number of positional values that the command in `values` takes, itself included.
fn values_after(values: &[OsString]) -> usize {
    match values.first().and_then(|command| command.to_str()) {
        Some("gtp" | "nboard" | "tournoi" | "analyse" | "play") => 1,
        _ => 2,
    }
}

impl Arguments {
    fn limits(&self) -> Limits {
        let limits = self.time.map_or_else(Limits::default, Limits::time);
        let depth = if self.time.is_some() { self.depth } else { Some(self.depth.unwrap_or(DEFAULT_DEPTH)) };
        Limits { depth, ..limits }
    }
}

/// Parses the value of an option as a number within bounds.
fn option<T>(parser: &mut Parser, name: &str, bounds: RangeInclusive<T>) -> Result<T, Failure>
where
    T: FromStr + PartialOrd + Display,
{
    number_of(name, parser.value().map_err(Failure::input)?, bounds)
}
