//! Files: the course's configuration of 64 codes, a list of moves as in test mode, or a whole game.
//!
//! A whole game is text, one item per line: `partie de gounki`, then in any order `blanc : TYPE`, `noir : TYPE` and
//! `trait : blanc|noir` (default White), then `configuration` and its 64 lines (default the initial position), then
//! `coups` and the moves from there. Blank lines outside the configuration are ignored.

use super::french;
use crate::rules::{
    Colour, Configuration, ConfigurationError, Game, Notation, NotationError, Position, Refusal,
};
use std::fmt::Write as _;
use std::io::{self, BufReader, Read};
use std::path::Path;
use wire::{LineError, LineReader};

/// The first line of a whole game.
const TITLE: &str = "partie de gounki";
/// The largest file in bytes; a game of 100,000 moves is smaller.
const LONGEST_FILE: u64 = 1 << 20;
const LONGEST_LINE: usize = 256;

/// The content of a loaded file.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The game, at its last move.
    pub game: Game,
    /// The kind of file.
    pub content: Content,
    /// The players, White first, if the file names them.
    pub players: [Option<String>; 2],
}

/// The kinds of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content {
    /// A configuration of 64 codes.
    Configuration,
    /// Moves from the initial position.
    Moves,
    /// A whole game, as [`save`] writes it.
    Game,
}

impl Loaded {
    /// Describes the content in French.
    #[must_use]
    pub fn describe(&self) -> String {
        let moves = self.game.played().len();
        match self.content {
            Content::Configuration => "configuration chargée (64 cases)".into(),
            Content::Moves => format!(
                "liste de coups chargée ({} depuis la position initiale)",
                french::count(moves, "coup")
            ),
            Content::Game => format!("partie chargée ({})", french::count(moves, "coup")),
        }
    }
}

/// The reason why a file cannot be loaded; the current game is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read.
    #[error("{}", french::system(.0))]
    Io(#[from] io::Error),
    /// A line is too long or cannot be read.
    #[error("{}", french::line(.0))]
    Line(#[from] LineError),
    /// The file is larger than any game.
    #[error("le fichier dépasse {LONGEST_FILE} octets")]
    TooLong,
    /// The file has no text.
    #[error("le fichier est vide")]
    Empty,
    /// The file is not a configuration.
    #[error("{0}")]
    Configuration(#[from] ConfigurationError),
    /// The configuration of a whole game is invalid.
    #[error("configuration à partir de la ligne {line} : {error}")]
    Inner {
        /// The line where the configuration begins, from 1.
        line: usize,
        /// The error; its lines count from the configuration's beginning.
        error: ConfigurationError,
    },
    /// A line of a game's header is unknown.
    #[error("ligne {line} : « {text} » : {expected}")]
    Head {
        /// The line's number, from 1.
        line: usize,
        /// The offending text, shortened.
        text: String,
        /// The expected content, in French.
        expected: &'static str,
    },
    /// A line is not a move.
    #[error("ligne {line} : {error}")]
    Notation {
        /// The line's number, from 1.
        line: usize,
        /// The error in the notation.
        error: NotationError,
    },
    /// A move is illegal.
    #[error("ligne {line} : coup impossible {notation} : {refusal}")]
    Refused {
        /// The line's number, from 1.
        line: usize,
        /// The move as written.
        notation: Notation,
        /// The rule that forbids it.
        refusal: Refusal,
    },
}

/// Loads a file of any of the three kinds.
///
/// # Errors
/// The line and the reason.
pub fn load(path: &Path) -> Result<Loaded, FileError> {
    read(wire::file::open(path)?)
}

/// Parses a file of any of the three kinds.
///
/// # Errors
/// The line and the reason.
pub fn read(input: impl Read) -> Result<Loaded, FileError> {
    let mut reader = LineReader::new(BufReader::new(input.take(LONGEST_FILE + 1)), LONGEST_LINE);
    let mut lines = Vec::new();
    let mut bytes = 0;
    while let Some(line) = reader.text()? {
        bytes += line.len() as u64 + 1;
        if bytes > LONGEST_FILE {
            return Err(FileError::TooLong);
        }
        lines.push(line.trim().to_owned());
    }
    let first = lines.iter().find(|line| !line.is_empty()).ok_or(FileError::Empty)?;
    if first == TITLE {
        return whole_game(&lines);
    }
    let players = [None, None];
    if first.parse::<Notation>().is_ok() {
        let game = play(Game::new(Position::initial()), numbered(&lines, 0))?;
        return Ok(Loaded { game, content: Content::Moves, players });
    }
    let configuration = Configuration::from_codes(lines.iter().map(String::as_str))?;
    let game = Game::new(configuration.position(Colour::White));
    Ok(Loaded { game, content: Content::Configuration, players })
}

/// The non-blank lines from index `skip` on, with their numbers from 1.
fn numbered(lines: &[String], skip: usize) -> impl Iterator<Item = (usize, &str)> {
    let lines = lines.iter().enumerate().skip(skip);
    lines.map(|(index, line)| (index + 1, line.as_str())).filter(|(_, line)| !line.is_empty())
}

fn whole_game(lines: &[String]) -> Result<Loaded, FileError> {
    const EXPECTED: &str = "« blanc : TYPE », « noir : TYPE », « trait : blanc|noir », « configuration » ou \
                            « coups » est attendu";
    let mut players = [None, None];
    let mut to_move = Colour::White;
    let mut start = None;
    let mut behind = lines.iter().position(|line| line == TITLE).map_or(0, |index| index + 1);
    loop {
        let Some((number, line)) = numbered(lines, behind).next() else { break };
        behind = number;
        let wrong =
            |expected| FileError::Head { line: number, text: line.chars().take(24).collect(), expected };
        match line.split_once(':').map(|(key, value)| (key.trim(), value.trim())) {
            Some(("blanc", kind)) => players[0] = Some(kind.to_owned()),
            Some(("noir", kind)) => players[1] = Some(kind.to_owned()),
            Some(("trait", "blanc")) => to_move = Colour::White,
            Some(("trait", "noir")) => to_move = Colour::Black,
            Some(("trait", _)) => return Err(wrong("le trait est à blanc ou à noir")),
            None if line == "configuration" => {
                let codes = lines[number..].iter().map(String::as_str).take(64);
                let error = |error| FileError::Inner { line: number + 1, error };
                start = Some(Configuration::from_codes(codes).map_err(error)?);
                behind = number + 64;
            }
            None if line == "coups" => break,
            _ => return Err(wrong(EXPECTED)),
        }
    }
    let start = match start {
        Some(configuration) => configuration.position(to_move),
        None if to_move == Colour::White => Position::initial(),
        None => Position::initial().other_view(),
    };
    let game = play(Game::new(start), numbered(lines, behind))?;
    Ok(Loaded { game, content: Content::Game, players })
}

fn play<'a>(mut game: Game, moves: impl Iterator<Item = (usize, &'a str)>) -> Result<Game, FileError> {
    for (line, text) in moves {
        let notation: Notation = text.parse().map_err(|error| FileError::Notation { line, error })?;
        match game.position().find(&notation) {
            Ok(mv) => game.play(mv),
            Err(refusal) => return Err(FileError::Refused { line, notation, refusal }),
        }
    }
    Ok(game)
}

