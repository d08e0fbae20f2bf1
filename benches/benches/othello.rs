//! Compares the evaluation functions of Othello, a fixed-depth search with each, and the kernels of the rules.

use criterion::{Criterion, criterion_group, criterion_main};
use othello_player::evaluation::Evaluation;
use othello_player::player::{Player, Settings};
use othello_player::rules::{Position, bitboard, perft};
use search_core::testing::random_positions;
use search_core::{Limits, Stopwatch};
use std::hint::black_box;
use std::time::Duration;

/// Of all stages of the game.
fn positions() -> Vec<Position> {
    random_positions(&Position::START, 2024, 24, 50)
}

fn evaluations(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("evaluation/othello");
    for &evaluation in Evaluation::ALL {
        let all = || positions.iter().map(|at| evaluation.evaluate(black_box(at)).value()).sum::<i32>();
        group.bench_function(evaluation.name(), |bencher| bencher.iter(all));
    }
    group.finish();
}

fn searches(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("search/othello");
    for &evaluation in Evaluation::ALL {
        let search = || -> u64 {
            let settings = Settings { evaluation, table_bytes: 4 << 20, ..Settings::default() };
            let think = |at| Player::new(settings).think(at, Limits::depth(6), &Stopwatch::start()).nodes;
            positions.iter().map(think).sum()
        };
        println!("search/othello/{evaluation}: {} nodes to depth 6", search());
        group.bench_function(evaluation.name(), |bencher| bencher.iter(search));
    }
    group.finish();
}

fn rules(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("rules/othello");
    group.bench_function("moves", |bencher| {
        bencher.iter(|| {
            let moves = |at: &Position| bitboard::moves(black_box(at.own()), at.opponent());
            positions.iter().map(moves).fold(0, |all, one| all ^ one)
        });
    });
    group.bench_function("perft 8", |bencher| bencher.iter(|| perft(black_box(&Position::START), 8)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(15)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    targets = evaluations, searches, rules
}
criterion_main!(benches);
