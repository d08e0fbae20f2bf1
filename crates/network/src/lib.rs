//! Small neural networks of 16-bit integers. A game supplies the features and the sizes.
//!
//! - [`Units`]: hidden units, to which the weights of features are added.
//! - [`Path`]: the instruction sets that a computation is compiled for; [`Kernel`]: such a computation.
//! - [`mod@file`]: files of weights with their checksum.
//!
//! All arithmetic is on integers, so every processor computes the same value.
//!
//! Source: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018.

#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod file;
#[allow(unsafe_code)] // Calls of functions compiled for what the processor was found to have.
mod path;
mod units;

pub use path::{Kernel, Path};
pub use units::Units;
