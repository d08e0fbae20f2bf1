//! The learned evaluation of connect5-joueur: games of self-play, and weights fitted to their results.

mod adam;
mod fit;
mod games;
mod promise;
mod samples;
mod value;

use anyhow::{Context, Result};
use clap::Subcommand;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

/// The commands for connect5-joueur.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays games of self-play and writes one line a game.
    Play {
        /// Games to play.
        #[arg(long, default_value_t = 2500)]
        games: usize,
        /// Positions a move may visit, give or take half of them.
        #[arg(long, default_value_t = 1500)]
        nodes: u64,
        /// Of the random choices.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Where to write the games.
        #[arg(long)]
        out: PathBuf,
    },
    /// Fits the weights to the results of games and writes them as connect5-joueur embeds them.
    Fit {
        /// Rounds over the positions.
        #[arg(long, default_value_t = 30)]
        epochs: usize,
        /// Where to write the weights.
        #[arg(long)]
        out: PathBuf,
        /// Files of games.
        #[arg(required = true)]
        games: Vec<PathBuf>,
    },
}

impl Command {
    /// Carries the command out.
    ///
    /// # Errors
    /// Files that cannot be read or written, games that cannot be understood.
    pub fn run(self) -> Result<()> {
        match self {
            Self::Play { games, nodes, seed, out } => {
                let file =
                    fs::File::create(&out).with_context(|| format!("cannot write {}", out.display()))?;
                let mut file = BufWriter::new(file);
                for game in games::play(games, nodes, seed) {
                    writeln!(file, "{game}")?;
                }
                Ok(file.flush()?)
            }
            Self::Fit { epochs, out, games } => {
                let mut records = Vec::new();
                for path in &games {
                    let text = fs::read_to_string(path)
                        .with_context(|| format!("cannot read {}", path.display()))?;
                    for (number, line) in text.lines().enumerate() {
                        let place = || format!("{}, line {}", path.display(), number + 1);
                        records.push(line.parse::<games::Game>().with_context(place)?);
                    }
                }
                let mut told = Ok(());
                let weights = fit::fit(&records, epochs, &mut |line| {
                    if told.is_ok() {
                        told = wire::print_line(line);
                    }
                });
                fs::write(&out, weights).with_context(|| format!("cannot write {}", out.display()))?;
                Ok(told?)
            }
        }
    }
}
