//! Connect5.

use crate::table::Game;
use crate::threads::{self, NODES, POSITIONS, Search, Work};
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::rules::{Cell, Grid, Position};
use search_core::{Limits, Position as _, Stopwatch};

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
    let mut position = Position::from_grid(&Grid::new(15, 15).expect("a size"));
    let starts: Vec<usize> =
        line.char_indices().filter(|(_, c)| c.is_alphabetic()).map(|(at, _)| at).collect();
    for (index, &start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).copied().unwrap_or(line.len());
        let row: usize = line[start + 1..end].parse().expect("a row");
        position.play(Cell::at(row - 1, usize::from(line.as_bytes()[start] - b'a'), 15));
    }
    position
}

fn to_depth(depth: i32) -> Search {
    let positions = openings(POSITIONS);
    Box::new(move |number, threads| {
        let settings = Settings { threads, ..Default::default() };
        let mut player = Player::new(settings);
        player.think(&positions[number], Limits::depth(depth), &Stopwatch::start()).nodes
    })
}

/// Plays games whose moves are searched by threads, and prints their number.
///
/// # Panics
/// If a move is missing or illegal.
pub fn play(games: usize, threads: usize) {
    let clock = Stopwatch::start();
    let settings = Settings { threads, ..Default::default() };
    let mut player = Player::new(settings);
    let start = Position::from_grid(&Grid::new(12, 12).expect("a size"));
    let moves = threads::play(&start, games, |at| player.think(at, Limits::nodes(NODES), &clock));
    println!("connect5: {games} games, {moves} moves");
}
