//! The rules of play of five courses, shared by playing, watching and judging.
//!
//! - [`assignment`]: the interface of a game to the tools; [`registry`]: the known games.
//! - [`course`]: the interface of a game to a run; [`options`]: its settings as arguments.
//! - [`games`]: the five games, each with its own rules.
//! - [`duel`]: the games for two: [`duel::Rules`] and [`duel::Driver`].
//! - [`peer`]: processes and connections, with deadlines and bounds; [`sandbox`]: the walls around strangers' programs.
//! - [`play`]: a game played by hand, and the engines that play on in it.
//! - [`player`]: players as on the command line; [`fault`]: faults of players; [`french`]: their French texts.
//! - [`drawing`]: board drawings for pages, reports and READMEs.
//! - [`record`], [`store`]: records of games; [`seated`]: who played; [`note`]: notes on moves; [`notation`]: notations.
//! - [`marking`]: marking schemes as report cards; [`results`]: sums of many games.
//! - [`openings`]: from files of many kinds; [`suite`]: positions with known solutions; [`puzzle`]: those to solve.
//! - [`lesson`]: rules as cards that can be played; [`editor`]: positions set up by hand.
//! - [`compliance`]: checks of a protocol, step by step.
//! - [`review`]: costly moves of a game that is over, with reasons.
//! - [`limits`]: game clocks, players' own limits, adjudication.
//! - [`thought`]: players' search reports; [`thinking`]: searches recorded step by step.
//! - `hand_in`: the archive that a course receives (feature `hand-in`); `archive`: zip and tar files (feature `archive`).
//! - [`framework`]: a course's Java framework. [`seed`]: derived seeds.
//!
//! A parser here has an error type of its own. What a game implements returns [`anyhow::Error`], so that each game can
//! have its own errors.

#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(not(feature = "games"), allow(dead_code, reason = "helpers of games that are left out"))]

#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

#[cfg(feature = "archive")]
pub mod archive;
pub mod assignment;
#[cfg(feature = "marking")]
pub mod compliance;
pub mod course;
pub mod drawing;
pub mod duel;
pub mod editor;
pub mod fault;
pub mod framework;
pub mod french;
pub mod games;
#[cfg(feature = "hand-in")]
pub mod hand_in;
pub mod lesson;
pub mod limits;
#[cfg(feature = "marking")]
pub mod marking;
pub mod notation;
pub mod note;
mod one_shot;
pub mod openings;
pub mod options;
#[cfg_attr(not(feature = "peers"), path = "peer/absent.rs")]
pub mod peer;
pub mod play;
pub mod player;
pub mod puzzle;
pub mod record;
pub mod registry;
pub mod results;
pub mod review;
#[cfg_attr(not(feature = "peers"), path = "sandbox/absent.rs")]
pub mod sandbox;
pub mod seated;
pub mod seed;
#[cfg_attr(not(feature = "peers"), path = "store/absent.rs")]
pub mod store;
pub mod strength;
pub mod suite;
pub mod thinking;
pub mod thought;
