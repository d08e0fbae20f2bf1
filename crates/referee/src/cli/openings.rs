//! `referee openings`: sets of random openings.

use clap::Args;
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::rules::{Cell, Position};
use courses::course::OpeningSet;
use courses::duel::{Rules, random_line};
use courses::games::connect5::{self, Connect5};
use courses::games::gounki::Gounki;
use courses::games::othello::{Bridge, Othello};
use courses::games::uttt::Uttt;
use courses::options::{Game, GameOptions};
use courses::seed::mix;
use search_core::{Limits, Position as _, Stopwatch};
use std::collections::BTreeSet;
use wire::Failure;

/// Distinct random openings, one a line.
#[derive(Debug, Args)]
pub struct Openings {
    /// The assignment
    game: Game,
    /// The number of openings
    #[arg(long, default_value_t = 500)]
    count: usize,
    /// Plies of each
    #[arg(long, default_value_t = 4)]
    plies: usize,
    /// connect5: the farthest from level that an opening may be, in the search's points
    #[arg(long, default_value_t = 120)]
    level: i32,
    /// connect5: after a first look six plies deep, search so many positions from each opening and as many from the
    /// best move found, and keep what is near level for either side to move
    #[arg(long, default_value_t = 0)]
    positions: u64,
    #[command(flatten)]
    options: GameOptions,
}

impl Openings {
    /// Prints them.
    ///
    /// # Errors
    /// When there are not so many.
    pub fn run(&self) -> Result<(), Failure> {
        wire::print_line(format_args!("# {}", self.command()))?;
        let mut seen = BTreeSet::new();
        for attempt in 0..(self.count as u64 * 50 + 1000) {
            if seen.len() == self.count {
                return Ok(());
            }
            if let Some(line) = self.draw(mix(self.options.seed, attempt))
                && seen.insert(line.clone())
            {
                wire::print_line(&line)?;
            }
        }
        if seen.len() == self.count {
            return Ok(());
        }
        Err(Failure::run(format!("only {} different openings were found", seen.len())))
    }

    /// The command that prints the same set.
    fn command(&self) -> String {
        let game = clap::ValueEnum::to_possible_value(&self.game).map(|value| value.get_name().to_owned());
        let mut command = format!("referee openings {}", game.unwrap_or_default());
        if self.game == Game::Connect5 {
            let size = self.options.size.as_ref().map(|size| format!(" --size {size}"));
            command += &size.unwrap_or_default();
            command += &format!(" --level {} --positions {}", self.level, self.positions);
        } else {
            command += &format!(" --plies {}", self.plies);
        }
        command + &format!(" --count {} --seed {}", self.count, self.options.seed)
    }

    fn draw(&self, seed: u64) -> Option<String> {
        let none = || OpeningSet::single("");
        let line = |line: Option<Vec<String>>, between: &str| line.map(|line| line.join(between));
        match self.game {
            Game::Connect5 => {
                let options = self.options.clone();
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

    /// A line that the project's own search calls neither won nor far from level.
    fn balanced(&self, game: &Connect5, seed: u64) -> Option<String> {
        let line = connect5::drawn_openings(game.rows, game.columns, 1, seed);
        let mut position = game.start(&format!("{}x{} {line}", game.rows, game.columns)).ok()?;
        self.level_move(&position, Limits::depth(6))?;
        if self.positions > 0 {
            let best = self.level_move(&position, Limits::nodes(self.positions))?;
            position.play(best);
            self.level_move(&position, Limits::nodes(self.positions))?;
        }
        Some(line)
    }

    /// The move found best, where that leaves the position undecided and near level.
    fn level_move(&self, position: &Position, limits: Limits) -> Option<Cell> {
        let settings = Settings { table_bytes: 4 << 20, ..Settings::default() };
        let report = Player::new(settings).think(position, limits, &Stopwatch::start());
        let is_level = !report.score.is_decided() && report.score.value().abs() <= self.level;
        report.best.filter(|_| is_level)
    }
}
