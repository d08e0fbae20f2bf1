//! What every free cell is worth to each colour, kept up to date by every stone at a cost that does not depend on the
//! size of the grid.
//!
//! - [`Shape`]: what a stone on a cell makes of one line through it, decided by the five cells to either side.
//! - [`Class`]: the four shapes of a cell, folded: what a stone there threatens.
//! - [`Patterns`]: the shapes of all free cells, with the sets and counts that a player asks for.

mod board;
mod class;
mod set;
mod shape;
mod tables;
mod weights;

pub use board::Patterns;
pub use class::Class;
pub use set::CellSet;
pub use shape::Shape;
pub use tables::{CODES, Code, shapes_of};
pub use weights::{THREATS, Weights};
