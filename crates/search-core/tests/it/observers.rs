//! Observers of the three searches: what they are told follows from the rules of each search, and changes no result.

use crate::games::{DagGame, DagHeuristics, Edge};
use search_core::alpha_beta::{NodeKind, Order, Origin, Step};
use search_core::monte_carlo::{Candidate, Configuration, Evaluator, MonteCarlo, Playouts, Visited};
use search_core::proof::{self, Estimate, Goal, Mobility, Prover};
use search_core::testing::random_positions;
use search_core::{
    Bound, Control, Heuristics, Limits, Options, Position, Score, Search, Stopwatch, Table, Window,
};

/// A node on the path: its window, its best value so far, the move being tried, and the value of that move.
#[derive(Debug)]
struct Open {
    window: Window,
    best: Score,
    tried: Option<Edge>,
    returned: Option<Score>,
}

/// Follows alpha-beta by its steps.
#[derive(Debug, Default)]
struct Follower {
    path: Vec<Open>,
    nodes: u64,
    iterations: u32,
    origins: [u32; 5],
    orders: [u32; 3],
}

impl Follower {
    fn follow(&mut self, position: &DagGame, ply: usize, step: Step<Edge>) {
        match step {
            Step::Entered { kind, window, .. } => {
                assert_eq!(self.path.len(), ply, "a node is entered below the nodes of its path");
                self.iterations += u32::from(kind == NodeKind::Root);
                self.nodes += 1;
                self.path.push(Open { window, best: -Score::INFINITY, tried: None, returned: None });
            }
            Step::Found(entry) => {
                assert_eq!(entry.bound.settles(entry.score, Window::FULL), entry.bound == Bound::Exact)
            }
            Step::Tried { mv, order, .. } => {
                self.take();
                self.orders[order as usize] += 1;
                assert!(position.is_legal(mv));
                self.path.last_mut().unwrap().tried = Some(mv);
            }
            Step::Raised { mv, score } => {
                let node = self.path.last_mut().unwrap();
                assert_eq!((node.tried, node.returned), (Some(mv), Some(score)));
                assert!(score > node.window.alpha);
                node.window.alpha = score;
            }
            Step::Left { score, by } => {
                self.take();
                self.origins[by as usize] += 1;
                let node = self.path.pop().unwrap();
                if by == Origin::Moves {
                    assert_eq!(score, node.best);
                }
                if let Some(parent) = self.path.last_mut() {
                    parent.returned = Some(-score);
                }
            }
        }
    }

    /// Takes over the value of the move that was tried last.
    fn take(&mut self) {
        if let Some(node) = self.path.last_mut() {
            let value = node.returned.take();
            node.best = value.map_or(node.best, |value| node.best.max(value));
        }
    }
}

impl Heuristics for Follower {
    type Position = DagGame;
    type Frame = ();
    const OBSERVES: bool = true;
    const REDUCES: bool = DagHeuristics::REDUCES;

    fn observe(search: &mut Search<'_, Self>, step: Step<Edge>) {
        let (position, ply) = (search.position, search.ply);
        search.heuristics.follow(&position, ply, step);
    }
    fn evaluate(&mut self, position: &DagGame) -> Score {
        DagHeuristics.evaluate(position)
    }
}

#[test]
fn the_steps_of_alpha_beta_are_those_of_a_search_that_nobody_observes() {
    let (mut origins, mut orders) = ([0; 5], [0; 3]);
    for seed in 0..10 {
        for position in random_positions(&DagGame::new(seed), seed, 3, 4) {
            let clock = Stopwatch::start();
            let think = |options| {
                let (table, control) = (Table::with_bytes(1 << 12), Control::new(Limits::depth(6), &clock));
                let plain =
                    Search::new(DagHeuristics, position, &table, &control, options).think(&mut |_| {});
                let (table, control) = (Table::with_bytes(1 << 12), Control::new(Limits::depth(6), &clock));
                let mut search = Search::new(Follower::default(), position, &table, &control, options);
                let report = search.think(&mut |_| {});
                assert_eq!((report.score, report.nodes), (plain.score, plain.nodes));
                assert_eq!(report.principal_variation, plain.principal_variation);
                assert_eq!((search.heuristics.nodes, search.heuristics.path.len()), (report.nodes, 0));
                assert_eq!(search.heuristics.iterations, report.depth as u32);
                search.heuristics
            };
            think(Options { aspiration: None, ..Options::STRONG });
            let exact = think(Options::EXACT);
            (0..5).for_each(|nth| origins[nth] += exact.origins[nth]);
            (0..3).for_each(|nth| orders[nth] += exact.orders[nth]);
        }
    }
    let [outcome, leaf, table, _, moves] = origins;
    assert!(outcome > 0 && leaf > 0 && table > 0 && moves > 0, "{origins:?}");
    assert!(orders[Order::Table as usize] > 0 && orders[Order::Killer as usize] > 0, "{orders:?}");
}

