//! Our player of the maze in this process.

use super::opening::Opening;
use crate::play::own::{Chosen, OwnAnalyst, OwnPlayer, Terms};
use crate::strength::{Level, Levels, drawn, levels};
use moules_client::player::{Player, Settings};
use moules_client::protocol::analysis::Analyst;
use moules_client::rules::{Command, Direction, Game, Move};
use search_core::{Clock, Limits};
use std::time::Duration;

/// The levels: the percentage of random moves, and the milliseconds a move for the others.
pub(super) static LEVELS: Levels =
    levels([(82, 5), (75, 5), (68, 5), (60, 5), (50, 5), (39, 5), (26, 5), (12, 5), (0, 5), (0, 100)]);

/// A player on one seat. It infers the others' habits from the turns at which it is asked.
struct Seated {
    start: Game,
    level: Option<Level>,
    limits: Limits,
    player: Player,
}

impl OwnPlayer for Seated {
    fn choose(&mut self, moves: &[String], clock: &dyn Clock) -> anyhow::Result<Chosen> {
        let mut game = self.start.clone();
        moves.iter().for_each(|text| game.play(Command::read(text.as_bytes())));
        if let Some(number) = drawn(self.level, 0, moves) {
            return Ok(Chosen { text: random_step(&game, number), nodes: 1 });
        }
        let report = self.player.think(&game, self.limits, clock);
        let best = report.best.unwrap_or_else(|| game.idle());
        Ok(Chosen { text: best.to_string(), nodes: report.nodes })
    }
}

pub(super) fn player(opening: &str, seats: usize, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
    let mut start = Opening::default();
    start.read(opening)?;
    let start = start.game(seats)?;
    Ok(Box::new(Seated {
        start,
        level: terms.level(&LEVELS),
        limits: terms.limits(&LEVELS, |millis| Limits::time(Duration::from_millis(millis))),
        player: Player::new(Settings::default()),
    }))
}

/// Returns the step onto free ground that `number` draws, or a pass if there is none.
pub(super) fn random_step(game: &Game, number: u64) -> String {
    let steps = Direction::ALL.map(Move::Step);
    let free: Vec<Move> = steps.into_iter().filter(|&step| game.allows(step)).collect();
    let nth = number as usize % free.len().max(1);
    free.get(nth).copied().unwrap_or(Move::Stay).to_string()
}

pub(super) fn analyst() -> Box<dyn OwnAnalyst> {
    Box::new(Analyst::new(Settings::default()))
}
