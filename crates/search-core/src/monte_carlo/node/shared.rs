//! Changes of a tree's node by several threads at once.

use super::{Node, Place, Proof};
use std::ops::Range;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

/// The number of passing threads of a node that one thread owns.
const OWNED: u16 = 1 << 15;

impl Place {
    /// The indices of the children. Who sees them sees what was written to them before.
    #[inline]
    pub fn children(&self) -> Range<usize> {
        let count = usize::from(self.count.load(Acquire));
        let first = self.first.load(Relaxed) as usize;
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

    /// Returns true while a thread owns this node and all below it.
    #[inline]
    pub fn is_owned(&self) -> bool {
        self.passing.load(Relaxed) >= OWNED
    }

    /// Lets the calling thread alone change this node and all below it, until the result is dropped. `None` if another thread
    /// owns it or passes through it.
    #[inline]
    pub fn own(&self) -> Option<Owned<'_>> {
        self.passing.compare_exchange(0, OWNED, Acquire, Relaxed).ok().map(|_| Owned(self))
    }

    /// Lets the calling thread pass to the children, among other threads. False if one owns the node.
    #[inline]
    pub fn pass(&self) -> bool {
        let may = self.passing.fetch_add(1, Acquire) < OWNED;
        if !may {
            self.leave();
        }
        may
    }

    /// Ends what [`pass`](Self::pass) began.
    #[inline]
    pub fn leave(&self) {
        self.passing.fetch_sub(1, Release);
    }

    /// Gives an owned leaf its children, which have been written.
    #[inline]
    pub fn expand(&self, first: u32, count: u16) {
        self.first.store(first, Relaxed);
        self.count.store(count, Release);
    }

    /// Counts visits with this sum of values, and sets the value of the best line. Other threads may do so at once if the
    /// node is `SHARED`.
    #[inline]
    pub fn count_visits<const SHARED: bool>(&self, visits: u32, value: f32, best: f32) {
        if SHARED {
            self.visits.fetch_add(visits, Relaxed);
            let add = |sum| Some((f32::from_bits(sum) + value).to_bits());
            // The closure always returns a sum.
            let _ = self.sum.fetch_update(Relaxed, Relaxed, add);
        } else {
            self.visits.store(self.visits() + visits, Relaxed);
            let sum = f32::from_bits(self.sum.load(Relaxed));
            self.sum.store((sum + value).to_bits(), Relaxed);
        }
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

/// The right to change a node and all below it.
pub(crate) struct Owned<'a>(&'a Place);

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        // Others may be about to leave again.
        self.0.passing.fetch_sub(OWNED, Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owned_node_is_owned_by_one_thread_and_passed_by_none() {
        let place = Place::new(Node::new(0, 1.0, 0.0));
        let owned = place.own();
        assert!(owned.is_some() && place.is_owned());
        assert!(place.own().is_none() && !place.pass());
        drop(owned);
        assert!(place.pass() && place.pass() && !place.is_owned());
        assert!(place.own().is_none(), "two threads are below it");
        place.leave();
        place.leave();
        assert!(place.own().is_some());
    }
}
