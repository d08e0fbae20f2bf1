//! Searching, for any game. It knows no game, prints nothing, keeps no global state, and takes every seed and its
//! clock from its caller.
//!
//! - [`position`]: what a game tells the search: [`Position`], and the [`Sink`] its moves are pushed into.
//! - [`score`]: [`Score`], [`Window`], [`Bound`], and how a game ended as a score.
//! - [`limits`]: depth, nodes, soft and hard time, a stop flag, an injected clock; [`Control`] applies them.
//! - [`memory`]: tables in large pages, and lines of them fetched ahead.
//! - [`report`]: what a search found, and how.
//! - [`table`]: the transposition table.
//! - [`minimax`]: plain negamax, the oracle of every other search.
//! - [`monte_carlo`]: Monte-Carlo tree search (PUCT) on an evaluator's values and priors, and random playouts.
//! - [`mod@perft`]: counts of move paths, the test of every move generator.
//! - [`proof`]: depth-first proof-number search: can the mover win, can it hold a draw?
//! - [`alpha_beta`]: deepening, principal variation search, aspiration windows, ordering, the game's own hooks.
//! - [`beam`]: one player's plan, turn by turn, the best states of each turn kept.
//! - [`rivals`]: several players, each with points of its own: max^n.
//! - [`mod@side_by_side`]: every move of a position valued, for who looks at a board.
//! - `testing` (feature "testing"): the conformance suite of every position and every search, and the small game that the
//!   examples of this documentation play.
//!
//! The README writes a whole game, and says how it becomes strong; `examples/` holds tic-tac-toe, connect four and
//! breakthrough.

// Allowed where `memory` asks the system and the processor, alone.
#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod alpha_beta;
pub mod beam;
pub mod limits;
pub mod memory;
pub mod minimax;
pub mod monte_carlo;
pub mod perft;
pub mod position;
pub mod proof;
pub mod report;
pub mod rivals;
pub mod score;
pub mod side_by_side;
pub mod table;
#[cfg(feature = "testing")]
pub mod testing;

pub use alpha_beta::{Evaluation, Heuristics, MoveOf, Node, Options, Plan, Search, TableCut, UndoOf};
pub use limits::{Clock, Control, Limits, Searched, Stop, Stopwatch};
pub use minimax::negamax;
pub use perft::perft;
pub use position::{Count, MoveCode, MoveList, Outcome, Position, Sink, Visit};
pub use report::{Line, Report};
pub use score::{Bound, Depth, Score, Window};
pub use table::{Entry, Table};

/// The README's game is compiled and played with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
