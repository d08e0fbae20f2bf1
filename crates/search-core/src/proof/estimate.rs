//! A game's part of the proof search: candidate moves, and initial proof numbers.

use super::{Goal, Step};
use crate::position::{Count, Position, Sink, Visit};

/// The candidate moves, and the heuristic initialisation of proof numbers: how many positions must be settled to prove
/// that the side to move reaches its goal, and to disprove it. Good estimates make proofs shorter; bad ones never make
/// them wrong.
///
/// ```
/// use search_core::proof::{Estimate, Goal, Prover, Verdict};
/// use search_core::testing::Heap;
/// use search_core::{Control, Limits, Stopwatch};
///
/// /// Knows that heaps of four, eight and twelve are lost.
/// struct Known;
///
/// impl Estimate<Heap> for Known {
///     fn estimate(&self, heap: &Heap, _: Goal) -> (u32, u32) {
///         if heap.0 % 4 == 0 && heap.0 <= 12 { (1, 0) } else { (1, heap.0.min(3)) }
///     }
/// }
///
/// let clock = Stopwatch::start();
/// let control = Control::new(Limits::default(), &clock);
/// let mut plain = Prover::new(1 << 16);
/// assert_eq!(plain.prove(&mut Heap(21), Goal::Win, 100_000, &control), Verdict::Yes);
/// let visited = control.nodes();
/// let mut knowing = Prover::with_estimate(Known, 1 << 16);
/// assert_eq!(knowing.prove(&mut Heap(21), Goal::Win, 100_000, &control), Verdict::Yes);
/// assert!(control.nodes() - visited < visited);
/// ```
pub trait Estimate<P: Position> {
    /// True if [`successors`](Self::successors) evaluates the positions after a node's moves, instead of playing each
    /// move twice. This pays if positions are small and estimated faster than the table answers.
    /// [`played`](Self::played) is then not called before they are estimated.
    const LISTS_SUCCESSORS: bool = false;

    /// True if [`foresee`](Self::foresee) works for moves that are not played yet. A position is then
    /// [estimated](Self::estimate) only when it is searched, to see whether that settles it.
    const FORESEES: bool = false;

    /// The margin, in quarters of the second easiest child's number, by which a child may exceed it before the search
    /// leaves it. Smaller values follow the easiest child more closely, larger ones access the table less often (1 + ε:
    /// Pawlewicz & Lew 2007).
    const PATIENCE: u32 = 1;

    /// True if [`observe`](Self::observe) is told of every step. If false, no step is compiled.
    const OBSERVES: bool = false;

    /// Called at every step of the search, if [`OBSERVES`](Self::OBSERVES) is set.
    #[inline]
    fn observe(&mut self, _position: &P, _step: Step<'_, P::Move>) {}

    /// Called after a move was played, to update incremental estimates.
    #[inline]
    fn played(&mut self, _mv: P::Move, _undo: &P::Undo, _now: &P) {}

    /// Called before the last move is taken back.
    #[inline]
    fn undone(&mut self) {}

    /// Pushes the moves to try for a side to move that wants `goal`; by default all. Omitted moves count as failing to
    /// reach it. Omitting moves of the attacker can only miss a proof; omitting moves of the defender is sound only if
    /// they lose for certain.
    #[inline]
    fn candidates<S: Sink<P::Move>>(&self, position: &P, _goal: Goal, sink: &mut S) {
        position.moves(sink);
    }

    /// The position's key in the table. Positions that differ only in ways that no longer matter may share a key: a
    /// proof of one then holds for all.
    fn key(&self, position: &P) -> u64 {
        position.key()
    }

    /// The initial proof and disproof numbers, both at least 1. A proof number of 0 says that the goal is certainly
    /// reached, a disproof number of 0 that it is certainly not.
    fn estimate(&self, position: &P, goal: Goal) -> (u32, u32);

    /// The [key](Self::key) of the position after `mv`, and its initial numbers for the opponent, both at least 1.
    /// Called if the estimate [`FORESEES`](Self::FORESEES).
    fn foresee(&self, position: &P, _goal: Goal, _mv: P::Move) -> (u64, (u32, u32)) {
        (self.key(position), (1, 1))
    }

    /// Visits the [candidates](Self::candidates) of a side to move that wants `goal`, in order, each with the static
    /// evaluation of the position after it. Called if the estimate [`LISTS_SUCCESSORS`](Self::LISTS_SUCCESSORS). By
    /// default copies each position.
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

    /// An upper bound on the plies to the end, where [`estimate`](Self::estimate) settles the goal.
    fn plies(&self, _position: &P, _goal: Goal) -> u32 {
        0
    }

    /// An upper bound on the plies to the end after moves that are not [candidates](Self::candidates), where the goal
    /// is not reached.
    fn plies_left_out(&self, _position: &P, _goal: Goal) -> u32 {
        0
    }
}

/// The static evaluation of the position after a move, for its side to move, which wants to deny the parent's goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor {
    /// The position is settled.
    Settled {
        /// True if its side to move reaches its goal.
        is_reached: bool,
        /// An upper bound on the plies to the end.
        plies: u32,
    },
    /// The position is not settled.
    Open {
        /// The position's [key](Estimate::key).
        key: u64,
        /// The initial proof number, at least 1.
        proof: u32,
        /// The initial disproof number, at least 1.
        disproof: u32,
    },
}

/// An estimate without game knowledge: one position to prove, and one for each move to disprove.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mobility;

impl<P: Position> Estimate<P> for Mobility {
    fn estimate(&self, position: &P, _: Goal) -> (u32, u32) {
        let mut moves = Count(0);
        position.moves(&mut moves);
        (1, moves.0 as u32)
    }
}
