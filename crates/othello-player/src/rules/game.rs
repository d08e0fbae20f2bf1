//! Games in progress.

use super::board::{Board, Side};
use super::mv::Move;
use search_core::Position as _;

/// A game: its boards since the start and the moves between them, passes included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    start: Board,
    board: Board,
    played: Vec<(Move, Board)>,
}

/// The reason why a move is illegal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The square is taken, or the move flips nothing.
    #[error("{side} may not play {mv}")]
    Square {
        /// The side that made the move.
        side: Side,
        /// The illegal move.
        mv: Move,
    },
    /// It is the other side's turn, and that side has a move.
    #[error("{side} may not play {mv}: it is {}'s turn", side.other())]
    Turn {
        /// The side that made the move.
        side: Side,
        /// The illegal move.
        mv: Move,
    },
    /// This side passed although it has a move.
    #[error("{0} has a move and may not pass")]
    Pass(Side),
    /// Neither side has a move.
    #[error("the game is over")]
    Over,
}

impl Default for Game {
    fn default() -> Self {
        Self::new(Board::START)
    }
}

impl Game {
    /// A game that begins at `start`.
    #[must_use]
    pub fn new(start: Board) -> Self {
        Self { start, board: start, played: Vec::new() }
    }

    /// The board at the beginning.
    #[must_use]
    pub fn start(&self) -> Board {
        self.start
    }

    /// The current board.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The moves played, passes included, each with the board before it.
    #[must_use]
    pub fn played(&self) -> &[(Move, Board)] {
        &self.played
    }

    /// True if neither side has a move.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.board.position.outcome().is_some()
    }

    /// True if the side to move has no move, but the other side has one.
    #[must_use]
    pub fn must_pass(&self) -> bool {
        self.board.position.is_legal(Move::PASS)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The move is illegal; the game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let Board { position, side } = self.board;
        if !position.is_legal(mv) {
            return Err(match mv {
                _ if self.is_over() => IllegalMove::Over,
                Move::PASS => IllegalMove::Pass(side),
                _ => IllegalMove::Square { side, mv },
            });
        }
        self.played.push((mv, self.board));
        self.board = Board { position: position.after(mv), side: side.other() };
        Ok(())
    }

    /// Plays a move of `side`. A pass of the other side is inserted if that is its only move, because peers may omit
    /// passes.
    ///
    /// # Errors
    /// It is not `side`'s turn, or the move is illegal; the game is unchanged.
    pub fn play_as(&mut self, side: Side, mv: Move) -> Result<(), IllegalMove> {
        if side == self.board.side {
            return self.play(mv);
        }
        if !self.must_pass() {
            return Err(if self.is_over() { IllegalMove::Over } else { IllegalMove::Turn { side, mv } });
        }
        self.play(Move::PASS)?;
        self.play(mv).inspect_err(|_| {
            self.undo();
        })
    }

    /// Takes back the last move; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let (mv, before) = self.played.pop()?;
        self.board = before;
        Some(mv)
    }
}
