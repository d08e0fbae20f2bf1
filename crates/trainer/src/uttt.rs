//! Ultimate tic-tac-toe: positions from self-play, and the network fitted to them; matches and proofs.

mod fit;
mod matches;
mod record;
mod self_play;
mod solve;

use anyhow::Result;
use clap::Subcommand;
use std::path::PathBuf;
use uttt::evaluation::Evaluation;

/// The commands for ultimate tic-tac-toe.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Plays games of the tree search against itself and writes a record a position.
    SelfPlay {
        /// Games to play.
        #[arg(long, default_value_t = 1000)]
        games: u64,
        /// Visits a move.
        #[arg(long, default_value_t = 300)]
        nodes: u64,
        /// The evaluation function: boards, lines, network.
        #[arg(long, default_value = "network")]
        eval: Evaluation,
        /// Where chance starts.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The file to write.
        #[arg(long)]
        out: PathBuf,
    },
    /// Fits the network to records and writes its quantised weights.
    Fit {
        /// Files of records.
        #[arg(required = true)]
        records: Vec<PathBuf>,
        /// Times that every record is seen, each time turned or mirrored anew.
        #[arg(long, default_value_t = 8)]
        epochs: usize,
        /// The share of the game's result in the target; the rest is the search's value.
        #[arg(long, default_value_t = 0.5, value_parser = crate::numbers::share)]
        result_share: f32,
        /// Where chance starts.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The file of weights to write.
        #[arg(long)]
        out: PathBuf,
    },
    /// Plays paired games between two settings from random openings.
    Match(matches::Match),
    /// Counts the random positions that are solved within a limit.
    Solve(solve::Solve),
}

/// Carries the command out.
///
/// # Errors
/// Files that cannot be read or written, a setting that cannot be understood.
pub fn run(task: &Task) -> Result<()> {
    match task {
        Task::SelfPlay { games, nodes, eval, seed, out } => self_play::run(*games, *nodes, *eval, *seed, out),
        Task::Fit { records, epochs, result_share, seed, out } => {
            fit::run(records, *epochs, *result_share, *seed, out)
        }
        Task::Match(games) => games.run(),
        Task::Solve(solve) => solve.run(),
    }
}
