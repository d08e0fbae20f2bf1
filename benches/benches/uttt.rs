//! Compares the evaluation functions of ultimate tic-tac-toe, a fixed-depth search with each, and the tree's kernels.

use criterion::{Criterion, criterion_group, criterion_main};
use search_core::{Limits, Stopwatch};
use std::hint::black_box;
use std::time::Duration;
use uttt::evaluation::Evaluation;
use uttt::player::{Player, Settings};
use uttt::rules::{Integer, State};
use uttt::tree::{self, Kernel};

/// Those of the perft file.
fn positions() -> Vec<State> {
    let text = include_str!("../../test-data/uttt/perft.txt");
    text.lines().filter_map(|line| line.strip_prefix("position ")).map(|text| text.parse().unwrap()).collect()
}

fn evaluations(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("evaluation/uttt");
    for &evaluation in Evaluation::ALL {
        let all = || positions.iter().map(|state| evaluation.evaluate(black_box(state)).value()).sum::<i32>();
        group.bench_function(evaluation.name(), |bencher| bencher.iter(all));
    }
    group.finish();
}

fn searches(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("search/uttt");
    for &evaluation in Evaluation::ALL {
        let search = || -> u64 {
            let settings = Settings { evaluation, table_bytes: 4 << 20, ..Settings::default() };
            let think =
                |state| Player::new(settings).think(state, Limits::depth(6), &Stopwatch::start()).nodes;
            positions.iter().map(think).sum()
        };
        println!("search/uttt/{evaluation}: {} nodes to depth 6", search());
        group.bench_function(evaluation.name(), |bencher| bencher.iter(search));
    }
    group.finish();
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
    name = benches;
    config = Criterion::default()
        .sample_size(15)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = evaluations, searches, trees
}
criterion_main!(benches);
