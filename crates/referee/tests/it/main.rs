//! The referee from outside: players that misbehave, runs that are broken off, shards, every course's protocol.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod bounds;
mod check;
mod class;
mod clocks;
mod evidence;
mod figures;
mod files;
mod formats;
mod gradebooks;
mod hostile;
mod languages;
mod live;
mod marking;
mod openings;
mod orphans;
mod players;
mod progress;
mod protocols;
mod resume;
mod sandbox;
mod sixth;
mod stopped;
mod suite;
mod support;
mod thoughts;
mod tuning;
