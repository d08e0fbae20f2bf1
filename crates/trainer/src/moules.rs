//! The maze: matches within one process, maps played alone, the opponent model, the server under load.

mod foresee;
mod hostile;
mod matches;
mod server;
mod solo;

use anyhow::Result;
use clap::Subcommand;

/// The commands for the maze.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays matches of one player in each seat in turn against three others.
    Match(matches::Match),
    /// Takes everything alone on listed maps.
    Solo(solo::Solo),
    /// Counts the opponents' cells that the opponent model foresees in journals.
    Foresee(foresee::Foresee),
    /// Counts the server's turns a second.
    Server(server::Server),
    /// Plays matches of hostile clients on the server.
    Hostile(hostile::Hostile),
}

impl Command {
    /// Carries the command out.
    ///
    /// # Errors
    /// Files that cannot be read, a network that does not answer, output that cannot be written.
    pub fn run(self) -> Result<()> {
        match self {
            Self::Match(games) => games.run(),
            Self::Solo(solo) => solo.run(),
            Self::Foresee(foresee) => foresee.run(),
            Self::Server(server) => server.run(),
            Self::Hostile(hostile) => hostile.run(),
        }
    }
}
