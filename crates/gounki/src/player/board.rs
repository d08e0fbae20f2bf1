use crate::rules::{Kind, Move, Position};
use search_core::{Outcome, Position as _, Sink, Visit};

/// A position as robots search it: without the move to the edge and back, which changes nothing. Another move always
/// exists, because the most advanced piece can step forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board(pub Position);

impl Board {
    /// Returns a line of a search with the move that leaves the board, if it can be played after it: searches count that
    /// move and do not play it.
    #[must_use]
    pub fn to_the_end(self, line: impl IntoIterator<Item = Move>) -> Vec<Move> {
        let mut last = self.0;
        let mut line: Vec<Move> = line.into_iter().collect();
        line.iter().for_each(|&mv| {
            last.play(mv);
        });
        if last.can_exit() {
            line.extend(last.move_list().into_iter().find(|mv| mv.kind() == Kind::Exit));
        }
        line
    }
}

impl search_core::Position for Board {
    type Move = Move;
    type Undo = Position;

    #[inline]
    fn moves<S: Sink<Move>>(&self, sink: &mut S) {
        self.0.moves(&mut Visit(|mv: Move| {
            if !mv.is_null() {
                sink.push(mv);
            }
        }));
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        !mv.is_null() && self.0.is_legal(mv)
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Position {
        self.0.play(mv)
    }

    #[inline]
    fn undo(&mut self, _: Move, before: Position) {
        self.0 = before;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    #[inline]
    fn key(&self) -> u64 {
        self.0.key()
    }
}
