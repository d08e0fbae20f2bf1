//! Times the value-exact search to a depth on the opening and on fifty middle positions.
//!
//! `cargo run --release -p gounki --example exact -- [DEPTH [EVAL]]`; prints the nodes, the average and the longest time.

use gounki::evaluation::Evaluation;
use gounki::player::{Board, Exact};
use gounki::rules::{Colour, Configuration, Position};
use search_core::{Clock, Control, Limits, Options, Search, Stopwatch, Table};

const POSITIONS: &str = include_str!("../../../test-data/gounki/positions.txt");

fn main() {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(6, |text| text.parse().expect("a depth"));
    let evaluation =
        arguments.next().map_or(Evaluation::default(), |text| text.parse().expect("an evaluation"));
    let position = |line: &str| {
        let (to_move, codes) = line.split_once(' ').expect("a line of the file");
        let to_move = if to_move == "b" { Colour::White } else { Colour::Black };
        Configuration::from_codes(codes.split(' ')).expect("64 codes").position(to_move)
    };
    let middle = POSITIONS.lines().map(position).filter(|position| {
        let men = position.own().men() + position.enemy().men();
        (20..=30).contains(&men) && !position.can_exit()
    });
    let positions: Vec<_> = std::iter::once(Position::initial()).chain(middle.take(50)).collect();
    let mut table = Table::with_bytes(64 << 20);
    let (mut nodes, mut total, mut longest) = (0, 0.0, 0.0_f64);
    for (index, position) in positions.iter().enumerate() {
        table.clear();
        let board = Board(*position);
        let clock = Stopwatch::start();
        let control = Control::new(Limits::depth(depth), &clock);
        let heuristics = Exact::new(evaluation, &board, &[]);
        let report = Search::new(heuristics, board, &mut table, &control, Options::EXACT).think(&mut |_| {});
        let seconds = clock.elapsed().as_secs_f64();
        if index == 0 {
            println!("opening: {} nodes, {seconds:.3} s", report.nodes);
        }
        nodes += report.nodes;
        total += seconds;
        longest = longest.max(seconds);
    }
    println!(
        "{} positions to depth {depth} ({evaluation}): {nodes} nodes, {:.2} M nodes/s, average {:.3} s, longest {longest:.3} s",
        positions.len(),
        nodes as f64 / total / 1e6,
        total / positions.len() as f64
    );
}
