//! Our Othello player in this process.

use super::{Coloured, Othello};
use crate::play::own::{OwnAnalyst, OwnDuel, OwnPlayer, Terms};
use crate::strength::Strength;
use crate::strength::{Levels, levels};
use othello_player::player::{Player, Settings};
use othello_player::protocol::analysis::Analyst;
use search_core::Limits;

/// The levels: the percentage of random moves, and the plies for the others, with ProbCut.
pub(super) static LEVELS: Levels =
    levels([(9, 1), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 8), (0, 10), (0, 14)]);

/// Returns the depth of a level in plies, and for a time a depth beyond any search.
pub(super) fn depth(strength: Strength) -> u16 {
    strength.level(&LEVELS).map_or(60, |level| level.limit as u16)
}

pub(super) fn player(rules: Othello, opening: &str, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
    let settings = Settings { table_bytes: terms.memory, probcut: Some(true), ..Settings::default() };
    let mut player = Player::new(settings);
    let limits = terms.limits(&LEVELS, |depth| Limits::depth((depth as u16).into()));
    OwnDuel::boxed(rules, opening, terms.level(&LEVELS), move |positions: &[Coloured], _, clock| {
        player.think(&positions[positions.len() - 1].0.position, limits, clock)
    })
}

pub(super) fn analyst(memory: usize) -> Box<dyn OwnAnalyst> {
    Box::new(Analyst::new(Settings { table_bytes: memory, ..Settings::default() }))
}
