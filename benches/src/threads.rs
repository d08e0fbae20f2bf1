//! Searches by several threads: their measure, and games that test them.

use search_core::Report;
use search_core::testing::random_positions;
use std::fmt::Debug;

/// The number of positions of a measure.
pub const POSITIONS: usize = 40;

/// The nodes of a move in the games of a test.
pub const NODES: u64 = 1_000;

/// Searches a position, given by its number, with a number of threads. Returns the nodes.
pub type Search = Box<dyn Fn(usize, usize) -> u64 + Sync>;

/// Searches of some positions.
pub struct Work {
    /// The game, and what is searched.
    pub name: &'static str,
    /// The number of positions.
    pub count: usize,
    /// The search.
    pub search: Search,
    /// True if the nodes a second count, not the time: a tree is never finished.
    pub by_nodes: bool,
}

/// The length at which a game that repeats itself is left.
const MOST_PLIES: usize = 300;

/// Plays some games from random openings, each move from `think`. Returns the number of moves.
///
/// # Panics
/// If a move is missing or illegal.
pub fn play<P: search_core::Position + Debug>(
    start: &P,
    games: usize,
    mut think: impl FnMut(&P) -> Report<P::Move>,
) -> usize {
    let mut moves = 0;
    for mut position in random_positions(start, 1, games, 8) {
        for _ in 0..MOST_PLIES {
            if position.outcome().is_some() {
                break;
            }
            let best = think(&position).best;
            let Some(mv) = best.filter(|&mv| position.is_legal(mv)) else {
                panic!("{best:?} is not legal in {position:?}")
            };
            position.play(mv);
            moves += 1;
        }
    }
    moves
}
