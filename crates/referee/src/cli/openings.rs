//! `referee openings`: sets of random openings.

use super::setup::Game;
use crate::course::duel::random_line;
use crate::course::uttt::Uttt;
use crate::course::{Course, OpeningSet};
use crate::schedule::mix;
use clap::Args;
use std::collections::BTreeSet;
use wire::Failure;

/// Distinct random openings, one a line.
#[derive(Debug, Args)]
pub struct Openings {
    /// The assignment
    game: Game,
    /// How many
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Plies of each
    #[arg(long, default_value_t = 4)]
    plies: usize,
    /// Seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Openings {
    /// Prints them.
    ///
    /// # Errors
    /// When there are not so many.
    pub fn run(&self) -> Result<(), Failure> {
        println!(
            "# referee openings {} --count {} --plies {} --seed {}",
            clap::ValueEnum::to_possible_value(&self.game)
                .map(|v| v.get_name().to_owned())
                .unwrap_or_default(),
            self.count,
            self.plies,
            self.seed
        );
        let mut seen = BTreeSet::new();
        for attempt in 0..(self.count as u64 * 50 + 1000) {
            if seen.len() == self.count {
                return Ok(());
            }
            if let Some(line) = self.draw(mix(self.seed, attempt)) {
                if seen.insert(line.clone()) {
                    println!("{line}");
                }
            }
        }
        if seen.len() == self.count {
            return Ok(());
        }
        Err(Failure::run(format!("only {} different openings were found", seen.len())))
    }

    fn draw(&self, seed: u64) -> Option<String> {
        let none = OpeningSet::single("");
        match self.game {
            Game::Moules => {
                let line = format!("maze {} items {}", mix(seed, 0) % 1_000_000, mix(seed, 1) % 1_000_000);
                Some(line)
            }
            Game::Uttt => random_line(&Uttt { set: none, timed: false }, "", self.plies, seed)
                .map(|line| line.join(" ")),
        }
    }
}

/// So that the trait's methods are in reach where only its type is named.
const _: fn(&dyn Course) -> &'static str = |course| course.name();
