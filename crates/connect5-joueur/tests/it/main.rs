//! Integration tests: the rules, the player and the protocols.

mod data;
mod player;
mod protocol;
mod rules;
mod tcp;
mod threats;
