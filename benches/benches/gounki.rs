//! Compares the evaluation functions of Gounki, and a fixed-depth search with each, on fixed positions.

use benches::{brief, compare_evaluations, compare_searches};
use criterion::{Criterion, criterion_group};
use gounki::evaluation::Evaluation;
use gounki::player::{Board, Exact};
use gounki::rules::{Colour, Configuration, Position};
use search_core::{Control, Limits, Options, Search, Stopwatch, Table, perft};
use std::hint::black_box;

const POSITIONS: &str = include_str!("../../test-data/gounki/positions.txt");
const DEPTH: i32 = 4;

fn positions(every: usize) -> Vec<Position> {
    let position = |line: &str| {
        let (to_move, codes) = line.split_once(' ').expect("a line of the file");
        let to_move = if to_move == "b" { Colour::White } else { Colour::Black };
        Configuration::from_codes(codes.split(' ')).expect("64 codes").position(to_move)
    };
    POSITIONS.lines().step_by(every).map(position).filter(|position| !position.is_over()).collect()
}

fn evaluations(criterion: &mut Criterion) {
    compare_evaluations(criterion, "gounki", Evaluation::ALL, &positions(1), Evaluation::evaluate);
}

fn searches(criterion: &mut Criterion) {
    let mut table = Table::with_bytes(1 << 22);
    compare_searches(criterion, "gounki", Evaluation::ALL, &positions(40), |evaluation, &position| {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::depth(DEPTH), &clock);
        let board = Board(position);
        let heuristics = Exact::new(evaluation);
        table.clear();
        Search::new(heuristics, board, &table, &control, Options::EXACT).think(&mut |_| {}).nodes
    });
}

fn moves(criterion: &mut Criterion) {
    let start = Position::initial();
    criterion.bench_function("moves/gounki/perft 4", |bencher| bencher.iter(|| perft(black_box(&start), 4)));
}

criterion_group! {
    name = all;
    config = brief();
    targets = evaluations, searches, moves
}
benches::main!(all, "gounki");
