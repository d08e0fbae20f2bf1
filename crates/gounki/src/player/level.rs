//! Levels of difficulty, from 1 to 10.

use super::{Board, Player};
use crate::rules::Move;
use rand::RngExt;
use search_core::{Clock, Limits, Options, Report};

/// A level: the percentage of random moves, and the node limit for the others.
struct Strength {
    random_percent: u32,
    nodes: u64,
}

const LEVELS: [Strength; 10] = [
    Strength { random_percent: 70, nodes: 60 },
    Strength { random_percent: 52, nodes: 60 },
    Strength { random_percent: 36, nodes: 60 },
    Strength { random_percent: 20, nodes: 80 },
    Strength { random_percent: 8, nodes: 250 },
    Strength { random_percent: 0, nodes: 700 },
    Strength { random_percent: 0, nodes: 1_800 },
    Strength { random_percent: 0, nodes: 4_800 },
    Strength { random_percent: 0, nodes: 14_000 },
    Strength { random_percent: 0, nodes: 50_000 },
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
        let strength = &LEVELS[usize::from(level.clamp(1, 10)) - 1];
        if self.random.random_range(0..100) < strength.random_percent {
            let best = moves[self.random.random_range(0..moves.len())];
            return Report { best: Some(best), nodes: 1, elapsed: clock.elapsed(), ..Report::empty() };
        }
        self.alpha_beta(board, avoided, Limits::nodes(strength.nodes), Options::STRONG, clock, &mut |_| {})
    }
}
