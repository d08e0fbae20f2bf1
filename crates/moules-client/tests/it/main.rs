//! The rules, the protocol and the player, from outside.

mod rules;
