//! Levels of difficulty, from 1 to 10.

use super::{Board, Player};
use crate::rules::Move;
use rand::RngExt;
use search_core::{Clock, Limits, Options, Report};

/// The levels from 1 to 10: the percentage of random moves, and the number of positions searched for each other move.
pub const LEVELS: [(u32, u64); 10] = [
    (70, 60),
    (52, 60),
    (36, 60),
    (20, 80),
    (8, 250),
    (0, 700),
    (0, 1_800),
    (0, 4_800),
    (0, 14_000),
    (0, 50_000),
];

impl Player {
    pub(super) fn play_level(
        &mut self,
        level: u8,
        board: Board,
        avoided: &[Move],
        moves: &[Move],
        clock: &dyn Clock,
    ) -> Report<Move> {
        let (random_percent, nodes) = LEVELS[usize::from(level.clamp(1, 10)) - 1];
        if self.random.random_range(0..100) < random_percent {
            let best = moves[self.random.random_range(0..moves.len())];
            return Report { best: Some(best), nodes: 1, elapsed: clock.elapsed(), ..Report::empty() };
        }
        self.alpha_beta(board, avoided, Limits::nodes(nodes), Options::STRONG, clock, &mut |_| {})
    }
}
