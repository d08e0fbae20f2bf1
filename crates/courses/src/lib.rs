//! The rules of play of five courses: what playing, watching and judging share.
//!
//! - [`assignment`]: what a tool may ask of a game; [`registry`]: the games that there are.
//! - [`course`]: a game about to be played, what is seen of it; [`options`]: as arguments.
//! - [`games`]: the five, each judged by its own rules.
//! - [`duel`]: what the four games for two have in common: [`duel::Rules`] and [`duel::Driver`].
//! - [`peer`]: processes and connections, read and written with deadlines and bounds.
//! - [`play`]: a game played by hand, and the engines that play on in it.
//! - [`player`]: who plays, as written on the command line; [`fault`]: what a player can do wrong.
//! - [`drawing`]: one drawing a game, for pages, reports and pictures.
//! - [`record`], [`store`]: what is kept of games; [`notation`]: as other programs write it; [`replace`]: files written whole.
//! - [`openings`]: from files of many kinds; [`suite`]: positions with known solutions.
//! - [`limits`]: game clocks, a player's own limits, games that end because both players say so.
//! - [`thought`]: what a player tells of its search.
//! - `hand_in`: the archive that a course receives (feature `hand-in`).
//! - [`seed`]: the seeds of a run's parts.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

pub mod assignment;
pub mod course;
pub mod drawing;
pub mod duel;
pub mod fault;
pub mod games;
#[cfg(feature = "hand-in")]
pub mod hand_in;
pub mod limits;
pub mod notation;
mod one_shot;
pub mod openings;
pub mod options;
pub mod peer;
pub mod play;
pub mod player;
pub mod record;
pub mod registry;
pub mod replace;
pub mod seed;
pub mod store;
pub mod suite;
pub mod thought;
