//! Fixed searches of fixed positions, with their nodes and answers. A change to either changes how games are played,
//! and must say so.

use crate::assembly::{Observer, Pruner, Selective};
use crate::games::{Corner, DagGame, DagHeuristics, Edge, mix};
use search_core::monte_carlo::{Candidate, Configuration, Evaluator, MonteCarlo, Playouts, flat};
use search_core::proof::{Estimate, Goal, Mobility, Prover};
use search_core::testing::random_positions;
use search_core::{
    Control, Depth, Heuristics, Limits, MoveCode, Options, Position, Report, Search, Stopwatch, Table,
    TableCut,
};

/// The nodes of several searches, and a hash of all their answers.
#[derive(Debug, Default, PartialEq)]
struct Signature {
    nodes: u64,
    answers: u64,
}

impl Signature {
    fn add(&mut self, number: impl Into<i64>) {
        self.answers = mix(self.answers ^ number.into() as u64);
    }

    fn add_report(&mut self, report: &Report<Edge>) {
        self.add(report.score.value());
        self.add(i64::from(report.depth));
        self.add(report.proven);
        report.principal_variation.iter().for_each(|mv| self.add(mv.to_code()));
    }
}

/// One search object goes from position to position, as a player's does from move to move.
fn deepened<E: Heuristics<Position = DagGame>>(
    heuristics: E,
    options: Options,
    then: impl Fn(&mut Search<'_, E>, &mut Signature),
) -> (u64, u64) {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(8), &clock);
    let table = Table::with_bytes(1 << 14);
    let mut search = Search::new(heuristics, DagGame::new(0), &table, &control, options);
    let mut signature = Signature::default();
    for seed in 0..6 {
        for position in random_positions(&DagGame::new(seed), seed, 3, 3) {
            search.position = position;
            then(&mut search, &mut signature);
        }
    }
    (control.nodes(), signature.answers >> 40)
}

#[test]
fn alpha_beta() {
    let think = |options| {
        deepened(DagHeuristics, options, |search, signature| signature.add_report(&search.think(&mut |_| {})))
    };
    let exact = Options::EXACT;
    let found = [
        ("plain", think(Options::PLAIN)),
        ("exact", think(exact)),
        ("strong", think(Options::STRONG)),
        ("aspiration", think(Options { aspiration: Some(5), ..exact })),
        ("two plies a step", think(Options { step: 2, ..exact })),
        ("no killers", think(Options { killers: false, ..exact })),
        ("no history", think(Options { history: false, ..exact })),
        ("entries at least as deep", think(Options { table_cut: TableCut::AtLeast, ..exact })),
        (
            "frames and fractions",
            deepened(Observer::default(), exact, |search, signature| {
                signature.add_report(&search.think(&mut |_| {}));
            }),
        ),
    ];
    let expected = [
        ("plain", (13665, 9014762)),
        ("exact", (7410, 12400315)),
        ("strong", (4214, 605303)),
        ("aspiration", (9296, 7498467)),
        ("two plies a step", (4590, 3964862)),
        ("no killers", (7165, 13351559)),
        ("no history", (7418, 11345260)),
        ("entries at least as deep", (4204, 16506141)),
        ("frames and fractions", (7295, 5019578)),
    ];
    assert_eq!(found, expected);
}

/// Values and priors drawn by a hash.
struct Drawn;

impl Evaluator for Drawn {
    type Position = DagGame;

    fn evaluate(&mut self, position: &DagGame, candidates: &mut Vec<Candidate<Edge>>) -> f32 {
        let of = |key: u64| (mix(key) % 2000) as f32 / 1000.0 - 1.0;
        for (nth, mv) in position.move_list().into_iter().enumerate() {
            let mut next = *position;
            next.play(mv);
            let outcome = next.outcome().map(|outcome| outcome.reversed());
            let prior = 0.5_f32.powi(nth as i32 + 1);
            candidates.push(Candidate { mv, value: -of(next.key()), prior, outcome });
        }
        of(position.key())
    }
}

