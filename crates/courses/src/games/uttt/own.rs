//! Our uttt player in this process.

use super::Uttt;
use crate::play::own::{OwnAnalyst, OwnDuel, OwnPlayer, Terms};
use uttt::player::{Player, Settings};
use uttt::protocol::analysis::Analyst;
use uttt::rules::State;

pub(super) fn player(rules: Uttt, opening: &str, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
    let mut player = Player::new(Settings { table_bytes: terms.memory, ..Settings::default() });
    let limits = terms.by_nodes();
    OwnDuel::boxed(rules, opening, move |positions: &[State], _, clock| {
        player.think(&positions[positions.len() - 1], limits, clock)
    })
}

pub(super) fn analyst(memory: usize) -> Box<dyn OwnAnalyst> {
    Box::new(Analyst::new(Settings { table_bytes: memory, ..Settings::default() }))
}
