//! Integration tests: the rules, the protocol and the players.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod player;
mod protocol;
mod rules;
mod serveur;
mod tracker;
