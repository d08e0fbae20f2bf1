//! Game-tree search for any game. The crate knows no game, prints nothing, keeps no global state, and takes every seed
//! and its clock from the caller.
//!
//! - [`position`]: the rules of a game as the search needs them: [`Position`], and the [`Sink`] that receives moves.
//! - [`score`]: [`Score`], [`Window`], [`Bound`], and the end of a game as a score.
//! - [`limits`]: depth, nodes, soft and hard time, a stop flag and an injected clock; [`Control`] applies them.
//! - [`memory`]: memory in large pages, and prefetching.
//! - [`report`]: the result of a search.
//! - [`table`]: the transposition table.
//! - [`minimax`]: plain negamax, which checks every other search.
//! - [`monte_carlo`]: Monte-Carlo tree search (PUCT) on an evaluator's values and priors, and random playouts.
//! - [`mod@perft`]: counts of move paths, which check every move generator.
//! - [`proof`]: depth-first proof-number search for wins and draws.
//! - [`alpha_beta`]: iterative deepening, principal variation search, aspiration windows, move ordering, and a game's
//!   own hooks.
//! - [`beam`]: plans for one player, keeping only the best states of each turn.
//! - [`rivals`]: max^n for several players, each with its own payoff.
//! - [`chance`]: expectimax for games with dice.
//! - [`repetition`]: draws by repetition, for any search.
//! - [`mod@side_by_side`]: a value for every move of a position, for analysis.
//! - `threads` (feature "threads"): several threads that search together.
//! - `testing` (feature "testing"): the conformance suite for positions and searches, and the small game of the
//!   examples in this documentation.
//!
//! Games write options and reports as literals that end with `..Default::default()` or `..Report::empty()`, so that
//! new fields cost them nothing. The structs are therefore not `#[non_exhaustive]`: it forbids such literals in other
//! crates.
//!
//! The README writes a whole game and shows how to strengthen it. `examples/` holds tic-tac-toe, connect four and
//! breakthrough, and takes breakthrough in four steps from plain alpha-beta to two threads (`four_steps.rs`).

// Only `memory` allows it, for calls to the system and the processor.
#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod alpha_beta;
pub mod beam;
pub mod chance;
pub mod limits;
pub mod memory;
pub mod minimax;
pub mod monte_carlo;
pub mod perft;
pub mod position;
pub mod proof;
pub mod repetition;
pub mod report;
pub mod rivals;
pub mod score;
pub mod side_by_side;
pub mod table;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "threads")]
pub mod threads;

pub use alpha_beta::{Evaluation, Heuristics, MoveOf, Node, Options, Plan, Search, TableCut, UndoOf};
pub use limits::{Clock, Control, Limits, Searched, Stop, Stopwatch};
pub use minimax::negamax;
pub use perft::perft;
pub use position::{Count, MoveCode, MoveList, Outcome, Position, Sink, Visit};
pub use report::{Line, Report};
pub use score::{Bound, Depth, Score, Window};
pub use table::{Entry, Table};
#[cfg(feature = "threads")]
pub use threads::Crew;

/// Compiles and runs the game in the README with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
