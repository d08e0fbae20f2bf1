//! The optional parts of alpha-beta: frames, fractional depths, verification searches, the best root moves.

use crate::games::{DagGame, DagHeuristics, Edge};
use search_core::alpha_beta::{NodeType, Pv, Verification};
use search_core::testing::{agrees_with_negamax, random_positions, repeats_exactly};
use search_core::{
    Bound, Control, Depth, Heuristics, Limits, MoveCode, Node, Options, Plan, Position, Report, Score,
    Search, Searched, Stopwatch, Table, Window, negamax,
};

/// All value-preserving options, and checks of the frames against the path.
#[derive(Debug, Default)]
pub struct Observer {
    path: Vec<Edge>,
    /// The static value after each move of the path.
    values: Vec<Score>,
}

impl Heuristics for Observer {
    type Position = DagGame;
    type Frame = usize;
    const ONE_PLY: Depth = 16;
    const FRAMES: bool = true;
    const COUNTERMOVES: bool = true;

    fn played(&mut self, mv: Edge, _: &DagGame, now: &DagGame) {
        self.path.push(mv);
        self.values.push(DagHeuristics.evaluate(now));
    }
    fn undone(&mut self) {
        self.path.pop();
        self.values.pop();
    }
    fn evaluate(&mut self, position: &DagGame) -> Score {
        DagHeuristics.evaluate(position)
    }
    fn before_moves<K: NodeType>(search: &mut Search<'_, Self>, _: &Node<Edge>) -> Searched<Option<Score>> {
        let frames = &search.frames[1..=search.ply];
        assert!(frames.iter().map(|frame| frame.mv).eq(search.heuristics.path.iter().map(|&mv| Some(mv))));
        assert!(search.frames[search.ply].excluded.is_none());
        let value = search.static_value();
        assert_eq!(value, DagHeuristics.evaluate(&search.position));
        // The root's static value is never computed, so two plies after it nothing counts as improving.
        let before = search.ply.checked_sub(3).map(|before| search.heuristics.values[before]);
        assert_eq!(search.is_improving(), before.is_some_and(|before| value > before));
        search.frames[search.ply].own += 1;
        Ok(None)
    }
}

#[test]
fn frames_fractions_and_countermoves_keep_the_value() {
    for seed in 0..15 {
        let positions = random_positions(&DagGame::new(seed), seed, 4, 4);
        agrees_with_negamax(&positions, 1..=5, |_| Observer::default());
    }
}

