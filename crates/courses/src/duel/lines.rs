//! The simplest protocol: a line for each question, answered by a line.

use super::{Answer, Driver, Question};
use crate::course::{GameSetup, Line};
use crate::fault::{Fault, Trouble, excerpt};
use crate::peer::{Ended, Peer};
use crate::player::Player;
use search_core::Position;
use std::time::Instant;

/// A process that reads positions and writes moves, one a line.
pub struct Lines<'a, P: Position> {
    peer: Peer<'a>,
    /// Writes a position.
    question: fn(&P) -> String,
    /// Reads an answer, legal or not.
    answer: fn(&str) -> Option<P::Move>,
}

impl<'a, P: Position> Lines<'a, P> {
    /// Starts the process of a player.
    ///
    /// # Errors
    /// If the player is no command, or cannot be started.
    pub fn start(
        game: &GameSetup<'a>,
        player: &Player,
        seat: usize,
        question: fn(&P) -> String,
        answer: fn(&str) -> Option<P::Move>,
    ) -> Result<Self, Trouble> {
        match Line::from(player) {
            Line::Process(None, command) => Ok(Self { peer: game.start(command, seat)?, question, answer }),
            _ => Err(Trouble::Argument(format!("\"{}\": a command is expected", player.text))),
        }
    }
}

impl<P: Position> Driver<P> for Lines<'_, P> {
    fn greet(&mut self, deadline: Instant) -> Result<(), Trouble> {
        self.peer.settle(deadline)
    }

    fn choose(&mut self, question: &Question<'_, P>) -> Result<Answer<P::Move>, Trouble> {
        let answer = self.answer;
        self.peer.refuse_unasked(|line| answer(line).is_some())?;
        let (deadline, began) = (question.deadline(), Instant::now());
        self.peer.send(format!("{}\n", (self.question)(question.position)).as_bytes(), deadline)?;
        let line = self.peer.line(deadline)?;
        let time = began.elapsed();
        let mv =
            answer(&line).ok_or_else(|| Fault::protocol(format!("\"{}\" is no move", excerpt(&line))))?;
        Ok(Answer { mv, time, told: self.peer.told() })
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"")
    }
}
