//! How much is left out, and how much is looked at more deeply: depths in hundredths of a ply, scores in hundredths of
//! the logarithm of the odds.

use search_core::Score;

/// One ply.
pub(super) const PLY: i32 = 100;
/// What the only reply to a five gives back.
pub(super) const FORCED: i32 = 30;
/// Nodes less deep than this go on with fours only, where the evaluation is far below alpha.
pub(super) const RAZOR_DEPTH: i32 = 260;
/// A node as deep as this without a move from the table is not worth its depth.
pub(super) const BLIND_DEPTH: i32 = 700;
/// What it loses.
pub(super) const BLIND: i32 = 70;
/// From here on it is worth asking whether the table's move stands alone.
pub(super) const SINGULAR_DEPTH: i32 = 665;

/// How far below alpha a node may stand and yet be searched.
#[inline]
pub(super) fn razor(depth: i32) -> i32 {
    10 + depth * 7 / PLY
}

/// How far above beta a node must stand to be left.
#[inline]
pub(super) fn futility(depth: i32, unknown_cut: bool, improving: bool) -> i32 {
    let a_ply = if unknown_cut { 24 } else { 30 };
    (a_ply * (depth - PLY - if improving { PLY } else { 0 }) / PLY).max(0)
}

/// Moves that a node of this depth looks at.
#[inline]
pub(super) fn moves_at(depth: i32, improving: bool) -> usize {
    let depth = (depth / PLY) as usize;
    // About 3 + depth^1.32.
    let moves = 3 + depth + depth * depth / 12;
    if improving { moves } else { moves.div_ceil(2) }
}

/// By how much the table's score must beat all others for its move to stand alone.
#[inline]
pub(super) fn singular(depth: i32) -> i32 {
    depth * 43 / (100 * PLY)
}

/// How far above beta a node must stand for a cut to be expected.
#[inline]
pub(super) fn fail_high(depth: i32) -> i32 {
    7 * depth / PLY - 5
}

/// By how much a late move is looked at less deeply.
#[inline]
pub(super) fn reduction(depth: i32, nth: usize) -> i32 {
    // Eighths of the binary logarithm, in whole numbers: the same on every processor.
    let log = |number: u64| number.clamp(1, 255).pow(8).ilog2() as i32;
    log((depth / PLY) as u64) * log(nth as u64) * 46 / 100
}

/// What a move that surprised at a reduced depth is given beyond its full depth.
#[inline]
pub(super) fn again(reduced_by: i32, score: Score, alpha: Score, best: Score, depth: i32) -> i32 {
    let deeper = score > alpha + 17 + 6 * reduced_by / PLY;
    let deepest = score > alpha + 155 + 13 * reduced_by / PLY;
    let shallower = score < best + depth / (2 * PLY);
    PLY * (i32::from(deeper) + i32::from(deepest) - i32::from(shallower))
}

/// What tells the key of a node with a move left out from the node's own.
#[inline]
pub(super) fn salt(index: usize) -> u64 {
    (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1 << 63
}
