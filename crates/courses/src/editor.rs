//! Positions that are set up by hand.

use crate::drawing::{Language, Marks};

/// A piece that can stand on a cell, or another thing to put there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// The name in requests.
    pub name: &'static str,
    /// The words in French.
    pub french: &'static str,
    /// The words in English.
    pub english: &'static str,
    /// The CSS class of its swatch on a page; empty for none.
    pub swatch: &'static str,
}

impl Piece {
    /// Returns the words in a language.
    #[must_use]
    pub fn words(&self, language: Language) -> &'static str {
        language.choose(self.french, self.english)
    }
}

/// The board of a game on which positions are set up.
///
/// Positions are texts, as [`Play::position`](crate::play::Play::position) writes them. One that the rules refuse, such
/// as an empty board, is drawn and changed as well.
pub trait Editor: Sync {
    /// Returns the pieces.
    fn pieces(&self) -> &'static [Piece];

    /// Returns a position with a piece on a cell; empty where it stood before. An empty name takes the cell's piece away.
    ///
    /// # Errors
    /// If the position, the cell or the piece is not valid, or cannot stand there.
    fn put(&self, position: &str, cell: &str, piece: &str) -> anyhow::Result<String>;

    /// Returns the board of a position without its pieces.
    ///
    /// # Errors
    /// If the position is not valid.
    fn cleared(&self, position: &str) -> anyhow::Result<String>;

    /// Returns a position with another player to move, by seat. `None` if the pieces decide who moves.
    fn turned(&self, _position: &str, _seat: usize) -> Option<String> {
        None
    }

    /// Draws a position as SVG.
    ///
    /// # Errors
    /// If the position is not valid.
    fn draw(&self, position: &str, marks: &Marks) -> anyhow::Result<String>;
}
