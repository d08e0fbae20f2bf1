//! Built-in clients.

use crate::fault::Trouble;
use crate::peer::Supervisor;
use crate::player::Builtin;
use moules_client::rules::{Cell, Direction, Game, Move, State, Tile};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;

/// Returns a built-in client's move: random, or a step on the shortest path to the nearest mussel.
///
/// # Errors
/// [`Trouble::Interrupted`].
pub fn own_move(
    kind: Builtin,
    random: &mut Xoshiro256PlusPlus,
    game: &Game,
    seat: usize,
    supervisor: &Supervisor,
) -> Result<String, Trouble> {
    let step = match kind {
        Builtin::Random => None,
        Builtin::Greedy | Builtin::Search(_) => towards(&game.state, game.state.players[seat], supervisor)?,
        Builtin::First => Some(Direction::East),
    };
    Ok(Move::Step(step.unwrap_or_else(|| Direction::ALL[random.random_range(0..4)])).to_string())
}

/// Number of cells between two looks at the supervisor.
const LOOK_EVERY: usize = 10_000;

/// Returns the first step to the nearest mussel, by breadth-first search.
fn towards(state: &State, from: Cell, supervisor: &Supervisor) -> Result<Option<Direction>, Trouble> {
    let mut first: Vec<Option<Direction>> = vec![None; state.tiles.len()];
    let mut queue = VecDeque::from([from]);
    let mut seen = 0;
    while let Some(cell) = queue.pop_front() {
        seen += 1;
        if seen % LOOK_EVERY == 0 && supervisor.is_stopped() {
            return Err(Trouble::Interrupted);
        }
        for direction in Direction::ALL {
            let Some(next) = state.neighbour(cell, direction, 1) else { continue };
            if next == from || state.tile(next) == Tile::Dune || first[next.index()].is_some() {
                continue;
            }
            let step = if cell == from { Some(direction) } else { first[cell.index()] };
            if matches!(state.tile(next), Tile::Mussel(_)) {
                return Ok(step);
            }
            first[next.index()] = step;
            queue.push_back(next);
        }
    }
    Ok(None)
}
