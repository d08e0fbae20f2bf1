//! Counts of move paths: the test of every move generator.

use crate::position::{Count, Position, Visit};

/// The number of paths of exactly `depth` moves from `position`; the last ply is counted in bulk.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => {
            let mut count = Count(0);
            position.moves(&mut count);
            count.0
        }
        _ => {
            let mut paths = 0;
            position.moves(&mut Visit(|mv| {
                let mut next = position.clone();
                next.play(mv);
                paths += perft(&next, depth - 1);
            }));
            paths
        }
    }
}
