//! Matches in one process: one player in each seat in turn against three others. Half the maps are perfect mazes, half
//! have 15 % of dunes.

use anyhow::{Context, Result};
use clap::Args;
use courses::results::sample::moments;
use moules_client::evaluation::Evaluation;
use moules_client::player::{Ai, Player, Settings};
use moules_client::rules::{Command, Game, Settings as Map};
use search_core::{Limits, Stopwatch};
use std::time::Duration;

/// Arguments of `match`.
#[derive(Debug, Args)]
pub struct Match {
    /// The player that takes each seat in turn.
    #[arg(long, default_value_t)]
    a: Ai,
    /// The opponents: one name, or up to three separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = [Ai::default()])]
    b: Vec<Ai>,
    /// Evaluation function of the first player.
    #[arg(long, default_value_t)]
    eval_a: Evaluation,
    /// Evaluation function of the opponents.
    #[arg(long, default_value_t)]
    eval_b: Evaluation,
    /// Beam width, in states a layer.
    #[arg(long, default_value_t = 300, value_parser = crate::numbers::number::<usize>())]
    width: usize,
    /// Beam width of the first player, if different.
    #[arg(long, value_parser = crate::numbers::number::<usize>())]
    width_a: Option<usize>,
    /// Number of maps.
    #[arg(long, default_value_t = 20)]
    maps: i64,
    /// Number of the first map.
    #[arg(long, default_value_t = 0)]
    from: i64,
    /// Milliseconds a turn. Without it only the width bounds the search.
    #[arg(long, value_parser = crate::numbers::number::<u64>())]
    time: Option<u64>,
}

impl Match {
    /// Plays the matches. Prints the first player's mean marks (6, 4, 2, 0 by rank, shared in ties) with their standard
    /// error, its ranks, and the number of illegal moves, which should be 0.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let side = |evaluation, width| Settings { width, evaluation, ..Settings::default() };
        let first = Settings { ai: self.a, ..side(self.eval_a, self.width_a.unwrap_or(self.width)) };
        let other = side(self.eval_b, self.width);
        let mut by_map = Vec::new();
        let mut ranks = [0; 4];
        let mut refused = 0;
        let (mut turns, mut slowest, mut spent) = (0, Duration::ZERO, [Duration::ZERO; 2]);
        for map in self.from..self.from + self.maps {
            let dunes = if map % 2 == 0 { 50 } else { 15 };
            let settings =
                Map { players: 4, dunes, maze_seed: 1000 + map, item_seed: 9000 + map, ..Map::default() };
            let mut marks = 0.0;
            for seat in 0..4usize {
                let mut game = Game::new(settings.generate()?, Some(500));
                let mut players: Vec<Player> = (0..4usize)
                    .map(|player| match (player + 3 - seat) % 4 {
                        3 => Player::new(first),
                        seat => Player::new(Settings { ai: self.b[seat % self.b.len()], ..other }),
                    })
                    .collect();
                while game.end().is_none() {
                    let me = game.to_move();
                    let clock = Stopwatch::start();
                    let limits = self.time.map(Duration::from_millis).map_or(Limits::default(), Limits::time);
                    let report = players[me].think(&game, limits, &clock);
                    slowest = slowest.max(report.elapsed);
                    spent[usize::from(me != seat)] += report.elapsed;
                    let mv = report.best.context("no move")?;
                    refused += u32::from(!game.allows(mv) && mv != game.idle());
                    game.play(Command::from(mv));
                }
                turns += game.turns();
                let mine = game.purses[seat].points;
                ranks[game.purses.iter().filter(|purse| purse.points > mine).count()] += 1;
                marks += game.marks()[seat];
            }
            by_map.push(marks / 4.0);
        }
        let count = by_map.len() as f64;
        let shares: Vec<_> = by_map.iter().map(|&marks| (marks, 1.0 / count)).collect();
        let (mean, variance) = moments(&shares);
        Ok(wire::print_line(format_args!(
            "{} against 3 {}: {mean:.3} ± {:.3} marks a match over {} maps × 4 seats, ranks {ranks:?}, {refused} moves that the game \
             does not allow, {:.0} turns a match, \
             {:.1} and {:.1} ms a turn, slowest {slowest:?}",
            self.a,
            self.b.iter().map(|ai| ai.name()).collect::<Vec<_>>().join(","),
            (variance / (count - 1.0).max(1.0)).sqrt(),
            self.maps,
            turns as f64 / count / 4.0,
            spent[0].as_secs_f64() * 4e3 / turns as f64,
            spent[1].as_secs_f64() * 4e3 / 3.0 / turns as f64
        ))?)
    }
}
