//! The journal: a text file from which matches are replayed.
//!
//! ```text
//! partie 25x17 dunes 50 joueurs 1 moules 10 bieres 5 frites 8 laby 49811 bonus 52567 tours -1
//! nom 0 beam
//! 0 E
//! 0 C retard
//! fin 0 620 1 0
//! ```
//!
//! A turn is the player's number and its command. `?` stands for a command that did nothing (`?C` if it counts as a
//! pass). A third word tells that the server played in the player's place: `retard` or `absent`. The match ends with
//! one `fin` line a player: points, frites, beers. Matches follow one another. One that was broken off has no `fin`
//! lines.

mod written;

pub use written::{OpenError, Written};

use super::event::{Event, Origin};
use crate::rules::{Command, Game, GeneratorError, Purse, Settings};
use std::fmt::Write;
use std::io::BufRead;
use wire::{LineError, LineReader};

/// Maximum length of a line in bytes.
const LINE: usize = 512;

/// Returns the first line of a match.
#[must_use]
pub fn header(settings: &Settings, turn_limit: Option<u64>) -> String {
    let Settings { width, height, dunes, players, mussels, beers, frites, maze_seed, item_seed } = settings;
    let limit = turn_limit.map_or("-1".to_owned(), |limit| limit.to_string());
    format!(
        "partie {width}x{height} dunes {dunes} joueurs {players} moules {mussels} bieres {beers} frites {frites} \
         laby {maze_seed} bonus {item_seed} tours {limit}"
    )
}

/// Returns the line of a turn.
#[must_use]
pub fn turn(player: usize, command: Command, origin: Origin) -> String {
    let mut line = format!("{player} ");
    match command.action {
        Some(action) => write!(line, "{action}"),
        None if command.is_pass => write!(line, "?C"),
        None => write!(line, "?"),
    }
    .expect("a String takes everything");
    match origin {
        Origin::Player => {}
        Origin::Late => line.push_str(" retard"),
        Origin::Gone => line.push_str(" absent"),
    }
    line
}

/// Returns the last lines of a match.
pub fn result(purses: &[Purse]) -> impl Iterator<Item = String> + '_ {
    purses
        .iter()
        .enumerate()
        .map(|(player, Purse { points, frites, beers })| format!("fin {player} {points} {frites} {beers}"))
}

/// An error in a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A line does not follow the format.
    #[error("line {line} \"{text}\": expected {expected}")]
    Line {
        /// The line's number, from 1.
        line: u64,
        /// The line's text.
        text: String,
        /// The expected content.
        expected: &'static str,
    },
    /// The maze cannot be generated from these settings.
    #[error("line {line}: {error}")]
    Settings {
        /// The line's number, from 1.
        line: u64,
        /// The reason why the settings are invalid.
        error: GeneratorError,
    },
    /// The replay ends with another result than the journal states.
    #[error("line {line}: the replay gives \"{replayed}\", the journal says \"{written}\"")]
    Result {
        /// The line's number, from 1.
        line: u64,
        /// The result of the replay.
        replayed: String,
        /// The result in the journal.
        written: String,
    },
    /// The journal ends in the middle of a match.
    #[error("the journal ends in the middle of a match")]
    Truncated,
    /// A line is too long or cannot be read.
    #[error(transparent)]
    Read(#[from] LineError),
}

