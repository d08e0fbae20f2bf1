//! The tree search on several threads, which grow one tree.
//!
//! Threads that change the same nodes wait for each other's caches, which costs more than a visit. So a thread takes a
//! small subtree for itself, makes several visits below it, and only then changes the nodes above, all at once. Other
//! threads pass such a subtree by, and count each thread that is below a node as a loss there (virtual loss). The nodes
//! have no locks, and only free memory is given out under one.
//!
//! Source: G. Chaslot, M. Winands, H. J. van den Herik, "Parallel Monte-Carlo tree search", 2008; M. Enzenberger, M. Müller,
//! "A lock-free multithreaded Monte-Carlo tree search algorithm", 2009; K. Yoshizoe, A. Kishimoto, T. Kaneko, H. Yoshimoto,
//! Y. Ishikawa, "Scalable distributed Monte-Carlo tree search", 2011.

use super::answer::report;
use super::arena::{Arena, Blocks, Room};
use super::node::{Node, Place, Proof, greater};
use super::{Below, Candidate, Configuration, Evaluator, FIRST_TOLD, Inform, MonteCarlo};
use crate::limits::Control;
use crate::position::{MoveCode, Position};
use crate::report::Report;
use crate::threads::{Apart, Crew};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::yield_now;

/// The least number of nodes that the arena gets for a round.
const GROWN: usize = 1 << 16;
/// The fresh nodes that a thread gets at once.
const RESERVED: usize = 1 << 10;
/// A thread takes a node for itself that has at most this share of the root's visits, so that others find work elsewhere,
const SHARE: u32 = 16;
/// and at most this number of visits.
const FEW: u32 = 512;
/// Each time it makes one visit for this number that the node has. With 16, two processors that share no cache lose a tenth
/// of their visits; 4, 8 and 16 are equally strong at equal visits.
const A_VISIT: u32 = 4;

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
        let Apart(visits) = &Apart(AtomicU64::new(control.nodes()));
        let mut told = FIRST_TOLD;
        loop {
            let most = self.arena.len();
            if !self.arena.grow_to_most() {
                self.arena.grow(most.max(GROWN), 0);
            }
            let Arena { nodes, blocks } = &mut self.arena;
            let nodes = &nodes[..];
            let Apart(tree) = &Apart(Tree {
                nodes,
                blocks: Apart(Mutex::new(blocks)),
                configuration: self.configuration,
                root: position.clone(),
                visits,
                short: AtomicBool::new(false),
                full: AtomicBool::new(false),
            });
            let help = |done: &AtomicBool| {
                let Some(mut evaluator) = locked(&helpers, Vec::pop) else { return };
                let mut walker = Walker::new(&mut evaluator);
                while !done.load(Relaxed) && tree.has_work() {
                    tree.visit(&mut walker, || !done.load(Relaxed));
                }
                locked(&tree.blocks.0, |blocks| blocks.take_back(walker.part, nodes));
                locked(&helpers, |helpers| helpers.push(evaluator));
            };
            let lead = || {
                let mut walker = Walker::new(&mut self.evaluator);
                let mut stopped = false;
                while !stopped && tree.has_work() {
                    tree.visit(&mut walker, || {
                        stopped = control.tick().is_err();
                        !stopped
                    });
                    let visits = visits.load(Relaxed);
                    if visits >= told {
                        inform(&report(nodes, &self.configuration, visits, control.elapsed()));
                        told = told.max(visits).saturating_mul(2);
                    }
                }
                locked(&tree.blocks.0, |blocks| blocks.take_back(walker.part, nodes));
                stopped
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
    blocks: Apart<Mutex<&'a mut Blocks>>,
    configuration: Configuration,
    root: P,
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
    /// Nodes of the arena that only this thread gives out.
    part: Blocks,
}

impl<'a, E: Evaluator> Walker<'a, E> {
    fn new(evaluator: &'a mut E) -> Self {
        Self { evaluator, path: Vec::new(), candidates: Vec::new(), part: Blocks::part() }
    }
}

impl<P: Position> Tree<'_, P> {
    fn has_work(&self) -> bool {
        !self.nodes[0].is_proven() && !self.short.load(Relaxed) && !self.full.load(Relaxed)
    }

    /// Walks down to a node with few visits and takes it for this thread. Then visits leaves below it while `goes_on`
    /// returns true, and adds their values to the path. The tree stays unchanged if other threads own all nodes that may
    /// be visited, or if no room is left for new nodes.
    fn visit<E: Evaluator<Position = P>>(
        &self,
        walker: &mut Walker<'_, E>,
        mut goes_on: impl FnMut() -> bool,
    ) {
        let mut position = self.root.clone();
        walker.path.clear();
        walker.path.push(0);
        let few = (self.nodes[0].visits() / SHARE).min(FEW);
        let mut here = 0;
        let owned = loop {
            let children = self.nodes[here].children();
            let Some(child) = self.select(here, children) else {
                self.settle(&walker.path);
                self.leave(&walker.path);
                goes_on();
                return yield_now();
            };
            let place = &self.nodes[child];
            let owned = if place.visits() <= few { place.own() } else { None };
            if owned.is_none() && !place.pass() {
                // Another thread has just taken it.
                continue;
            }
            position.play(P::Move::from_code(place.word()));
            walker.path.push(child as u32);
            if let Some(owned) = owned {
                break owned;
            }
            here = child;
        };
        let upper = walker.path.len() - 1;
        let top = &self.nodes[walker.path[upper] as usize];
        let before = top.best();
        let (mut visits, mut sum) = (0, 0.0);
        while visits < (top.visits() / A_VISIT).max(1) && !top.is_proven() && goes_on() {
            walker.path.truncate(upper + 1);
            let Some(value) = self.visit_alone(walker, upper, position.clone()) else { break };
            (visits, sum) = (visits + 1, sum + value);
        }
        let below = Below::Changed { before, now: top.best(), proven: top.is_proven() };
        drop(owned);
        walker.path.truncate(upper);
        if visits > 0 {
            self.back_up::<true>(&walker.path, visits, sum, below);
            self.visits.fetch_add(u64::from(visits), Relaxed);
        }
        self.leave(&walker.path);
    }

    /// Visits a leaf below `path[upper]`, which this thread owns. Returns the value for the parent of `path[upper]`, `None`
    /// if no room is left for new nodes.
    fn visit_alone<E: Evaluator<Position = P>>(
        &self,
        walker: &mut Walker<'_, E>,
        upper: usize,
        mut position: P,
    ) -> Option<f32> {
        let mut here = walker.path[upper] as usize;
        loop {
            let children = self.nodes[here].children();
            if children.is_empty() {
                break;
            }
            here = self.select(here, children)?;
            walker.path.push(here as u32);
            position.play(P::Move::from_code(self.nodes[here].word()));
        }
        walker.candidates.clear();
        let value = walker.evaluator.evaluate(&position, &mut walker.candidates);
        debug_assert!(!walker.candidates.is_empty(), "a game that is not over has a move");
        match self.room(walker) {
            Room::At(first) => {
                for (place, candidate) in self.nodes[first..].iter().zip(&walker.candidates) {
                    place.store(Node::of_candidate(candidate));
                }
                self.nodes[here].expand(first as u32, walker.candidates.len() as u16);
                return Some(self.back_up::<false>(&walker.path[upper..], 1, -value, Below::New));
            }
            Room::Later => {}
            Room::Short => self.short.store(true, Relaxed),
            Room::Full => self.full.store(true, Relaxed),
        }
        None
    }

    /// A block for the walker's candidates, from its own nodes or from those of all.
    fn room<E: Evaluator<Position = P>>(&self, walker: &mut Walker<'_, E>) -> Room {
        let (count, part) = (walker.candidates.len(), &mut walker.part);
        if let Some(first) = part.own_room(self.nodes, count) {
            return Room::At(first);
        }
        locked(&self.blocks.0, |blocks| {
            blocks.lend(part, self.nodes, RESERVED);
            part.own_room(self.nodes, count).map_or_else(|| blocks.room(self.nodes, count), Room::At)
        })
    }

    /// Selects the child of `parent` with the largest PUCT value, skipping proven children and those that threads own.
    fn select(&self, parent: usize, children: Range<usize>) -> Option<usize> {
        let Configuration { exploration, best_line } = self.configuration;
        let puct = exploration * (self.nodes[parent].visits() as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, None);
        for child in children {
            let place = &self.nodes[child];
            let worth = place.puct(best_line, puct);
            if worth > best.0 && !place.is_proven() && !place.is_owned() {
                best = (worth, Some(child));
            }
        }
        best.1
    }

    /// Backs the values of some visits up along the path. `sum` is for the player who moved into its last node; returns that
    /// for the node above its first.
    fn back_up<const SHARED: bool>(&self, path: &[u32], visits: u32, mut sum: f32, mut below: Below) -> f32 {
        for &index in path.iter().rev() {
            let place = &self.nodes[index as usize];
            let children = &self.nodes[place.children()];
            let before = place.best();
            let best =
                below.best_of(-before, || children.iter().map(Place::best).fold(f32::NEG_INFINITY, greater));
            place.count_visits::<SHARED>(visits, sum, -best);
            let settled = if below.may_settle() { proof_of(children) } else { None };
            // Another thread may have proven it: that proof stays.
            if let Some(proof) = settled.or_else(|| if place.is_proven() { place.load().proof } else { None })
            {
                place.prove(proof);
                sum = place.best() * visits as f32;
            }
            below = Below::Changed { before, now: place.best(), proven: place.is_proven() };
            sum = -sum;
        }
        sum
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

    /// Takes back that this thread passes through the path.
    fn leave(&self, path: &[u32]) {
        for &index in &path[1..] {
            self.nodes[index as usize].leave();
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
    use crate::testing::{Heap, Take};
    use crate::{Limits, Stopwatch};

    const CONFIGURATION: Configuration = Configuration { exploration: 1.0, best_line: 0.3 };
    const BYTES: usize = if cfg!(miri) { 1 << 16 } else { 1 << 24 };

    #[test]
    fn no_visit_is_lost_and_none_is_under_way_at_the_end() {
        let visits = if cfg!(miri) { 40 } else { 4_000 };
        for (threads, heap) in [(2, 60), (3, 61), (4, 62)] {
            let clock = Stopwatch::start();
            let control = Control::new(Limits::nodes(visits), &clock);
            let mut tree = MonteCarlo::new(Playouts::new(1), CONFIGURATION, BYTES);
            let evaluator = |number| Playouts::new(1 + number as u64);
            let report = tree.go_on_with(&Heap(heap), &control, &Crew::new(threads), evaluator, &mut |_| {});
            assert_eq!(u64::from(tree.arena.nodes[0].load().visits), report.nodes);
            assert_whole(&tree);
        }
    }

    /// The visits of a node are those of its children and the one that made them, and nobody is under way.
    fn assert_whole<E: Evaluator>(tree: &MonteCarlo<E>) {
        let nodes: Vec<_> = tree.arena.nodes.iter().map(|place| (place.load(), place)).collect();
        for (node, place) in nodes.iter().filter(|(node, _)| node.is_expanded()) {
            let below: u32 = nodes[node.children()].iter().map(|(child, _)| child.visits).sum();
            assert_eq!(node.visits, below + 1, "the first visit gave it its children");
            assert!(node.sum.abs() <= node.visits as f32 + 1.0 && place.passing.load(Relaxed) == 0);
        }
    }

    /// The nodes of moves that were not played are used again, each by one thread.
    #[test]
    #[cfg_attr(miri, ignore = "a game of thousands of visits takes minutes")]
    fn a_full_arena_is_used_again_over_a_game() {
        let mut tree = MonteCarlo::new(Playouts::new(1), CONFIGURATION, 1 << 17);
        let (mut heap, mut visited) = (100, 0);
        while heap > 60 {
            let clock = Stopwatch::start();
            let control = Control::new(Limits::nodes(1_500), &clock);
            let evaluator = |number| Playouts::new(1 + number as u64);
            let report = tree.go_on_with(&Heap(heap), &control, &Crew::new(3), evaluator, &mut |_| {});
            visited += report.nodes;
            assert_whole(&tree);
            let Take(count) = report.best.expect("a heap has a move");
            heap -= count;
            tree.advance(Take(count));
        }
        let nodes = tree.arena.nodes.len() as u64;
        assert!(visited > 2 * nodes, "{visited} visits, each with some nodes, in {nodes}");
    }

    /// Each visit notes the root's visits when it begins, which change only when a thread backs its values up.
    #[test]
    #[cfg_attr(miri, ignore = "a tree of thousands of visits takes minutes")]
    fn a_thread_makes_several_visits_before_it_changes_the_nodes_that_others_use() {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::nodes(2_000), &clock);
        let mut evaluator = Playouts::new(1);
        let mut tree = MonteCarlo::new(Playouts::new(1), CONFIGURATION, BYTES);
        tree.go_on(&Heap(60), &control);
        assert!(tree.arena.grow_to_most());
        let (root, before) = (Heap(60), tree.arena.nodes[0].load().visits);
        let visits = AtomicU64::new(0);
        let Arena { nodes, blocks } = &mut tree.arena;
        let tree = Tree {
            nodes,
            blocks: Apart(Mutex::new(blocks)),
            configuration: CONFIGURATION,
            root,
            visits: &visits,
            short: AtomicBool::new(false),
            full: AtomicBool::new(false),
        };
        let mut walker = Walker::new(&mut evaluator);
        let mut seen = Vec::new();
        for _ in 0..100 {
            tree.visit(&mut walker, || {
                seen.push(tree.nodes[0].visits());
                true
            });
        }
        let made = seen.len() as u32;
        seen.dedup();
        assert!(
            tree.nodes[0].visits() == before + made && made > 3 * seen.len() as u32,
            "{made} {}",
            seen.len()
        );
    }

    /// Two threads that each prove one of two children, and do not see the other's proof.
    #[test]
    fn a_node_whose_children_are_all_proven_is_settled_by_the_next_visit() {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::nodes(1), &clock);
        let mut tree = MonteCarlo::new(Playouts::new(1), CONFIGURATION, BYTES);
        tree.go_on(&Heap(60), &control);
        for child in tree.arena.nodes[0].children() {
            tree.arena.nodes[child].prove(Proof::of_outcome(crate::Outcome::Draw));
        }
        let free = Control::new(Limits::nodes(if cfg!(miri) { 50 } else { 1_000 }), &clock);
        let report = tree.go_on_with(&Heap(60), &free, &Crew::new(2), |_| Playouts::new(2), &mut |_| {});
        assert!(report.proven && report.score == crate::Score::DRAW, "{report:?}");
    }
}
