//! The rules of Othello: own and opponent discs as two 64-bit words, the mover's first.
//!
//! - [`bitboard`]: legal moves and turned discs, on bare words.
//! - [`Square`], [`Move`]: `a1`…`h8`, and the pass.
//! - [`Position`]: what a search plays on; it knows the mover and the opponent, no colours.
//! - [`perft`]: lines of play counted.
//! - [`Board`], [`Side`]: a position with its colours, as text has it.
//! - [`Game`]: a board, and the moves that led to it.
//! - [`obf`], [`ggf`]: problem files and game records.

pub mod bitboard;
mod board;
mod game;
pub mod ggf;
mod mv;
pub mod obf;
mod perft;
mod position;
mod square;

pub use board::{Board, BoardError, Side};
pub use game::{Game, IllegalMove};
pub use mv::{Move, MoveError};
pub use perft::perft;
pub use position::Position;
pub use square::{Square, SquareError, Squares};
