//! Games for two players in turn on a board.
//!
//! - [`Rules`]: the rules, for a judge; [`Players`]: the players' protocols and the clock.
//! - [`Driver`]: the protocol with one player; [`Question`], [`Answer`].
//! - [`MoveClock`]: the time of a move.

mod builtin;
mod clock;
mod lines;
mod table;

pub use builtin::{random_line, random_move};
pub use clock::{MoveClock, Remaining};
pub use lines::Lines;
pub(crate) use table::points_of;

use crate::course::{Asked, Conditions, Course, GameSetup, Setup};
use crate::drawing::Marks;
use crate::fault::Trouble;
use crate::peer::Ended;
use crate::player::Player;
use crate::record::Played;
use crate::thought::SearchInfo;
use anyhow::bail;
use search_core::{Outcome, Position, Report, Score};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A move of a game.
pub type MoveOf<R> = <<R as Rules>::Position as Position>::Move;

/// A game's rules, for a judge.
pub trait Rules: Sync {
    /// The position type of the game.
    type Position: Position;

    /// Parses an opening.
    ///
    /// # Errors
    /// The error in the text.
    fn start(&self, opening: &str) -> anyhow::Result<Self::Position>;

    /// Returns the seat to move, 0 for the first player.
    fn seat(&self, position: &Self::Position) -> usize;

    /// Returns the seat that plays white.
    fn white(&self) -> usize {
        1
    }

    /// Returns the notation of a move in records.
    fn write(&self, position: &Self::Position, mv: MoveOf<Self>) -> String;

    /// Returns the legal move for a text in a record.
    fn read(&self, position: &Self::Position, text: &str) -> Option<MoveOf<Self>> {
        position.move_list().into_iter().find(|&mv| self.write(position, mv) == text)
    }

    /// Draws the board for a terminal.
    fn picture(&self, position: &Self::Position) -> String;

    /// Draws the board as SVG.
    fn draw(&self, position: &Self::Position, marks: &Marks) -> String;

    /// Returns the clicks, in order, that play a legal move: cells, or words for moves without cells (`pass`).
    fn clicks(&self, position: &Self::Position, mv: MoveOf<Self>) -> Vec<String> {
        vec![self.write(position, mv)]
    }

    /// Returns the cells of a legal move in order, to be marked after it.
    fn trace(&self, position: &Self::Position, mv: MoveOf<Self>) -> Vec<String> {
        self.clicks(position, mv)
    }

    /// Returns the course's score by seat for a game that ended with `outcome` for the mover. By default the points.
    fn score(&self, _position: &Self::Position, _outcome: Outcome, points: [f64; 2]) -> [f64; 2] {
        points
    }

    /// Returns the score of a game lost by a fault.
    fn forfeit(&self, loser: usize) -> [f64; 2] {
        if loser == 0 { [0.0, 1.0] } else { [1.0, 0.0] }
    }

    /// Describes the end of the game.
    fn end(&self, position: &Self::Position, outcome: Outcome) -> String;

    /// Returns true if the positions of a long game could fill the memory.
    fn has_large_positions(&self) -> bool {
        false
    }

    /// Returns the reason to stop a game as a draw, if there is one.
    fn cap(&self, _record: &[PlyRecord<Self::Position>]) -> Option<String> {
        None
    }

    /// Returns the outcome under best play for the mover if it is known before the end. The game then stops.
    fn adjudicated(&self, _position: &Self::Position, _stop: &AtomicBool) -> Option<Outcome> {
        None
    }
}

/// The players of a game: protocols, clock, and the functions of built-in players.
pub trait Players: Rules<Position: Position<Move: Send> + Send + 'static> {
    /// Returns the static evaluation for the mover, for built-in players. By default all positions are level.
    fn evaluate(&self, _position: &Self::Position) -> Score {
        Score::DRAW
    }

    /// Searches to a depth with the project's own search, for built-in players.
    fn search(position: &Self::Position, depth: u16, seed: u64) -> Report<MoveOf<Self>>;

    /// Returns the value of one point of the game in scores.
    fn point(&self) -> f64 {
        1.0
    }

    /// Returns true if a built-in player may choose a move, false for moves that only people make.
    fn is_sensible(&self, _position: &Self::Position, _mv: MoveOf<Self>) -> bool {
        true
    }

    /// Returns the clock for a player's moves.
    fn clock(&self, conditions: &Conditions) -> MoveClock {
        MoveClock::of(conditions)
    }

    /// Starts a player that is not built in.
    ///
    /// # Errors
    /// A [fault](crate::fault::Fault) if the player cannot be reached.
    fn driver<'a>(
        &'a self,
        game: &'a GameSetup<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<Self::Position> + 'a>, Trouble>;
}

