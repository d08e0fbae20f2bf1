//! Changes of a tree's node by several threads at once.

use super::{Node, Place, Proof};
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// The first child of a leaf that a thread expands at the moment.
const CLAIMED: u32 = u32::MAX - 1;

impl Place {
    /// The indices of the children. Who sees them sees what was written to them before.
    #[inline]
    pub fn children(&self) -> Range<usize> {
        let count = usize::from(self.count.load(Acquire));
        // Without children, the first may be a claim.
        let first = if count == 0 { 0 } else { self.first.load(Relaxed) as usize };
        first..first + count
    }

    /// The code of the move that leads to this node.
    #[inline]
    pub fn word(&self) -> u32 {
        self.word.load(Relaxed)
    }

    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// The value of the best line.
    #[inline]
    pub fn best(&self) -> f32 {
        f32::from_bits(self.best.load(Relaxed))
    }

    /// The PUCT value of this child, in which each visit under way is a loss.
    #[inline]
    pub fn puct(&self, best_line: f32, puct: f32) -> f32 {
        let passing = self.passing.load(Relaxed);
        let (sum, prior) = (self.sum.load(Relaxed), self.prior.load(Relaxed));
        let node = Node {
            visits: self.visits() + u32::from(passing),
            sum: f32::from_bits(sum) - f32::from(passing),
            best: self.best(),
            prior: f32::from_bits(prior),
            ..Node::FREE
        };
        node.puct(best_line, puct)
    }

    /// The number of the proof, as the threads have left it so far.
    #[inline]
    pub fn number(&self) -> i32 {
        self.proof.load(Relaxed)
    }

    /// Lets the calling thread alone expand this leaf, until it has or the claim is dropped. `None` if another one does, or
    /// has.
    pub fn claim(&self) -> Option<Claim<'_>> {
        self.first.compare_exchange(0, CLAIMED, Relaxed, Relaxed).ok().map(|_| Claim(self))
    }

    /// Counts a visit of this value, and sets the value of the best line.
    pub fn count_visit(&self, value: f32, best: f32) {
        self.visits.fetch_add(1, Relaxed);
        let add = |sum| Some((f32::from_bits(sum) + value).to_bits());
        // The closure always returns a sum.
        let _ = self.sum.fetch_update(Relaxed, Relaxed, add);
        self.best.store(best.to_bits(), Relaxed);
    }

    /// Sets the values to a proven result. Another thread may prove the same node: both proofs hold.
    pub fn prove(&self, proof: Proof) {
        let mut node = self.load();
        node.prove(proof);
        self.best.store(node.best.to_bits(), Relaxed);
        self.sum.store(node.sum.to_bits(), Relaxed);
        self.proof.store(Proof::number(node.proof), Release);
    }
}

/// The right to expand a leaf.
pub(in crate::monte_carlo) struct Claim<'a>(&'a Place);

impl Claim<'_> {
    /// Gives the leaf its children, which have been written.
    pub fn expand(self, first: u32, count: u16) {
        self.0.first.store(first, Relaxed);
        self.0.count.store(count, Release);
    }
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        // Fails if the leaf has its children.
        let _ = self.0.first.compare_exchange(CLAIMED, 0, Relaxed, Relaxed);
    }
}
