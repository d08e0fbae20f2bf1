//! `referee openings`: sets of random openings.

use clap::Args;
use courses::assignment::Drawing;
use courses::options::GameOptions;
use courses::registry::Game;
use courses::seed::mix;
use std::collections::BTreeSet;
use wire::Failure;

/// Prints distinct random openings, one a line.
#[derive(Debug, Args)]
pub struct Openings {
    /// The assignment
    game: Game,
    /// The number of openings
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(..=1_000_000))]
    count: u64,
    /// Plies of each opening
    #[arg(long, default_value_t = 4)]
    plies: usize,
    /// For openings that are searched: the largest score for either side, in the search's points
    #[arg(long, default_value_t = 120)]
    level: i32,
    /// For openings that are searched: after a first search to six plies, also search N positions from each opening and N
    /// from the best move found, and drop the opening if a score exceeds --level
    #[arg(long, default_value_t = 0)]
    positions: u64,
    #[command(flatten)]
    options: GameOptions,
}

impl Openings {
    /// Prints the openings.
    ///
    /// # Errors
    /// If there are not enough distinct openings.
    pub fn run(&self) -> Result<(), Failure> {
        let Self { plies, level, positions, options, .. } = self;
        let drawing = Drawing { plies: *plies, level: *level, positions: *positions, options };
        let (name, own) = (self.game.name(), self.game.drawn_by(&drawing));
        let (count, seed) = (self.count, self.options.seed);
        // The command that prints the same set again.
        wire::print_line(format_args!("# referee openings {name} {own} --count {count} --seed {seed}"))?;
        let mut seen = BTreeSet::new();
        for attempt in 0..self.count * 50 + 1000 {
            if seen.len() as u64 == self.count {
                return Ok(());
            }
            if let Some(line) = self.game.draw_opening(&drawing, mix(self.options.seed, attempt))
                && seen.insert(line.clone())
            {
                wire::print_line(&line)?;
            }
        }
        if seen.len() as u64 == self.count {
            return Ok(());
        }
        Err(Failure::run(format!("only {} different openings were found", seen.len())))
    }
}
