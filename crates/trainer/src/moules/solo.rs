//! The number of turns that the player needs to take everything alone, on the maps of `solo_bounds.tsv`.

use anyhow::{Context, Result};
use clap::Args;
use moules_client::player::{Player, Settings};
use moules_client::rules::{Command, Game, Settings as Map};
use search_core::{Limits, Stopwatch};
use std::time::Duration;

const BOUNDS: &str = include_str!("../../../../test-data/moules/solo_bounds.tsv");

/// Arguments of `solo`.
#[derive(Debug, Args)]
pub struct Solo {
    /// Milliseconds a turn. Without it only the width bounds the search.
    #[arg(long, value_parser = crate::numbers::number::<u64>())]
    time: Option<u64>,
    /// Beam width in states, by default the player's own.
    #[arg(long, value_parser = crate::numbers::number::<usize>())]
    width: Option<usize>,
    /// Number of maps.
    #[arg(long, default_value_t = 30, value_parser = crate::numbers::count::<usize>())]
    maps: usize,
    /// Only plans the first turn, and counts the plan's turns.
    #[arg(long)]
    plan_only: bool,
}

impl Solo {
    /// Plays, and prints one line a map and the mean.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let (mut total, mut listed, mut worse) = (0, 0, 0);
        let mut slowest = Duration::ZERO;
        for line in BOUNDS.lines().take(self.maps) {
            let fields: Vec<&str> = line.split('\t').collect();
            let map = Map { maze_seed: fields[7].parse()?, item_seed: fields[8].parse()?, ..Map::default() };
            let bound: u64 = line
                .split("beam20000 ")
                .nth(1)
                .and_then(|rest| rest.split('\t').next())
                .context("no bound")?
                .parse()?;
            let mut game = Game::new(map.generate()?, Some(500));
            let mut player = Player::new(self.settings());
            let mut turns = 0;
            while game.end().is_none() {
                let clock = Stopwatch::start();
                let limits = self.time.map(Duration::from_millis).map_or(Limits::default(), Limits::time);
                let report = player.think(&game, limits, &clock);
                slowest = slowest.max(report.elapsed);
                if self.plan_only {
                    turns = report.depth as u64;
                    break;
                }
                game.play(Command::from(report.best.context("no move")?));
                turns = game.turns();
            }
            wire::print_line(format_args!(
                "{} {} turns {turns} listed {bound}",
                map.maze_seed, map.item_seed
            ))?;
            total += turns;
            listed += bound;
            worse += u64::from(turns > bound);
        }
        let mean = |sum: u64| sum as f64 / self.maps as f64;
        Ok(wire::print_line(format_args!(
            "mean {:.2} listed {:.2} worse on {worse} of {}, slowest turn {slowest:?}",
            mean(total),
            mean(listed),
            self.maps
        ))?)
    }

    /// Returns the player's settings.
    fn settings(&self) -> Settings {
        let default = Settings::default();
        Settings { width: self.width.unwrap_or(default.width), ..default }
    }
}