/// A game for two is a course.
impl<R: Setup + Players> Course for R {
    fn check_openings(&self) -> anyhow::Result<()> {
        self.set().check(|line| match self.start(&self.opening_of(line))?.outcome() {
            Some(_) => bail!("the game is over there; --openings-plies takes the first plies of each"),
            None => Ok(()),
        })
    }

    fn play(&self, game: &mut GameSetup<'_>) -> Result<Played, Trouble> {
        table::play(self, game)
    }

    fn show(
        &self,
        opening: &str,
        played: &Played,
        each: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> anyhow::Result<()> {
        table::show(self, opening, played, each)
    }

    fn last_drawing(&self, opening: &str, played: &Played) -> anyhow::Result<String> {
        table::last_drawing(self, opening, played)
    }

    fn ask(&self, game: &GameSetup<'_>) -> Result<Asked, Trouble> {
        table::ask(self, game)
    }

    fn check_moves(&self, opening: &str, moves: &[String]) -> anyhow::Result<()> {
        let position = self.start(opening)?;
        match moves.iter().find(|mv| self.read(&position, mv).is_none()) {
            Some(text) => Err(IllegalMove::Solution { text: text.clone() }.into()),
            None => Ok(()),
        }
    }
}

/// A text that is not a legal move in its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// A move of an opening, or of a game on a page.
    #[error("\"{text}\" is not legal here")]
    Here {
        /// The text of the move.
        text: String,
    },
    /// A solution of a problem.
    #[error("\"{text}\" is not legal in this position")]
    Solution {
        /// The text of the move.
        text: String,
    },
    /// A move of a record.
    #[error("move {number}, \"{text}\", is not legal in this position")]
    Recorded {
        /// The number of the move, from 1.
        number: usize,
        /// The text of the move.
        text: String,
    },
}

impl IllegalMove {
    /// The error of a move in an opening, or of a game on a page.
    #[must_use]
    pub fn here(text: &str) -> Self {
        Self::Here { text: text.to_owned() }
    }
}

/// A move with the position before it.
pub struct PlyRecord<P: Position> {
    /// The position before it; `None` where [positions are large](Rules::has_large_positions).
    pub before: Option<P>,
    /// The move that was played.
    pub mv: P::Move,
}

impl<P: Position> PlyRecord<P> {
    /// Creates the record of a move before it is played in `position`.
    pub fn new<R: Rules<Position = P>>(rules: &R, position: &P, mv: P::Move) -> Self {
        Self { before: (!rules.has_large_positions()).then(|| position.clone()), mv }
    }
}

/// A question to a player.
pub struct Question<'a, P: Position> {
    /// The position to move in.
    pub position: &'a P,
    /// All moves after the opening.
    pub played: &'a [PlyRecord<P>],
    /// The time for this move, or `None` without a limit. With a game clock, a fair share of the time left.
    pub allowance: Option<Duration>,
    /// The state of the game clock.
    pub remaining: Option<Remaining>,
    /// Maximum time for an answer, from the end of the question, before the watchdog gives up.
    pub time_out: Duration,
}

impl<'a, P: Position> Question<'a, P> {
    /// Creates a question with the times of `clock`.
    pub fn new(position: &'a P, played: &'a [PlyRecord<P>], clock: &MoveClock) -> Self {
        let (allowance, time_out) = (clock.allowance(), clock.time_out());
        Self { position, played, allowance, remaining: clock.remaining, time_out }
    }

    /// Returns the deadline of the watchdog, if the question ends now.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.time_out
    }
}

/// An answer and the time it took.
pub struct Answer<M> {
    /// The parsed move, not judged yet.
    pub mv: M,
    /// The time from the end of the question to the answer.
    pub time: Duration,
    /// The player's search report.
    pub told: Option<SearchInfo>,
}

/// The protocol with one player.
pub trait Driver<P: Position> {
    /// Sends the greeting and the opening before the first question. [`end`](Self::end) is called even if this fails.
    ///
    /// # Errors
    /// The player's fault.
    fn greet(&mut self, _deadline: Instant) -> Result<(), Trouble> {
        Ok(())
    }

    /// Asks for a move.
    ///
    /// # Errors
    /// The player's fault.
    fn choose(&mut self, question: &Question<'_, P>) -> Result<Answer<P::Move>, Trouble>;

    /// Ends the dialogue. Returns the player's conduct.
    fn end(self: Box<Self>) -> Ended;
}

/// Parses a line of exactly two integers, which is how some dialogues write a cell.
pub fn two_numbers(line: &str) -> Option<(i64, i64)> {
    let mut numbers = line.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(first)), Some(Ok(second)), None) => Some((first, second)),
        _ => None,
    }
}
