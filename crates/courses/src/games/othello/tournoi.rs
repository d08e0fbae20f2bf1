//! The protocol between the course's Java class and its executable: `column row` or `null` in both directions, strictly
//! alternating, also for a player without a move.

use super::Coloured;
use crate::duel::{Answer, Driver, Question, two_numbers};
use crate::fault::{Fault, Kind, Trouble, excerpt};
use crate::peer::{Ended, Peer};
use othello_player::rules::{Move, Square};
use search_core::Position as _;
use std::time::Instant;

pub struct Tournoi<'a> {
    peer: Peer<'a>,
    /// The name of the class, if a Java program reports first whether it found it.
    class: Option<String>,
}

impl<'a> Tournoi<'a> {
    pub fn new(peer: Peer<'a>, class: Option<String>) -> Self {
        Self { peer, class }
    }
}

/// Returns a move in the protocol's notation.
pub fn text(mv: Option<Move>) -> String {
    match mv.and_then(Move::square) {
        Some(square) => format!("{} {}", square.column(), square.row()),
        None => "null".to_owned(),
    }
}

/// Parses an answer by the course's rules: null only without a move, otherwise a legal move.
fn judged(position: &Coloured, line: &str) -> Result<Move, Fault> {
    let line = line.trim();
    let mv = if line == "null" {
        Move::PASS
    } else {
        let Some((column, row)) = two_numbers(line) else {
            return Err(Fault::protocol(format!("\"{}\" is not \"column row\" or null", excerpt(line))));
        };
        let side = |at: i64| u8::try_from(at).ok();
        let square = side(column).zip(side(row)).and_then(|(column, row)| Square::at(column, row));
        Move::from(square.ok_or_else(|| Fault::illegal(format!("({column}, {row}) is outside the board")))?)
    };
    if position.is_legal(mv) {
        return Ok(mv);
    }
    Err(Fault::illegal(match mv {
        Move::PASS => "null although there is a move".to_owned(),
        mv if position.is_legal(Move::PASS) => format!("{mv} although there is no move"),
        mv => format!("{} may not play {mv}", position.0.side),
    }))
}

impl Driver<Coloured> for Tournoi<'_> {
    fn greet(&mut self, deadline: Instant) -> Result<(), Trouble> {
        // An executable sends nothing at the start, but its start-up must not count for its first answer.
        let Some(class) = &self.class else { return self.peer.settle(deadline) };
        match self.peer.line(deadline)?.as_str() {
            "ready" => Ok(()),
            line => Err(Fault::new(Kind::Crash, format!("{class}: {}", excerpt(line))).into()),
        }
    }

    fn choose(&mut self, question: &Question<'_, Coloured>) -> Result<Answer<Move>, Trouble> {
        let last = question.played.last().map(|ply| ply.mv);
        self.peer.refuse_unasked(|line| two_numbers(line).is_some() || line.trim() == "null")?;
        let deadline = question.deadline();
        let began = Instant::now();
        self.peer.send(format!("{}\n", text(last)).as_bytes(), deadline)?;
        let line = self.peer.line(deadline)?;
        let time = began.elapsed();
        Ok(Answer { mv: judged(question.position, &line)?, time, told: self.peer.told() })
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"")
    }
}
