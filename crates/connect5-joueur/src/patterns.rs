//! The value of every free cell for each colour, updated incrementally at a cost independent of the grid's size.
//!
//! - [`Shape`]: the potential of one line through a stone, decided by five cells to either side.
//! - [`Class`]: the threat class of a cell, from its four shapes.
//! - [`Patterns`]: the shapes of all free cells, with sets and counts of cells by class.
//!
//! [`code`] packs the four shapes of a cell into a number, [`line_changes`] caches the changes of a line by a stone,
//! and [`Weights`] holds the value of each code.
//!
//! Source: values by the set of four line shapes and a table of the threats on the board are ideas of Rapfi's classical
//! evaluation. The shapes, their numbering and the weights are our own.

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
