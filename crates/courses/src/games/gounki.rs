//! Gounki: the course's interactive program. The referee types the person's moves, reads the robot's moves from the
//! display and checks them.

pub mod assignment;
mod best_move;
#[cfg(feature = "marking")]
mod compliance;
pub mod drawing;
mod editor;
#[cfg(feature = "hand-in")]
mod hand_in;
mod lessons;
#[cfg(feature = "marking")]
mod mark;
mod openings;
mod own;
pub mod page;
mod person;
mod refused;
#[cfg(feature = "hand-in")]
pub mod report;
mod review;
mod shown;
mod thinking;

use crate::course::{GameSetup, Line, OpeningSet, Setup, split_position};
use crate::drawing::Marks;
use crate::duel::{Driver, IllegalMove, Players, PlyRecord, Rules};
use crate::fault::Trouble;
use crate::one_shot::OneShot;
use crate::player::Player;
use ::gounki::evaluation::Evaluation;
use ::gounki::protocol::board::{Style, draw};
use ::gounki::rules::{
    Cell, Colour, Configuration, ConfigurationError, Move, Notation, NotationError, Position, Refusal,
};
use search_core::{Limits, Outcome, Position as _, Report, Score, Stopwatch};

/// The game with its openings.
#[derive(Debug, Clone)]
pub struct Gounki {
    /// Lines of an even number of moves separated by blanks, because a configuration file cannot say that black moves.
    pub set: OpeningSet,
    /// True if a time is set.
    pub timed: bool,
}

/// Number of consecutive plies without a capture or an advance after which the game is a draw. The rules have no such
/// limit.
const CAP: usize = 200;

/// The click between a stack and the cells where its men are placed.
pub const DEPLOY: &str = "+";

/// An error in an opening.
#[derive(Debug, thiserror::Error)]
enum OpeningError {
    /// The side to move is unknown.
    #[error("\"{0}\" is neither blanc nor noir")]
    Mover(String),
    /// The configuration has other characters than those of codes.
    #[error("a configuration is 64 codes")]
    Codes,
    /// A code is not one of a cell.
    #[error("\"{code}\" is no code of a cell ({cell})")]
    Code { cell: Cell, code: String },
    /// The board is empty.
    #[error("the board is empty: no white or black man")]
    Empty,
    /// A word is not a move.
    #[error("\"{text}\": {error}")]
    Notation { text: String, error: NotationError },
    /// A move is not legal, for a reason of the rules.
    #[error("\"{text}\": {refusal}")]
    Refused { text: String, refusal: Refusal },
}

/// Parses 64 cell codes, followed by `:blanc` or `:noir` for the side to move.
fn of_codes(text: &str) -> Result<Position, OpeningError> {
    let (codes, mover) = text.split_once(':').unwrap_or((text, "blanc"));
    let mover = match mover {
        "blanc" => Colour::White,
        "noir" => Colour::Black,
        _ => return Err(OpeningError::Mover(mover.to_owned())),
    };
    if !codes.is_ascii() {
        return Err(OpeningError::Codes);
    }
    let pairs = (0..codes.len()).step_by(2).map(|at| &codes[at..codes.len().min(at + 2)]);
    // A player's own messages are French.
    let configuration = Configuration::from_codes(pairs).map_err(|error| match error {
        ConfigurationError::Code { cell, code, .. } => OpeningError::Code { cell, code },
        ConfigurationError::TooShort(_) | ConfigurationError::TooLong { .. } => OpeningError::Codes,
        ConfigurationError::Empty => OpeningError::Empty,
    })?;
    Ok(configuration.position(mover))
}

/// Formats a position for [`of_codes`].
#[must_use]
pub fn codes(position: &Position) -> String {
    let codes: String = Configuration::of(position).to_string().split_whitespace().collect();
    format!("{codes}:{}", position.to_move())
}

impl Setup for Gounki {
    fn name(&self) -> &'static str {
        "gounki"
    }

    fn set(&self) -> &OpeningSet {
        &self.set
    }

    fn is_timed(&self) -> bool {
        self.timed
    }

    fn own(&self, extra: &str) -> String {
        let time = if self.timed { " --time {time}" } else { "" };
        format!("gounki{time} --seed {{seed}} {extra}").trim_end().to_owned()
    }

    /// A configuration file cannot say that black moves.
    fn own_of_positions(&self, extra: &str) -> String {
        format!("meilleur-coup:{}", self.own(extra))
    }
}

impl Rules for Gounki {
    type Position = Position;

