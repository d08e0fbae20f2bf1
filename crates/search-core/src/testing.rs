//! What every game's tests call: the laws of a position, and the agreement of every search with plain negamax.

mod agreement;
mod conformance;

pub use agreement::{VALUE_PRESERVING, aborts_cleanly, agrees_with, agrees_with_negamax, repeats_exactly};
pub use conformance::{conforms, random_positions};
