//! Game-tree search for any game. The crate knows no game, prints nothing, keeps no global state, and takes every seed
//! and its clock from the caller.
//!
//! # From the rules to a strong player in four steps
//!
//! **1. The rules and an evaluation.** Domineering: one player lays dominoes upright, the other lays them flat; whoever has
//! no room left has lost. An `impl` of [`Position`] and a function are enough to play:
//!
//! ```
#![doc = include_str!("../examples/games/domineering.rs")]
//!
//! use search_core::{Control, Evaluation, Limits, Options, Search, Stopwatch, Table};
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::depth(7), &clock); // `Limits::time` for play by the clock
//! let table = Table::with_bytes(1 << 20);
//! let mut search = Search::new(Evaluation::new(balance), Board::EMPTY, &table, &control, Options::PLAIN);
//! let report = search.think(&mut |_| {});
//! println!("{:?}, {} at depth {}, {} nodes", report.best, report.score, report.depth, report.nodes);
//! # assert_eq!((report.depth, report.nodes), (7, 56_102));
//! ```
//!
//! **2. Order.** Alpha-beta is fast if the best move comes first. [`Heuristics`] of the game's own take the place of
//! [`Evaluation`] and rank the moves; killers and history learn from the search itself.
//!
//! ```
//! # mod game { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games/domineering.rs")); }
//! # use game::{Board, balance};
//! # use search_core::{Control, Limits, Options, Position, Score, Stopwatch, Table};
#![doc = include_str!("../examples/games/ordered.rs")]
//!
//! # let clock = Stopwatch::start();
//! # let control = Control::new(Limits::depth(7), &clock);
//! # let table = Table::with_bytes(1 << 20);
//! let options = Options { scouting: true, killers: true, history: true, ..Options::PLAIN };
//! let mut search = Search::new(Ordered, Board::EMPTY, &table, &control, options);
//! let report = search.think(&mut |_| {});
//! # assert_eq!((report.depth, report.nodes), (7, 25_136));
//! ```
//!
//! **3. Table and selectivity.** The [`Table`] remembers positions, and late moves are searched less deep. [`alpha_beta`]
//! lists the hooks for more: cuts, extensions, quiescence.
//!
//! ```
//! # mod game {
//! #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games/domineering.rs"));
//! #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games/ordered.rs"));
//! # }
//! # use game::{Board, Ordered};
//! # use search_core::{Control, Limits, Options, Search, Stopwatch, Table};
//! # let clock = Stopwatch::start();
//! # let control = Control::new(Limits::depth(7), &clock);
//! # let table = Table::with_bytes(1 << 20);
//! let mut search = Search::new(Ordered, Board::EMPTY, &table, &control, Options::STRONG);
//! let report = search.think(&mut |_| {});
//! # assert_eq!((report.depth, report.nodes), (7, 9_695));
//! ```
//!
//! **4. Threads** (feature "threads"). A `Crew` searches with one table, each thread with heuristics of its own.
//!
//! ```
//! # #[cfg(feature = "threads")] {
//! # mod game {
//! #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games/domineering.rs"));
//! #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games/ordered.rs"));
//! # }
//! # use game::{Board, Ordered};
//! # use search_core::{Control, Limits, Options, Search, Stopwatch, Table};
//! # let clock = Stopwatch::start();
//! # let control = Control::new(Limits::depth(7), &clock);
//! # let table = Table::with_bytes(1 << 20);
//! let crew = search_core::Crew::new(2);
//! let mut search = Search::new(Ordered, Board::EMPTY, &table, &control, Options::STRONG);
//! let report = search.think_with(&crew, || Ordered, &mut |_| {});
//! # assert_eq!(report.depth, 7);
//! # }
//! ```
//!
//! Nodes to depth 7:
//!
//! | plain | ordered | table and selectivity |
//! |---:|---:|---:|
//! | 56,102 | 25,136 | 9,695 |
//!
//! `cargo run --release --example four_steps --features threads` takes breakthrough through the same steps, with times.
//!
//! # Modules
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
//! # Features
//!
//! Neither is on by default.
//!
//! - `threads`: `Crew`, `Search::think_with`, `Prover::prove_with` and `MonteCarlo::go_on_with`. Without it everything
//!   runs on wasm32 too.
//! - `testing`: the module of that name, for the tests of your game. Ask for it among the development dependencies.
//!
//! The README tells how to choose keys, table sizes and options. `examples/` holds whole games.

#![cfg_attr(docsrs, feature(doc_cfg))]
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