/// The text of a whole game. `players` are named as on the command line, White first.
#[must_use]
pub fn text(game: &Game, players: [&str; 2]) -> String {
    let [white, black] = players;
    let start = game.start();
    let mut text = format!("{TITLE}\nblanc : {white}\nnoir : {black}\ntrait : {}\n", start.to_move());
    let _ = write!(text, "configuration\n{}coups\n", Configuration::of(start));
    for recorded in game.played() {
        let _ = writeln!(text, "{}", recorded.mv);
    }
    text
}

/// Saves a whole game. An existing file is replaced once the new one is complete and on the disk. A link is followed;
/// anything but a regular file (a device, a pipe, a folder) is left unchanged.
///
/// # Errors
/// Those of the file system.
pub fn save(path: &Path, game: &Game, players: [&str; 2]) -> io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|before| !before.is_file()) {
        return Err(io::Error::other("ce n'est pas un fichier ordinaire"));
    }
    wire::file::write(path, text(game, players))
}

#[cfg(test)]
mod tests {
    use super::*;
    use wire::file::faults::{self, Fault};

    /// A game after this many moves.
    fn game(moves: usize) -> Game {
        let mut game = Game::new(Position::initial());
        for _ in 0..moves {
            let mv = search_core::Position::move_list(game.position())[0];
            game.play(mv);
        }
        game
    }

    #[test]
    fn whichever_call_fails_a_saved_game_is_the_old_one_or_the_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("partie");
        for fault in Fault::ALL {
            for nth in 0.. {
                save(&path, &game(1), ["humain", "humain"]).unwrap();
                let (saved, struck) =
                    faults::with(fault, nth, || save(&path, &game(4), ["humain", "humain"]));
                let found = load(&path).unwrap().game.played().len();
                assert_eq!(found, if saved.is_ok() { 4 } else { 1 }, "{fault:?} at call {nth}: {saved:?}");
                if !struck {
                    break;
                }
            }
        }
    }
}
