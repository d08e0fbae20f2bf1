//! Built-in clients.

use crate::player::Builtin;
use moules_client::rules::{Cell, Direction, Game, Move, State, Tile};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;

/// Returns a built-in client's move: random, or a step on the shortest path to the nearest mussel.
pub fn own_move(kind: Builtin, random: &mut Xoshiro256PlusPlus, game: &Game, seat: usize) -> String {
    let step = match kind {
        Builtin::Random => None,
        Builtin::Greedy | Builtin::Search(_) => towards(&game.state, game.state.players[seat]),
        Builtin::First => Some(Direction::East),
    };
    Move::Step(step.unwrap_or_else(|| Direction::ALL[random.random_range(0..4)])).to_string()
}

/// Returns the first step to the nearest mussel, by breadth-first search.
fn towards(state: &State, from: Cell) -> Option<Direction> {
    let mut first: Vec<Option<Direction>> = vec![None; state.tiles.len()];
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        for direction in Direction::ALL {
            let Some(next) = state.neighbour(cell, direction, 1) else { continue };
            if next == from || state.tile(next) == Tile::Dune || first[next.index()].is_some() {
                continue;
            }
            let step = if cell == from { direction } else { first[cell.index()]? };
            if matches!(state.tile(next), Tile::Mussel(_)) {
                return Some(step);
            }
            first[next.index()] = Some(step);
            queue.push_back(next);
        }
    }
    None
}
