//! The game's part of a proof: candidates, and the first numbers of positions.

use super::Goal;
use crate::position::{Count, Position, Sink, Visit};

/// The heuristic initialisation of proof numbers: the moves worth a look, and how many positions will have
/// to be settled to prove that its mover reaches the goal, and to disprove it. Good estimates make proofs shorter, and
/// never wrong.
pub trait Estimate<P: Position> {
    /// True if [`successors`](Self::successors) is asked for the positions behind a node's moves, instead of playing each
    /// move twice: worth it where positions are small and estimated soon, before the table has answered.
    /// [`played`](Self::played) is then not told of them before they are estimated.
    const LISTS_SUCCESSORS: bool = false;

    /// True if [`foresee`](Self::foresee) answers for moves that are not played yet: then a position is
    /// [estimated](Self::estimate) only once it is searched, for what one look settles.
    const FORESEES: bool = false;

    /// Quarters by which another child must have become easier before the one that is worked on is left: few follow the
    /// easiest more closely, many visit the table less often (1 + ε: Pawlewicz & Lew 2007).
    const PATIENCE: u32 = 1;

    /// A move was played: what the estimates stand on follows.
    #[inline]
    fn played(&mut self, _mv: P::Move, _undo: &P::Undo, _now: &P) {}

    /// The last move is about to be taken back.
    #[inline]
    fn undone(&mut self) {}

    /// Pushes the moves worth a look for a mover who wants `goal`, by default all. What is left out counts as a move
    /// that does not reach it: leaving out moves of the side that tries can only miss a proof; leaving out moves of the
    /// side that defends is right where the rest lose for certain.
    #[inline]
    fn candidates<S: Sink<P::Move>>(&self, position: &P, _goal: Goal, sink: &mut S) {
        position.moves(sink);
    }

    /// Names the position to the table. Positions that differ in nothing that can still matter may share a key: what is
    /// proven of one is then proven of all.
    fn key(&self, position: &P) -> u64 {
        position.key()
    }

    /// Both at least 1; but 0 for the proof where the goal is certainly reached, 0 for the disproof where it certainly
    /// is not: a game may see that without search.
    fn estimate(&self, position: &P, goal: Goal) -> (u32, u32);

    /// The key of the position behind `mv`, as [`key`](Self::key) gives it, and its first numbers for the opponent, both at
    /// least 1; asked where the estimate [`FORESEES`](Self::FORESEES).
    fn foresee(&self, position: &P, _goal: Goal, _mv: P::Move) -> (u64, (u32, u32)) {
        (self.key(position), (1, 1))
    }

    /// Visits the [candidates](Self::candidates) of a mover who wants `goal` in their order, each with what one look tells of
    /// the position behind it; asked where the estimate [`LISTS_SUCCESSORS`](Self::LISTS_SUCCESSORS). By default each
    /// position is a copy.
    #[inline]
    fn successors(&self, position: &P, goal: Goal, mut visit: impl FnMut(P::Move, Successor)) {
        let denied = goal.denied();
        let look = |mv| {
            let mut next = position.clone();
            next.play(mv);
            if let Some(outcome) = next.outcome() {
                return visit(mv, Successor::Settled { is_reached: denied.is_reached_by(outcome), plies: 0 });
            }
            let (proof, disproof) = self.estimate(&next, denied);
            let successor = if proof == 0 || disproof == 0 {
                Successor::Settled { is_reached: proof == 0, plies: self.plies(&next, denied) }
            } else {
                Successor::Open { key: self.key(&next), proof, disproof }
            };
            visit(mv, successor);
        };
        self.candidates(position, goal, &mut Visit(look));
    }

    /// Plies to the end, at most, where [`estimate`](Self::estimate) settles the goal.
    fn plies(&self, _position: &P, _goal: Goal) -> u32 {
        0
    }

    /// Plies to the end, at most, behind the moves that are no [candidates](Self::candidates), where the goal is not reached.
    fn plies_left_out(&self, _position: &P, _goal: Goal) -> u32 {
        0
    }
}

/// The first look at the position after a move, for its mover, who wants to deny the goal of the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor {
    /// Settled.
    Settled {
        /// True if its mover reaches its goal.
        is_reached: bool,
        /// Plies to the end, at most.
        plies: u32,
    },
    /// Not settled.
    Open {
        /// Its [key](Estimate::key).
        key: u64,
        /// First proof number, at least 1.
        proof: u32,
        /// First disproof number, at least 1.
        disproof: u32,
    },
}

/// Knows nothing of the game: one position proves, one for each move disproves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mobility;

impl<P: Position> Estimate<P> for Mobility {
    fn estimate(&self, position: &P, _: Goal) -> (u32, u32) {
        let mut moves = Count(0);
        position.moves(&mut moves);
        (1, moves.0 as u32)
    }
}
