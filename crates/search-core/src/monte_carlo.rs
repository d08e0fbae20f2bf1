//! Monte-Carlo tree search: PUCT on the values and priors of any evaluator.
//!
//! An [`Evaluator`] gives the moves of a position values and priors, for example from an evaluation function, a network
//! or a random playout ([`Playouts`]). The tree has bounded memory, and the same seed and node limit give the same
//! tree. Positions with known outcomes are solved: a proof is backed up as soon as it settles a parent.
//!
//! With the feature "threads", `MonteCarlo::go_on_with` lets several threads grow one tree.
//!
//! [`flat`] is the simplest variant: a fixed number of playouts for each move, and no tree.
//!
//! ```
//! use search_core::monte_carlo::{Configuration, MonteCarlo, Playouts};
//! use search_core::testing::{Heap, Take};
//! use search_core::{Control, Limits, Stopwatch};
//!
//! let configuration = Configuration { exploration: 1.0, best_line: 0.0 };
//! let mut tree = MonteCarlo::new(Playouts::new(1), configuration, 1 << 20); // a seed, and a mebibyte for the tree
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::nodes(10_000), &clock);
//! let report = tree.think(&Heap(11), &control);
//! assert_eq!((report.best, report.proven), (Some(Take(3)), true));
//! ```
//!
//! Source: R. Coulom, "Efficient selectivity and backup operators in Monte-Carlo tree search", 2006; C. Rosin,
//! "Multi-armed bandits with episode context" (PUCT), 2011; M. Winands, Y. Björnsson, J.-T. Saito, "Monte-Carlo tree
//! search solver", 2008; M. Lanctot et al., "Monte Carlo tree search with heuristic evaluations using implicit minimax
//! backups", 2014.

mod answer;
mod arena;
mod evaluator;
mod flat;
mod node;
mod playout;
#[cfg(feature = "threads")]
mod threads;

pub use evaluator::{Candidate, Evaluator, Visited};
pub use flat::flat;
pub use playout::{Playouts, playout};

use crate::limits::Control;
use crate::position::{MoveCode, Position};
use crate::report::Report;
use crate::score::Score;
use arena::{Arena, Room};
pub(crate) use node::Place;
use node::{Node, Proof, greater};

/// The constants of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Configuration {
    /// PUCT's exploration constant: the weight of a move's prior against its value, for moves with few visits.
    pub exploration: f32,
    /// The weight of the best line's value (implicit minimax backup) against the mean of all visits. Use 0.5 or more
    /// with an accurate evaluator, and 0 with playouts, which are informative only in the mean.
    pub best_line: f32,
}

/// The score of an evaluation of 1, a certain win.
pub const CERTAIN: i32 = 10_000;

/// A callback that receives reports of a running search.
pub type Inform<'a, E> = &'a mut dyn FnMut(&Report<<<E as Evaluator>::Position as Position>::Move>);

/// The number of visits before the first report of a running search.
pub const FIRST_TOLD: u64 = 64;

/// A search tree and its evaluator. Each search starts a new tree or continues the present one.
#[derive(Debug)]
pub struct MonteCarlo<E: Evaluator> {
    /// Gives values and priors.
    pub evaluator: E,
    configuration: Configuration,
    arena: Arena,
    path: Vec<u32>,
    candidates: Vec<Candidate<<E::Position as Position>::Move>>,
}

/// The change that a visit made to a node's children.
enum Below {
    /// All children are new.
    New,
    /// One child has a new value.
    Changed { before: f32, now: f32, proven: bool },
}

impl Below {
    /// The best value of the children, which was `best`; `all` compares them all.
    #[inline(always)]
    fn best_of(&self, best: f32, all: impl FnOnce() -> f32) -> f32 {
        match *self {
            // Only one child has changed. In most cases it is the best one now, or was not the best before and is not now.
            Self::Changed { now, .. } if now >= best => now,
            Self::Changed { before, .. } if before < best => best,
            _ => all(),
        }
    }

    #[inline(always)]
    fn may_settle(&self) -> bool {
        !matches!(self, Self::Changed { proven: false, .. })
    }
}

impl<E: Evaluator> MonteCarlo<E> {
    /// An empty tree that uses at most `bytes`.
    pub fn new(evaluator: E, configuration: Configuration, bytes: usize) -> Self {
        let most_nodes = (bytes / size_of::<Place>()).clamp(1, u32::MAX as usize - 2);
        Self {
            evaluator,
            configuration,
            arena: Arena::new(most_nodes),
            path: Vec::new(),
            candidates: Vec::new(),
        }
    }

    /// Grows a new tree from `position` until `control` reaches a limit, the memory is full, or the outcome is proven.
    /// Each visit to a leaf counts as a node. The first leaf, the position itself, is always visited.
    pub fn think(
        &mut self,
        position: &E::Position,
        control: &Control<'_>,
    ) -> Report<<E::Position as Position>::Move> {
        if let Some(outcome) = position.outcome() {
            return Report { score: Score::of_outcome(outcome, 0), proven: true, ..Report::empty() };
        }
        self.arena.clear();
        self.go_on(position, control)
    }

