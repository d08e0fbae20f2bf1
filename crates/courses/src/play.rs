//! A game played by clicks: an opening, the moves after it, and the effect of a click in each position.
//!
//! A move is a path of clicks: a square, a stack and its target, a bonus and its directions. The page only sends the
//! clicks. The rules here decide what may follow, and explain what may not.

pub mod duel;
pub mod engine;
pub mod own;
pub mod watched;

use crate::course::POSITION;
use crate::drawing::{Language, Marks};
use crate::notation::pgn;
use crate::options::GameOptions;
use crate::record::Missed;
use crate::registry::Game;
use anyhow::ensure;
use engine::{Conversation, Spec};
use wire::Failure;

/// The result of a click.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clicked {
    /// The move is not complete: the clicks so far.
    Chosen(Vec<String>),
    /// A move is complete.
    Move(String),
    /// The click is refused, with the reason.
    Refused(String),
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// The reason in the course's words, as in records.
    pub text: String,
    /// Points by seat, from 0 to 1.
    pub points: Vec<f64>,
    /// The course's own score by seat.
    pub score: Vec<f64>,
}

/// The position shown, with its marks.
#[derive(Debug, Clone, Default)]
pub struct BoardView {
    /// The number of moves played.
    pub at: usize,
    /// The clicks so far.
    pub path: Vec<String>,
    /// True if cells can be clicked.
    pub interactive: bool,
    /// True if cells have names for screen readers, though none can be clicked.
    pub explored: bool,
    /// The best move of an engine.
    pub best: Option<String>,
    /// The principal variation, starting with that move.
    pub line: Vec<String>,
    /// Values of moves, best first.
    pub values: Vec<(String, String)>,
    /// The language of labels.
    pub language: Language,
}

impl BoardView {
    pub(crate) fn marks(&self) -> Marks {
        Marks {
            interactive: self.interactive,
            explored: self.explored,
            language: self.language,
            chosen: self.path.clone(),
            ..Marks::default()
        }
    }
}

/// A game with its moves.
pub trait Play: Send {
    /// Returns the assignment.
    fn game(&self) -> Game;

    /// Returns the opening, in the notation of records.
    fn opening(&self) -> &str;

    /// Returns the number of players.
    fn seats(&self) -> usize;

    /// Returns the name of a seat: its colour, symbol or number.
    fn seat_name(&self, seat: usize, language: Language) -> String;

    /// Returns the moves played so far.
    fn moves(&self) -> &[String];

    /// Returns the memory of the game's positions in bytes, roughly, without the texts of its moves.
    fn memory(&self) -> usize;

    /// Returns the side to move after `at` moves, or `None` if the game is over there.
    fn mover(&self, at: usize) -> Option<usize>;

    /// Returns the seat that played move `nth`.
    fn by(&self, nth: usize) -> usize;

    /// Returns the end of the game, if it is over after `at` moves.
    fn ending(&self, at: usize) -> Option<Ending>;

    /// Returns the reason for the end after `at` moves, in a language.
    fn reason(&self, at: usize, language: Language) -> &'static str;

    /// Plays a move after the last one.
    ///
    /// # Errors
    /// If the move is illegal, with its text.
    fn play(&mut self, text: &str) -> anyhow::Result<()>;

    /// Records the turns that the server played for a player, by index of the move from 0.
    fn miss(&mut self, _turns: &[(usize, Missed)]) {}

    /// Returns the turns that the server played for a player.
    fn missed(&self) -> Vec<(usize, Missed)> {
        Vec::new()
    }

