//! Self-play games of a robot from random openings, with some random moves.

use super::expected;
use super::record::Record;
use crate::records::Writer;
use anyhow::Result;
use clap::Args;
use gounki::player::{Player, Settings};
use gounki::rules::{Colour, Game, Kind, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Position as _, Stopwatch};
use std::path::PathBuf;

/// Arguments of `self-play`.
#[derive(Debug, Args)]
pub struct SelfPlay {
    /// Number of games.
    #[arg(long, default_value_t = 2_000, value_parser = crate::numbers::count::<u64>())]
    games: u64,
    /// Nodes a move.
    #[arg(long, default_value_t = 5_000, value_parser = crate::numbers::number::<u64>())]
    nodes: u64,
    /// The robot that plays, as in `gounki -B`.
    #[arg(long, default_value = "robot")]
    robot: Settings,
    /// Seed of the first game. The others use the next numbers.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
    /// Output file of records.
    #[arg(long)]
    out: PathBuf,
}

impl SelfPlay {
    /// Plays, and writes a record for every position whose best move is not a capture.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn run(&self) -> Result<()> {
        let mut file = Writer::create(&self.out)?;
        let mut positions = 0;
        for seed in self.seed..self.seed + self.games {
            let records = self.game(seed);
            positions += records.len();
            file.append(&records)?;
        }
        file.finish()?;
        Ok(wire::print_line(format_args!("{} games, {positions} positions", self.games))?)
    }

    fn game(&self, seed: u64) -> Vec<Record> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut player = Player::new(Settings { seed, table_bytes: TABLE_BYTES, ..self.robot });
        let mut game = Game::new(Position::initial());
        let opening = random.random_range(OPENING);
        let mut records = Vec::new();
        // The positions since the last random move. The result of a game says nothing about positions before a random
        // move.
        let mut stretch: Vec<(Position, f32)> = Vec::new();
        while !game.position().is_over() && game.number() < LONGEST {
            let position = *game.position();
            if game.number() <= opening && !position.can_exit() {
                let moves = position.move_list();
                game.play(moves[random.random_range(0..moves.len())]);
                continue;
            }
            let report = player.think_in(&game, Limits::nodes(self.nodes), &Stopwatch::start());
            let best = report.best.expect("the game goes on");
            let value = expected(report.score);
            if random.random_range(0..STRANGE) == 0 && !position.can_exit() {
                close(&mut stretch, &mut records, position.to_move(), value);
                let moves = position.move_list();
                game.play(moves[random.random_range(0..moves.len())]);
                continue;
            }
            let captures = matches!(best.kind(), Kind::Step(to) if !position.enemy().at(to).is_empty());
            if !captures && !position.can_exit() {
                stretch.push((position, value));
            }
            game.play(best);
        }
        if let Some(winner) = game.position().winner() {
            close(&mut stretch, &mut records, winner, 1.0);
        }
        records
    }
}

/// Number of random moves before a game.
const OPENING: std::ops::Range<usize> = 4..24;
/// One move in this many is random.
const STRANGE: u32 = 8;
/// Maximum number of moves. A longer game is abandoned.
const LONGEST: usize = 300;
/// Table size for some thousand nodes a move.
const TABLE_BYTES: usize = 1 << 20;

/// Moves the positions since the last random move, which ended at `value` for `colour`, to the records.
fn close(stretch: &mut Vec<(Position, f32)>, records: &mut Vec<Record>, colour: Colour, value: f32) {
    records.extend(stretch.drain(..).map(|(position, thought)| Record {
        position: Position::new(*position.own(), *position.enemy(), Colour::White),
        value: thought,
        result: if position.to_move() == colour { value } else { -value },
    }));
}