/// Replays the matches of a journal, reports a server's events, and returns the number of matches.
///
/// # Errors
/// At the first line that is wrong, or whose result differs from the replay's.
pub fn replay<R: BufRead>(reader: R, mut tell: impl FnMut(Event<'_>)) -> Result<u64, JournalError> {
    let mut lines = LineReader::new(reader, LINE);
    let mut matches = 0;
    let mut running: Option<(Game, Vec<String>, usize)> = None;
    let mut is_told = false;
    loop {
        let Some(text) = lines.text()?.map(str::to_owned) else {
            return if running.is_some() { Err(JournalError::Truncated) } else { Ok(matches) };
        };
        let line = lines.line();
        let wrong = |expected| JournalError::Line { line, text: text.chars().take(60).collect(), expected };
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = text.split(' ').collect();
        match (&mut running, words.as_slice()) {
            // After a match that was broken off, in its result too, the next one follows.
            (_, ["partie", ..]) => {
                let (settings, limit) =
                    read_header(&words).ok_or_else(|| wrong("\"partie\" and its settings"))?;
                let state = settings.generate().map_err(|error| JournalError::Settings { line, error })?;
                let names = vec![String::new(); settings.players];
                running = Some((Game::new(state, limit), names, 0));
                is_told = false;
            }
            (Some((_, names, _)), ["nom", player, ..]) => {
                let name = player.parse().ok().and_then(|player: usize| names.get_mut(player));
                *name.ok_or_else(|| wrong("a player's number"))? =
                    text.splitn(3, ' ').nth(2).unwrap_or_default().to_owned();
            }
            (Some((game, names, ended)), ["fin", ..]) => {
                if !std::mem::replace(&mut is_told, true) {
                    tell(Event::Started(game, names));
                }
                let replayed = result(&game.purses).nth(*ended).unwrap_or_default();
                if replayed != text {
                    return Err(JournalError::Result { line, replayed, written: text });
                }
                *ended += 1;
                if *ended == game.player_count() {
                    tell(Event::Ended(game, names));
                    running = None;
                    matches += 1;
                }
            }
            (Some((game, names, 0)), [player, command, origin @ ..])
                if matches!(origin, [] | ["retard" | "absent"]) =>
            {
                let mover = game.to_move();
                if game.end().is_some() || *player != mover.to_string() {
                    return Err(wrong("the turn of the player to move"));
                }
                // The names are complete before the first turn.
                if !std::mem::replace(&mut is_told, true) {
                    tell(Event::Started(game, names));
                }
                let command = match *command {
                    "?" => Command { action: None, is_pass: false },
                    "?C" => Command { action: None, is_pass: true },
                    word => {
                        Command::from(word.parse::<crate::rules::Move>().map_err(|_| wrong("a command"))?)
                    }
                };
                game.play(command);
                let origin = match origin {
                    ["retard"] => Origin::Late,
                    [_] => Origin::Gone,
                    _ => Origin::Player,
                };
                tell(Event::Turn(game, names, mover, command, origin));
            }
            (None, _) => return Err(wrong("\"partie\" and its settings")),
            (Some(_), _) => return Err(wrong("a turn: player, command")),
        }
    }
}

/// Returns true if `text` may be the first part of a match's first line.
fn begins_header(text: &str) -> bool {
    let like = header(&Settings::default(), None);
    let (mut words, mut like) = (text.split(' ').peekable(), like.split(' '));
    std::iter::from_fn(|| words.next().map(|word| (word, words.peek().is_none()))).all(|(word, is_last)| {
        match like.next() {
            None => false,
            Some(name) if name.starts_with(|first: char| first.is_ascii_alphabetic()) => {
                word == name || is_last && name.starts_with(word)
            }
            Some(_) => word.chars().all(|part| matches!(part, '0'..='9' | 'x' | '-')),
        }
    })
}

/// Returns true if `text` may be the first part of a match's line.
fn begins_line(text: &str) -> bool {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let begins = |whole: &str, word: &str| whole.starts_with(word);
    match text.split(' ').collect::<Vec<_>>()[..] {
        [word] => {
            ["nom", "fin"].iter().any(|name| begins(name, word)) || is_number(word) || begins_header(word)
        }
        ["nom", player, ..] => is_number(player),
        ["fin", ref numbers @ ..] => numbers.iter().all(|word| is_number(word)),
        [player, command, ref origin @ ..] if is_number(player) => {
            command.len() < 16
                && match origin {
                    [] => true,
                    [origin] => begins("retard", origin) || begins("absent", origin),
                    _ => false,
                }
        }
        _ => begins_header(text),
    }
}

/// Returns the settings and the limit of turns of a match's first line, by its words.
fn read_header(words: &[&str]) -> Option<(Settings, Option<u64>)> {
    let &[
        "partie",
        size,
        "dunes",
        dunes,
        "joueurs",
        players,
        "moules",
        mussels,
        "bieres",
        beers,
        "frites",
        frites,
        "laby",
        maze,
        "bonus",
        items,
        "tours",
        limit,
    ] = words
    else {
        return None;
    };
    let (width, height) = size.split_once('x')?;
    let settings = Settings {
        width: width.parse().ok()?,
        height: height.parse().ok()?,
        dunes: dunes.parse().ok()?,
        players: players.parse().ok()?,
        mussels: mussels.parse().ok()?,
        beers: beers.parse().ok()?,
        frites: frites.parse().ok()?,
        maze_seed: maze.parse().ok()?,
        item_seed: items.parse().ok()?,
    };
    let limit = if limit == "-1" { None } else { Some(limit.parse().ok()?) };
    Some((settings, limit))
}
