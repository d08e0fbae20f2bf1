//! Gounki: positions from self-play, the evaluation fitted to them, matches between robots, the exact search by the clock.

mod exact;
mod fit;
mod matches;
mod network;
mod record;
mod self_play;

use anyhow::Result;
use clap::Subcommand;
use search_core::Score;

/// The commands for gounki.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays games of self-play, fits the learned evaluation to them and prints its weights as Rust.
    Fit(fit::Fit),
    /// Fits the network to records and writes its quantised weights.
    Network(network::Fit),
    /// Plays games of a robot against itself and writes a record a position.
    SelfPlay(self_play::SelfPlay),
    /// Plays paired games between two robots from random openings.
    Match(matches::Match),
    /// Searches the opening and fifty middle positions exactly to a depth, by the clock.
    Exact(exact::Exact),
}

impl Command {
    /// Carries the command out.
    ///
    /// # Errors
    /// Output or a file that cannot be written.
    pub fn run(self) -> Result<()> {
        match self {
            Self::Fit(fit) => fit.run(),
            Self::Network(fit) => fit.run(),
            Self::SelfPlay(games) => games.run(),
            Self::Match(games) => games.run(),
            Self::Exact(exact) => exact.run(),
        }
    }
}

/// The score of a side that wins e times as often as it loses.
const UNIT: f32 = 400.0;

/// The result that a score foretells, from −1 to 1.
fn expected(score: Score) -> f32 {
    if score.is_decided() {
        f32::from(i8::from(score.is_win()) - i8::from(score.is_loss()))
    } else {
        (score.value() as f32 / (2.0 * UNIT)).tanh()
    }
}
