//! The rules and the course's 169-bit integers. Knows nothing of evaluation, search or the command line.

mod board;
mod cell;
mod hash;
mod integer;
mod picture;
mod state;

pub use board::{Boards, completing, has_line};
pub(crate) use board::{FULL, LINES};
pub use cell::{Cell, Side};
pub use integer::{Integer, IntegerError};
pub use picture::Picture;
pub use state::{PositionError, State, StateError};
