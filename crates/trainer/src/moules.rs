//! À la pêche aux moules: matches in one process, single-player runs, the opponent model, load tests of the server.

mod foresee;
mod hostile;
mod matches;
pub(crate) mod puzzles;
mod server;
mod solo;

use anyhow::Result;
use clap::Subcommand;

/// The commands for the maze game.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays matches of one player, in each seat in turn, against three others.
    Match(matches::Match),
    /// Plays alone on listed maps until everything is taken.
    Solo(solo::Solo),
    /// Counts the opponents' moves in journals that the opponent model predicts.
    Foresee(foresee::Foresee),
    /// Measures the server's turns a second.
    Server(server::Server),
    /// Plays matches of hostile clients on the server.
    Hostile(hostile::Hostile),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// If a file cannot be read, the network fails, or the output cannot be written.
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
