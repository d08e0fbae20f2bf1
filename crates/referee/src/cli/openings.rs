//! `referee openings`: sets of random openings.

use super::setup::{Game, GameOptions};
use crate::course::OpeningSet;
use crate::course::connect5::{self, Connect5};
use crate::course::duel::{Rules, random_line};
use crate::course::gounki::Gounki;
use crate::course::othello::{Bridge, Othello};
use crate::course::uttt::Uttt;
use crate::schedule::mix;
use clap::Args;
use search_core::{Limits, Stopwatch};
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
    /// connect5: the farthest from level that an opening may be, in the search's points
    #[arg(long, default_value_t = 120)]
    level: i32,
    #[command(flatten)]
    options: GameOptions,
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
            self.options.seed
        );
        let mut seen = BTreeSet::new();
        for attempt in 0..(self.count as u64 * 50 + 1000) {
            if seen.len() == self.count {
                return Ok(());
            }
            if let Some(line) = self.draw(mix(self.options.seed, attempt))
                && seen.insert(line.clone())
            {
                println!("{line}");
            }
        }
        if seen.len() == self.count {
            return Ok(());
        }
        Err(Failure::run(format!("only {} different openings were found", seen.len())))
    }

    fn draw(&self, seed: u64) -> Option<String> {
        let none = || OpeningSet::single("");
        let line = |line: Option<Vec<String>>, between: &str| line.map(|line| line.join(between));
        match self.game {
            Game::Connect5 => {
                let options = GameOptions { openings: Some("none".into()), ..self.options.clone() };
                let (rows, columns) = options.size(12, 12).ok()?;
                self.balanced(&Connect5 { rows, columns, set: none() }, seed)
            }
            Game::Gounki => {
                line(random_line(&Gounki { set: none(), timed: false }, "", self.plies, seed), " ")
            }
            Game::Moules => {
                Some(format!("maze {} items {}", mix(seed, 0) % 1_000_000, mix(seed, 1) % 1_000_000))
            }
            Game::Othello => {
                let game =
                    Othello { set: none(), depth: 5, timed: false, adjudicate: 0, bridge: Bridge::default() };
                line(random_line(&game, "", self.plies, seed), "")
            }
            Game::Uttt => line(random_line(&Uttt { set: none(), timed: false }, "", self.plies, seed), " "),
        }
    }

    /// A line that the project's own search, to six plies, calls neither won nor far from level.
    fn balanced(&self, game: &Connect5, seed: u64) -> Option<String> {
        let line = connect5::drawn_openings(game.rows, game.columns, 1, seed);
        let position = game.start(&format!("{}x{} {line}", game.rows, game.columns)).ok()?;
        let mut player = connect5_joueur::player::Player::default();
        let report = player.think(&position, Limits::depth(6), &Stopwatch::start());
        (!report.score.is_decided() && report.score.value().abs() <= self.level).then_some(line)
    }
}
