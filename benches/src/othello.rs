//! Othello.

use crate::duel::{self, Means};
use crate::table::Game;
use crate::threads::{self, POSITIONS, Search, Think, Work};
use othello_player::endgame::Goal;
use othello_player::evaluation::Evaluation;
use othello_player::player::{Player, Settings};
use othello_player::rules::{Position, obf};
use search_core::testing::random_positions;
use search_core::{Control, Limits, Stopwatch};

/// The evaluation functions.
#[must_use]
pub fn game() -> Game {
    Game::new("othello", Evaluation::ALL, "--depth 4 --eval {}")
}

/// The searches that threads share.
#[must_use]
pub fn works() -> Vec<Work> {
    vec![
        Work { name: "othello, FFO 40-49", count: 10, search: solver(0, 10), by_nodes: false },
        Work { name: "othello, depth 12", count: POSITIONS, search: to_depth(12), by_nodes: false },
    ]
}

/// A player with a number of threads.
fn think(threads: usize) -> Think<Position> {
    let mut player = Player::new(Settings { threads, ..Default::default() });
    Box::new(move |position, limits| player.think(position, limits, &Stopwatch::start()))
}

fn to_depth(depth: i32) -> Search {
    let positions: Vec<_> = random_positions(&Position::START, 3, 400, 36)
        .into_iter()
        .filter(|position| position.empties() <= 50)
        .take(POSITIONS)
        .collect();
    threads::to_depth(positions, depth, think)
}

fn solver(first: usize, count: usize) -> Search {
    let text = include_str!("../../test-data/othello/ffo40-59.obf");
    let parsed = text.lines().filter_map(|line| obf::parse(line).expect("a problem"));
    let positions: Vec<_> = parsed.map(|problem| problem.board.position).skip(first).take(count).collect();
    Box::new(move |number, threads| {
        let settings = Settings { threads, ..Default::default() };
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let mut player = Player::new(settings);
        player.solve(&positions[number], Goal::Score, &control).expect("nothing stops it").nodes
    })
}

/// Plays games whose moves are searched by threads, and prints their number.
///
/// # Panics
/// If a move is missing or illegal.
pub fn play(games: usize, threads: usize) {
    threads::play("othello", &Position::START, games, think(threads));
}

/// Plays a match of two players with other means.
///
/// # Panics
/// If a player has no move.
pub fn duel(games: usize, means: &[Means; 2]) {
    duel::play(&Position::START, games, means, think);
}
