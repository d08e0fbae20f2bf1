//! The rules, the player and the protocols, seen from outside.

mod data;
mod player;
mod protocol;
mod rules;
mod tcp;
mod threats;
