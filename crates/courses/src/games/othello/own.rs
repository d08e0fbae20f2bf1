//! Our Othello player in this process.

use super::{Coloured, Othello};
use crate::assignment::Strength;
use crate::play::own::{OwnAnalyst, OwnDuel, OwnPlayer, Terms};
use othello_player::player::{Player, Settings};
use othello_player::protocol::analysis::Analyst;
use search_core::Limits;

/// Returns the depth of a level in plies, and for a time a depth beyond any search.
pub(super) fn depth(strength: Strength) -> u16 {
    match strength {
        Strength::Level(level) => [1, 2, 3, 4, 5, 6, 7, 8, 10, 12][usize::from(level.clamp(1, 10)) - 1],
        Strength::Millis(_) => 60,
    }
}

pub(super) fn player(rules: Othello, opening: &str, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
    let mut player = Player::new(Settings { table_bytes: terms.memory, ..Settings::default() });
    let limits = terms.limits(|strength| Limits::depth(depth(strength).into()));
    OwnDuel::boxed(rules, opening, move |positions: &[Coloured], _, clock| {
        player.think(&positions[positions.len() - 1].0.position, limits, clock)
    })
}

pub(super) fn analyst(memory: usize) -> Box<dyn OwnAnalyst> {
    Box::new(Analyst::new(Settings { table_bytes: memory, ..Settings::default() }))
}
