//! Our player of the maze in this process.

use super::opening::Opening;
use crate::play::own::{Chosen, OwnAnalyst, OwnPlayer, Terms};
use moules_client::player::{Player, Settings};
use moules_client::protocol::analysis::Analyst;
use moules_client::rules::{Command, Game};
use search_core::{Clock, Limits};

/// A player on one seat. It infers the others' habits from the turns at which it is asked.
struct Seated {
    start: Game,
    limits: Limits,
    player: Player,
}

impl OwnPlayer for Seated {
    fn choose(&mut self, moves: &[String], clock: &dyn Clock) -> anyhow::Result<Chosen> {
        let mut game = self.start.clone();
        moves.iter().for_each(|text| game.play(Command::read(text.as_bytes())));
        let report = self.player.think(&game, self.limits, clock);
        let best = report.best.unwrap_or_else(|| game.idle());
        Ok(Chosen { text: best.to_string(), nodes: report.nodes })
    }
}

pub(super) fn player(opening: &str, seats: usize, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
    let mut start = Opening::default();
    start.read(opening)?;
    let start = start.game(seats)?;
    Ok(Box::new(Seated { start, limits: terms.by_time(), player: Player::new(Settings::default()) }))
}

pub(super) fn analyst() -> Box<dyn OwnAnalyst> {
    Box::new(Analyst::new(Settings::default()))
}
