//! Ultimate tic-tac-toe.

use crate::duel::{self, Means};
use crate::table::Game;
use crate::threads::{self, POSITIONS, Search, Think, Work};
use search_core::monte_carlo::MonteCarlo;
use search_core::testing::random_positions;
use search_core::{Control, Crew, Limits, Stopwatch};
use uttt::evaluation::Evaluation;
use uttt::player::{Evaluator, Method, Player, Settings, Solver};
use uttt::rules::State;

/// The evaluation functions.
#[must_use]
pub fn game() -> Game {
    Game::new("uttt", Evaluation::ALL, "--nodes 500 --eval {}")
}

/// The searches that threads share.
#[must_use]
pub fn works() -> Vec<Work> {
    vec![
        Work { name: "uttt, proofs at ply 35", count: POSITIONS, search: proofs(35), by_nodes: false },
        Work { name: "uttt, Monte-Carlo", count: POSITIONS, search: visits(), by_nodes: true },
    ]
}

fn proofs(ply: u32) -> Search {
    let empty = |state: &State| (0..9).map(|board| state.empty(board).count_ones()).sum::<u32>();
    let positions: Vec<_> = random_positions(&State::start(), 5, 4000, ply as usize + 1)
        .into_iter()
        .filter(|state| empty(state) == 81 - ply)
        .take(POSITIONS)
        .collect();
    Box::new(move |number, threads| {
        let mut solver = Solver::with_threads(96 << 20, threads);
        solver.prove(&positions[number], Limits::nodes(4_000_000), &Stopwatch::start()).1
    })
}

/// Trees of 100,000 visits, which the threads share.
fn visits() -> Search {
    let positions = random_positions(&State::start(), 6, POSITIONS, 12);
    Box::new(move |number, threads| {
        let evaluator = || Evaluator::new(Evaluation::Network);
        let mut tree = MonteCarlo::new(evaluator(), uttt::player::CONFIGURATION, 288 << 20);
        let clock = Stopwatch::start();
        let control = Control::new(Limits::nodes(100_000 / threads as u64), &clock);
        tree.go_on_with(&positions[number], &control, &Crew::new(threads), |_| evaluator(), &mut |_| {}).nodes
    })
}

/// Returns a player with `threads` threads and a table of `mebibytes` MiB.
fn think_by(method: Method, threads: usize, mebibytes: usize) -> Think<State> {
    let settings = Settings { method, threads, table_bytes: mebibytes << 20, ..Default::default() };
    let mut player = Player::new(settings);
    Box::new(move |state, limits| player.think(state, limits, &Stopwatch::start()))
}

/// Plays games whose moves are searched by threads, and prints their number.
///
/// # Panics
/// If a move is missing or illegal.
pub fn play(games: usize, threads: usize) {
    for method in [Method::AlphaBeta, Method::MonteCarlo] {
        threads::play(&format!("uttt, {method}"), &State::start(), games, think_by(method, threads, 32));
    }
}

/// Plays a match of two players with other means.
///
/// # Panics
/// If a player has no move.
pub fn duel(games: usize, means: &[Means; 2]) {
    let think = |threads| {
        let Settings { method, table_bytes, .. } = Settings::default();
        think_by(method, threads, table_bytes >> 20)
    };
    duel::play(&State::start(), games, means, think);
}
