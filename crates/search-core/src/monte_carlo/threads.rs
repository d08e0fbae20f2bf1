//! The tree search on several threads, which grow one tree.
//!
//! A visit counts as lost in each node of its path until its value is known (virtual loss), so that other threads look
//! elsewhere. The nodes have no locks: a leaf belongs to the thread that claimed it, and its children are seen by all once
//! they are written. Only free memory is given out under a lock.
//!
//! Source: G. Chaslot, M. Winands, H. J. van den Herik, "Parallel Monte-Carlo tree search", 2008; M. Enzenberger, M. Müller,
//! "A lock-free multithreaded Monte-Carlo tree search algorithm", 2009.

use super::answer::report;
use super::arena::{Arena, Blocks, Room};
use super::node::{Node, Place, Proof, greater};
use super::{Below, Candidate, Configuration, Evaluator, FIRST_TOLD, Inform, MonteCarlo};
use crate::limits::Control;
use crate::position::{MoveCode, Position};
use crate::report::Report;
use crate::threads::Crew;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::yield_now;

/// The least number of nodes that the arena gets for a round.
const GROWN: usize = 1 << 16;

impl<E: Evaluator> MonteCarlo<E> {
    /// Like [`go_on_aloud`](Self::go_on_aloud), with the threads of `crew`. `evaluator` creates that of a helper, whose
    /// number it gets: 1 for the first. Evaluators with a random generator each need a seed of their own.
    ///
    /// The limits apply to this thread, and the others stop with it; the report has the visits of all. Which moves they
    /// explore differs from run to run, so neither the tree nor the answer is always the same. A proof is one in any case.
    pub fn go_on_with(
        &mut self,
        position: &E::Position,
        control: &Control<'_>,
        crew: &Crew,
        evaluator: impl FnMut(usize) -> E,
        inform: Inform<'_, E>,
    ) -> Report<<E::Position as Position>::Move>
    where
        E: Send,
        E::Position: Sync,
    {
        if crew.threads() == 1 {
            return self.go_on_aloud(position, control, inform);
        }
        if let Some(report) = self.begin(position) {
            return report;
        }
        // This thread alone gives the root its children: there is an answer whatever the limits.
        while !self.arena.nodes[0].get().is_expanded() {
            if !self.step(position, control) {
                return self.report(control);
            }
        }
        control.arm();
        let helpers = Mutex::new((1..crew.threads()).map(evaluator).collect::<Vec<_>>());
        let (visits, mut told) = (AtomicU64::new(control.nodes()), FIRST_TOLD);
        loop {
            let most = self.arena.len();
            self.arena.grow(most.max(GROWN), 0);
            let Arena { nodes, blocks } = &mut self.arena;
            let nodes = &nodes[..];
            let tree = Tree {
                nodes,
                blocks: Mutex::new(blocks),
                configuration: self.configuration,
                root: position,
                visits: &visits,
                short: AtomicBool::new(false),
                full: AtomicBool::new(false),
            };
            let help = |done: &AtomicBool| {
                let Some(mut evaluator) = locked(&helpers, Vec::pop) else { return };
                let mut walker = Walker::new(&mut evaluator);
                while !done.load(Relaxed) && tree.has_work() {
                    tree.visit(&mut walker);
                }
                locked(&helpers, |helpers| helpers.push(evaluator));
            };
            let lead = || {
                let mut walker = Walker::new(&mut self.evaluator);
                while tree.has_work() {
                    if control.tick().is_err() {
                        return true;
                    }
                    tree.visit(&mut walker);
                    let visits = visits.load(Relaxed);
                    if visits >= told {
                        inform(&report(nodes, &self.configuration, visits, control.elapsed()));
                        told = told.max(visits).saturating_mul(2);
                    }
                }
                false
            };
            let (stopped, _) = crew.run(help, lead);
            if stopped || tree.full.load(Relaxed) || nodes[0].is_proven() {
                break;
            }
        }
        report(&self.arena.nodes, &self.configuration, visits.load(Relaxed), control.elapsed())
    }
}

