//! Our Gounki robot in this process.

use super::{Gounki, Move, Position};
use crate::play::own::{OwnAnalyst, OwnDuel, OwnPlayer, Terms};
use crate::strength::{Levels, levels};
use ::gounki::player::{Player, Settings};
use ::gounki::protocol::analysis::Analyst;
use ::gounki::rules::Game;
use search_core::Limits;

/// The levels of the robot `niveau`.
pub(super) static LEVELS: Levels = levels(::gounki::player::LEVELS);

/// Creates a player that begins each move without what it knew, as the course starts a process a move.
pub(super) fn player(rules: Gounki, opening: &str, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
    let settings = Settings { table_bytes: terms.memory, ..Settings::default() };
    let limits = terms.limits(&LEVELS, Limits::nodes);
    OwnDuel::boxed(
        rules,
        opening,
        terms.level(&LEVELS),
        move |positions: &[Position], moves: &[Move], clock| {
            let mut game = Game::new(positions[0]);
            moves.iter().for_each(|&mv| game.play(mv));
            Player::new(settings).think_in(&game, limits, clock)
        },
    )
}

pub(super) fn analyst(memory: usize) -> Box<dyn OwnAnalyst> {
    Box::new(Analyst::new(Settings { table_bytes: memory, ..Settings::default() }))
}
