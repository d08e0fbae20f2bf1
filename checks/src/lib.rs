//! Checks of the project as a whole; all of them are tests (`tests/it`). Here is how an example in a document is read
//! and compared.
//!
//! - [`example`]: the commands of a document's fenced blocks, and the output that stands below them.

#![forbid(unsafe_code)]

pub mod example;
