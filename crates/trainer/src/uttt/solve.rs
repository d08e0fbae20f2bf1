//! The share of random positions at a ply that are solved within a limit.

use anyhow::{Context, Result};
use clap::Args;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Clock, Control, Limits, Outcome, Position, Stopwatch, memory};
use std::time::Duration;
use uttt::player::Solver;
use uttt::rules::State;

/// Maximum memory of the solver in bytes.
const TABLE_BYTES: usize = 96 << 20;

/// Arguments of `solve`.
#[derive(Debug, Args)]
pub struct Solve {
    /// Number of random moves before a position.
    #[arg(long, default_value_t = 45, value_parser = crate::numbers::number::<u64>())]
    ply: u64,
    /// Number of positions.
    #[arg(long, default_value_t = 200, value_parser = crate::numbers::count::<u64>())]
    count: u64,
    /// Milliseconds a position.
    #[arg(long, default_value_t = 1000, conflicts_with = "nodes", value_parser = crate::numbers::number::<u64>())]
    time: u64,
    /// Nodes a position instead, which do not depend on the machine's load.
    #[arg(long, value_parser = crate::numbers::number::<u64>())]
    nodes: Option<u64>,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 99, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
    /// Threads a position; each goal has half of them.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    threads: u64,
}

impl Solve {
    /// Solves the positions. Prints how many were proven, how many with their exact result, and the mean and the
    /// longest time of a proof.
    ///
    /// # Errors
    /// If all random games end before the given ply, or the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let (ply, count) = (self.ply, self.count);
        let time = Limits { hard: Some(Duration::from_millis(self.time)), ..Limits::default() };
        let limits = self.nodes.map_or(time, Limits::nodes);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        let (mut solved, mut exact, mut nodes) = (0, 0, 0);
        let mut slowest = Duration::ZERO;
        let mut total = Duration::ZERO;
        for _ in 0..count {
            let state = random_state(ply, &mut random).with_context(|| {
                format!("no position after {ply} random moves: the games are over before")
            })?;
            let clock = Stopwatch::start();
            let bytes = memory::bytes_for(limits, TABLE_BYTES);
            let mut solver = Solver::with_threads(bytes, self.threads as usize);
            let (solution, visited) = solver.prove(&state, limits, &clock);
            let proven = clock.elapsed();
            nodes += visited;
            let left = limits.nodes.map(|nodes| nodes.saturating_sub(visited));
            let rest = Control::new(Limits { nodes: left, ..limits }, &clock);
            rest.arm();
            let line = solver.line(&state, solution, &rest);
            if let Some(outcome) = solution.outcome() {
                solved += 1;
                exact += u32::from(line.plies.is_some() || outcome == Outcome::Draw);
                slowest = slowest.max(proven);
                total += proven;
            }
        }
        Ok(wire::print_line(format_args!(
            "ply {ply}: {solved} of {count} solved, {exact} exactly; {:.1} ms a proof on average, {:.0} ms the slowest; {nodes} nodes of proofs",
            total.as_secs_f64() * 1e3 / f64::from(solved.max(1)),
            slowest.as_secs_f64() * 1e3
        ))?)
    }
}

/// Returns a position after `ply` random moves where the game is not over, if a game gets so far.
fn random_state(ply: u64, random: &mut impl Rng) -> Option<State> {
    const GAMES: u32 = 100_000;
    (0..GAMES).find_map(|_| {
        let mut state = State::start();
        while u64::from(state.occupied()) < ply && state.outcome().is_none() {
            let moves = state.move_list();
            state.play(moves[random.random_range(0..moves.len())]);
        }
        state.outcome().is_none().then_some(state)
    })
}
