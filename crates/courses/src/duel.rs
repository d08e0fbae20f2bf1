//! Two players, in turn, a board: what Connect5, Gounki, Othello and UTTT have in common.
//!
//! - [`Rules`]: a game as a judge needs it; [`Players`]: who plays it, and how they are asked.
//! - [`Driver`]: a player's side of a protocol; [`Question`], [`Answer`].
//! - [`MoveClock`]: the time of a move.

mod builtin;
mod clock;
mod table;

pub use builtin::random_line;
pub use clock::{MoveClock, Remaining};

use crate::course::{Asked, Conditions, Course, GameSetup, Setup};
use crate::drawing::Marks;
use crate::fault::Trouble;
use crate::peer::Ended;
use crate::player::Player;
use crate::record::Played;
use crate::thought::Told;
use search_core::{Outcome, Position, Report, Score};
use std::time::{Duration, Instant};

/// A move of the rules.
pub type MoveOf<R> = <<R as Rules>::Position as Position>::Move;

/// A game's rules, as a judge needs them.
pub trait Rules: Sync {
    /// A position.
    type Position: Position;

    /// The position that an opening leads to.
    ///
    /// # Errors
    /// With what is wrong in the text.
    fn start(&self, opening: &str) -> Result<Self::Position, String>;

    /// Whose turn it is: 0 for the player who began the game.
    fn seat(&self, position: &Self::Position) -> usize;

    /// The seat that plays white.
    fn white(&self) -> usize {
        1
    }

    /// The notation of a move in records.
    fn write(&self, position: &Self::Position, mv: MoveOf<Self>) -> String;

    /// The legal move that a record's text stands for.
    fn read(&self, position: &Self::Position, text: &str) -> Option<MoveOf<Self>> {
        position.move_list().into_iter().find(|&mv| self.write(position, mv) == text)
    }

    /// The board, for a person.
    fn picture(&self, position: &Self::Position) -> String;

    /// The board as SVG.
    fn draw(&self, position: &Self::Position, marks: &Marks) -> String;

    /// The clicks, in order, that play a legal move: cells, or words for what has none (`pass`).
    fn clicks(&self, position: &Self::Position, mv: MoveOf<Self>) -> Vec<String> {
        vec![self.write(position, mv)]
    }

    /// The cells of a legal move as it is drawn afterwards, in order.
    fn trace(&self, position: &Self::Position, mv: MoveOf<Self>) -> Vec<String> {
        self.clicks(position, mv)
    }

    /// The course's own score of a game that came to `outcome` for the mover, by seat; from the points.
    fn score(&self, _position: &Self::Position, _outcome: Outcome, points: [f64; 2]) -> [f64; 2] {
        points
    }

    /// The score of a game lost by a fault.
    fn forfeit(&self, loser: usize) -> [f64; 2] {
        if loser == 0 { [0.0, 1.0] } else { [1.0, 0.0] }
    }

    /// The end of the game, in words.
    fn end(&self, position: &Self::Position, outcome: Outcome) -> String;

    /// Why a game that has not ended by its rules is stopped as a draw.
    fn cap(&self, _record: &[PlyRecord<Self::Position>]) -> Option<String> {
        None
    }

    /// The outcome by best play, for the mover, where that is known before the game's end: it stops there.
    fn adjudicated(&self, _position: &Self::Position) -> Option<Outcome> {
        None
    }
}

/// The players of a game: its course's protocols and clock, and what the built-in ones think with.
pub trait Players: Rules {
    /// The static evaluation for the mover: for built-in players.
    fn evaluate(&self, position: &Self::Position) -> Score;

    /// The move of the project's own search at a depth: for built-in players.
    fn search(&self, position: &Self::Position, depth: u16, seed: u64) -> Report<MoveOf<Self>>;

    /// The value of a point of the game in scores.
    fn point(&self) -> f64 {
        1.0
    }

    /// True if a built-in player may choose a move (Gounki's null moves are only for people).
    fn is_sensible(&self, _position: &Self::Position, _mv: MoveOf<Self>) -> bool {
        true
    }

    /// The time limit of a move, and the consequence of passing it.
    fn clock(&self, conditions: &Conditions) -> MoveClock {
        MoveClock::of(conditions)
    }

    /// Starts a player that is not built in.
    ///
    /// # Errors
    /// A [fault](crate::fault::Fault) when there is nobody to talk to.
    fn driver<'a>(
        &'a self,
        game: &'a GameSetup<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<Self::Position> + 'a>, Trouble>;
}

/// An assignment for two is its setting, its rules and its players.
impl<R: Setup + Players> Course for R {
    fn check_openings(&self) -> Result<(), String> {
        self.set().check(|line| match self.start(&self.opening_of(line))?.outcome() {
            Some(_) => {
                Err("the game is over there; --openings-plies takes the first plies of each".to_owned())
            }
            None => Ok(()),
        })
    }

    fn play(&self, game: &mut GameSetup<'_>) -> Result<Played, Trouble> {
        table::play(self, game)
    }

    fn replay(&self, opening: &str, played: &Played) -> Result<Vec<String>, String> {
        table::replay(self, opening, played)
    }

    fn last_drawing(&self, opening: &str, played: &Played) -> Result<String, String> {
        table::last_drawing(self, opening, played)
    }

    fn ask(&self, game: &GameSetup<'_>) -> Result<Asked, Trouble> {
        table::ask(self, game)
    }

    fn check_moves(&self, opening: &str, moves: &[String]) -> Result<(), String> {
        let position = self.start(opening)?;
        let wrong = moves.iter().find(|mv| self.read(&position, mv).is_none());
        wrong.map_or(Ok(()), |mv| Err(format!("\"{mv}\" is not legal in this position")))
    }
}

/// A move and the position it was played in.
pub struct PlyRecord<P: Position> {
    /// The position before it.
    pub before: P,
    /// The move.
    pub mv: P::Move,
}

/// A question to a player.
pub struct Question<'a, P: Position> {
    /// The position.
    pub position: &'a P,
    /// Everything played so far, the opening left out.
    pub played: &'a [PlyRecord<P>],
    /// The time for this move; `None` where there is no limit. With a game clock: a fair share of what is left.
    pub allowance: Option<Duration>,
    /// The reading of a game clock.
    pub remaining: Option<Remaining>,
    /// When the watchdog gives up on an answer, from the moment the question is complete.
    pub time_out: Duration,
}

impl<'a, P: Position> Question<'a, P> {
    /// A position under a clock.
    pub fn new(position: &'a P, played: &'a [PlyRecord<P>], clock: &MoveClock) -> Self {
        let (allowance, time_out) = (clock.allowance(), clock.time_out());
        Self { position, played, allowance, remaining: clock.remaining, time_out }
    }

    /// The watchdog's moment, from now.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        Instant::now() + self.time_out
    }
}

/// An answer and the time it took.
pub struct Answer<M> {
    /// The move: readable, not judged yet.
    pub mv: M,
    /// From the question's last byte to the answer's.
    pub time: Duration,
    /// The player's own report of its search.
    pub told: Option<Told>,
}

/// A player's side of a protocol.
pub trait Driver<P: Position> {
    /// The opening before the first question, until `deadline`; a player that fails here has its [`end`](Self::end),
    /// too.
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

    /// The game is over: what is known of the player.
    fn end(self: Box<Self>) -> Ended;
}

/// The two whole numbers that a line consists of, as the dialogues of connect5 and othello write a cell.
pub fn two_numbers(line: &str) -> Option<(i64, i64)> {
    let mut numbers = line.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Ok(first)), Some(Ok(second)), None) => Some((first, second)),
        _ => None,
    }
}
