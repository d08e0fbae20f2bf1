//! Gounki: the learned evaluation, matches between robots, the exact search by the clock.

mod exact;
mod fit;
mod matches;

use anyhow::Result;
use clap::Subcommand;

/// The commands for gounki.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays games of self-play, fits the learned evaluation to them and prints its weights as Rust.
    Fit(fit::Fit),
    /// Plays paired games between two robots from random openings.
    Match(matches::Match),
    /// Searches the opening and fifty middle positions exactly to a depth, by the clock.
    Exact(exact::Exact),
}

impl Command {
    /// Carries the command out.
    ///
    /// # Errors
    /// Output that cannot be written.
    pub fn run(self) -> Result<()> {
        match self {
            Self::Fit(fit) => fit.run(),
            Self::Match(games) => games.run(),
            Self::Exact(exact) => exact.run(),
        }
    }
}
