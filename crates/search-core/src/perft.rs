//! Perft: counts of move paths, which check move generators.
//!
//! ```
//! use search_core::perft;
//! use search_core::testing::Heap;
//!
//! // 1 + 1 + 1, 1 + 1 + 2, 1 + 2 + 1, 2 + 1 + 1: the four ways of taking three times from four.
//! assert_eq!(perft(&Heap(4), 3), 4);
//! ```

use crate::position::{Count, Position, Visit};

/// The number of paths of exactly `depth` moves from `position`. The last ply is counted in bulk.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => bulk(position),
        _ => {
            let mut paths = 0;
            position.moves(&mut Visit(|mv| {
                let mut next = position.clone();
                next.play(mv);
                // Most nodes lie one ply before the last: they are counted here, without a recursive call.
                paths += if depth == 2 { bulk(&next) } else { perft(&next, depth - 1) };
            }));
            paths
        }
    }
}

#[inline(always)]
fn bulk<P: Position>(position: &P) -> u64 {
    let mut count = Count(0);
    position.moves(&mut count);
    count.0
}
