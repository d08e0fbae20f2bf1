//! Integration tests: the rules, the player and the protocols.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod data;
mod player;
mod protocol;
mod rules;
mod tcp;
mod threats;
