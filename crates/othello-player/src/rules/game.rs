//! A game in progress.

use super::board::{Board, Side};
use super::mv::Move;
use search_core::Position as _;

/// The boards since the start, and the moves between them; passes are moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    start: Board,
    board: Board,
    played: Vec<(Move, Board)>,
}

/// The move may not be played here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// It turns nothing, or the square is taken.
    #[error("{side} may not play {mv}")]
    Square {
        /// The side that wanted to.
        side: Side,
        /// What.
        mv: Move,
    },
    /// The other side's turn, which has a move.
    #[error("{side} may not play {mv}: it is {}'s turn", side.other())]
    Turn {
        /// The side that wanted to.
        side: Side,
        /// What.
        mv: Move,
    },
    /// A pass although there is a move.
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
    /// A game from `start`.
    #[must_use]
    pub fn new(start: Board) -> Self {
        Self { start, board: start, played: Vec::new() }
    }

    /// Where it began.
    #[must_use]
    pub fn start(&self) -> Board {
        self.start
    }

    /// Where it stands.
    #[must_use]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The moves played, passes among them, each with the board it was played on.
    #[must_use]
    pub fn played(&self) -> &[(Move, Board)] {
        &self.played
    }

    /// Returns whether neither side has a move.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.board.position.outcome().is_some()
    }

    /// Returns whether the side to move has none but the other has.
    #[must_use]
    pub fn must_pass(&self) -> bool {
        self.board.position.is_legal(Move::PASS)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Where it is illegal; the game is then as it was.
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

    /// Plays a move of `side`, after the other side's pass where that is all it can do: peers may leave passes out.
    ///
    /// # Errors
    /// Where it is not `side`'s turn, or the move is illegal; the game is then as it was.
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

    /// Takes the last move back; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        let (mv, before) = self.played.pop()?;
        self.board = before;
        Some(mv)
    }
}
