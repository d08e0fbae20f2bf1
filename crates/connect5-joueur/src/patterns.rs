//! The value of every free cell to each colour, kept up to date by every stone at a cost that does not depend on the
//! size of the grid.
//!
//! - [`Shape`]: what a stone on a cell makes of one line through it, decided by the five cells to either side.
//! - [`Class`]: the four shapes of a cell, folded: what a stone there threatens.
//! - [`Patterns`]: the shapes of all free cells, with the sets and counts that a player asks for.
//!
//! [`code`] is how the four shapes of a cell are one number, [`line_changes`] what a stone changes of a line,
//! [`Weights`] what each code is worth.
//!
//! Source: a value by the set of four line shapes, a table of the threats on the board: Rapfi's classical evaluation, as an
//! idea. The shapes, their numbering and the weights are ours.

mod board;
mod class;
mod code;
mod defences;
mod line_changes;
mod set;
mod shape;
mod tables;
mod threats;
mod weights;
pub(crate) mod window;

pub use board::Patterns;
pub use class::Class;
pub use code::{SHAPE_SETS, shape_sets};
pub use defences::defences;
pub use set::CellSet;
pub use shape::Shape;
pub use threats::THREATS;
pub use weights::Weights;
