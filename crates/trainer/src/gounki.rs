//! Gounki: self-play, fits of the evaluations, matches between robots, timing of the exact search.

mod exact;
mod fit;
mod matches;
mod network;
pub(crate) mod puzzles;
mod record;
mod self_play;

use anyhow::Result;
use clap::Subcommand;
use search_core::Score;

/// The commands for gounki.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays self-play games, fits the learned evaluation to them and prints its weights as Rust.
    Fit(fit::Fit),
    /// Fits the network to records and writes its quantised weights.
    Network(network::Fit),
    /// Plays self-play games of a robot and writes one record a position.
    SelfPlay(self_play::SelfPlay),
    /// Plays paired games between two robots from random openings.
    Match(matches::Match),
    /// Measures the time of exact searches to a depth, on the opening and fifty middlegame positions.
    Exact(exact::Exact),
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// If a file or the output cannot be written.
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

/// Returns the result that a score predicts, from −1 to 1.
fn expected(score: Score) -> f32 {
    if score.is_decided() {
        f32::from(i8::from(score.is_win()) - i8::from(score.is_loss()))
    } else {
        (score.value() as f32 / (2.0 * UNIT)).tanh()
    }
}
