//! Ultimate tic-tac-toe: self-play, fits of the network, matches and proofs.

mod fit;
mod matches;
pub(crate) mod puzzles;
mod record;
mod self_play;
mod solve;

use anyhow::Result;
use clap::Subcommand;
use std::path::PathBuf;
use uttt::evaluation::Evaluation;

/// The commands for uttt.
#[derive(Debug, Subcommand)]
pub enum Task {
    /// Plays self-play games of the tree search and writes one record a position.
    SelfPlay {
        /// Number of games.
        #[arg(long, default_value_t = 1000, value_parser = crate::numbers::count::<u64>())]
        games: u64,
        /// Visits a move.
        #[arg(long, default_value_t = 300, value_parser = crate::numbers::number::<u64>())]
        nodes: u64,
        /// Evaluation function: boards, lines, network.
        #[arg(long, default_value = "network")]
        eval: Evaluation,
        /// Share of random moves. Up to the last of them, a position's result is the search's value.
        #[arg(long, default_value_t = 0.0, value_parser = crate::numbers::share)]
        random_share: f32,
        /// Seed of the random choices.
        #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
        seed: u64,
        /// Output file of records.
        #[arg(long)]
        out: PathBuf,
    },
    /// Fits the network to records and writes its quantised weights.
    Fit {
        /// Files of records.
        #[arg(required = true)]
        records: Vec<PathBuf>,
        /// Epochs. Each record is randomly rotated or mirrored in each.
        #[arg(long, default_value_t = 8, value_parser = crate::numbers::count::<usize>())]
        epochs: usize,
        /// Weight of the game's result in the target. The search's value has the rest.
        #[arg(long, default_value_t = 0.5, value_parser = crate::numbers::share)]
        result_share: f32,
        /// Seed of the random choices.
        #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
        seed: u64,
        /// Output file of weights.
        #[arg(long)]
        out: PathBuf,
    },
    /// Plays paired games between two settings from random openings.
    Match(matches::Match),
    /// Counts the random positions that are solved within a limit.
    Solve(solve::Solve),
}

/// Runs the command.
///
/// # Errors
/// If a file cannot be read or written, or a setting is not valid.
pub fn run(task: &Task) -> Result<()> {
    match task {
        Task::SelfPlay { games, nodes, eval, random_share, seed, out } => {
            self_play::run(*games, *nodes, *eval, *random_share, *seed, out)
        }
        Task::Fit { records, epochs, result_share, seed, out } => {
            fit::run(records, *epochs, *result_share, *seed, out)
        }
        Task::Match(games) => games.run(),
        Task::Solve(solve) => solve.run(),
    }
}
