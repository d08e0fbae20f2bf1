//! The rules, the protocol and the player, from outside.

mod player;
mod protocol;
mod rules;
mod serveur;
mod tracker;