/// Calls `work` with what a mutex guards. A thread that panics leaves it whole.
fn locked<T, R>(mutex: &Mutex<T>, work: impl FnOnce(&mut T) -> R) -> R {
    work(&mut mutex.lock().unwrap_or_else(PoisonError::into_inner))
}

/// A tree that several threads grow, until it needs more memory.
struct Tree<'a, P> {
    nodes: &'a [Place],
    blocks: Mutex<&'a mut Blocks>,
    configuration: Configuration,
    root: &'a P,
    visits: &'a AtomicU64,
    /// True once the arena must get more nodes.
    short: AtomicBool,
    /// True once the arena may get no more nodes.
    full: AtomicBool,
}

/// A thread's own part of the search.
struct Walker<'a, E: Evaluator> {
    evaluator: &'a mut E,
    path: Vec<u32>,
    candidates: Vec<Candidate<<E::Position as Position>::Move>>,
}

impl<'a, E: Evaluator> Walker<'a, E> {
    fn new(evaluator: &'a mut E) -> Self {
        Self { evaluator, path: Vec::new(), candidates: Vec::new() }
    }
}

impl<P: Position> Tree<'_, P> {
    fn has_work(&self) -> bool {
        !self.nodes[0].is_proven() && !self.short.load(Relaxed) && !self.full.load(Relaxed)
    }

    /// Walks to a leaf, expands it and backs its value up. Where another thread has the leaf, or there is no room, leaves the
    /// tree as it was.
    fn visit<E: Evaluator<Position = P>>(&self, walker: &mut Walker<'_, E>) {
        let mut position = self.root.clone();
        walker.path.clear();
        walker.path.push(0);
        let mut here = 0;
        let claim = loop {
            let place = &self.nodes[here];
            let children = place.children();
            if children.is_empty() {
                match place.claim() {
                    Some(claim) => break claim,
                    // Another thread has just expanded it.
                    None if !place.children().is_empty() => continue,
                    None => return self.give_up(&walker.path),
                }
            }
            let Some(child) = self.select(here, children) else {
                self.settle(&walker.path);
                return self.give_up(&walker.path);
            };
            self.nodes[child].passing.fetch_add(1, Relaxed);
            walker.path.push(child as u32);
            position.play(P::Move::from_code(self.nodes[child].word()));
            here = child;
        };
        walker.candidates.clear();
        let value = walker.evaluator.evaluate(&position, &mut walker.candidates);
        let candidates = &walker.candidates;
        debug_assert!(!candidates.is_empty(), "a game that is not over has a move");
        let room = locked(&self.blocks, |blocks| {
            let room = blocks.room(self.nodes, candidates.len());
            if let Room::At(first) = room {
                for (place, candidate) in self.nodes[first..].iter().zip(candidates) {
                    place.store(Node::of_candidate(candidate));
                }
            }
            room
        });
        match room {
            Room::At(first) => {
                claim.expand(first as u32, candidates.len() as u16);
                self.back_up(&walker.path, value);
                self.visits.fetch_add(1, Relaxed);
                return;
            }
            Room::Later => {}
            Room::Short => self.short.store(true, Relaxed),
            Room::Full => self.full.store(true, Relaxed),
        }
        drop(claim);
        self.give_up(&walker.path);
    }

    /// Selects the child of `parent` with the largest PUCT value, skipping proven children. `None` if all are proven.
    fn select(&self, parent: usize, children: Range<usize>) -> Option<usize> {
        let Configuration { exploration, best_line } = self.configuration;
        let puct = exploration * (self.nodes[parent].visits() as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, None);
        for child in children {
            let place = &self.nodes[child];
            let worth = place.puct(best_line, puct);
            if worth > best.0 && !place.is_proven() {
                best = (worth, Some(child));
            }
        }
        best.1
    }

    /// Backs the leaf's value, which is for its side to move, up along the path.
    fn back_up(&self, path: &[u32], value: f32) {
        // A node stores values for the player who moved into it.
        let mut value = -value;
        let mut below = Below::New;
        for &index in path.iter().rev() {
            let place = &self.nodes[index as usize];
            let children = &self.nodes[place.children()];
            let before = place.best();
            let best =
                below.best_of(-before, || children.iter().map(Place::best).fold(f32::NEG_INFINITY, greater));
            place.count_visit(value, -best);
            let settled = if below.may_settle() { proof_of(children) } else { None };
            // Another thread may have proven it: that proof stays.
            if let Some(proof) = settled.or_else(|| if place.is_proven() { place.load().proof } else { None })
            {
                place.prove(proof);
                value = place.best();
            }
            below = Below::Changed { before, now: place.best(), proven: place.is_proven() };
            value = -value;
        }
        self.leave(path);
    }

    /// Proves the end of the path, all of whose children are proven, and what follows from it. Two threads may each have
    /// proven a child without seeing the other's proof.
    fn settle(&self, path: &[u32]) {
        for &index in path.iter().rev() {
            let place = &self.nodes[index as usize];
            let Some(proof) = proof_of(&self.nodes[place.children()]) else { break };
            place.prove(proof);
        }
    }

    /// Takes a visit back that came to nothing, and lets other threads work.
    fn give_up(&self, path: &[u32]) {
        self.leave(path);
        yield_now();
    }

    fn leave(&self, path: &[u32]) {
        for &index in &path[1..] {
            self.nodes[index as usize].passing.fetch_sub(1, Relaxed);
        }
    }
}

