//! Data, fit, quantise, plot: the learned evaluations of the games.
//!
//! - [`linear`]: ridge regression on sparse rows.
//! - [`plot`]: curves as SVG.
//! - [`othello`]: the pattern weights of `othello-player`.

#![forbid(unsafe_code)]

pub mod linear;
pub mod othello;
pub mod plot;
