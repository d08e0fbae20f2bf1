//! Gounki: its evaluation functions, and a fixed-depth search with each, on fixed positions.

use criterion::{Criterion, criterion_group, criterion_main};
use gounki::evaluation::Evaluation;
use gounki::player::{Board, Exact};
use gounki::rules::{Colour, Configuration, Position};
use search_core::{Control, Limits, Options, Search, Stopwatch, Table, perft};
use std::hint::black_box;
use std::time::Duration;

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

fn evaluation(criterion: &mut Criterion) {
    let positions = positions(1);
    let mut group = criterion.benchmark_group("evaluation/gounki");
    group.throughput(criterion::Throughput::Elements(positions.len() as u64));
    for evaluation in Evaluation::ALL {
        group.bench_function(evaluation.name(), |bencher| {
            bencher.iter(|| {
                for position in &positions {
                    black_box(evaluation.evaluate(black_box(position)));
                }
            });
        });
    }
    group.finish();
}

fn search(criterion: &mut Criterion) {
    let positions = positions(40);
    let mut group = criterion.benchmark_group("search/gounki");
    for &evaluation in Evaluation::ALL {
        let mut table = Table::with_bytes(1 << 22);
        let mut nodes = || -> u64 {
            let think = |position: &Position| {
                let clock = Stopwatch::start();
                let control = Control::new(Limits::depth(DEPTH), &clock);
                let board = Board(*position);
                let expert = Exact::new(evaluation, &board, &[]);
                table.clear();
                Search::new(expert, board, &mut table, &control, Options::EXACT).think(&mut |_| {}).nodes
            };
            positions.iter().map(think).sum()
        };
        println!("search/gounki/{evaluation}: {} nodes to depth {DEPTH}", nodes());
        group.bench_function(evaluation.name(), |bencher| bencher.iter(&mut nodes));
    }
    group.finish();
}

fn moves(criterion: &mut Criterion) {
    let start = Position::initial();
    criterion.bench_function("moves/gounki/perft 4", |bencher| bencher.iter(|| perft(black_box(&start), 4)));
}

criterion_group! {
    name = all;
    config = Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800));
    targets = evaluation, search, moves
}
criterion_main!(all);
