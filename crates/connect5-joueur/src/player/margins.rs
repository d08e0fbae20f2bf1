//! The numbers of the heuristics. Scores are hundredths of the logarithm of the odds of winning.

use crate::patterns::Shape;
use search_core::Depth;

/// What a hundredth of a move's score counts beside killers and history.
pub(super) const MOVE_SCORE: i32 = 32;
/// Half the first aspiration window.
pub(super) const ASPIRATION: i32 = 30;
/// Reverse futility up to so many plies, and its margin a ply.
pub(super) const CALM_PLIES: Depth = 6;
pub(super) const CALM: i32 = 50;
/// Razoring up to so many plies, and its margin a ply.
pub(super) const RAZOR_PLIES: Depth = 3;
pub(super) const RAZOR: i32 = 100;
/// Internal iterative reduction from so many plies on.
pub(super) const UNKNOWN_PLIES: Depth = 4;
/// Late move pruning: moves that a node looks at with so many plies left, each ply three tenths more.
pub(super) const MOVES: [usize; 24] = {
    let mut moves = [0; 24];
    let (mut plies, mut sixteenths) = (0, 60);
    while plies < moves.len() {
        moves[plies] = sixteenths / 16;
        sixteenths = sixteenths * 13 / 10;
        plies += 1;
    }
    moves
};
/// Futility of quiet moves up to so many plies, and its margin a ply.
pub(super) const FUTILE_PLIES: Depth = 6;
pub(super) const FUTILE: i32 = 50;
/// Late move reductions, in units of depth: for each factor of e in depth and in number, and the history that takes a
/// unit off.
pub(super) const LATE: Depth = 8;
pub(super) const LATE_HISTORY: i32 = 1_000;
/// Singular extensions from so many plies on, and how far below the table's score the others must stay for each ply.
pub(super) const SINGULAR_PLIES: Depth = 6;
pub(super) const SINGULAR: i32 = 4;
/// The search for fours at a leaf: fours in a row, and positions.
pub(super) const LEAF_FOURS: u32 = 10;
pub(super) const LEAF_NODES: u64 = 100;
/// What a four must prepare in another direction for a leaf's search to play it: a four two stones later.
pub(super) const LEAF_CHAIN: Shape = Shape::Two;
/// The search for threats is looked after up to so many plies from the root, so many positions each time, one position
/// in so many.
pub(super) const BESIDE_PLIES: usize = 3;
pub(super) const BESIDE_SLICE: u64 = 300;
pub(super) const BESIDE_SHARE: u64 = 10;
/// Late moves are reduced by less on the principal variation, where threats are made or met, and by more where the static
/// value falls and where the node was expected to fail high on an earlier move.
pub(super) const LATE_CUT: Depth = 16;
pub(super) const LATE_ON_PV: Depth = 16;
pub(super) const LATE_THREAT: Depth = 16;
pub(super) const LATE_FALLING: Depth = 8;
