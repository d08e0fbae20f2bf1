//! Checks of alpha-beta: against plain negamax, against itself, and when stopped at any node.

use crate::alpha_beta::{Heuristics, MoveOf, Options, Search, TableCut};
use crate::limits::{Control, Limits, Stopwatch};
use crate::minimax::negamax;
use crate::position::{MoveCode, Position};
use crate::report::Report;
use crate::score::{Depth, Score};
use crate::table::Table;
use std::fmt::Debug;

/// Every option set that must return plain negamax's value.
pub const VALUE_PRESERVING: [(&str, Options); 6] = [
    ("plain", Options::PLAIN),
    ("scouting", Options { scouting: true, ..Options::PLAIN }),
    ("killers and history", Options { scouting: true, killers: true, history: true, ..Options::PLAIN }),
    ("table", Options { scouting: true, table_cut: TableCut::SameDepth, ..Options::PLAIN }),
    ("exact", Options::EXACT),
    ("aspiration", Options { aspiration: Some(16), ..Options::EXACT }),
];

/// The size in bytes of a table so small that entries are constantly replaced.
const SMALL: usize = 1 << 14;

/// Checks that every value-preserving option set gives plain negamax's score from every position at every depth, and a
/// move that reaches it. `heuristics` creates the heuristics for a position.
///
/// # Panics
/// If one disagrees; the message holds the position, the options and the depth.
pub fn agrees_with_negamax<E>(
    positions: &[E::Position],
    depths: impl Iterator<Item = Depth> + Clone,
    heuristics: impl Fn(&E::Position) -> E,
) where
    E: Heuristics,
    E::Position: Debug,
{
    agrees_with(positions, depths, &heuristics, by_negamax(&heuristics));
}

/// Checks that every value-preserving option set gives the best score by `value`, and a move that reaches it. `value`
/// is the value of the position after a move, one ply from the root, at the remaining depth.
///
/// # Panics
/// If one disagrees; the message holds the position, the options and the depth.
pub fn agrees_with<E>(
    positions: &[E::Position],
    depths: impl Iterator<Item = Depth> + Clone,
    heuristics: impl Fn(&E::Position) -> E,
    value: impl Fn(&E::Position, Depth) -> Score,
) where
    E: Heuristics,
    E::Position: Debug,
{
    let think =
        |position: &E::Position, table: &Table<MoveOf<E>>, control: &Control<'_>, options: Options| {
            Search::new(heuristics(position), position.clone(), table, control, options).think(&mut |_| {})
        };
    agree::<E>(positions, depths, think, value);
}

/// Checks that the threads of `crew` together give plain negamax's score from every position at every depth, with every
/// value-preserving option set, and a move that reaches it.
///
/// # Panics
/// If one disagrees; the message holds the position, the options and the depth.
#[cfg(feature = "threads")]
pub fn threads_agree_with_negamax<E>(
    crew: &crate::Crew,
    positions: &[E::Position],
    depths: impl Iterator<Item = Depth> + Clone,
    heuristics: impl Fn(&E::Position) -> E + Sync,
) where
    E: Heuristics,
    E::Position: Debug + Sync,
    crate::MoveOf<E>: Send + Sync,
{
    let think =
        |position: &E::Position, table: &Table<MoveOf<E>>, control: &Control<'_>, options: Options| {
            let own = || heuristics(position);
            Search::new(own(), position.clone(), table, control, options).think_with(crew, own, &mut |_| {})
        };
    agree::<E>(positions, depths, think, by_negamax(&heuristics));
}

/// The value of a position one ply from the root, by plain negamax.
fn by_negamax<E: Heuristics>(
    heuristics: impl Fn(&E::Position) -> E,
) -> impl Fn(&E::Position, Depth) -> Score {
    move |position, depth| {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let mut evaluate = |position: &E::Position| heuristics(position).evaluate(position);
        negamax(&mut position.clone(), depth, 1, &control, &mut evaluate).expect("nothing stops it").0
    }
}

