//! Counts of lines of play, the test of the rules.

use super::bitboard;
use super::position::Position;
use super::square::Squares;

/// The number of lines of play of `depth` moves from `position`; a pass is a move, and a game that ends earlier counts
/// as one line. The last two plies are counted in bulk.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 { 1 } else { count(position.own(), position.opponent(), position.legal(), depth) }
}

fn count(own: u64, opponent: u64, legal: u64, depth: u32) -> u64 {
    if legal == 0 {
        let theirs = bitboard::moves(opponent, own);
        return if theirs == 0 || depth == 1 { 1 } else { count(opponent, own, theirs, depth - 1) };
    }
    if depth <= 2 {
        return if depth == 1 {
            legal.count_ones().into()
        } else {
            bitboard::count_replies(own, opponent, legal)
        };
    }
    let mut lines = 0;
    for square in Squares(legal) {
        let flips = bitboard::flips(square.index(), own, opponent);
        let (next_own, next_opponent) = (opponent ^ flips, own ^ flips ^ square.bit());
        let next_legal = bitboard::moves(next_own, next_opponent);
        lines += count(next_own, next_opponent, next_legal, depth - 1);
    }
    lines
}
