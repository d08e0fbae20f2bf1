//! Our uttt player in this process.

use super::Uttt;
use crate::play::own::{OwnAnalyst, OwnDuel, OwnPlayer, Terms};
use crate::strength::{Levels, levels};
use search_core::Limits;
use uttt::player::{Player, Settings};
use uttt::protocol::analysis::Analyst;
use uttt::rules::State;

/// The levels: the percentage of random moves, and the positions a move for the others.
pub(super) static LEVELS: Levels = levels([
    (40, 20),
    (20, 20),
    (8, 20),
    (0, 28),
    (0, 70),
    (0, 180),
    (0, 500),
    (0, 1_600),
    (0, 9_000),
    (0, 300_000),
]);

pub(super) fn player(rules: Uttt, opening: &str, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
    let mut player = Player::new(Settings { table_bytes: terms.memory, ..Settings::default() });
    let limits = terms.limits(&LEVELS, Limits::nodes);
    OwnDuel::boxed(rules, opening, terms.level(&LEVELS), move |positions: &[State], _, clock| {
        player.think(&positions[positions.len() - 1], limits, clock)
    })
}

pub(super) fn analyst(memory: usize) -> Box<dyn OwnAnalyst> {
    Box::new(Analyst::new(Settings { table_bytes: memory, ..Settings::default() }))
}
