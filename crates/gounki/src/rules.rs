//! The rules: cells, stacks, moves, positions, their text forms, and whole games with their history.
//!
//! Inside a [`Position`] everything is seen by the player to move: cells count upwards from that player's own edge.
//! [`Colour::view`] translates where a text form wants the board's own names.

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

/// No stack is higher.
pub const MAX_HEIGHT: u8 = 3;