    /// Like [`think`](Self::think), but continues the present tree. Its root must be `position`: the position of the
    /// last `think`, or one reached from it by [`advance`](Self::advance).
    pub fn go_on(
        &mut self,
        position: &E::Position,
        control: &Control<'_>,
    ) -> Report<<E::Position as Position>::Move> {
        self.grow(position, control, u64::MAX, &mut |_| {})
    }

    /// Like [`go_on`](Self::go_on), and reports to `inform` each time the number of visits has doubled, from
    /// [`FIRST_TOLD`] on.
    pub fn go_on_aloud(
        &mut self,
        position: &E::Position,
        control: &Control<'_>,
        inform: Inform<'_, E>,
    ) -> Report<<E::Position as Position>::Move> {
        self.grow(position, control, FIRST_TOLD, inform)
    }

    fn grow(
        &mut self,
        position: &E::Position,
        control: &Control<'_>,
        mut told: u64,
        inform: Inform<'_, E>,
    ) -> Report<<E::Position as Position>::Move> {
        if let Some(report) = self.begin(position) {
            return report;
        }
        while self.step(position, control) {
            if control.nodes() >= told {
                inform(&self.report(control));
                told = told.saturating_mul(2);
            }
        }
        self.report(control)
    }

    /// Starts a tree if there is none. Returns the report of a game that is over.
    fn begin(&mut self, position: &E::Position) -> Option<Report<<E::Position as Position>::Move>> {
        if let Some(outcome) = position.outcome() {
            return Some(Report { score: Score::of_outcome(outcome, 0), proven: true, ..Report::empty() });
        }
        if self.arena.is_empty() {
            self.arena.plant(Node::new(0, 1.0, 0.0));
        }
        None
    }

    /// Visits a leaf. Returns false if the search is over.
    #[inline]
    fn step(&mut self, position: &E::Position, control: &Control<'_>) -> bool {
        let stopped = control.tick().is_err();
        let root = self.arena.nodes[0].get();
        if root.is_expanded() && (stopped || root.proof.is_some()) || self.visit(position) == Room::Full {
            return false;
        }
        control.arm();
        self.arena.nodes[0].get().proof.is_none()
    }

    /// Empties the tree.
    pub fn forget(&mut self) {
        self.arena.clear();
    }

    /// Makes the position after `mv` the root, keeps its subtree and forgets the rest. Takes the same time for trees of
    /// any size. Returns false and empties the tree if that position was never expanded.
    ///
    /// ```
    /// use search_core::monte_carlo::{Configuration, MonteCarlo, Playouts};
    /// use search_core::testing::{Heap, Take};
    /// use search_core::{Control, Limits, Position, Stopwatch};
    ///
    /// let configuration = Configuration { exploration: 1.0, best_line: 0.0 };
    /// let mut tree = MonteCarlo::new(Playouts::new(1), configuration, 1 << 20);
    /// let clock = Stopwatch::start();
    /// let mut heap = Heap(40);
    /// tree.think(&heap, &Control::new(Limits::nodes(200), &clock));
    /// for mv in [Take(3), Take(1)] { // ours, and the opponent's reply
    ///     heap.play(mv);
    ///     tree.advance(mv);
    /// }
    /// let kept = tree.len();
    /// tree.go_on(&heap, &Control::new(Limits::nodes(200), &clock));
    /// assert!(kept > 0 && tree.len() > kept);
    /// ```
    pub fn advance(&mut self, mv: <E::Position as Position>::Move) -> bool {
        let word = mv.to_code();
        let children = self.root().map_or(0..0, |root| root.children());
        let child = children.into_iter().find(|&child| self.node(child).word == word);
        match child.filter(|&child| self.node(child).is_expanded()) {
            Some(child) => self.arena.make_root(child),
            None => self.arena.clear(),
        }
        !self.arena.is_empty()
    }

    /// Tells the tree the proven score of a move of the root, for the side to move there: another search has found it.
    /// `position` is the root. Proven moves are not searched any more.
    pub fn settle(&mut self, position: &E::Position, mv: <E::Position as Position>::Move, score: Score) {
        if self.begin(position).is_some() || !self.node(0).is_expanded() && self.visit(position) == Room::Full
        {
            return;
        }
        let mut root = self.arena.nodes[0].get();
        let children = &mut self.arena.nodes[root.children()];
        let Some(child) = children.iter_mut().find(|child| child.load().word == mv.to_code()) else { return };
        let mut node = child.get();
        node.prove(Proof::of_score(score));
        child.set_values(&node);
        root.best = -children.iter_mut().map(|child| child.get().best).fold(f32::NEG_INFINITY, greater);
        if let Some(proof) = Proof::of_parent(children.iter_mut().map(Place::proof)) {
            root.prove(proof);
        }
        self.arena.nodes[0].set_values(&root);
    }

