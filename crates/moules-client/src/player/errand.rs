//! One player's planning problem, for the beam.

use crate::board::{Board, NOWHERE};
use crate::evaluation::{Evaluation, Spot, Tours, Worth, bits};
use crate::rules::{Direction, Move};
use search_core::Sink;
use search_core::beam::Plan;

/// What is to be taken, and by what measure.
#[derive(Debug)]
pub struct Errand<'a> {
    /// The maze.
    pub board: &'a mut Board,
    /// What each item is worth when.
    pub worth: &'a Worth,
    /// Kept lengths of tours.
    pub tours: &'a mut Tours,
    /// What ranks the plans.
    pub evaluation: Evaluation,
}

impl Errand<'_> {
    /// `spot` after coming to `cell` over the cells of `items` with turn number `turn`.
    fn arrive(&self, spot: &Spot, cell: u32, items: u64, turn: usize) -> Spot {
        let mut next = *spot;
        next.cell = cell;
        let taken = items & spot.left;
        if taken != 0 {
            next.left &= !taken;
            for item in bits(taken) {
                let bit = 1 << item;
                if self.board.mussels & bit != 0 {
                    next.gain += self.worth.of(item, turn) as i32;
                } else {
                    next.frites += u8::from(self.board.frites & bit != 0);
                    next.beers += u8::from(self.board.beers & bit != 0);
                }
            }
        }
        next
    }
}

impl Plan for Errand<'_> {
    type State = Spot;
    type Action = Move;

    fn successors<S: Sink<(Move, Spot)>>(&mut self, spot: &Spot, turn: usize, sink: &mut S) {
        let turn = turn + 1;
        for direction in Direction::ALL {
            let cell = self.board.step(spot.cell, direction);
            if cell != NOWHERE {
                sink.push((Move::Step(direction), self.arrive(spot, cell, self.board.bit(cell), turn)));
            }
            if spot.frites > 0 {
                let cell = self.board.jump(spot.cell, direction);
                if cell != NOWHERE {
                    let mut next = self.arrive(spot, cell, self.board.bit(cell), turn);
                    next.frites -= 1;
                    sink.push((Move::Jump(direction), next));
                }
            }
        }
        if spot.beers > 0 {
            for index in self.board.walks(spot.cell) {
                let walk = self.board.walk(index);
                let mut next = self.arrive(spot, walk.end, walk.items, turn);
                next.beers -= 1;
                sink.push((Move::Beer(walk.steps), next));
            }
        }
    }

    fn key(&self, spot: &Spot) -> u64 {
        let place = u64::from(spot.cell) | u64::from(spot.frites) << 32 | u64::from(spot.beers) << 40;
        let mixed = (spot.left.wrapping_mul(0xd6e8_feb8_6659_fd93)).rotate_left(32) ^ place;
        let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn secured(&self, spot: &Spot) -> i64 {
        if self.evaluation.counts_turns() { 0 } else { i64::from(spot.gain) }
    }

    fn estimate(&mut self, spot: &Spot, turn: usize) -> i64 {
        self.evaluation.estimate(self.board, self.worth, self.tours, spot, turn)
    }

    fn bound(&self, spot: &Spot, turn: usize) -> i64 {
        if self.evaluation.counts_turns() {
            return i64::MAX;
        }
        // Everything left, taken in the very next turn.
        let rest: i64 = bits(spot.left & self.board.mussels).map(|item| self.worth.of(item, turn + 1)).sum();
        i64::from(spot.gain) + rest + i64::from(spot.frites) + i64::from(spot.beers) + 64
    }

    fn is_complete(&self, spot: &Spot) -> bool {
        spot.left & self.board.mussels == 0
    }
}
