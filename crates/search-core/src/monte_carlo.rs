//! Monte-Carlo tree search: PUCT on the values and priors of any evaluator.
//!
//! An [`Evaluator`] gives the moves of a position values and priors, for example from an evaluation function, a network
//! or a random playout ([`Playouts`]). The tree has bounded memory, and the same seed and node limit give the same
//! tree. Positions with known outcomes are solved: a proof is backed up as soon as it settles a parent.
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

mod arena;
mod evaluator;
mod flat;
mod node;
mod playout;

pub use evaluator::{Candidate, Evaluator};
pub use flat::flat;
pub use playout::{Playouts, playout, worth};

use crate::limits::Control;
use crate::position::{MoveCode, Position};
use crate::report::{Line, Report};
use crate::score::{Depth, Score};
use arena::{Arena, Room};
use node::{End, Node, Proof};

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
    nodes: Arena,
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

impl<E: Evaluator> MonteCarlo<E> {
    /// An empty tree that uses at most `bytes`.
    pub fn new(evaluator: E, configuration: Configuration, bytes: usize) -> Self {
        let most_nodes = (bytes / size_of::<Node>()).clamp(1, u32::MAX as usize);
        Self {
            evaluator,
            configuration,
            nodes: Arena::new(most_nodes),
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
        self.nodes.clear();
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
        if let Some(outcome) = position.outcome() {
            return Report { score: Score::of_outcome(outcome, 0), proven: true, ..Report::empty() };
        }
        if self.nodes.is_empty() {
            self.nodes.plant(Node::new(0, 1.0, 0.0));
        }
        loop {
            let stopped = control.tick().is_err();
            let is_answered = self.nodes[0].is_expanded();
            if is_answered && (stopped || self.nodes[0].proof.is_some()) || self.visit(position) == Room::Full
            {
                break;
            }
            control.arm();
            if self.nodes[0].proof.is_some() {
                break;
            }
            if control.nodes() >= told {
                inform(&self.report(control));
                told = told.saturating_mul(2);
            }
        }
        self.report(control)
    }

    /// Empties the tree.
    pub fn forget(&mut self) {
        self.nodes.clear();
    }

    /// Makes the position after `mv` the root, keeps its subtree and forgets the rest. Takes the same time for trees of
    /// any size. Returns false and empties the tree if that position was never expanded.
    pub fn advance(&mut self, mv: <E::Position as Position>::Move) -> bool {
        let word = mv.to_code();
        let children = self.root().map_or(0..0, Node::children);
        let child = children.into_iter().find(|&child| self.nodes[child].word == word);
        match child.filter(|&child| self.nodes[child].is_expanded()) {
            Some(child) => self.nodes.make_root(child),
            None => self.nodes.clear(),
        }
        !self.nodes.is_empty()
    }

    fn root(&self) -> Option<&Node> {
        (!self.nodes.is_empty()).then(|| &self.nodes[0])
    }

    /// The number of nodes in use, including dropped nodes that are not freed yet.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the tree is empty.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Walks to a leaf, expands it and backs its value up, if the arena has room for the leaf's children.
    fn visit(&mut self, root: &E::Position) -> Room {
        let mut position = root.clone();
        self.path.clear();
        self.path.push(0);
        let mut here = 0;
        while self.nodes[here].is_expanded() {
            here = self.select(here);
            self.path.push(here as u32);
            position.play(<E::Position as Position>::Move::from_code(self.nodes[here].word));
        }
        self.candidates.clear();
        let value = self.evaluator.evaluate(&position, &mut self.candidates);
        let room = self.nodes.room(self.candidates.len());
        if let Room::At(first) = room {
            self.expand(here, first);
            self.backup(value);
        }
        room
    }

    /// Selects the child of `parent` with the largest PUCT value, skipping proven children.
    fn select(&self, parent: usize) -> usize {
        let Configuration { exploration, best_line } = self.configuration;
        let node = &self.nodes[parent];
        let puct = exploration * (node.visits as f32).sqrt();
        let first = node.first as usize;
        let mut best = (f32::NEG_INFINITY, first);
        for (nth, child) in self.nodes[first..first + usize::from(node.count)].iter().enumerate() {
            let share = 1.0 / (1.0 + child.visits as f32);
            let value = best_line * child.best + (1.0 - best_line) * child.sum * share;
            let worth = value + puct * child.prior * share;
            if worth > best.0 && child.proof.is_none() {
                best = (worth, first + nth);
            }
        }
        debug_assert!(self.nodes[best.1].proof.is_none(), "a parent of proven children is proven");
        best.1
    }

    /// Expands the leaf: stores the evaluated candidates as its children, from index `first` on.
    fn expand(&mut self, leaf: usize, first: usize) {
        for (index, candidate) in (first..).zip(&self.candidates) {
            let mut node = Node::new(candidate.mv.to_code(), candidate.prior, candidate.value);
            if let Some(outcome) = candidate.outcome {
                node.prove(Proof::of_outcome(outcome));
            }
            self.nodes[index] = node;
        }
        self.nodes[leaf].first = first as u32;
        self.nodes[leaf].count = self.candidates.len() as u16;
    }

    /// Backs the leaf's value, which is for its side to move, up along the path.
    fn backup(&mut self, value: f32) {
        // A node stores values for the player who moved into it.
        let mut value = -value;
        let mut below = Below::New;
        for &index in self.path.iter().rev() {
            let node = &self.nodes[index as usize];
            let children = &self.nodes[node.first as usize..node.first as usize + usize::from(node.count)];
            let best = match below {
                // Only one child has changed. In most cases it is the best one now, or was not the best before and is
                // not now.
                Below::Changed { now, .. } if now >= -node.best => now,
                Below::Changed { before, .. } if before < -node.best => -node.best,
                _ => children.iter().map(|child| child.best).fold(f32::NEG_INFINITY, f32::max),
            };
            let may_settle = !matches!(below, Below::Changed { proven: false, .. });
            let proof =
                if may_settle { Proof::of_parent(children.iter().map(|child| child.proof)) } else { None };
            let node = &mut self.nodes[index as usize];
            let before = node.best;
            node.visits += 1;
            node.sum += value;
            node.best = -best;
            if let Some(proof) = proof {
                node.prove(proof);
                value = node.best;
            }
            below = Below::Changed { before, now: node.best, proven: proof.is_some() };
            value = -value;
        }
    }

    fn report(&self, control: &Control<'_>) -> Report<<E::Position as Position>::Move> {
        let mut line = Line::new();
        let mut here = 0;
        while self.nodes[here].is_expanded() {
            here = self.final_move(here);
            line.push(<E::Position as Position>::Move::from_code(self.nodes[here].word));
        }
        let root = &self.nodes[0];
        // The root stores values for the player who does not move.
        let score = match root.proof.map(|proof| proof.reversed()) {
            Some(proof) => proof.score(),
            None => {
                let child = &self.nodes[self.final_move(0)];
                Score::new((child.value(self.configuration.best_line) * CERTAIN as f32) as i32)
            }
        };
        Report {
            best: line.first().copied(),
            score,
            depth: line.len() as Depth,
            nodes: control.nodes(),
            elapsed: control.elapsed(),
            principal_variation: line,
            proven: root.proof.is_some(),
        }
    }

    /// Selects the child to play: the soonest proven win, otherwise the child with the most visits. A proven draw is
    /// preferred to that child if it looks lost. Proven losses come last, the latest first.
    fn final_move(&self, parent: usize) -> usize {
        let node = &self.nodes[parent];
        let first = node.first as usize;
        let children = &self.nodes[first..first + usize::from(node.count)];
        let rank = |child: &Node| match child.proof.map(|proof| (proof.end, proof.rank())) {
            Some((End::Win, rank)) => (2, rank, 0),
            Some((End::Loss, rank)) => (0, rank, 0),
            Some((End::Draw, _)) => (1, 0, 0),
            None => (1, 0, child.visits),
        };
        // The first of equals, so that the answer is well defined.
        let best = (0..children.len()).rev().max_by_key(|&nth| rank(&children[nth])).unwrap_or(0);
        let draw = children.iter().position(|child| child.proof.is_some_and(|proof| proof.end == End::Draw));
        let looks_lost =
            |child: &Node| child.proof.is_none() && child.value(self.configuration.best_line) < 0.0;
        first + draw.filter(|_| looks_lost(&children[best])).unwrap_or(best)
    }

    /// The root's moves, each with its visits, its value for the side to move (−1 to 1), and whether that is proven.
    pub fn root_moves(&self) -> impl Iterator<Item = (<E::Position as Position>::Move, u32, f32, bool)> + '_ {
        let root = self.root();
        let first = root.map_or(0, |root| root.first as usize);
        let count = root.map_or(0, |root| usize::from(root.count));
        self.nodes[first..first + count].iter().map(|node| {
            let mv = <E::Position as Position>::Move::from_code(node.word);
            (mv, node.visits, node.value(self.configuration.best_line), node.proof.is_some())
        })
    }
}
