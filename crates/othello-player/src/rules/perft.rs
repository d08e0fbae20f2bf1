//! Perft: counts move sequences, as a test of the rules.

use super::bitboard;
use super::bitboard::eight::{self, Eight, Spot, Words};
use super::position::Position;

/// The number of sequences of `depth` moves from `position`. A pass counts as a move, and a game that ends earlier as
/// one sequence. The last ply is counted in bulk, and positions are visited eight at a time.
#[must_use]
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => lines_of(position.legal()),
        _ => {
            let mut first = Eight::default();
            (first.own.0[0], first.opponent.0[0]) = (position.own(), position.opponent());
            let mut plies = vec![Moves::new(); depth as usize - 1];
            count(&first, &first.moves(), 1, &mut plies)
        }
    }
}

/// The number of sequences of one ply: the legal moves, or one for a pass or the end of the game.
#[inline]
fn lines_of(legal: u64) -> u64 {
    legal.count_ones().max(1).into()
}

/// Counts the sequences from the first `positions` lanes, one ply longer than `plies`.
fn count(eight: &Eight, legal: &Words, positions: usize, plies: &mut [Moves]) -> u64 {
    let Some((moves, deeper)) = plies.split_first_mut() else { return 0 };
    moves.len = 0;
    let mut lines = 0;
    for (lane, &legal) in legal.0.iter().enumerate().take(positions) {
        if legal != 0 {
            moves.add(lane, legal);
        } else if bitboard::moves(eight.opponent.0[lane], eight.own.0[lane]) != 0 {
            moves.add_pass(lane);
        } else {
            lines += 1;
        }
    }
    if deeper.is_empty() {
        return lines + count_last(eight, moves);
    }
    for first in (0..moves.len).step_by(8) {
        let next = eight.after(&moves.lanes(first), &moves.spots(first));
        lines += count(&next, &next.moves(), moves.len - first, deeper);
    }
    lines
}

/// Counts the sequences of one of these moves and one more.
fn count_last(eight: &Eight, moves: &Moves) -> u64 {
    let mut lines = 0;
    for first in (0..moves.len).step_by(8) {
        let legal = eight.after(&moves.lanes(first), &moves.spots(first)).moves();
        let of_lane = |lane: usize| if lane < moves.len - first { lines_of(legal.0[lane]) } else { 0 };
        lines += (0..8).map(of_lane).sum::<u64>();
    }
    lines
}

/// The moves of eight positions: the square and the lane of each.
#[derive(Clone)]
struct Moves {
    spots: [Spot; Self::ROOM],
    lanes: [u8; Self::ROOM],
    len: usize,
}

impl Moves {
    /// The capacity: no position has more than 64 moves, and each list is written in full.
    const ROOM: usize = 8 * 64;

    fn new() -> Self {
        Self { spots: [Spot::NOWHERE; Self::ROOM], lanes: [0; Self::ROOM], len: 0 }
    }

    #[inline]
    fn add(&mut self, lane: usize, legal: u64) {
        *chunk_mut(&mut self.spots, self.len) = eight::list(legal);
        *chunk_mut(&mut self.lanes, self.len) = [lane as u8; 64];
        self.len += legal.count_ones() as usize;
    }

    fn add_pass(&mut self, lane: usize) {
        self.spots[self.len] = Spot::NOWHERE;
        self.lanes[self.len] = lane as u8;
        self.len += 1;
    }

    /// Eight squares from `first` on; those after the last move are unspecified.
    #[inline]
    fn spots(&self, first: usize) -> [Spot; 8] {
        *self.spots[first..].first_chunk().expect("the room is a multiple of eight")
    }

    /// The lanes of [`spots`](Self::spots).
    #[inline]
    fn lanes(&self, first: usize) -> [u8; 8] {
        *self.lanes[first..].first_chunk().expect("the room is a multiple of eight")
    }
}

#[inline]
fn chunk_mut<T>(room: &mut [T], from: usize) -> &mut [T; 64] {
    room[from..].first_chunk_mut().expect("there is room for all squares of eight positions")
}
