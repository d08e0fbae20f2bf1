//! The rules: cells, stacks, moves, positions, notations, and games with their history.
//!
//! A [`Position`] is stored from the point of view of the player to move: ranks count from that player's own edge.
//! [`Colour::view`] converts to the board's own names for text.

mod army;
mod cell;
mod configuration;
mod game;
mod generate;
mod moves;
mod notation;
mod position;
mod ray;
mod refusal;
mod stack;

pub use army::Army;
pub use cell::{Cell, Colour};
pub use configuration::{Configuration, ConfigurationError};
pub use game::{Game, Recorded};
pub use moves::{Kind, Move};
pub use notation::{Notation, NotationError};
pub use position::Position;
pub use ray::{Heading, Step, ray};
pub use refusal::Refusal;
pub use stack::{Shape, Stack};

/// The largest height of a stack.
pub const MAX_HEIGHT: u8 = 3;