/// Checks that `think` gives the best score by `value`, and a move that reaches it, with every value-preserving option
/// set.
fn agree<E: Heuristics<Position: Debug>>(
    positions: &[E::Position],
    depths: impl Iterator<Item = Depth> + Clone,
    think: impl Fn(&E::Position, &Table<MoveOf<E>>, &Control<'_>, Options) -> Report<MoveOf<E>>,
    value: impl Fn(&E::Position, Depth) -> Score,
) {
    let clock = Stopwatch::start();
    for position in positions {
        for depth in depths.clone() {
            let reached = |mv| after(position, mv, |next| -value(next, depth - 1));
            let values: Vec<_> = position.move_list().into_iter().map(|mv| (mv, reached(mv))).collect();
            let expected = values.iter().map(|&(_, score)| score).max().expect("the game goes on");
            // A proof at a smaller depth may give another move of the same value.
            let value_of = |best| values.iter().find(|&&(mv, _)| mv == best).map(|&(_, score)| score);
            for (name, options) in VALUE_PRESERVING {
                let control = Control::new(Limits::depth(depth), &clock);
                let report = think(position, &Table::with_bytes(SMALL), &control, options);
                check(&report, expected, value_of, || format!("{name}, depth {depth}: {position:?}"));
            }
        }
    }
}

/// Checks that a report has the expected score, and a move that reaches it by `value_of`.
fn check<M: MoveCode>(
    report: &Report<M>,
    expected: Score,
    value_of: impl Fn(M) -> Option<Score>,
    place: impl Fn() -> String,
) {
    assert_eq!(report.score, expected, "{}", place());
    let best = report.best.expect("the game goes on");
    assert_eq!(value_of(best), Some(expected), "{best:?}, {}", place());
}

/// Checks that the threads of `crew` together give one thread's score from every position, and a move that reaches it:
/// for depths that plain negamax takes too long for.
///
/// # Panics
/// If they disagree; the message holds the position.
#[cfg(feature = "threads")]
pub fn threads_agree_with_one<E>(
    crew: &crate::Crew,
    positions: &[E::Position],
    depth: Depth,
    heuristics: impl Fn(&E::Position) -> E + Sync,
) where
    E: Heuristics,
    E::Position: Debug + Sync,
    crate::MoveOf<E>: Send + Sync,
{
    let clock = Stopwatch::start();
    let searched = |position: &E::Position, depth, crew| {
        let control = Control::new(Limits::depth(depth), &clock);
        let table = Table::with_bytes(1 << 20);
        let mut search =
            Search::new(heuristics(position), position.clone(), &table, &control, Options::EXACT);
        search.think_with(crew, || heuristics(position), &mut |_| {})
    };
    let alone = crate::Crew::new(1);
    for position in positions {
        let expected = searched(position, depth, &alone).score;
        let reached = |mv| {
            after(position, mv, |next| match next.outcome() {
                Some(outcome) => Score::of_outcome(outcome, 1),
                None => Score::from_table(searched(next, depth - 1, &alone).score, 1),
            })
        };
        let report = searched(position, depth, crew);
        check(&report, expected, |mv| Some(-reached(mv)), || format!("depth {depth}: {position:?}"));
    }
}

fn after<P: Position, T>(position: &P, mv: P::Move, then: impl FnOnce(&mut P) -> T) -> T {
    let mut next = position.clone();
    next.play(mv);
    then(&mut next)
}

/// Checks that the same node limit gives the same report twice.
///
/// # Panics
/// If the reports differ; the message holds both.
pub fn repeats_exactly<E>(
    positions: &[E::Position],
    nodes: u64,
    options: Options,
    heuristics: impl Fn(&E::Position) -> E,
) where
    E: Heuristics,
{
    let clock = Stopwatch::start();
    let report = |position: &E::Position| {
        let control = Control::new(Limits::nodes(nodes), &clock);
        let table = Table::with_bytes(1 << 20);
        Search::new(heuristics(position), position.clone(), &table, &control, options).think(&mut |_| {})
    };
    for position in positions {
        let (once, twice) = (report(position), report(position));
        assert!(once.agrees_with(&twice), "{once:?}\n{twice:?}");
    }
}

/// Checks that a search stopped after any number of nodes leaves the position unchanged and has an answer.
///
/// # Panics
/// If not; the message holds the position and the node count.
pub fn aborts_cleanly<E>(
    positions: &[E::Position],
    most_nodes: u64,
    options: Options,
    heuristics: impl Fn(&E::Position) -> E,
) where
    E: Heuristics,
    E::Position: Debug + PartialEq,
{
    let clock = Stopwatch::start();
    for position in positions {
        for nodes in 0..most_nodes {
            let control = Control::new(Limits::nodes(nodes), &clock);
            let table = Table::with_bytes(SMALL);
            let mut search = Search::new(heuristics(position), position.clone(), &table, &control, options);
            let report = search.think(&mut |_| {});
            assert_eq!(&search.position, position, "stopped after {nodes} nodes");
            assert_eq!(search.ply, 0);
            let best = report.best.expect("depth 1 completes");
            assert!(position.is_legal(best), "stopped after {nodes} nodes: {position:?}");
        }
    }
}
