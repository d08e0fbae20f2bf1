//! The common part of all games' benches: `evaluation/<game>/<name>` and `search/<game>/<name>`, measured alike.

#![forbid(unsafe_code)]

use criterion::{Criterion, Throughput};
use search_core::Score;
use std::fmt::Display;
use std::hint::black_box;
use std::time::Duration;

/// Short samples: each bench takes about a second.
#[must_use]
pub fn brief() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
}

/// The group `evaluation/<game>`: every evaluation function on the same positions; a figure is for all of them.
pub fn compare_evaluations<E: Copy + Display, P>(
    criterion: &mut Criterion,
    game: &str,
    evaluations: &[E],
    positions: &[P],
    evaluate: impl Fn(E, &P) -> Score,
) {
    let mut group = criterion.benchmark_group(format!("evaluation/{game}"));
    group.throughput(Throughput::Elements(positions.len() as u64));
    for &evaluation in evaluations {
        let all = || positions.iter().map(|at| evaluate(evaluation, black_box(at)).value()).sum::<i32>();
        group.bench_function(evaluation.to_string(), |bencher| bencher.iter(all));
    }
    group.finish();
}

/// The group `search/<game>`: a fixed search with every evaluation function from the same positions; `nodes` makes it
/// and counts, and its count is printed once.
pub fn compare_searches<E: Copy + Display, P>(
    criterion: &mut Criterion,
    game: &str,
    evaluations: &[E],
    positions: &[P],
    mut nodes: impl FnMut(E, &P) -> u64,
) {
    let mut group = criterion.benchmark_group(format!("search/{game}"));
    for &evaluation in evaluations {
        let mut all = || positions.iter().map(|at| nodes(evaluation, at)).sum::<u64>();
        println!("search/{game}/{evaluation}: {} nodes", all());
        group.bench_function(evaluation.to_string(), |bencher| bencher.iter(&mut all));
    }
    group.finish();
}