    /// Returns the move that the rules play for a player whose time is up; `None` means that the player loses.
    fn late_move(&self) -> Option<&'static str> {
        None
    }

    /// Removes the moves after the first `at`.
    fn cut(&mut self, at: usize);

    /// Returns the result of `click` after `at` moves and the clicks of `path`.
    fn press(&self, at: usize, path: &[String], click: &str, language: Language) -> Clicked;

    /// Returns the clicks that may follow.
    fn next(&self, at: usize, path: &[String]) -> Vec<String>;

    /// Returns the clicks that have no cell on the board, each with its label, in the order of their buttons. `next` are
    /// the clicks that may follow.
    fn buttons(&self, _next: &[String], _language: Language) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns the buttons that letters and arrows press: `N`, `S`, `E`, `O` and others, separated by blanks.
    fn keys(&self) -> &'static str {
        ""
    }

    /// Returns true if the board does not show the clicks so far.
    fn spells_path(&self) -> bool {
        false
    }

    /// Draws the board as SVG.
    fn draw(&self, look: &BoardView) -> String;

    /// Returns the position after `at` moves as text that can be opened again.
    fn position(&self, at: usize) -> String;

    /// Returns the position after `at` moves for the analysis dialogue, or `None` if the game is over there.
    fn analysed(&self, at: usize) -> Option<String>;

    /// Returns the first cell of a move in an analysis, to show its value on the board.
    fn cell_of(&self, at: usize, text: &str) -> Option<String>;

    /// Returns true if the lines of an analysis have the moves of all players, not only the mover's.
    fn is_line_of_all(&self) -> bool {
        true
    }

    /// Returns moves as shown to a person in a language.
    fn worded(&self, moves: &str, _: Language) -> String {
        moves.to_owned()
    }

    /// Returns the name of the opening that the first `at` moves follow, the longest one if there are several.
    fn opening_name(&self, _at: usize, _language: Language) -> Option<&'static str> {
        None
    }

    /// Returns move `nth` for a listener. By default as [`Play::worded`].
    fn spoken(&self, nth: usize, language: Language) -> String {
        self.worded(&self.moves()[nth], language)
    }

    /// Returns the part of the board to which the rules hold the mover after `at` moves, as in "board 2".
    fn bound(&self, _at: usize, _: Language) -> Option<String> {
        None
    }

    /// Returns the choice that is next after the clicks of `path`, if the game guides it.
    fn guide(&self, _at: usize, _path: &[String], _: Language) -> Option<String> {
        None
    }

    /// Returns the number of the turn after `at` moves, and the turn limit, if turns are counted.
    fn turn(&self, _at: usize) -> Option<(u64, Option<u64>)> {
        None
    }

    /// Describes the unit of an analysis' values.
    fn unit(&self, _: Language) -> &'static str {
        ""
    }

    /// Explains an analysis' values, if they are no advantage that a graph could show.
    fn values(&self, _: Language) -> Option<&'static str> {
        None
    }

    /// Returns the tally of each seat after `at` moves: stones, men, discs or points.
    fn tally(&self, at: usize, language: Language) -> Vec<String>;

    /// Returns an engine that continues from the last move.
    fn engine(&self, spec: &Spec, seat: usize) -> Conversation;
}

/// Maximum length of a typed opening in bytes.
const LONGEST: usize = 16 * 1024;

fn check_length(start: &str) -> anyhow::Result<()> {
    ensure!(start.len() <= LONGEST, "a start has at most {LONGEST} characters");
    Ok(())
}

/// Returns a count with its noun in singular or plural.
#[must_use]
pub fn counted(count: u32, language: Language, french: [&str; 2], english: [&str; 2]) -> String {
    // Zero is singular in French, and plural in English.
    let nth = if language == Language::French { usize::from(count > 1) } else { usize::from(count != 1) };
    format!("{count} {}", language.choose(french[nth], english[nth]))
}

/// Returns drawn opening `number` of a game.
///
/// # Errors
/// If the size is not valid.
pub fn drawn(game: Game, size: &str, number: u64) -> Result<String, Failure> {
    let size = (!size.is_empty()).then(|| size.to_owned());
    let options = GameOptions { size, ..GameOptions::default() };
    Ok(options.course(game, 2)?.opening(number))
}

/// Opens a game from an opening in the notation of records. `seats` is used if the number of players is free.
///
/// # Errors
/// If the opening is not valid.
pub fn open(game: Game, opening: &str, seats: usize) -> anyhow::Result<Box<dyn Play>> {
    check_length(opening)?;
    game.open(opening, seats)
}

/// Converts a typed opening or position to the notation of records. Moves may have numbers: `1. f5 d6 2. c3`.
///
/// # Errors
/// The error in the text.
pub fn start(game: Game, text: &str, seats: usize) -> anyhow::Result<String> {
    let text = text.trim();
    check_length(text)?;
    let opening = if text.contains(POSITION) {
        text.to_owned()
    } else if is_numbered(text) {
        let words = text.split_whitespace().map(pgn::unnumbered).filter(|word| !word.is_empty());
        game.start(&words.collect::<Vec<_>>().join(" "))?
    } else {
        game.start(text)?
    };
    open(game, &opening, seats)?;
    Ok(opening)
}

/// Returns true for moves with their numbers.
#[must_use]
pub fn is_numbered(text: &str) -> bool {
    text.split_whitespace().any(|word| pgn::unnumbered(word) != word)
}

/// Splits an opening that is a list of moves: the opening before them, and the moves. `None` for a position.
#[must_use]
pub fn moves_of(game: Game, opening: &str, seats: usize) -> Option<(String, Vec<String>)> {
    let (before, moves) =
        if game.has_size() { opening.split_once(' ').unwrap_or((opening, "")) } else { ("", opening) };
    let moves =
        if opening.contains(POSITION) { None } else { game.openings().split(&moves.to_ascii_lowercase()) };
    let mut play = open(game, before, seats).ok()?;
    for text in moves? {
        if play.play(&text).is_err() {
            // A list may leave out the only move of a position: a pass.
            let next = play.next(play.moves().len(), &[]);
            let [only] = next.as_slice() else { return None };
            play.play(only).and_then(|()| play.play(&text)).ok()?;
        }
    }
    Some((before.to_owned(), play.moves().to_vec()))
}
