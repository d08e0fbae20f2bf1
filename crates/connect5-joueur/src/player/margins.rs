//! The parameters of the heuristics. Scores are in hundredths of log-odds.

use crate::patterns::Shape;
use search_core::Depth;

/// Weight of a hundredth of a move's score relative to killers and history.
pub(super) const MOVE_SCORE: i32 = 32;
/// Half the first aspiration window.
pub(super) const ASPIRATION: i32 = 30;
/// Reverse futility pruning: maximum depth in plies, and margin a ply.
pub(super) const CALM_PLIES: Depth = 6;
pub(super) const CALM: i32 = 50;
/// Razoring: maximum depth in plies, and margin a ply.
pub(super) const RAZOR_PLIES: Depth = 3;
pub(super) const RAZOR: i32 = 100;
/// Internal iterative reduction: minimum depth in plies.
pub(super) const UNKNOWN_PLIES: Depth = 4;
/// Late move pruning: number of moves searched by plies left, three tenths more for each ply.
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
/// Futility pruning of quiet moves: maximum depth in plies, and margin a ply.
pub(super) const FUTILE_PLIES: Depth = 6;
pub(super) const FUTILE: i32 = 50;
/// Late move reductions, in units of depth: for each factor of e in depth and in move number, and the history score
/// that reduces by one unit less.
pub(super) const LATE: Depth = 8;
pub(super) const LATE_HISTORY: i32 = 1_000;
/// Singular extensions: minimum depth in plies, and the margin below the table's score a ply.
pub(super) const SINGULAR_PLIES: Depth = 6;
pub(super) const SINGULAR: i32 = 4;
/// VCF at a leaf: maximum number of fours in a row, and of positions.
pub(super) const LEAF_FOURS: u32 = 10;
pub(super) const LEAF_NODES: u64 = 100;
/// VCF at a leaf: the least shape that a four must make in another direction, so that a four follows two stones later.
pub(super) const LEAF_CHAIN: Shape = Shape::Two;
/// The interleaved VCT search: maximum plies from the root at which it is polled, positions in a slice, and one
/// position in how many it uses.
pub(super) const PROBE_PLIES: usize = 3;
pub(super) const PROBE_SLICE: u64 = 300;
pub(super) const PROBE_SHARE: u64 = 10;
/// Reduction adjustments: less on the principal variation and where threats are made or met; more where the static
/// value falls, and where the node was expected to fail high on an earlier move.
pub(super) const LATE_CUT: Depth = 16;
pub(super) const LATE_ON_PV: Depth = 16;
pub(super) const LATE_THREAT: Depth = 16;
pub(super) const LATE_FALLING: Depth = 8;
