//! A process a move: it finds the moves so far in a file, one a line, and prints its own.

use super::{Configuration, Move, Notation, Position};
use crate::course::POSITION;
use crate::duel::{Answer, Driver, Question};
use crate::fault::{Fault, Trouble, excerpt};
use crate::one_shot::{OneShot, Temporary};
use crate::peer::Ended;
use ::gounki::protocol::file;
use ::gounki::rules::Game;

pub struct BestMove<'a, 'b> {
    pub player: OneShot<'a, 'b>,
    /// The opening's moves.
    pub opening: &'a str,
}

/// A game without a past as a file.
fn whole(position: &Position) -> String {
    file::text(&Game::new(*position), ["humain", "humain"])
}

impl Driver<Position> for BestMove<'_, '_> {
    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Move>, Trouble> {
        let opening = self.opening.split_whitespace().map(str::to_owned);
        let played = question.played.iter().map(|ply| ply.mv.to_string());
        let moves: String = opening.chain(played).map(|text| text + "\n").collect();
        // Programs refuse an empty list: before the first move the file is the initial position.
        let text = match (self.opening.starts_with(POSITION), moves.is_empty()) {
            // A game that begins elsewhere is a whole file: its position, who moves, its moves.
            (true, _) => whole(question.position),
            (false, true) => Configuration::of(question.position).to_string(),
            (false, false) => moves,
        };
        let file = Temporary::holding(&text, "coups")?;
        let mut command = self.player.command.clone();
        if !command.words.iter().any(|word| word.contains("{file}")) {
            command.words.extend(["--meilleur-coup", "{file}"].map(str::to_owned));
        }
        let command = command.filled(&[("file", file.path().to_string_lossy().into_owned())]);
        let (line, time, told) = self.player.ask(&command, question.time_out)?;
        let text = line.trim();
        let notation: Notation =
            text.parse().map_err(|_| Fault::protocol(format!("\"{}\" is no move", excerpt(text))))?;
        let mv = question
            .position
            .find(&notation)
            .map_err(|refusal| Fault::illegal(format!("{}: {refusal}", excerpt(text))))?;
        Ok(Answer { mv, time, told })
    }

    fn end(self: Box<Self>) -> Ended {
        self.player.ended()
    }
}
