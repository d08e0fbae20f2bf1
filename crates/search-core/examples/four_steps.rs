//! From a first player to a strong one in four steps, each with the nodes and the time of a search to the same depth.
//!
//! `cargo run --release -p search-core --example four_steps`

#[allow(dead_code)]
#[path = "breakthrough.rs"]
pub mod breakthrough;

use breakthrough::{Board, Step, evaluate};
use search_core::{
    Control, Crew, Depth, Evaluation, Heuristics, Limits, MoveOf, Node, Options, Position, Report, Score,
    Search, Stopwatch, Table, Visit,
};

/// A search of a position to a depth.
pub type Searched = fn(Board, Depth) -> Report<Step>;

/// The steps, each with its name.
pub const STEPS: [(&str, Searched); 4] =
    [("plain", plain), ("ordered", ordered), ("table, selective", selective), ("two threads", threads)];

/// The position that is searched.
pub const START: Board = Board::START;

/// The first step: the rules and an evaluation.
fn plain(board: Board, depth: Depth) -> Report<Step> {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(depth), &clock);
    let table = Table::with_bytes(1 << 10);
    Search::new(Evaluation::new(evaluate), board, &table, &control, Options::PLAIN).think(&mut |_| {})
}

/// The game's own heuristics: promising steps first. Late steps are searched less deep, where the options allow it.
#[derive(Debug)]
struct Ordered;

impl Heuristics for Ordered {
    type Position = Board;
    type Frame = ();
    const REDUCES: bool = true;

    fn evaluate(&mut self, board: &Board) -> Score {
        evaluate(board)
    }

    fn candidates(search: &mut Search<'_, Self>, _: &Node<MoveOf<Self>>) {
        let board = search.position;
        board.moves(&mut Visit(|step| search.picker.add(step, board.promise(step))));
    }
}

/// The second step: the best move first, by the game's rank and by what refuted other positions.
fn ordered(board: Board, depth: Depth) -> Report<Step> {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(depth), &clock);
    let table = Table::with_bytes(1 << 10);
    let options = Options { scouting: true, killers: true, history: true, ..Options::PLAIN };
    Search::new(Ordered, board, &table, &control, options).think(&mut |_| {})
}

/// The third step: a table remembers positions, and late moves are searched less deep.
fn selective(board: Board, depth: Depth) -> Report<Step> {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(depth), &clock);
    let table = Table::with_bytes(16 << 20);
    Search::new(Ordered, board, &table, &control, Options::STRONG).think(&mut |_| {})
}

/// The fourth step: two threads share the table.
fn threads(board: Board, depth: Depth) -> Report<Step> {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(depth), &clock);
    let table = Table::with_bytes(16 << 20);
    let crew = Crew::new(2);
    let mut search = Search::new(Ordered, board, &table, &control, Options::STRONG);
    search.think_with(&crew, || Ordered, &mut |_| {})
}

fn main() {
    println!("step              depth       nodes  seconds");
    for (name, search) in STEPS {
        let report = search(START, 9);
        let seconds = report.elapsed.as_secs_f64();
        println!("{name:<17} {:>5} {:>11} {seconds:>8.3}", report.depth, report.nodes);
    }
}
