//! Searches by several threads: their measure, and games that test them.

use search_core::testing::random_positions;
use search_core::{Limits, Position, Report};
use std::fmt::Debug;

/// The number of positions of a measure.
pub const POSITIONS: usize = 40;

/// The nodes of a move in the games of a test.
pub const NODES: u64 = 1_000;

/// Searches a position within limits.
pub type Think<P> = Box<dyn FnMut(&P, Limits) -> Report<<P as Position>::Move>>;

/// Searches a position, given by its number, with a number of threads. Returns the nodes.
pub type Search = Box<dyn Fn(usize, usize) -> u64 + Sync>;

/// Searches of some positions.
pub struct Work {
    /// The game, and what is searched.
    pub name: &'static str,
    /// The number of positions.
    pub count: usize,
    /// Searches one of them.
    pub search: Search,
    /// True if the nodes a second count, not the time: a tree is never finished.
    pub by_nodes: bool,
}

/// The length at which a game that repeats itself is left.
pub const MOST_PLIES: usize = 300;

/// Returns the searches of positions to a depth, each by a new player with some threads.
pub fn to_depth<P: Sync + Position + 'static>(
    positions: Vec<P>,
    depth: i32,
    think: fn(usize) -> Think<P>,
) -> Search {
    Box::new(move |number, threads| think(threads)(&positions[number], Limits::depth(depth)).nodes)
}

/// Plays some games from random openings, each move from `think`, and prints their number.
///
/// # Panics
/// If a move is missing or illegal.
pub fn play<P: Position + Debug>(name: &str, start: &P, games: usize, mut think: Think<P>) {
    let mut moves = 0;
    for mut position in random_positions(start, 1, games, 8) {
        for _ in 0..MOST_PLIES {
            if position.outcome().is_some() {
                break;
            }
            let best = think(&position, Limits::nodes(NODES)).best;
            let Some(mv) = best.filter(|&mv| position.is_legal(mv)) else {
                panic!("{best:?} is not legal in {position:?}")
            };
            position.play(mv);
            moves += 1;
        }
    }
    println!("{name}: {games} games, {moves} moves");
}
