//! Compares the evaluation functions of ultimate tic-tac-toe, a fixed-depth search with each, and the tree's kernels.

use benches::{brief, compare_evaluations, compare_searches};
use criterion::{Criterion, criterion_group};
use search_core::{Limits, Stopwatch};
use uttt::evaluation::Evaluation;
use uttt::player::{Player, Settings};
use uttt::rules::{Integer, State};
use uttt::tree::{self, Kernel};

/// The positions of the perft file.
fn positions() -> Vec<State> {
    let text = include_str!("../../test-data/uttt/perft.txt");
    text.lines().filter_map(|line| line.strip_prefix("position ")).map(|text| text.parse().unwrap()).collect()
}

fn evaluations(criterion: &mut Criterion) {
    compare_evaluations(criterion, "uttt", Evaluation::ALL, &positions(), Evaluation::evaluate);
}

/// Searches to depth 6.
fn searches(criterion: &mut Criterion) {
    compare_searches(criterion, "uttt", Evaluation::ALL, &positions(), |evaluation, state| {
        let settings = Settings { evaluation, table_bytes: 4 << 20, ..Settings::default() };
        Player::new(settings).think(state, Limits::depth(6), &Stopwatch::start()).nodes
    });
}

fn trees(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tree/uttt");
    for &kernel in Kernel::ALL.iter().filter(|kernel| kernel.is_available()) {
        let tree = || tree::write(Integer::default(), &State::start(), 5, kernel, &mut std::io::sink());
        group.bench_function(kernel.name(), |bencher| bencher.iter(tree));
    }
    group.finish();
}

criterion_group! {
    name = all;
    config = brief();
    targets = evaluations, searches, trees
}
benches::main!(all, "uttt");
