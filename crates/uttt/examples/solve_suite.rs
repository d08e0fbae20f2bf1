//! Counts how many random positions of a ply are solved within so many milliseconds, or, from 100,000 on, nodes:
//! `solve_suite PLY COUNT LIMIT`.

use rand::{RngExt, SeedableRng};
use search_core::{Control, Limits, Position, Stopwatch};
use std::time::Duration;
use uttt::player::Solver;
use uttt::rules::State;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let mut next = |default| arguments.next().unwrap_or(default);
    let (ply, count, millis) = (next(45), next(200), next(1000));
    let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(99);
    let (mut solved, mut exact, mut nodes) = (0, 0, 0);
    let mut slowest = Duration::ZERO;
    let mut total = Duration::ZERO;
    let mut played = 0;
    while played < count {
        let mut state = State::start();
        while u64::from(state.occupied()) < ply && state.outcome().is_none() {
            let moves = state.move_list();
            state.play(moves[random.random_range(0..moves.len())]);
        }
        if state.outcome().is_some() {
            continue;
        }
        played += 1;
        let clock = Stopwatch::start();
        let limits = match millis {
            0..100_000 => Limits { hard: Some(Duration::from_millis(millis)), ..Limits::default() },
            nodes => Limits::nodes(nodes),
        };
        let control = Control::new(limits, &clock);
        control.arm();
        let mut solver = Solver::new(96 << 20);
        let solution = solver.outcome(&state, u64::MAX, &control);
        let proven = control.elapsed();
        nodes += control.nodes();
        let line = solver.line(&state, solution, &control);
        if solution.outcome().is_some() {
            solved += 1;
            exact +=
                u32::from(line.plies.is_some() || solution.outcome() == Some(search_core::Outcome::Draw));
            slowest = slowest.max(proven);
            total += proven;
        }
    }
    println!(
        "ply {ply}: {solved} of {count} solved, {exact} exactly; {:.1} ms a proof on average, {:.0} ms the slowest; {nodes} nodes of proofs",
        total.as_secs_f64() * 1e3 / f64::from(solved),
        slowest.as_secs_f64() * 1e3
    );
}
