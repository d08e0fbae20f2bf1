//! Compares the evaluation functions of Connect5, a fixed-depth search with each, and the cost of a stone.

use benches::connect5::openings;
use benches::{brief, compare_evaluations, compare_searches};
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::patterns::Patterns;
use connect5_joueur::player::{Player, Settings, VcfSearch};
use connect5_joueur::rules::{Cell, Color, Position};
use criterion::{Criterion, criterion_group};
use search_core::{Control, Limits, Position as _, Stopwatch};
use std::hint::black_box;

/// The positions in the file of wins by continuous fours, from the middle of real games.
fn middle_games() -> Vec<Position> {
    let text = include_str!("../../test-data/connect5/exact5_vcf.jsonl");
    text.lines().map(position).collect()
}

/// Parses one line of the file: `"to_move": "B", …, "board": ["000…", …]`.
fn position(line: &str) -> Position {
    let (_, board) = line.split_once("\"board\": [").expect("every line has a board");
    let rows: Vec<&str> = board.split('"').filter(|part| part.starts_with(['0', 'N', 'B'])).collect();
    let mover = if line.contains("\"to_move\": \"N\"") { Color::Black } else { Color::White };
    Position::new(&rows.join("\n").parse().expect("a grid"), mover)
}

fn evaluations(criterion: &mut Criterion) {
    for evaluation in Evaluation::ALL {
        evaluation.weights();
    }
    compare_evaluations(criterion, "connect5", Evaluation::ALL, &middle_games(), Evaluation::evaluate);
}

/// Searches to depth 6.
fn searches(criterion: &mut Criterion) {
    compare_searches(criterion, "connect5", Evaluation::ALL, &openings(4), |evaluation, position| {
        let settings = Settings { evaluation, table_bytes: 16 << 20, ..Settings::default() };
        Player::new(settings).think(position, Limits::depth(6), &Stopwatch::start()).nodes
    });
}

/// Plays and undoes a stone on every candidate cell of the middle-game positions, updating patterns. The time is for
/// all.
fn stones(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("patterns/connect5");
    let mut position = middle_games().swap_remove(0);
    let mut patterns = Patterns::new(&position, Evaluation::default().weights());
    let cells: Vec<Cell> = patterns.candidates().collect();
    println!("patterns/connect5/play and undo: {} cells a round", cells.len());
    group.bench_function("play and undo", |bencher| {
        bencher.iter(|| {
            for &cell in &cells {
                position.play(cell);
                patterns.played(cell, &position);
                black_box(patterns.balance(Color::Black));
                patterns.undone();
                position.undo(cell, ());
            }
        });
    });
    group.finish();
}

/// Finds all wins by continuous fours in the file, each from the start.
fn fours(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fours/connect5");
    let starts: Vec<_> = middle_games()
        .into_iter()
        .map(|position| (Patterns::new(&position, Evaluation::default().weights()), position))
        .collect();
    group.bench_function("88 wins", |bencher| {
        bencher.iter(|| {
            let clock = Stopwatch::start();
            let control = Control::new(Limits::default(), &clock);
            let wins = starts.iter().cloned().filter_map(|(mut patterns, mut position)| {
                VcfSearch::new().prove(&mut position, &mut patterns, &control, 1_000_000)
            });
            wins.count()
        });
    });
    group.finish();
}

criterion_group! {
    name = all;
    config = brief();
    targets = evaluations, searches, stones, fours
}
benches::main!(all, "connect5");