/// Random playouts, and the visits so far.
struct Growing {
    playouts: Playouts<DagGame>,
    visits: u64,
    sizes: Vec<usize>,
}

impl Evaluator for Growing {
    type Position = DagGame;
    const OBSERVES: bool = true;

    fn evaluate(&mut self, position: &DagGame, candidates: &mut Vec<Candidate<Edge>>) -> f32 {
        self.playouts.evaluate(position, candidates)
    }
    fn observe(&mut self, path: &[Visited<Edge>], children: &[Candidate<Edge>], value: f32) {
        self.visits += 1;
        assert_eq!((path[0].mv, u64::from(path[0].visits)), (None, self.visits));
        assert!(path[1..].iter().all(|node| node.mv.is_some()));
        assert!(path.windows(2).all(|pair| pair[0].visits > pair[1].visits), "{path:?}");
        assert_eq!((path.last().unwrap().visits, value.abs() <= 1.0), (1, true));
        self.sizes.push(children.len());
    }
}

#[test]
fn every_visit_of_a_monte_carlo_tree_is_told() {
    let clock = Stopwatch::start();
    let configuration = Configuration { exploration: 1.0, best_line: 0.0 };
    let limits = Limits::nodes(300);
    let mut visits = 0;
    for seed in 0..10 {
        let start = DagGame::new(seed);
        let evaluator = Growing { playouts: Playouts::new(1), visits: 0, sizes: Vec::new() };
        let mut observed = MonteCarlo::new(evaluator, configuration, 1 << 20);
        let report = observed.think(&start, &Control::new(limits, &clock));
        let mut plain = MonteCarlo::new(Playouts::new(1), configuration, 1 << 20);
        let unobserved = plain.think(&start, &Control::new(limits, &clock));
        assert_eq!((report.best, report.score), (unobserved.best, unobserved.score));
        assert_eq!(report.nodes, unobserved.nodes);
        let sizes = &observed.evaluator.sizes;
        assert_eq!(sizes.iter().sum::<usize>() + 1, observed.len(), "a visit adds the children of its leaf");
        visits += observed.evaluator.visits;
    }
    assert!(visits > 500, "{visits}");
}

/// Proof numbers by mobility, checked at every step.
#[derive(Default)]
struct Checked {
    path: Vec<Goal>,
    last: Option<[u32; 2]>,
    entered: u64,
}

impl Estimate<DagGame> for Checked {
    const OBSERVES: bool = true;

    fn estimate(&self, position: &DagGame, goal: Goal) -> (u32, u32) {
        Mobility.estimate(position, goal)
    }
    fn observe(&mut self, position: &DagGame, step: proof::Step<'_, Edge>) {
        match step {
            proof::Step::Entered { goal, .. } => {
                assert!(self.path.last().is_none_or(|&above| above != goal), "the goals alternate");
                self.path.push(goal);
                self.entered += 1;
            }
            proof::Step::Compared { children, numbers, best } => {
                assert!(children.iter().all(|&(mv, _)| position.is_legal(mv)));
                let easiest = children.iter().map(|&(_, [_, disproof])| disproof).min();
                assert_eq!((Some(numbers[0]), Some(children[best].1[1])), (easiest, easiest));
                let sum = children.iter().map(|&(_, [proof, _])| proof).sum::<u32>();
                assert_eq!(numbers[1], sum.min(proof::INFINITE), "{children:?}");
                self.last = Some(numbers);
            }
            proof::Step::Left { numbers } => {
                assert_eq!(Some(numbers), self.last);
                self.path.pop();
            }
        }
    }
}

#[test]
fn the_numbers_of_a_proof_follow_from_those_of_the_children() {
    let clock = Stopwatch::start();
    for seed in 0..10 {
        let control = Control::new(Limits::default(), &clock);
        let mut observed = Prover::with_estimate(Checked::default(), 1 << 20);
        let verdict = observed.prove(&mut DagGame::new(seed), Goal::Win, 20_000, &control);
        let mut plain = Prover::with_estimate(Mobility, 1 << 20);
        assert_eq!(plain.prove(&mut DagGame::new(seed), Goal::Win, 20_000, &control), verdict);
        assert!(observed.estimate.entered > 0 && observed.estimate.path.is_empty());
    }
}
