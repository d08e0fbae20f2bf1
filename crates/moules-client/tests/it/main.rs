//! Integration tests: the rules, the protocol and the players.

mod player;
mod protocol;
mod rules;
mod serveur;
mod tracker;
