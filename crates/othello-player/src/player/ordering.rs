//! The order of moves far from the horizon: the square, the opponent's mobility, the evaluation.

use crate::evaluation::Evaluate;
use crate::rules::{Position, Square};
use search_core::Depth;

/// A square's rank for its own sake: corners first, their neighbours last.
pub(super) const SQUARE_RANK: [i32; 64] = square_ranks();
/// From this many plies on, moves are ranked by what they leave to the opponent.
const MOBILITY_FROM: Depth = 3;

/// The rank of a legal move in a node with so many plies left: the higher, the earlier.
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

/// From this many plies on, moves are ranked by what the evaluation says of them, too.
const EVALUATE_FROM: Depth = 4;
/// The value of a point of the evaluation in rank: a disc as much as a move more or less.
const EVALUATION_RANK: i32 = 25;
/// The cost in rank of one move more for the opponent.
const MOBILITY_RANK: i32 = 1 << 12;

const fn square_ranks() -> [i32; 64] {
    /// A quarter of the board, a1 to d4, in eighths of a reply. Fitted to nodes: see EXPERIMENTS.tsv.
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
