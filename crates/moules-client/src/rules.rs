//! The rules: the maze, the items, the commands, the end of a match.

mod command;
mod dialect;
mod direction;
mod game;
mod generator;
mod java_random;
mod moves;
mod state;
mod tile;

pub use command::Command;
pub use dialect::Dialect;
pub use direction::Direction;
pub use game::{End, Game, Purse, marks};
pub use generator::{GeneratorError, Settings};
pub use java_random::JavaRandom;
pub use moves::{Move, MoveError};
pub use state::{Cell, MAX_CELLS, MAX_LINE, MAX_PLAYERS, MAX_POINTS, Players, State, StateError};
pub use tile::Tile;