fn with_search<E: Heuristics, T>(
    heuristics: E,
    position: E::Position,
    limits: Limits,
    then: impl FnOnce(&mut Search<'_, E>) -> T,
) -> T {
    let clock = Stopwatch::start();
    let control = Control::new(limits, &clock);
    let table = Table::with_bytes(1 << 18);
    then(&mut Search::new(heuristics, position, &table, &control, Options::EXACT))
}

/// Every move with its value, best first.
fn ranked(position: &DagGame, depth: Depth) -> Vec<(Score, Edge)> {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let value = |mv| {
        let mut next = *position;
        next.play(mv);
        let evaluate = &mut |position: &DagGame| DagHeuristics.evaluate(position);
        -negamax(&mut next, depth - 1, 1, &control, evaluate).unwrap().0
    };
    let mut ranked: Vec<_> = position.move_list().into_iter().map(|mv| (value(mv), mv)).collect();
    ranked.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    ranked
}

#[test]
fn a_search_without_a_move_is_worth_the_best_of_the_others() {
    for position in random_positions(&DagGame::new(6), 6, 40, 5) {
        let ranked = ranked(&position, 3);
        // The node itself may be searched deeper than its verification search.
        let node = Node { window: Window::FULL, depth: 5 * Observer::ONE_PLY, key: 0, entry: None };
        for &(_, excluded) in &ranked {
            let others = ranked.iter().filter(|&&(_, mv)| mv != excluded).map(|&(score, _)| score).max();
            for alpha in [-50, 0, 50].map(Score::new) {
                let found = with_search(Observer::default(), position, Limits::default(), |search| {
                    let depth = 3 * Observer::ONE_PLY;
                    let found = search.without(excluded, &node, Window::above(alpha), depth).unwrap();
                    assert!(search.frames[0].excluded.is_none() && search.picker.is_empty());
                    assert!(search.frames.iter().skip(1).any(|frame| frame.own > 0) || ranked.len() < 2);
                    found
                });
                match others {
                    Some(others) => assert_eq!(found > alpha, others > alpha, "{position:?}"),
                    None => assert_eq!(found, alpha),
                }
            }
        }
    }
}

/// Extends and reduces by fractions of a ply, and skips moves.
#[derive(Debug, Default)]
pub struct Selective {
    extended: usize,
    fractions: usize,
}

impl Heuristics for Selective {
    type Position = DagGame;
    type Frame = ();
    const ONE_PLY: Depth = 8;
    const FRAMES: bool = true;

    fn evaluate(&mut self, position: &DagGame) -> Score {
        DagHeuristics.evaluate(position)
    }
    fn depth_at<K: NodeType>(search: &Search<'_, Self>, node: &Node<Edge>) -> Depth {
        assert!(search.ply > 0);
        node.depth - Depth::from(node.entry.is_none())
    }
    fn plan<K: NodeType>(
        search: &mut Search<'_, Self>,
        node: &Node<Edge>,
        mv: Edge,
        nth: usize,
    ) -> Searched<Plan> {
        search.heuristics.fractions += usize::from(node.depth % Self::ONE_PLY != 0);
        let depth = node.depth - Self::ONE_PLY;
        if let Some(entry) = node.entry.filter(|entry| entry.best == Some(mv))
            && !K::PV
            && !K::VERIFIES
            && node.depth >= 3 * Self::ONE_PLY
            && entry.bound == Bound::Lower
        {
            let others = search.without(mv, node, Window::below(entry.score - 20), node.depth / 2)?;
            let singular = others < entry.score - 20;
            search.heuristics.extended += usize::from(singular);
            return Ok(Plan::to(depth + if singular { 5 } else { 0 }));
        }
        Ok(if nth >= 5 { Plan::Skip } else { Plan::Search { depth, reduction: 3 * nth as Depth } })
    }
}

#[test]
fn a_selective_search_repeats_itself_and_uses_every_hook() {
    let positions = random_positions(&DagGame::new(3), 1, 20, 6);
    repeats_exactly(&positions, 5_000, Options::STRONG, |_| Selective::default());
    let mut totals = [0; 2];
    for &position in &positions {
        with_search(Selective::default(), position, Limits::depth(7), |search| {
            let report = search.think(&mut |_| {});
            assert!(position.is_legal(report.best.unwrap()));
            let Selective { extended, fractions } = search.heuristics;
            for (total, here) in totals.iter_mut().zip([extended, fractions]) {
                *total += here;
            }
        });
    }
    assert!(totals.iter().all(|&total| total > 0), "{totals:?}");
}

#[test]
fn what_is_excluded_at_the_root_is_neither_played_nor_stored() {
    for position in random_positions(&DagGame::new(7), 3, 30, 4) {
        let ranked = ranked(&position, 3);
        if ranked.len() < 2 {
            continue;
        }
        with_search(DagHeuristics, position, Limits::depth(3), |search| {
            search.root_excluded.push(ranked[0].1);
            let report = search.think(&mut |_| {});
            assert_eq!(report.score, ranked[1].0);
            assert_eq!(ranked.iter().find(|&&(_, mv)| Some(mv) == report.best).unwrap().0, ranked[1].0);
            assert_eq!(search.table.probe(position.key(), 0), None);
            search.root_excluded.clear();
            assert_eq!(search.value(Window::FULL, 3), Ok(ranked[0].0));
        });
    }
}

#[test]
fn a_search_that_is_stopped_answers_no_worse_than_the_iteration_before() {
    let mut partial = 0;
    for position in random_positions(&DagGame::new(12), 5, 30, 4) {
        let best = ranked(&position, 3)[0].1;
        for (nodes, excluded) in (10..400).step_by(3).zip([None, Some(best)].into_iter().cycle()) {
            let mut told: Vec<Report<Edge>> = Vec::new();
            let report = with_search(DagHeuristics, position, Limits::nodes(nodes), |search| {
                search.root_excluded.extend(excluded);
                search.think(&mut |report| told.push(report.clone()))
            });
            let Some((last, mv)) = told.last().and_then(|last| Some((last, last.best?))) else { continue };
            let values = ranked(&position, last.depth + 1);
            let value = |mv| values.iter().find(|&&(_, other)| other == mv).unwrap().0;
            let answer = report.best.unwrap();
            assert!(answer == mv || value(answer) > value(mv), "{position:?} {nodes} {excluded:?}");
            partial += usize::from(answer != mv);
        }
    }
    assert!(partial > 0);
}

#[test]
fn a_verification_node_is_neither_the_root_nor_on_the_principal_variation() {
    fn kinds<K: NodeType>() -> [bool; 3] {
        [K::PV, K::ROOT, K::VERIFIES]
    }
    assert_eq!(kinds::<Verification>(), [false, false, true]);
    assert_eq!(kinds::<Pv>(), [true, false, false]);
}

/// Omits moves, ranks by its own numbers, and probes the table only far from the leaves.
#[derive(Debug)]
pub struct Pruner<const SOUND_LOSSES: bool>;

impl<const SOUND_LOSSES: bool> Heuristics for Pruner<SOUND_LOSSES> {
    type Position = DagGame;
    type Frame = ();
    const ONE_PLY: Depth = 16;
    const TABLE_FROM: Depth = 3;
    const SOUND_LOSSES: bool = SOUND_LOSSES;

    fn evaluate(&mut self, position: &DagGame) -> Score {
        DagHeuristics.evaluate(position)
    }
    fn candidates(search: &mut Search<'_, Self>, _: &Node<Edge>) {
        for mv in search.position.move_list() {
            search.picker.add(mv, (mv.to_code() * 5 % 7) as i32);
        }
        assert!(!search.picker.is_empty() && !search.position.move_list().is_empty());
    }
    fn plan<K: NodeType>(_: &mut Search<'_, Self>, node: &Node<Edge>, _: Edge, nth: usize) -> Searched<Plan> {
        let depth = node.depth - Self::ONE_PLY;
        Ok(match (nth, node.window.alpha.value() % 3) {
            (0, _) => Plan::to(depth),
            (1, 0) => Plan::SkipRest,
            (1 | 2, 1) => Plan::Skip,
            (3.., _) => Plan::SkipRest,
            _ => Plan::to(depth),
        })
    }
}

/// Ends every node after the root, with or without a line, and optionally reports a horizon.
struct Answering {
    horizon: bool,
}

impl Heuristics for Answering {
    type Position = DagGame;
    type Frame = ();

    fn evaluate(&mut self, _: &DagGame) -> Score {
        Score::DRAW
    }
    fn before_moves<K: NodeType>(search: &mut Search<'_, Self>, _: &Node<Edge>) -> Searched<Option<Score>> {
        if search.heuristics.horizon {
            search.met_horizon();
        }
        let reply = search.position.move_list()[0];
        if K::PV {
            search.set_line([reply]);
        }
        Ok(Some(Score::new(-7)))
    }
}

#[test]
fn a_hook_tells_its_line_and_whether_it_broke_off() {
    let goes_on = |position: &DagGame| {
        position.move_list().into_iter().all(|mv| {
            let mut next = *position;
            next.play(mv);
            next.outcome().is_none()
        })
    };
    let position = random_positions(&DagGame::new(4), 4, 30, 4).into_iter().find(goes_on).unwrap();
    for horizon in [true, false] {
        with_search(Answering { horizon }, position, Limits::depth(4), |search| {
            let report = search.think(&mut |_| {});
            // The root's moves all have value 7 at depth 2; without a horizon that is proven and needs no other depth.
            assert_eq!((report.score, report.proven), (Score::new(7), !horizon));
            assert_eq!(report.depth, if horizon { 4 } else { 2 });
            assert_eq!(report.principal_variation.len(), 2, "the move, and the hook's line after it");
            assert_eq!(search.line(), &report.principal_variation[..]);
        });
    }
}

/// Omits the first of its moves always, and fails if that move is searched all the same.
struct WithoutTheFirst {
    left_out: Option<Edge>,
}

impl Heuristics for WithoutTheFirst {
    type Position = DagGame;
    type Frame = ();
    const SOUND_LOSSES: bool = true;

    fn played(&mut self, mv: Edge, _: &DagGame, _: &DagGame) {
        assert_ne!(self.left_out.take(), Some(mv), "nothing is lost yet for which it would be a way out");
    }
    fn evaluate(&mut self, position: &DagGame) -> Score {
        DagHeuristics.evaluate(position)
    }
    fn plan<K: NodeType>(
        search: &mut Search<'_, Self>,
        node: &Node<Edge>,
        mv: Edge,
        nth: usize,
    ) -> Searched<Plan> {
        let skips = nth == 0 && !K::ROOT && mv.to_code().is_multiple_of(2);
        search.heuristics.left_out = skips.then_some(mv);
        Ok(if skips { Plan::Skip } else { Plan::to(node.depth - Self::ONE_PLY) })
    }
}

#[test]
fn a_move_that_is_left_out_before_any_other_was_searched_is_left_out_under_sound_losses_too() {
    for position in random_positions(&DagGame::new(5), 5, 10, 4) {
        with_search(WithoutTheFirst { left_out: None }, position, Limits::depth(4), |search| {
            assert!(search.think(&mut |_| {}).best.is_some());
        });
    }
}
