//! Protocols: from request text to answer text.

pub mod analysis;
mod answer;
mod dialogue;
mod solution;

pub use answer::{Answerer, Request};
pub use dialogue::dialogue;
pub use solution::solution;
