//! The events of a match, as a server reports them and a journal keeps them.

use crate::rules::{Command, Game};

/// The name of a player that sends none in time, as on the original server.
pub const NO_NAME: &str = "Les blaireaux";

/// The events of a match, reported to the caller.
#[derive(Debug)]
pub enum Event<'a> {
    /// The server waits for clients on this port.
    Waiting(u16),
    /// A client has connected: its number and its address.
    Connected(usize, &'a str),
    /// The match begins; all names are known.
    Started(&'a Game, &'a [String]),
    /// A player's turn was played.
    Turn(&'a Game, &'a [String], usize, Command, Origin),
    /// The match is over.
    Ended(&'a Game, &'a [String]),
    /// The journal does not keep the rest of the match, for this reason.
    Unkept(&'a str),
}

/// The origin of a turn's command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The player itself.
    Player,
    /// The server, because the player was late.
    Late,
    /// The server, because the player is gone.
    Gone,
}
