//! Tests for every game: the laws of a position, and the agreement of every search with plain negamax.
//!
//! ```
//! use search_core::testing::{Heap, agrees_with_negamax, conforms, random_positions};
//! use search_core::{Heuristics, Score};
//!
//! struct Guess;
//!
//! impl Heuristics for Guess {
//!     type Position = Heap;
//!     type Frame = ();
//!     fn evaluate(&mut self, heap: &Heap) -> Score { Score::new(if heap.0 % 4 == 0 { -100 } else { 100 }) }
//! }
//!
//! conforms(&Heap(21), 1, 100, 21); // a hundred random games, none longer than 21 plies
//! let positions = random_positions(&Heap(21), 1, 20, 6);
//! agrees_with_negamax(&positions, 1..=5, |_| Guess);
//! ```

mod agreement;
mod conformance;
mod heap;

pub use agreement::{VALUE_PRESERVING, aborts_cleanly, agrees_with, agrees_with_negamax, repeats_exactly};
#[cfg(feature = "threads")]
pub use agreement::{threads_agree_with_negamax, threads_agree_with_one};
pub use conformance::{conforms, random_positions};
pub use heap::{Heap, Take};
