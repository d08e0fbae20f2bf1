#[cfg(feature = "threads")]
mod shared;

use super::evaluator::Candidate;
use crate::position::{MoveCode, Outcome};
use crate::score::Score;
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::atomic::{AtomicI32, AtomicU16, AtomicU32};

/// A position in the tree, with values for the player who moved into it. Its children are adjacent in the arena.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// The code of the move that leads to this node.
    pub word: u32,
    /// The index of the first child; 0, the root's index, if there are no children.
    pub first: u32,
    pub count: u16,
    pub proof: Option<Proof>,
    pub visits: u32,
    /// The sum of the values of all visits, and of the initial evaluation, which counts as one visit.
    pub sum: f32,
    /// The value of the best line.
    pub best: f32,
    pub prior: f32,
}

impl Node {
    /// A node of the arena that belongs to no tree.
    pub const FREE: Self =
        Self { word: 0, first: u32::MAX, count: 0, proof: None, visits: 0, sum: 0.0, best: 0.0, prior: 0.0 };

    /// A node of the arena that is given out but not written yet.
    pub const TAKEN: Self = Self { first: 0, ..Self::FREE };

    pub fn new(word: u32, prior: f32, value: f32) -> Self {
        Self { word, first: 0, count: 0, proof: None, visits: 0, sum: value, best: value, prior }
    }

    /// A new node for a move that an evaluator gave.
    #[inline]
    pub fn of_candidate<M: MoveCode>(candidate: &Candidate<M>) -> Self {
        let mut node = Self::new(candidate.mv.to_code(), candidate.prior, candidate.value);
        if let Some(outcome) = candidate.outcome {
            node.prove(Proof::of_outcome(outcome));
        }
        node
    }

    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.count != 0
    }

    /// The indices of the children.
    #[inline]
    pub fn children(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.count)
    }

    #[inline]
    pub fn mean(&self) -> f32 {
        self.sum / (self.visits as f32 + 1.0)
    }

    pub fn value(&self, best_line: f32) -> f32 {
        best_line * self.best + (1.0 - best_line) * self.mean()
    }

    /// The PUCT value of this child, whose parent's exploration weighs `puct`.
    #[inline]
    pub fn puct(&self, best_line: f32, puct: f32) -> f32 {
        let share = 1.0 / (1.0 + self.visits as f32);
        let value = best_line * self.best + (1.0 - best_line) * self.sum * share;
        value + puct * self.prior * share
    }

    /// Sets the values to the proven result.
    pub fn prove(&mut self, proof: Proof) {
        self.proof = Some(proof);
        self.best = proof.value();
        self.sum = self.best * (self.visits as f32 + 1.0);
    }
}

/// A [`Node`] in the arena. Several threads may read and change it; a thread that has the tree for itself pays nothing for
/// that.
#[derive(Debug)]
pub(crate) struct Place {
    word: AtomicU32,
    first: AtomicU32,
    count: AtomicU16,
    /// The visits that threads are making at the moment, each counted as a loss until its value is known.
    pub passing: AtomicU16,
    proof: AtomicI32,
    visits: AtomicU32,
    sum: AtomicU32,
    best: AtomicU32,
    prior: AtomicU32,
}

const _: () = assert!(size_of::<Place>() == 32);

impl Place {
    #[inline]
    pub fn new(node: Node) -> Self {
        Self {
            word: AtomicU32::new(node.word),
            first: AtomicU32::new(node.first),
            count: AtomicU16::new(node.count),
            passing: AtomicU16::new(0),
            proof: AtomicI32::new(Proof::number(node.proof)),
            visits: AtomicU32::new(node.visits),
            sum: AtomicU32::new(node.sum.to_bits()),
            best: AtomicU32::new(node.best.to_bits()),
            prior: AtomicU32::new(node.prior.to_bits()),
        }
    }

    /// The node, for a thread that has the tree for itself.
    #[inline(always)]
    pub fn get(&mut self) -> Node {
        Node {
            word: *self.word.get_mut(),
            first: *self.first.get_mut(),
            count: *self.count.get_mut(),
            proof: Proof::of_number(*self.proof.get_mut()),
            visits: *self.visits.get_mut(),
            sum: f32::from_bits(*self.sum.get_mut()),
            best: f32::from_bits(*self.best.get_mut()),
            prior: f32::from_bits(*self.prior.get_mut()),
        }
    }

    /// Writes another node, for a thread that has the tree for itself.
    #[inline(always)]
    pub fn set(&mut self, node: Node) {
        *self = Self::new(node);
    }