    fn white(&self) -> usize {
        0
    }

    fn start(&self, opening: &str) -> anyhow::Result<Position> {
        let (board, moves) = split_position(opening);
        let mut position = board.map_or_else(|| Ok(Position::initial()), of_codes)?;
        for word in moves.split_whitespace() {
            let mv = self.read(&position, word).ok_or_else(|| IllegalMove::here(word))?;
            position.play(mv);
        }
        Ok(position)
    }

    fn seat(&self, position: &Position) -> usize {
        if position.to_move() == Colour::White { 0 } else { 1 }
    }

    fn write(&self, _: &Position, mv: Move) -> String {
        mv.to_string()
    }

    fn read(&self, position: &Position, text: &str) -> Option<Move> {
        position.find(&text.parse::<Notation>().ok()?).ok()
    }

    fn picture(&self, position: &Position) -> String {
        draw(position, None, Style::Ascii)
    }

    fn draw(&self, position: &Position, marks: &Marks) -> String {
        drawing::draw(position, marks)
    }

    /// Returns piece, then target. A deployment has its sign first, then one cell for each man.
    fn clicks(&self, _: &Position, mv: Move) -> Vec<String> {
        let (from, rest) = match mv.notation() {
            Notation::Step { from, to } => (from, vec![to.to_string()]),
            Notation::Exit { from } => (from, vec![drawing::EXIT.to_owned()]),
            Notation::Deploy { from, cells, .. } => {
                let laid = cells.iter().map(ToString::to_string);
                (from, std::iter::once(DEPLOY.to_owned()).chain(laid).collect())
            }
        };
        std::iter::once(from.to_string()).chain(rest).collect()
    }

    fn trace(&self, position: &Position, mv: Move) -> Vec<String> {
        drawing::way(position, mv)
    }

    fn end(&self, position: &Position, _: Outcome) -> String {
        let winner = if position.winner() == Some(Colour::White) { "white" } else { "black" };
        let how = if position.escaped() { "leaves the board" } else { "has captured everything" };
        format!("{winner} {how}")
    }

    fn cap(&self, played: &[PlyRecord<Position>]) -> Option<String> {
        let quiet = |ply: &&PlyRecord<Position>| {
            let Some(before) = ply.before else { return false };
            let mut next = before;
            next.play(ply.mv);
            ply.mv.can_repeat()
                && next.own().occupied().count_ones() == before.enemy().occupied().count_ones()
        };
        let shuffled = played.iter().rev().take(CAP).take_while(quiet).count();
        (shuffled == CAP).then(|| format!("{CAP} moves without a capture or an advance"))
    }
}

impl Players for Gounki {
    fn evaluate(&self, position: &Position) -> Score {
        Evaluation::default().evaluate(position)
    }

    fn search(position: &Position, depth: u16, seed: u64) -> Report<Move> {
        use ::gounki::player::{Robot, Settings};
        let robot = Robot::AlphaBeta(depth.into());
        let settings = Settings { robot, table_bytes: 1 << 20, seed, ..Default::default() };
        let mut player = ::gounki::player::Player::new(settings);
        player.think(position, Limits::depth(depth.into()), &Stopwatch::start())
    }

    fn is_sensible(&self, _: &Position, mv: Move) -> bool {
        !mv.is_null()
    }

    fn driver<'a>(
        &'a self,
        game: &'a GameSetup<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<Position> + 'a>, Trouble> {
        let command = match Line::from(player) {
            Line::Process(None | Some("humain"), command) => command,
            Line::Process(Some("meilleur-coup"), command) => {
                let player = OneShot::new(game, command, seat);
                return Ok(Box::new(best_move::BestMove { player, opening: game.opening }));
            }
            _ => {
                return Err(Trouble::Argument(format!(
                    "\"{}\": gounki is played by humain: and meilleur-coup: commands",
                    player.text
                )));
            }
        };
        let start = self.start(game.opening).map_err(Trouble::referee)?;
        if start.to_move() == Colour::Black {
            return Err(Trouble::Argument(
                "a configuration's file cannot say that black moves: openings of an even length are needed"
                    .into(),
            ));
        }
        Ok(Box::new(person::AgainstRobot::begin(game, command, seat, start)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_of_the_start_is_sensible() {
        let game = Gounki { set: OpeningSet::single(""), timed: false };
        let start = game.start("").unwrap();
        assert!(start.move_list().into_iter().all(|mv| game.is_sensible(&start, mv)));
    }
}
