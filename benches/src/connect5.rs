//! Connect5.

use crate::duel::{self, Means};
use crate::table::Game;
use crate::threads::{self, POSITIONS, Search, Think, Work};
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::rules::{Cell, Grid, Position};
use search_core::{Position as _, Stopwatch};

/// The evaluation functions.
#[must_use]
pub fn game() -> Game {
    Game::new("connect5", Evaluation::ALL, "--eval {}")
}

/// The searches that threads share.
#[must_use]
pub fn works() -> Vec<Work> {
    vec![Work { name: "connect5, depth 13", count: POSITIONS, search: to_depth(13), by_nodes: false }]
}

/// The first openings of the 15×15 file.
#[must_use]
pub fn openings(count: usize) -> Vec<Position> {
    let text = include_str!("../../test-data/connect5/balanced_openings_15.txt");
    text.lines().take(count).map(opening).collect()
}

/// Parses an opening `h8i9…`: columns from `a`, rows from 1.
fn opening(line: &str) -> Position {
    let mut position = empty(15);
    let starts: Vec<usize> =
        line.char_indices().filter(|(_, c)| c.is_alphabetic()).map(|(at, _)| at).collect();
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(line.len());
        let row: usize = line[start + 1..end].parse().expect("a row");
        position.play(Cell::at(row - 1, usize::from(line.as_bytes()[start] - b'a'), 15));
    }
    position
}

/// A player with a number of threads.
fn think(threads: usize) -> Think<Position> {
    let mut player = Player::new(Settings { threads, ..Default::default() });
    Box::new(move |position, limits| player.think(position, limits, &Stopwatch::start()))
}

fn to_depth(depth: i32) -> Search {
    let positions = openings(POSITIONS);
    threads::to_depth(positions, depth, think)
}

/// An empty grid.
fn empty(side: usize) -> Position {
    Position::from_grid(&Grid::new(side, side).expect("a size"))
}

/// Plays games whose moves are searched by threads, and prints their number.
///
/// # Panics
/// If a move is missing or illegal.
pub fn play(games: usize, threads: usize) {
    threads::play("connect5", &empty(12), games, think(threads));
}

/// Plays a match of two players with other means.
///
/// # Panics
/// If a player has no move.
pub fn duel(games: usize, means: &[Means; 2]) {
    duel::play(&empty(15), games, means, think);
}
