//! Texts in, texts out.

mod answer;
mod dialogue;

pub use answer::{Answerer, Request};
pub use dialogue::dialogue;
