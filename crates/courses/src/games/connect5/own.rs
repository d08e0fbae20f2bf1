//! Our Connect5 player in this process.

use super::{Connect5, Position};
use crate::play::own::{OwnAnalyst, OwnDuel, OwnPlayer, Terms};
use crate::strength::Strength;
use crate::strength::{Levels, levels};
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::protocol::analysis::Analyst;
use search_core::Limits;

/// The levels: the percentage of random moves, and the positions a move for the others.
pub(super) static LEVELS: Levels = levels([
    (40, 100),
    (30, 100),
    (21, 100),
    (13, 100),
    (6, 100),
    (0, 100),
    (0, 450),
    (0, 1_600),
    (0, 7_000),
    (0, 40_000),
]);

/// Returns true for the levels that see lines only.
pub(super) fn is_weak(strength: Strength) -> bool {
    matches!(strength, Strength::Level(1..=2))
}

pub(super) fn player(game: Connect5, opening: &str, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
    let evaluation = if is_weak(terms.strength) { Evaluation::Lines } else { Evaluation::default() };
    let mut player = Player::new(Settings { evaluation, table_bytes: terms.memory, ..Settings::default() });
    let limits = terms.limits(&LEVELS, Limits::nodes);
    OwnDuel::boxed(game, opening, terms.level(&LEVELS), move |positions: &[Position], _, clock| {
        player.think(&positions[positions.len() - 1], limits, clock)
    })
}

pub(super) fn analyst(memory: usize) -> Box<dyn OwnAnalyst> {
    Box::new(Analyst::new(Settings { table_bytes: memory, ..Settings::default() }))
}
