//! A game as it is played by hand: a start, moves behind it, and what a click means at each of its positions.
//!
//! A move is a path of clicks: a square, a stack and its target, a bonus and its directions. The page only sends what
//! was clicked; what may follow, and why something may not, is said here, from the rules.

pub mod duel;
pub mod engine;

use crate::course::POSITION;
use crate::drawing::{Language, Marks};
use crate::options::GameOptions;
use crate::record::Missed;
use crate::registry::Game;
use engine::{Conversation, Spec};

/// The result of a click.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Press {
    /// The path goes on.
    Chosen(Vec<String>),
    /// A move is complete.
    Move(String),
    /// The click is refused, for this reason.
    Refused(String),
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// The reason in the course's words, as records keep it.
    pub text: String,
    /// Points by seat, 0 to 1.
    pub points: Vec<f64>,
    /// The course's own score by seat.
    pub score: Vec<f64>,
}

/// The position that is looked at, and the marks on it.
#[derive(Debug, Clone, Default)]
pub struct Look {
    /// The number of moves played.
    pub at: usize,
    /// Clicks so far.
    pub path: Vec<String>,
    /// True if cells can be clicked.
    pub interactive: bool,
    /// The move that an engine would play.
    pub best: Option<String>,
    /// The line that it expects, that move first.
    pub line: Vec<String>,
    /// Values of moves, the best first.
    pub values: Vec<(String, String)>,
    /// The language of labels.
    pub language: Language,
}

impl Look {
    pub(crate) fn marks(&self) -> Marks {
        Marks {
            interactive: self.interactive,
            language: self.language,
            chosen: self.path.clone(),
            ..Marks::default()
        }
    }
}

/// A game with its moves.
pub trait Play: Send {
    /// The assignment.
    fn game(&self) -> Game;

    /// The start, as records write it.
    fn opening(&self) -> &str;

    /// Players.
    fn seats(&self) -> usize;

    /// The name of a seat: its colour, its symbol, its number.
    fn seat_name(&self, seat: usize, language: Language) -> String;

    /// The moves behind the start.
    fn moves(&self) -> &[String];

    /// Whose turn it is behind `at` moves; `None` when the game is over there.
    fn mover(&self, at: usize) -> Option<usize>;

    /// The seat that played the `nth` move.
    fn by(&self, nth: usize) -> usize;

    /// The end of the game, if it is over behind `at` moves.
    fn ending(&self, at: usize) -> Option<Ending>;

    /// The reason for the end behind `at` moves, in a language.
    fn reason(&self, at: usize, language: Language) -> &'static str;

    /// Plays a move behind the last.
    ///
    /// # Errors
    /// When the rules forbid it, with the text.
    fn play(&mut self, text: &str) -> Result<(), String>;

    /// Notes which of the turns so far were not their players' own, by the number of the move, from 0.
    fn miss(&mut self, _turns: &[(usize, Missed)]) {}

    /// The turns that were not their players' own.
    fn missed(&self) -> Vec<(usize, Missed)> {
        Vec::new()
    }

    /// Forgets the moves behind `at`.
    fn cut(&mut self, at: usize);

    /// The result of `click` behind `at` moves and the clicks of `path`.
    fn press(&self, at: usize, path: &[String], click: &str, language: Language) -> Press;

    /// The clicks that may follow.
    fn next(&self, at: usize, path: &[String]) -> Vec<String>;

    /// The board as SVG.
    fn draw(&self, look: &Look) -> String;

    /// The position behind `at` moves as text that opens it again.
    fn position(&self, at: usize) -> String;

    /// The position behind `at` moves as the player's analysis reads it; `None` when the game is over there.
    fn analysed(&self, at: usize) -> Option<String>;

    /// The first cell of a move of an analysis, for values on the board.
    fn cell_of(&self, at: usize, text: &str) -> Option<String>;

    /// Moves as a person reads them in a language.
    fn worded(&self, moves: &str, _: Language) -> String {
        moves.to_owned()
    }

    /// The turn behind `at` moves, and how many there are at most, where they are counted.
    fn turn(&self, _at: usize) -> Option<(u64, Option<u64>)> {
        None
    }

    /// The unit of values of an analysis, in words; nothing is drawn over a game of the maze.
    fn unit(&self, _: Language) -> &'static str {
        ""
    }

    /// The possessions of each seat behind `at` moves, in words: discs, men, boards, points.
    fn tally(&self, at: usize, language: Language) -> Vec<String>;

    /// An engine that plays on from the last move.
    fn engine(&self, spec: &Spec, seat: usize) -> Conversation;
}

/// The longest text that is read as a start.
const LONGEST: usize = 16 * 1024;

/// So many things, one or several.
#[must_use]
pub fn counted(count: u32, language: Language, french: [&str; 2], english: [&str; 2]) -> String {
    // None is one in French, and several in English.
    let nth = if language == Language::French { usize::from(count > 1) } else { usize::from(count != 1) };
    format!("{count} {}", language.choose(french[nth], english[nth]))
}

/// The `number`-th opening that is drawn for a game.
pub fn drawn(game: Game, size: &str, number: u64) -> Result<String, String> {
    let size = (!size.is_empty()).then(|| size.to_owned());
    let options = GameOptions { size, ..GameOptions::default() };
    let course = options.course(game, 2).map_err(|error| error.to_string())?;
    Ok(course.opening(number))
}

/// A game from its start as records write it; `seats` counts where the number of players is free.
///
/// # Errors
/// With what is wrong in the start.
pub fn open(game: Game, opening: &str, seats: usize) -> Result<Box<dyn Play>, String> {
    if opening.len() > LONGEST {
        return Err(format!("a start has at most {LONGEST} characters"));
    }
    game.open(opening, seats)
}

/// Reads a start as a person writes it, an opening or a position in the game's own text, and returns it as records do.
///
/// # Errors
/// With what is wrong in it.
pub fn start(game: Game, text: &str, seats: usize) -> Result<String, String> {
    let text = text.trim();
    if text.len() > LONGEST {
        return Err(format!("a start has at most {LONGEST} characters"));
    }
    let opening = if text.contains(POSITION) { text.to_owned() } else { game.start(text)? };
    open(game, &opening, seats)?;
    Ok(opening)
}