fn proof_of(children: &[Place]) -> Option<Proof> {
    Proof::of_parent(children.iter().map(Place::number))
}

#[cfg(test)]
mod tests {
    use super::super::Playouts;
    use super::*;
    use crate::testing::Heap;
    use crate::{Limits, Stopwatch};

    const CONFIGURATION: Configuration = Configuration { exploration: 1.0, best_line: 0.3 };

    #[test]
    fn no_visit_is_lost_and_none_is_under_way_at_the_end() {
        let visits = if cfg!(miri) { 100 } else { 4_000 };
        for (threads, heap) in [(2, 60), (3, 61), (4, 62)] {
            let clock = Stopwatch::start();
            let control = Control::new(Limits::nodes(visits), &clock);
            let mut tree = MonteCarlo::new(Playouts::new(1), CONFIGURATION, 1 << 24);
            let evaluator = |number| Playouts::new(1 + number as u64);
            let report = tree.go_on_with(&Heap(heap), &control, &Crew::new(threads), evaluator, &mut |_| {});
            let nodes: Vec<_> = tree.arena.nodes.iter().map(|place| (place.load(), place)).collect();
            assert_eq!(u64::from(nodes[0].0.visits), report.nodes);
            for (node, place) in nodes.iter().filter(|(node, _)| node.is_expanded()) {
                let below: u32 = nodes[node.children()].iter().map(|(child, _)| child.visits).sum();
                assert_eq!(node.visits, below + 1, "the first visit gave it its children");
                assert!(node.sum.abs() <= node.visits as f32 + 1.0 && place.passing.load(Relaxed) == 0);
            }
        }
    }

    /// Two threads that each prove one of two children, and do not see the other's proof.
    #[test]
    fn a_node_whose_children_are_all_proven_is_settled_by_the_next_visit() {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::nodes(1), &clock);
        let mut tree = MonteCarlo::new(Playouts::new(1), CONFIGURATION, 1 << 24);
        tree.go_on(&Heap(60), &control);
        for child in tree.arena.nodes[0].children() {
            tree.arena.nodes[child].prove(Proof::of_outcome(crate::Outcome::Draw));
        }
        let free = Control::new(Limits::nodes(1_000), &clock);
        let report = tree.go_on_with(&Heap(60), &free, &Crew::new(2), |_| Playouts::new(2), &mut |_| {});
        assert!(report.proven && report.score == crate::Score::DRAW, "{report:?}");
    }
}
