//! Trains the learned evaluations of the games, and runs matches and measurements in one process.
//!
//! - [`linear`]: ridge regression on sparse rows.
//! - [`connect5`]: the weights of `connect5-joueur`, from self-play games.
//! - [`gounki`]: the learned evaluations of `gounki`, matches, timing of the exact search.
//! - [`moules`]: matches, single-player runs, the opponent model, load tests of the server.
//! - [`uttt`]: the network of `uttt`, from self-play games; matches and proofs.
//! - `numbers`: parsers of numeric options.
//! - [`plot`]: SVG plots.
//! - [`othello`]: the pattern weights of `othello-player`.
//! - [`records`]: files of self-play positions.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod connect5;
pub mod gounki;
pub mod linear;
pub mod moules;
mod numbers;
pub mod othello;
pub mod plot;
pub mod records;
mod threads;
pub mod uttt;
