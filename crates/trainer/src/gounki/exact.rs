//! Times the exact search on the opening and on fifty middlegame positions.

use anyhow::Result;
use clap::Args;
use gounki::evaluation::Evaluation;
use gounki::player::{Board, Exact as Heuristics};
use gounki::rules::{Colour, Configuration, Position};
use search_core::{Clock, Control, Depth, Limits, Options, Search, Stopwatch, Table};

const POSITIONS: &str = include_str!("../../../../test-data/gounki/positions.txt");

/// Arguments of `exact`.
#[derive(Debug, Args)]
pub struct Exact {
    /// The depth in plies.
    #[arg(long, default_value_t = 6)]
    depth: Depth,
    /// The evaluation function, as `gounki --eval` takes it.
    #[arg(long, default_value_t)]
    eval: Evaluation,
}

impl Exact {
    /// Searches, and prints the nodes, and the mean and the longest time.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let (depth, evaluation) = (self.depth, self.eval);
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
            let heuristics = Heuristics::new(evaluation);
            let report = Search::new(heuristics, board, &table, &control, Options::EXACT).think(&mut |_| {});
            let seconds = clock.elapsed().as_secs_f64();
            if index == 0 {
                wire::print_line(format_args!("opening: {} nodes, {seconds:.3} s", report.nodes))?;
            }
            nodes += report.nodes;
            total += seconds;
            longest = longest.max(seconds);
        }
        Ok(wire::print_line(format_args!(
            "{} positions to depth {depth} ({evaluation}): {nodes} nodes, {:.2} M nodes/s, average {:.3} s, longest {longest:.3} s",
            positions.len(),
            nodes as f64 / total / 1e6,
            total / positions.len() as f64
        ))?)
    }
}
