//! Data, fit, quantise, plot: the learned evaluations of the games; and matches and measurements within one process.
//!
//! - [`linear`]: ridge regression on sparse rows.
//! - [`connect5`]: the weights of `connect5-joueur`, from games of self-play.
//! - [`gounki`]: the learned evaluation of `gounki`, matches between its robots, the exact search by the clock.
//! - [`moules`]: matches in the maze, maps played alone, the opponent model, the server under load.
//! - [`uttt`]: the network of `uttt`, from games of self-play; matches and proofs.
//! - `numbers`: numbers of options.
//! - [`plot`]: curves as SVG.
//! - [`othello`]: the pattern weights of `othello-player`.
//! - [`records`]: files of positions of self-play.

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
pub mod uttt;
