//! Gounki.

use crate::duel::{self, Means};
use crate::table::Game;
use crate::threads::{self, POSITIONS, Search, Think, Work};
use gounki::evaluation::Evaluation;
use gounki::player::{Player, Settings};
use gounki::rules::{Colour, Configuration, Position};
use search_core::Stopwatch;

/// The evaluation functions.
#[must_use]
pub fn game() -> Game {
    Game::new("gounki", Evaluation::ALL, "robot:alphabeta:3:{}")
}

/// The searches that threads share.
#[must_use]
pub fn works() -> Vec<Work> {
    vec![Work { name: "gounki, depth 9", count: POSITIONS, search: to_depth(9), by_nodes: false }]
}

/// A player with a number of threads.
fn think(threads: usize) -> Think<Position> {
    let mut player = Player::new(Settings { threads, ..Default::default() });
    Box::new(move |position, limits| player.think(position, limits, &Stopwatch::start()))
}

fn to_depth(depth: i32) -> Search {
    let text = include_str!("../../test-data/gounki/positions.txt");
    let position = |line: &str| {
        let (to_move, codes) = line.split_once(' ').expect("a line of the file");
        let to_move = if to_move == "b" { Colour::White } else { Colour::Black };
        Configuration::from_codes(codes.split(' ')).expect("64 codes").position(to_move)
    };
    let all: Vec<_> = text.lines().map(position).filter(|position| !position.is_over()).collect();
    let every = all.len() / POSITIONS;
    let positions: Vec<_> = all.into_iter().step_by(every).take(POSITIONS).collect();
    threads::to_depth(positions, depth, think)
}

/// Plays games whose moves are searched by threads, and prints their number.
///
/// # Panics
/// If a move is missing or illegal.
pub fn play(games: usize, threads: usize) {
    threads::play("gounki", &Position::initial(), games, think(threads));
}

/// Plays a match of two players with other means.
///
/// # Panics
/// If a player has no move.
pub fn duel(games: usize, means: &[Means; 2]) {
    duel::play(&Position::initial(), games, means, think);
}
