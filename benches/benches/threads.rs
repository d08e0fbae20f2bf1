//! Measures two threads against one: the time of the same searches, each position in turn with one thread, with two
//! independent searches at once, and with two threads. The independent ones show how much two processors can give here.
//!
//! ```text
//! cargo bench -p benches --bench threads [-- NAME]
//! ```

use gounki::rules::{Colour, Configuration};
use othello_player::endgame::Goal;
use search_core::monte_carlo::MonteCarlo;
use search_core::testing::random_positions;
use search_core::{Control, Crew, Limits, Stopwatch};
use std::time::Instant;
use uttt::rules::State;

const POSITIONS: usize = 40;

/// Searches of some positions, each called with its number and a number of threads.
struct Work<'a> {
    name: &'static str,
    count: usize,
    search: &'a (dyn Fn(usize, usize) -> u64 + Sync),
    /// True if the nodes a second count, not the time: a tree is never finished.
    by_nodes: bool,
}

/// The time and the nodes of some work.
fn timed(work: impl FnOnce() -> u64) -> (f64, f64) {
    let start = Instant::now();
    let nodes = work();
    (start.elapsed().as_secs_f64(), nodes as f64)
}

/// Runs all searches and prints the sums of their times.
fn measure(work: &Work<'_>) {
    let Work { name, count, search, by_nodes } = *work;
    let apart = |number| {
        std::thread::scope(|scope| {
            let other =
                std::thread::Builder::new().spawn_scoped(scope, || search(number, 1)).expect("a thread");
            search(number, 1) + other.join().expect("it does not panic")
        })
    };
    let mut sums = [(0.0, 0.0); 3];
    for number in 0..count {
        let runs = [timed(|| search(number, 1)), timed(|| apart(number)), timed(|| search(number, 2))];
        for (sum, (time, nodes)) in sums.iter_mut().zip(runs) {
            *sum = (sum.0 + time, sum.1 + nodes);
        }
    }
    let [one, apart, together] = sums;
    let nodes = together.1 / one.1;
    let most = 2.0 * one.0 / apart.0;
    let gained = one.0 / together.0 * if by_nodes { nodes } else { 1.0 };
    println!(
        "{name:<22} {count:>3} {:>9.2} {:>10.2} {:>9.2} {:>7.2} {most:>7.2} {gained:>7.2} {:>6.2}",
        one.0,
        apart.0,
        together.0,
        nodes,
        gained / most
    );
}

fn othello(depth: i32) -> impl Fn(usize, usize) -> u64 + Sync {
    let positions: Vec<_> = random_positions(&othello_player::rules::Position::START, 3, 400, 36)
        .into_iter()
        .filter(|position| position.empties() <= 50)
        .take(POSITIONS)
        .collect();
    move |number, threads| {
        let settings = othello_player::player::Settings { threads, ..Default::default() };
        let mut player = othello_player::player::Player::new(settings);
        player.think(&positions[number], Limits::depth(depth), &Stopwatch::start()).nodes
    }
}

fn solver(first: usize, count: usize) -> impl Fn(usize, usize) -> u64 + Sync {
    let text = include_str!("../../test-data/othello/ffo40-59.obf");
    let parsed = text.lines().filter_map(|line| othello_player::rules::obf::parse(line).expect("a problem"));
    let positions: Vec<_> = parsed.map(|problem| problem.board.position).skip(first).take(count).collect();
    move |number, threads| {
        let settings = othello_player::player::Settings { threads, ..Default::default() };
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let mut player = othello_player::player::Player::new(settings);
        player.solve(&positions[number], Goal::Score, &control).expect("nothing stops it").nodes
    }
}

fn gounki(depth: i32) -> impl Fn(usize, usize) -> u64 + Sync {
    let text = include_str!("../../test-data/gounki/positions.txt");
    let position = |line: &str| {
        let (to_move, codes) = line.split_once(' ').expect("a line of the file");
        let to_move = if to_move == "b" { Colour::White } else { Colour::Black };
        Configuration::from_codes(codes.split(' ')).expect("64 codes").position(to_move)
    };
    let all: Vec<_> = text.lines().map(position).filter(|position| !position.is_over()).collect();
    let every = all.len() / POSITIONS;
    let positions: Vec<_> = all.into_iter().step_by(every).take(POSITIONS).collect();
    move |number, threads| {
        let settings = gounki::player::Settings { threads, ..Default::default() };
        let mut player = gounki::player::Player::new(settings);
        player.think(&positions[number], Limits::depth(depth), &Stopwatch::start()).nodes
    }
}

fn connect5(depth: i32) -> impl Fn(usize, usize) -> u64 + Sync {
    let positions = benches::connect5_openings(POSITIONS);
    move |number, threads| {
        let settings = connect5_joueur::player::Settings { threads, ..Default::default() };
        let mut player = connect5_joueur::player::Player::new(settings);
        player.think(&positions[number], Limits::depth(depth), &Stopwatch::start()).nodes
    }
}

fn proofs(ply: u32) -> impl Fn(usize, usize) -> u64 + Sync {
    let empty = |state: &State| (0..9).map(|board| state.empty(board).count_ones()).sum::<u32>();
    let positions: Vec<_> = random_positions(&State::start(), 5, 4000, ply as usize + 1)
        .into_iter()
        .filter(|state| empty(state) == 81 - ply)
        .take(POSITIONS)
        .collect();
    move |number, threads| {
        let mut solver = uttt::player::Solver::with_threads(96 << 20, threads);
        solver.prove(&positions[number], Limits::nodes(4_000_000), &Stopwatch::start()).1
    }
}

/// Trees of 100,000 visits, which the threads share.
fn visits() -> impl Fn(usize, usize) -> u64 + Sync {
    let positions = random_positions(&State::start(), 6, POSITIONS, 12);
    move |number, threads| {
        let evaluator = || uttt::player::Evaluator::new(uttt::evaluation::Evaluation::Network);
        let mut tree = MonteCarlo::new(evaluator(), uttt::player::CONFIGURATION, 288 << 20);
        let clock = Stopwatch::start();
        let control = Control::new(Limits::nodes(100_000 / threads as u64), &clock);
        tree.go_on_with(&positions[number], &control, &Crew::new(threads), |_| evaluator(), &mut |_| {}).nodes
    }
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    // Cargo names the mode: without it this is a test, and one position of each is enough.
    let is_measured = arguments.iter().any(|argument| argument == "--bench");
    println!("searches, seconds        n       one  two apart  together   nodes    most  gained  share");
    let all = [
        Work { name: "othello, FFO 40-49", count: 10, search: &solver(0, 10), by_nodes: false },
        Work { name: "othello, depth 12", count: POSITIONS, search: &othello(12), by_nodes: false },
        Work { name: "gounki, depth 9", count: POSITIONS, search: &gounki(9), by_nodes: false },
        Work { name: "connect5, depth 13", count: POSITIONS, search: &connect5(13), by_nodes: false },
        Work { name: "uttt, proofs at ply 35", count: POSITIONS, search: &proofs(35), by_nodes: false },
        Work { name: "uttt, Monte-Carlo", count: POSITIONS, search: &visits(), by_nodes: true },
    ];
    for work in all {
        if wanted.is_none_or(|wanted| work.name.starts_with(wanted.as_str())) {
            measure(&Work { count: if is_measured { work.count } else { 1 }, ..work });
        }
    }
}