    fn root(&self) -> Option<Node> {
        (!self.arena.is_empty()).then(|| self.node(0))
    }

    fn node(&self, index: usize) -> Node {
        self.arena.nodes[index].load()
    }

    /// The number of nodes in use, including dropped nodes that are not freed yet.
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// Returns whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.arena.is_empty()
    }

    /// Walks to a leaf, expands it and backs its value up, if the arena has room for the leaf's children.
    fn visit(&mut self, root: &E::Position) -> Room {
        let mut position = root.clone();
        self.path.clear();
        self.path.push(0);
        let mut here = 0;
        loop {
            let node = self.arena.nodes[here].get();
            if !node.is_expanded() {
                break;
            }
            here = self.select(&node);
            self.path.push(here as u32);
            position.play(<E::Position as Position>::Move::from_code(self.arena.nodes[here].get().word));
        }
        self.candidates.clear();
        let value = self.evaluator.evaluate(&position, &mut self.candidates);
        let room = self.arena.room(self.candidates.len());
        if let Room::At(first) = room {
            self.expand(here, first);
            self.backup(value);
            if E::OBSERVES {
                self.tell(value);
            }
        }
        room
    }

    /// Tells the observer of the visit just made.
    fn tell(&mut self, value: f32) {
        let visited = |nth: usize| {
            let node = self.node(self.path[nth] as usize);
            let mv = (nth > 0).then(|| <E::Position as Position>::Move::from_code(node.word));
            let value = node.value(self.configuration.best_line);
            Visited { mv, visits: node.visits, value, is_proven: node.proof.is_some() }
        };
        let path: Vec<_> = (0..self.path.len()).map(visited).collect();
        self.evaluator.observe(&path, &self.candidates, value);
    }

    /// Selects the child of `parent` with the largest PUCT value, skipping proven children.
    fn select(&mut self, parent: &Node) -> usize {
        let Configuration { exploration, best_line } = self.configuration;
        let puct = exploration * (parent.visits as f32).sqrt();
        let first = parent.first as usize;
        let mut best = (f32::NEG_INFINITY, first);
        for (nth, child) in self.arena.nodes[parent.children()].iter_mut().enumerate() {
            let worth = child.get().puct(best_line, puct);
            if worth > best.0 && !child.is_proven() {
                best = (worth, first + nth);
            }
        }
        debug_assert!(self.node(best.1).proof.is_none(), "a parent of proven children is proven");
        best.1
    }

    /// Expands the leaf: stores the evaluated candidates as its children, from index `first` on.
    fn expand(&mut self, leaf: usize, first: usize) {
        for (place, candidate) in self.arena.nodes[first..].iter_mut().zip(&self.candidates) {
            place.set(Node::of_candidate(candidate));
        }
        self.arena.nodes[leaf].set_children(first as u32, self.candidates.len() as u16);
    }

    /// Backs the leaf's value, which is for its side to move, up along the path.
    fn backup(&mut self, value: f32) {
        // A node stores values for the player who moved into it.
        let mut value = -value;
        let mut below = Below::New;
        for &index in self.path.iter().rev() {
            let mut node = self.arena.nodes[index as usize].get();
            let children = &mut self.arena.nodes[node.children()];
            let best = below.best_of(-node.best, || {
                children.iter_mut().map(|child| child.get().best).fold(f32::NEG_INFINITY, greater)
            });
            let proof = if below.may_settle() {
                Proof::of_parent(children.iter_mut().map(Place::proof))
            } else {
                None
            };
            let before = node.best;
            node.visits += 1;
            node.sum += value;
            node.best = -best;
            if let Some(proof) = proof {
                node.prove(proof);
                value = node.best;
            }
            self.arena.nodes[index as usize].set_values(&node);
            below = Below::Changed { before, now: node.best, proven: proof.is_some() };
            value = -value;
        }
    }

    /// The answer of the tree as it stands, with the nodes and the time of `control`. The root must have been visited.
    pub fn report(&self, control: &Control<'_>) -> Report<<E::Position as Position>::Move> {
        answer::report(&self.arena.nodes, &self.configuration, control.nodes(), control.elapsed())
    }

    /// The root's moves, each with its visits, its value for the side to move (−1 to 1), and whether that is proven.
    pub fn root_moves(&self) -> impl Iterator<Item = (<E::Position as Position>::Move, u32, f32, bool)> + '_ {
        let children = self.root().map_or(0..0, |root| root.children());
        self.arena.nodes[children].iter().map(|place| {
            let node = place.load();
            let mv = <E::Position as Position>::Move::from_code(node.word);
            (mv, node.visits, node.value(self.configuration.best_line), node.proof.is_some())
        })
    }
}