fn grown(growth: Configuration, nodes: u64) -> (u64, u64) {
    let mut signature = Signature::default();
    for seed in 0..10 {
        for mut position in random_positions(&DagGame::new(seed), seed, 2, 2) {
            let mut tree = MonteCarlo::new(Drawn, growth, 1 << 20);
            // The tree continues from the chosen move.
            for _ in 0..4 {
                let clock = Stopwatch::start();
                let control = Control::new(Limits::nodes(nodes), &clock);
                let report = tree.go_on(&position, &control);
                signature.add_report(&report);
                for (mv, visits, value, proven) in tree.root_moves() {
                    signature.add(mv.to_code());
                    signature.add(visits);
                    signature.add((value * 1e4) as i32);
                    signature.add(proven);
                }
                signature.nodes += tree.len() as u64;
                let Some(best) = report.best else { break };
                position.play(best);
                signature.add(tree.advance(best));
                signature.nodes += tree.len() as u64;
            }
        }
    }
    (signature.nodes, signature.answers >> 40)
}

/// The signature of a search by `heuristics`.
fn thought<E: Heuristics<Position = DagGame>>(heuristics: E, options: Options) -> (u64, u64) {
    deepened(heuristics, options, |search, signature| signature.add_report(&search.think(&mut |_| {})))
}

#[test]
fn the_hooks_of_alpha_beta() {
    let (exact, strong) = (Options::EXACT, Options::STRONG);
    let three = Options { step: 3, ..exact };
    let found = [
        ("frames, no history", thought(Observer::default(), Options { history: false, ..exact })),
        ("frames, strong", thought(Observer::default(), strong)),
        ("extended and left out", thought(Selective::default(), strong)),
        ("moves left out", thought(Pruner::<false>, exact)),
        ("moves left out of nodes that are not lost", thought(Pruner::<true>, exact)),
        ("three plies a step", thought(DagHeuristics, three)),
    ];
    let expected = [
        ("frames, no history", (7458, 11345260)),
        ("frames, strong", (4228, 8636691)),
        ("extended and left out", (4462, 3218855)),
        ("moves left out", (4133, 3256522)),
        ("moves left out of nodes that are not lost", (4156, 3256522)),
        ("three plies a step", (3972, 9726959)),
    ];
    assert_eq!(found, expected);
}

/// [`Mobility`]'s numbers, with the default listing of successors.
struct Copied;

impl Estimate<DagGame> for Copied {
    const LISTS_SUCCESSORS: bool = true;

    fn estimate(&self, position: &DagGame, goal: Goal) -> (u32, u32) {
        Mobility.estimate(position, goal)
    }
}

/// Gives the keys after moves, and initial numbers from a hash.
struct Foreseen;

impl Estimate<DagGame> for Foreseen {
    const FORESEES: bool = true;

    fn estimate(&self, _: &DagGame, _: Goal) -> (u32, u32) {
        (1, 1)
    }
    fn foresee(&self, position: &DagGame, _: Goal, mv: Edge) -> (u64, (u32, u32)) {
        let mut next = *position;
        next.play(mv);
        let key = next.key();
        (key, (1 + (mix(key) % 4) as u32, 1 + (mix(!key) % 3) as u32))
    }
}

fn proven<E: Estimate<DagGame>>(estimate: impl Fn() -> E, bytes: usize) -> (u64, u64) {
    let clock = Stopwatch::start();
    let mut signature = Signature::default();
    for seed in 0..12 {
        for mut position in random_positions(&DagGame::new(seed), seed, 3, 5) {
            let control = Control::new(Limits::default(), &clock);
            let mut prover = Prover::with_estimate(estimate(), bytes);
            prover.solve(&mut position, 1 << 16, &control);
            signature.nodes += control.nodes();
            for goal in [Goal::Win, Goal::Draw] {
                signature.add(prover.known(&position, goal) as i64);
                signature.add(prover.plies(&position, goal));
                prover.line(&mut position, goal).iter().for_each(|mv| signature.add(mv.to_code()));
            }
        }
    }
    (signature.nodes, signature.answers >> 40)
}

