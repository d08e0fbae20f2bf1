//! Players with one process a move, which reads the moves so far from a file, one a line, and prints its move.

use super::{Configuration, Move, Notation, OpeningError, Position};
use crate::course::{POSITION, split_position};
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

/// Returns the file of a game from a given board: the board, the side to move, the moves since.
fn whole(opening: &str, played: impl Iterator<Item = Move>) -> Result<String, OpeningError> {
    let (board, moves) = split_position(opening);
    let start = board.map_or_else(|| Ok(Position::initial()), super::of_codes)?;
    let mut game = Game::new(start);
    for word in moves.split_whitespace() {
        let notation: Notation =
            word.parse().map_err(|error| OpeningError::Notation { text: word.to_owned(), error })?;
        let found = game.position().find(&notation);
        let mv = found.map_err(|refusal| OpeningError::Refused { text: word.to_owned(), refusal })?;
        game.play(mv);
    }
    played.for_each(|mv| game.play(mv));
    Ok(file::text(&game, ["humain", "humain"]))
}

impl Driver<Position> for BestMove<'_, '_> {
    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Move>, Trouble> {
        let opening = self.opening.split_whitespace().map(str::to_owned);
        let played = question.played.iter().map(|ply| ply.mv);
        let moves = opening.chain(played.clone().map(|mv| mv.to_string()));
        let moves: String = moves.map(|text| text + "\n").collect();
        // Programs refuse an empty list, so before the first move the file is the initial position.
        let text = match (self.opening.starts_with(POSITION), moves.is_empty()) {
            // A game from another position is a complete file: its position, the side to move, its moves.
            (true, _) => whole(self.opening, played).map_err(Trouble::referee)?,
            (false, true) => Configuration::of(question.position).to_string(),
            (false, false) => moves,
        };
        let file = Temporary::holding(&text, "coups")?;
        let mut command = self.player.command.clone();
        if !command.words.iter().any(|word| word.contains("{file}")) {
            command.words.extend(["--meilleur-coup", "{file}"].map(str::to_owned));
        }
        let path = file.read_by(&mut command);
        let command = command.filled(&[("file", path)]);
        let (line, time, told) =
            self.player.ask(&command, question.time_out, |line| line.trim().parse::<Notation>().is_ok())?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::gounki::codes;
    use search_core::Position as _;

    #[test]
    fn a_game_from_a_board_keeps_its_moves_and_their_order() {
        let start = Position::initial();
        let mut position = start;
        let mut moves = Vec::new();
        for _ in 0..4 {
            let mv = position.move_list()[0];
            moves.push(mv);
            position.play(mv);
        }
        let opening = format!("@{} {} {}", codes(&start), moves[0], moves[1]);
        let text = whole(&opening, moves[2..].iter().copied()).unwrap();
        let loaded = file::read(text.as_bytes()).unwrap().game;
        assert_eq!(*loaded.start(), start);
        let read: Vec<Move> = loaded.played().iter().map(|recorded| recorded.mv).collect();
        assert_eq!(read, moves);
        assert_eq!(*loaded.position(), position);
        assert!(whole("@zz", std::iter::empty()).is_err());
    }
}
