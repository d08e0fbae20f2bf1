//! The children of a node with their proof numbers, listed in one of three ways, and the node's numbers from theirs.

use super::table::Numbers;
use super::{Estimate, Goal, Prover, Successor, Verdict, asked};
use crate::position::{MoveList, Position, Visit};
use smallvec::SmallVec;

/// A move of a node on the path, with the proof numbers of the position after it.
#[derive(Clone, Copy)]
pub(super) struct Child<M> {
    /// The table key of the position after the move, if it is not settled.
    pub key: u64,
    pub mv: M,
    /// True if the numbers are the table's, not initial ones.
    pub is_stored: bool,
    pub numbers: Numbers,
}

impl<M> Child<M> {
    /// A child with initial numbers, or a settled one.
    #[inline]
    const fn new(mv: M, numbers: Numbers) -> Self {
        Self { key: 0, mv, is_stored: false, numbers }
    }
}

pub(super) type Children<M> = SmallVec<[Child<M>; 16]>;

impl<E> Prover<E> {
    /// The moves with the known numbers of the positions after them.
    #[inline]
    pub(super) fn children<P: Position>(
        &mut self,
        position: &mut P,
        goal: Goal,
        key: u64,
        is_stored: bool,
    ) -> Children<P::Move>
    where
        E: Estimate<P>,
    {
        if E::LISTS_SUCCESSORS {
            self.children_listed(position, goal, key, is_stored)
        } else if E::FORESEES {
            self.children_foreseen(position, goal)
        } else {
            self.children_by_play(position, goal)
        }
    }

    fn children_foreseen<P: Position>(&self, position: &P, goal: Goal) -> Children<P::Move>
    where
        E: Estimate<P>,
    {
        let mut children = Children::new();
        let add = |mv| {
            let (key, (proof, disproof)) = self.estimate.foresee(position, goal, mv);
            let key = asked(key, goal.denied());
            let known = self.proofs.probe(key);
            let numbers = known.unwrap_or(Numbers { proof, disproof, plies: 0 });
            children.push(Child { key, ..Child::new(mv, numbers) });
        };
        self.estimate.candidates(position, goal, &mut Visit(add));
        children
    }

    fn children_by_play<P: Position>(&mut self, position: &mut P, goal: Goal) -> Children<P::Move>
    where
        E: Estimate<P>,
    {
        let mut moves = MoveList::new();
        self.estimate.candidates(position, goal, &mut moves);
        let goal = goal.denied();
        let mut children = Children::new();
        let mut open = SmallVec::<[(usize, u64); 16]>::new();
        for mv in moves {
            let numbers = self.after(position, mv, |prover, next| match next.outcome() {
                Some(outcome) => Numbers::at_end(goal, outcome),
                None => {
                    open.push((children.len(), prover.key(next, goal)));
                    Numbers::proved(0)
                }
            });
            children.push(Child::new(mv, numbers));
        }
        // The table is larger than any cache: all buckets are prefetched before the first is read.
        self.proofs.touch(open.iter().map(|&(_, key)| key));
        for (nth, key) in open {
            let Child { key: of, mv, numbers, .. } = &mut children[nth];
            *of = key;
            *numbers = match self.proofs.probe(key) {
                Some(known) => known,
                None => self.after(position, *mv, |prover, next| prover.first_numbers(next, goal)),
            };
        }
        children
    }

    /// The children of a node whose table key is `key`. If the table lacks the node, it holds hardly any child (fewer
    /// than one in a hundred in ultimate tic-tac-toe), so they are not looked up; a child that it does hold gets its
    /// numbers when it is searched.
    fn children_listed<P: Position>(
        &self,
        position: &P,
        goal: Goal,
        key: u64,
        is_stored: bool,
    ) -> Children<P::Move>
    where
        E: Estimate<P>,
    {
        let denied = goal.denied();
        let mut children = Children::new();
        // The table is larger than any cache: buckets are prefetched while the moves are generated.
        let touch = |key| self.proofs.touch(std::iter::once(key));
        if !is_stored {
            touch(key);
        }
        self.estimate.successors(position, goal, |mv, successor| {
            let child = match successor {
                Successor::Settled { is_reached, plies } => Child::new(
                    mv,
                    if is_reached { Numbers::proved(plies) } else { Numbers::disproved(plies) },
                ),
                Successor::Open { key, proof, disproof } => {
                    let key = asked(key, denied);
                    // Moves that lead to the same position are counted once: counted twice, it would seem twice as hard
                    // to refute.
                    let is_first = children.iter().all(|child: &Child<_>| child.key != key);
                    if is_first && is_stored {
                        touch(key);
                    }
                    let numbers =
                        if is_first { Numbers { proof, disproof, plies: 0 } } else { Numbers::proved(0) };
                    Child { key, ..Child::new(mv, numbers) }
                }
            };
            children.push(child);
        });
        if !is_stored {
            if self.proofs.probe(key).is_none() {
                return children;
            }
            self.proofs.touch(children.iter().map(|child| child.key));
        }
        for child in &mut children {
            if child.numbers.verdict() == Verdict::Unknown
                && let Some(known) = self.proofs.probe(child.key)
            {
                (child.numbers, child.is_stored) = (known, true);
            }
        }
        children
    }
}

/// A node's numbers, the index of its easiest child, and the proof number of the second easiest.
pub(super) fn gather<M>(children: &[Child<M>]) -> (Numbers, usize, u32) {
    let mut proof = Numbers::INFINITE;
    let mut second = Numbers::INFINITE;
    let mut best = 0;
    let mut disproof = 0_u32;
    for (nth, child) in children.iter().enumerate() {
        let Numbers { proof: child_proof, disproof: child_disproof, .. } = child.numbers;
        // Branch-free: the easiest child cannot be predicted.
        second = second.min(proof.max(child_disproof));
        best = if child_disproof < proof { nth } else { best };
        proof = proof.min(child_disproof);
        disproof = disproof.saturating_add(child_proof);
    }
    if disproof >= Numbers::INFINITE {
        // Infinite only if some child is proven for the opponent, and then this node is settled.
        disproof = if proof == 0 { Numbers::INFINITE } else { Numbers::INFINITE - 1 };
    }
    (Numbers { proof, disproof, plies: 0 }, best, second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Heap;

    /// Gives all positions the same key.
    struct OneClass;

    impl Estimate<Heap> for OneClass {
        const LISTS_SUCCESSORS: bool = true;

        fn key(&self, _: &Heap) -> u64 {
            7
        }

        fn estimate(&self, _: &Heap, _: Goal) -> (u32, u32) {
            (5, 2)
        }
    }

    #[test]
    fn moves_to_one_class_count_once() {
        let prover = Prover::with_estimate(OneClass, 1 << 10);
        let children = prover.children_listed(&Heap(21), Goal::Win, 7, true);
        assert_eq!(children.len(), 3);
        let (numbers, best, _) = gather(&children);
        assert_eq!((numbers.proof, numbers.disproof, best), (2, 5, 0));
    }
}
