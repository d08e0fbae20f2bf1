//! The command line of `moules-client`.

use crate::player::{Player, Settings};
use crate::protocol::analysis::Analyst;
use crate::protocol::client::{self, Event, Terms};
use crate::rules::Move;
use lexopt::prelude::*;
use search_core::Report;
use std::ffi::OsString;
use std::net::TcpStream;
use std::time::Duration;
use wire::analysis::{Info, Value};
use wire::{Failure, MAX_MILLIS, SearchLog, choice_of, number_of};

/// The text of `--help`.
pub const HELP: &str = "\
moules-client HOST PORT NAME [options]
moules-client --analyse [options]

Plays one match of \"À la pêche aux moules\" on the server at HOST:PORT as team NAME. With --analyse, answers the
analysis dialogue on standard input instead: position, analyse N, stop.

  --time MS         time for a turn, from the arrival of the state to the answer (1500)
  --ia NAME         est, proche, gourmand, assoiffe, tetu, prudent, planificateur, complet, finale (complet)
  --eval NAME       evaluation of plans: points, nearest, rollout, tour (rollout)
  --largeur N       maximum beam width, in states (20000)
  --tours N         turn limit for each player, 0 for none (500)
  --silence MS      maximum time without a line from the server (600000)
  --verbose         logs each turn to standard error
  -h, --help        this text

Environment: PLAYER_INFO=moves logs each turn's search to standard error.

Exit code: 0 after FIN, 1 if the server fails, 2 for bad arguments.
";

/// A command-line argument, owned.
enum Word {
    Option(String),
    Free(OsString),
}

enum Task {
    Play(Arguments),
    Analyse(Settings),
}

struct Arguments {
    host: String,
    port: u16,
    name: String,
    settings: Settings,
    terms: Terms,
    verbose: bool,
}

fn parse(arguments: Vec<OsString>) -> Result<Option<Task>, Failure> {
    let mut parser = lexopt::Parser::from_args(arguments);
    let mut words: Vec<String> = Vec::new();
    let mut settings = Settings::default();
    let mut terms = Terms::default();
    let mut verbose = false;
    let mut analyse = false;
    let bad = |error: lexopt::Error| Failure::input(error);
    while let Some(argument) = parser.next().map_err(bad)? {
        // Copied, so that the parser can return the option's value.
        let argument = match argument {
            Long(name) => Word::Option(name.to_owned()),
            Short(letter) => Word::Option(letter.to_string()),
            Value(value) => Word::Free(value),
        };
        let mut text = || parser.value().and_then(|value| value.string()).map_err(bad);
        match &argument {
            Word::Free(value) => words.push(value.clone().string().map_err(bad)?),
            Word::Option(name) => match name.as_str() {
                "h" | "help" => return Ok(None),
                "time" => terms.time = Duration::from_millis(number_of("--time", text()?, 0..=MAX_MILLIS)?),
                "silence" => {
                    terms.silence = Duration::from_millis(number_of("--silence", text()?, 1..=MAX_MILLIS)?)
                }
                "ia" => settings.ai = choice_of("--ia", text()?)?,
                "eval" => settings.evaluation = choice_of("--eval", text()?)?,
                "largeur" => settings.width = number_of("--largeur", text()?, 1..=10_000_000)?,
                "tours" => {
                    let limit: u64 = number_of("--tours", text()?, 0..=1_000_000_000)?;
                    terms.turn_limit = (limit > 0).then_some(limit);
                }
                "verbose" => verbose = true,
                "analyse" => analyse = true,
                _ => return Err(Failure::input(format!("unknown option \"{name}\" (--help)"))),
            },
        }
    }
    if analyse {
        return match words.len() {
            0 => Ok(Some(Task::Analyse(settings))),
            count => Err(Failure::input(format!("--analyse: expected no words, found {count} (--help)"))),
        };
    }
    let [host, port, name] = <[String; 3]>::try_from(words).map_err(|words| {
        Failure::input(format!("expected HOST PORT NAME, found {} words (--help)", words.len()))
    })?;
    let port = number_of("PORT", port, 1..=u16::MAX)?;
    if name.chars().any(char::is_control) {
        return Err(Failure::input("NAME: expected one line of text"));
    }
    Ok(Some(Task::Play(Arguments { host, port, name, settings, terms, verbose })))
}

/// Runs `moules-client`.
///
/// # Errors
/// If an argument is wrong, or the server cannot be reached or fails.
pub fn main(arguments: Vec<OsString>) -> Result<(), Failure> {
    let Arguments { host, port, name, settings, terms, verbose } = match parse(arguments)? {
        None => return wire::print(HELP),
        Some(Task::Analyse(settings)) => {
            let input = std::io::BufReader::new(std::io::stdin());
            return wire::analysis::serve(&mut Analyst::new(settings), input, &mut std::io::stdout());
        }
        Some(Task::Play(arguments)) => arguments,
    };
    // Checked before the client connects.
    let search_log = SearchLog::from_env()?;
    let stream = TcpStream::connect((host.as_str(), port))
        .map_err(|error| Failure::run(format!("{host}:{port}: {error}")))?;
    let mut player = Player::new(settings);
    client::play(stream, &name, &mut player, terms, |event| {
        if let Event::Answer(_, report) = &event {
            search_log.answer(|| info(report));
        }
        if verbose {
            wire::note(describe(&event));
        }
    })
    .map_err(Failure::run)?;
    Ok(())
}

/// Converts a search report to an analysis line: score in points, depth in turns.
fn info(report: &Report<Move>) -> Info {
    let value = Value::Points(report.score.value().into());
    let line = report.best.iter().chain(report.principal_variation.iter().skip(1));
    Info::of_best(report.depth, value, report.nodes, report.elapsed, line)
}

fn describe(event: &Event<'_>) -> String {
    match event {
        Event::Number(number) => format!("player {number}"),
        Event::Late(game) => format!("turn {}: the last answer was late, so none is sent", game.turns()),
        Event::Answer(game, report) => {
            let purses: Vec<String> = game
                .purses
                .iter()
                .map(|purse| format!("{}+{}f{}b", purse.points, purse.frites, purse.beers))
                .collect();
            format!(
                "turn {}: {} value {} plan {} nodes {} {:.3}s [{}]",
                game.turns(),
                report.best.map_or("-".to_owned(), |mv| mv.to_string()),
                report.score,
                report.depth,
                report.nodes,
                report.elapsed.as_secs_f64(),
                purses.join(" ")
            )
        }
    }
}
