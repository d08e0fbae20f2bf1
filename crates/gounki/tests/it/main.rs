//! Tests the rules, the robots and the command line against the files in `test-data/gounki`.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod player;
mod protocol;
mod rules;
mod screen;
