//! Move ordering far from the horizon: by square, by the opponent's mobility, and by the evaluation.

use crate::evaluation::Evaluate;
use crate::rules::{Position, Square};
use search_core::Depth;

/// The static rank of each square: corners first, their neighbours last.
pub(super) const SQUARE_RANK: [i32; 64] = square_ranks();
/// The smallest depth at which moves are ranked by the opponent's mobility.
const MOBILITY_FROM: Depth = 3;

/// The rank of a legal move at a node of this depth; higher is tried earlier.
#[inline]
pub fn rank<V: Evaluate>(evaluation: &mut V, position: &Position, square: Square, depth: Depth) -> i32 {
    let rank = SQUARE_RANK[usize::from(square.index())];
    if depth < MOBILITY_FROM {
        return rank;
    }
    if depth < EVALUATE_FROM {
        return rank - MOBILITY_RANK * position.after(square.into()).legal().count_ones() as i32;
    }
    let (next, theirs) = position.after_with_both(square);
    let worth = evaluation.evaluate_next(position, &next, theirs).value();
    rank - MOBILITY_RANK * next.legal().count_ones() as i32 - EVALUATION_RANK * worth
}

/// The smallest depth at which moves are ranked by the evaluation as well.
const EVALUATE_FROM: Depth = 4;
/// The rank of one [`Score::POINT`](search_core::Score::POINT)th of a disc: a disc counts about as much as a move.
const EVALUATION_RANK: i32 = 25;
/// The penalty for each move of the opponent.
const MOBILITY_RANK: i32 = 1 << 12;

const fn square_ranks() -> [i32; 64] {
    /// The quadrant a1 to d4, in eighths of a reply. Tuned for few nodes: see EXPERIMENTS.tsv.
    const QUARTER: [[i32; 4]; 4] = [[8, -1, 5, 2], [-1, -13, 8, 8], [5, 8, 8, 8], [2, 8, 8, 8]];
    let mut ranks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
        let column = if column < 4 { column } else { 7 - column };
        let row = if row < 4 { row } else { 7 - row };
        ranks[square] = QUARTER[row][column] * MOBILITY_RANK / 8;
        square += 1;
    }
    ranks
}
