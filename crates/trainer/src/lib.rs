//! Data, fit, quantise, plot: the learned evaluations of the games.
//!
//! - [`linear`]: ridge regression on sparse rows.
//! - [`connect5`]: the weights of `connect5-joueur`, from games of self-play.
//! - [`uttt`]: the network of `uttt`, from games of self-play.
//! - [`plot`]: curves as SVG.
//! - [`othello`]: the pattern weights of `othello-player`.

#![forbid(unsafe_code)]

pub mod connect5;
pub mod linear;
pub mod othello;
pub mod plot;
pub mod uttt;
