//! Compares the evaluation functions of Othello, a fixed-depth search with each, and the kernels of the rules.

use benches::{brief, compare_evaluations, compare_searches};
use criterion::{Criterion, criterion_group};
use othello_player::evaluation::Evaluation;
use othello_player::player::{Player, Settings};
use othello_player::rules::{Position, bitboard, perft};
use search_core::testing::random_positions;
use search_core::{Limits, Stopwatch};
use std::hint::black_box;

/// Random positions from all stages of the game.
fn positions() -> Vec<Position> {
    random_positions(&Position::START, 2024, 24, 50)
}

fn evaluations(criterion: &mut Criterion) {
    compare_evaluations(criterion, "othello", Evaluation::ALL, &positions(), Evaluation::evaluate);
}

/// Searches to depth 6.
fn searches(criterion: &mut Criterion) {
    compare_searches(criterion, "othello", Evaluation::ALL, &positions(), |evaluation, at| {
        let settings = Settings { evaluation, table_bytes: 4 << 20, ..Settings::default() };
        Player::new(settings).think(at, Limits::depth(6), &Stopwatch::start()).nodes
    });
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
    name = all;
    config = brief();
    targets = evaluations, searches, rules
}
benches::main!(all, "othello");