#[test]
fn proofs() {
    let found = [
        ("played", proven(|| Mobility, 1 << 16)),
        ("successors listed", proven(|| Copied, 1 << 16)),
        ("foreseen", proven(|| Foreseen, 1 << 16)),
        ("in eight buckets", proven(|| Mobility, 1000)),
        ("in one bucket", proven(|| Mobility, 64)),
    ];
    let expected = [
        ("played", (3595, 16321233)),
        ("successors listed", (3426, 13025026)),
        ("foreseen", (5483, 3645300)),
        ("in eight buckets", (5944, 14130404)),
        ("in one bucket", (51028, 13693845)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn playouts() {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let (mut sampled, mut tree) = (Signature::default(), Signature::default());
    for seed in 0..60 {
        for position in random_positions(&DagGame::new(seed), seed, 20, 14) {
            sampled.add_report(&flat(&position, 4, seed, &control));
        }
        for position in random_positions(&DagGame::new(seed), seed, 1, 4) {
            let configuration = Configuration { exploration: 1.0, best_line: 0.2 };
            let mut grown = MonteCarlo::new(Playouts::new(seed), configuration, 1 << 16);
            tree.add_report(&grown.think(&position, &Control::new(Limits::nodes(60), &clock)));
            tree.nodes += grown.len() as u64;
        }
    }
    sampled.nodes = control.nodes();
    let found = [sampled, tree].map(|signature| (signature.nodes, signature.answers >> 40));
    assert_eq!(found, [(14440, 13867269), (10011, 15908325)]);
}

#[test]
fn monte_carlo() {
    let growth = |exploration, best_line| Configuration { exploration, best_line };
    let found = [
        ("means", grown(growth(1.0, 0.0), 200)),
        ("half the best line", grown(growth(1.4, 0.5), 200)),
        ("the best line", grown(growth(0.3, 1.0), 200)),
    ];
    let expected = [
        ("means", (145378, 7223622)),
        ("half the best line", (102234, 14508774)),
        ("the best line", (135234, 4629623)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_tree_goes_on_after_moves_that_grew_and_begins_anew_after_others() {
    let all = (0..20).flat_map(|seed| random_positions(&DagGame::new(seed), seed, 20, 2));
    let position = all.into_iter().find(|position| position.move_list().len() >= 5).unwrap();
    let clock = Stopwatch::start();
    let grow = |tree: &mut MonteCarlo<Drawn>, nodes| {
        tree.go_on(&position, &Control::new(Limits::nodes(nodes), &clock))
    };
    let mut tree = MonteCarlo::new(Drawn, Configuration { exploration: 1.0, best_line: 0.5 }, 1 << 20);
    assert!(tree.is_empty());
    grow(&mut tree, 3);
    assert!(!tree.is_empty() && tree.len() > 1);
    let untried = tree.root_moves().find(|&(_, visits, ..)| visits == 0).map(|(mv, ..)| mv).unwrap();
    assert!(!tree.advance(untried) && tree.is_empty(), "nothing has grown there");
    let best = grow(&mut tree, 300).best.unwrap();
    let whole = tree.len();
    let visits = tree.root_moves().find(|&(mv, ..)| mv == best).map(|(_, visits, ..)| visits).unwrap();
    assert!(tree.advance(best) && tree.len() < whole);
    let below: u32 = tree.root_moves().map(|(_, visits, ..)| visits).sum();
    assert_eq!(below + 1, visits, "every visit to the move but the first went on below it");
    tree.forget();
    assert!(tree.is_empty() && !tree.advance(best));
    // A game that is over has no tree.
    let over = Corner { squares: 0 };
    let mut tree =
        MonteCarlo::new(Playouts::new(1), Configuration { exploration: 1.0, best_line: 0.0 }, 1 << 10);
    let report = tree.think(&over, &Control::new(Limits::nodes(9), &clock));
    assert_eq!((report.best, report.proven, tree.is_empty()), (None, true, true));
}

#[test]
fn the_depth_of_a_report_is_that_asked_for() {
    let clock = Stopwatch::start();
    let table = Table::with_bytes(1 << 14);
    for depth in 1..=5 as Depth {
        let control = Control::new(Limits::depth(depth), &clock);
        let position = DagGame::new(2);
        let report =
            Search::new(DagHeuristics, position, &table, &control, Options::EXACT).think(&mut |_| {});
        assert!(report.depth == depth || report.proven, "{report:?}");
    }
}