    /// Writes the children of a node that had none, for a thread that has the tree for itself.
    #[inline]
    pub fn set_children(&mut self, first: u32, count: u16) {
        (*self.first.get_mut(), *self.count.get_mut()) = (first, count);
    }

    /// Writes the visits, values and proof of `node`, for a thread that has the tree for itself.
    #[inline]
    pub fn set_values(&mut self, node: &Node) {
        *self.visits.get_mut() = node.visits;
        *self.sum.get_mut() = node.sum.to_bits();
        *self.best.get_mut() = node.best.to_bits();
        *self.proof.get_mut() = Proof::number(node.proof);
    }

    /// The number of the proof, for a thread that has the tree for itself.
    #[inline]
    pub fn proof(&mut self) -> i32 {
        *self.proof.get_mut()
    }

    #[inline]
    pub fn is_proven(&self) -> bool {
        self.proof.load(Relaxed) != UNPROVEN
    }

    pub fn is_free(&self) -> bool {
        self.first.load(Relaxed) == u32::MAX
    }

    /// Marks the node as given out, so that no search for free nodes finds it.
    pub fn take(&self) {
        self.first.store(0, Relaxed);
    }

    /// The node as the threads have left it so far.
    #[inline]
    pub fn load(&self) -> Node {
        let count = self.count.load(Acquire);
        let proof = Proof::of_number(self.proof.load(Acquire));
        Node {
            word: self.word.load(Relaxed),
            first: self.first.load(Relaxed),
            count,
            proof,
            visits: self.visits.load(Relaxed),
            sum: f32::from_bits(self.sum.load(Relaxed)),
            best: f32::from_bits(self.best.load(Relaxed)),
            prior: f32::from_bits(self.prior.load(Relaxed)),
        }
    }

    /// Writes a node that belongs to no tree yet.
    pub fn store(&self, node: Node) {
        self.word.store(node.word, Relaxed);
        self.first.store(node.first, Relaxed);
        self.count.store(node.count, Relaxed);
        self.passing.store(0, Relaxed);
        self.proof.store(Proof::number(node.proof), Relaxed);
        self.visits.store(node.visits, Relaxed);
        self.sum.store(node.sum.to_bits(), Relaxed);
        self.best.store(node.best.to_bits(), Relaxed);
        self.prior.store(node.prior.to_bits(), Relaxed);
    }
}

/// The greater of two values, neither of which is NaN.
#[inline]
pub(super) fn greater(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// A proven result: the score of the end for whoever moved into the node. Only the sign of a margin counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Proof(Score);

/// The number of a node without a proof, below those of all proofs.
pub(super) const UNPROVEN: i32 = i32::MIN;

impl Proof {
    pub fn of_outcome(outcome: Outcome) -> Self {
        Self(match outcome {
            Outcome::Margin(points) if points > 0 => Score::win_in(0),
            Outcome::Margin(points) if points < 0 => Score::loss_in(0),
            Outcome::Margin(_) => Score::DRAW,
            outcome => Score::of_outcome(outcome, 0),
        })
    }

    /// A proven score for whoever moved into the node.
    pub fn of_score(score: Score) -> Self {
        Self(score)
    }

    /// The proof of a parent from the numbers of its children's, whose player chooses among them. One win suffices; a draw or
    /// loss needs all children. The soonest win and the latest loss count.
    #[inline]
    pub fn of_parent(children: impl Iterator<Item = i32>) -> Option<Self> {
        let (mut best, mut all) = (UNPROVEN, true);
        for child in children {
            best = best.max(child);
            all &= child != UNPROVEN;
        }
        let best = Self::of_number(best).filter(|best| all || best.is_win())?;
        // One ply later.
        Some(Self(-Score::from_table(best.0, 1)))
    }

    #[inline]
    fn number(proof: Option<Self>) -> i32 {
        proof.map_or(UNPROVEN, |proof| proof.0.value())
    }

    #[inline]
    fn of_number(number: i32) -> Option<Self> {
        (number != UNPROVEN).then_some(Self(Score::from_value(number)))
    }

    pub fn score(self) -> Score {
        self.0
    }

    pub fn is_win(self) -> bool {
        self.0.is_win()
    }

    pub fn is_draw(self) -> bool {
        self.0 == Score::DRAW
    }

    /// −1, 0 or 1.
    fn value(self) -> f32 {
        self.0.value().signum() as f32
    }
}
