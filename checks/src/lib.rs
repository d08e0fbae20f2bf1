//! Checks of the project as a whole. All of them are tests (`tests/it`); the library reads and compares examples.
//!
//! - [`example`]: the commands in the fenced blocks of a document, and their expected output.

#![forbid(unsafe_code)]

pub mod example;
