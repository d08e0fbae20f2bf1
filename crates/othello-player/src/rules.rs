//! The rules of Othello, on two 64-bit words: the mover's discs and the opponent's.
//!
//! - [`bitboard`]: legal moves and flipped discs, on bare words.
//! - [`Square`], [`Move`]: `a1` … `h8`, and the pass.
//! - [`Position`]: the position for the search, with a mover and an opponent instead of colours.
//! - [`perft`]: counts move sequences.
//! - [`Board`], [`Side`]: a position with colours, for text.
//! - [`Game`]: a board and the moves that led to it.
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
