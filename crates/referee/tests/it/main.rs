//! The referee from outside: players that misbehave, runs that are broken off, shards, every course's protocol.

mod bounds;
mod clocks;
mod evidence;
mod figures;
mod formats;
mod hostile;
mod live;
mod marking;
mod openings;
mod players;
mod progress;
mod protocols;
mod resume;
mod suite;
mod support;
mod thoughts;
mod tuning;
