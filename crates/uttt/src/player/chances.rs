//! What a look at the lines tells a proof: who cannot win any more, and how hard the rest will be.

use crate::rules::{Boards, FULL, LINES, Side, State, completing, has_line};
use search_core::proof::{Estimate, Goal};
use search_core::{Count, Position};

/// Guesses by the lines of boards that each side can still make.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chances;

/// What a line of boards is worth by how far it is: a board won counts two, one that lacks a cell counts one.
const WORTH: [i32; 7] = [1, 2, 4, 7, 12, 20, 20];

/// One bit for each of the 512 sets of cells: whether it touches every line, so that the other side can make none.
const BLOCKING: [u64; 8] = {
    let mut table = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 && cells as u16 & LINES[line] != 0 {
            line += 1;
        }
        if line == 8 {
            table[cells / 64] |= 1 << (cells % 64);
        }
        cells += 1;
    }
    table
};

#[inline]
fn blocks(cells: u16) -> bool {
    BLOCKING[cells as usize / 64] >> (cells % 64) & 1 == 1
}

/// The boards that a side has won or may still win.
#[inline]
fn winnable(state: &State, side: Side) -> u16 {
    let open = FULL & !state.closed();
    let blocked = |board: &usize| blocks(state.cells(side.other(), *board));
    state.won(side) | Boards(open).filter(|board| !blocked(board)).fold(0, |set, board| set | 1 << board)
}

/// The open boards that lack a side one cell.
#[inline]
fn close(state: &State, side: Side) -> u16 {
    let lacks_one =
        |board: &usize| completing(state.cells(side, *board)) & !state.cells(side.other(), *board) != 0;
    Boards(FULL & !state.closed()).filter(lacks_one).fold(0, |set, board| set | 1 << board)
}

#[inline]
fn worth(won: u16, winnable: u16, close: u16) -> i32 {
    let mut sum = 0;
    for line in LINES {
        if line & !winnable == 0 {
            sum += WORTH[(2 * (won & line).count_ones() + (close & line).count_ones()) as usize];
        }
    }
    sum
}

/// Whether the mover has a move that wins the game.
#[inline]
fn wins_at_once(state: &State) -> bool {
    let (own, other) = (state.mover(), state.mover().other());
    let decisive = completing(state.won(own)) & state.playable();
    Boards(decisive).any(|board| completing(state.cells(own, board)) & !state.cells(other, board) != 0)
}

/// For each set of boards, those of it that lie on a line within it.
const ON_LINES: [u16; 512] = {
    let mut table = [0; 512];
    let mut boards = 0;
    while boards < 512 {
        let mut line = 0;
        while line < 8 {
            if LINES[line] & !(boards as u16) == 0 {
                table[boards] |= LINES[line];
            }
            line += 1;
        }
        boards += 1;
    }
    table
};

impl Estimate<State> for Chances {
    /// Forgets what cannot matter any more: who owns a board that completes no line, and whose symbols fill a board that
    /// nobody can win.
    fn key(&self, state: &State) -> u64 {
        let mut key = state.key();
        let mut dead = FULL & !state.closed();
        for side in [Side::X, Side::O] {
            let winnable = winnable(state, side);
            for board in Boards(state.won(side) & !ON_LINES[winnable as usize]) {
                key ^= state.owner_forgotten(side, board);
            }
            dead &= !winnable;
        }
        for board in Boards(dead) {
            key ^= state.symbols_forgotten(board);
        }
        key
    }

    fn estimate(&self, state: &State, goal: Goal) -> (u32, u32) {
        let (own, other) = (state.mover(), state.mover().other());
        if wins_at_once(state) {
            return (0, 1);
        }
        let (winnable, their_winnable) = (winnable(state, own), winnable(state, other));
        match goal {
            Goal::Win if !has_line(winnable) => return (1, 0),
            Goal::Draw if !has_line(their_winnable) => return (0, 1),
            _ => {}
        }
        let ahead = worth(state.won(own), winnable, close(state, own))
            - worth(state.won(other), their_winnable, close(state, other));
        let mut moves = Count(0);
        state.moves(&mut moves);
        (1 + (-ahead).max(0) as u32, moves.0 as u32 + ahead.max(0) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use search_core::Outcome;
    use std::collections::HashMap;

    /// The outcome for the mover by looking at everything; positions that share a key must share it.
    fn outcome(state: &State, known: &mut HashMap<u64, Outcome>, shared: &mut u32) -> Outcome {
        if let Some(outcome) = state.outcome() {
            return outcome;
        }
        let worth = |outcome| match outcome {
            Outcome::Win => 0,
            Outcome::Loss => 2,
            _ => 1,
        };
        let best = state
            .move_list()
            .into_iter()
            .map(|cell| {
                let mut next = *state;
                next.play(cell);
                worth(outcome(&next, known, shared))
            })
            .max();
        let outcome = match best {
            Some(2) => Outcome::Win,
            Some(1) => Outcome::Draw,
            _ => Outcome::Loss,
        };
        if wins_at_once(state) {
            assert_eq!(outcome, Outcome::Win, "{state}");
        }
        if let Some(before) = known.insert(Chances.key(state), outcome) {
            *shared += 1;
            assert_eq!(before, outcome, "{state}");
        }
        outcome
    }

    #[test]
    fn positions_that_share_a_key_share_their_outcome() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut games, mut shared) = (0, 0);
        while games < 60 {
            let mut state = State::start();
            while state.outcome().is_none() && state.occupied() < 60 {
                let moves = state.move_list();
                state.play(moves[random.random_range(0..moves.len())]);
            }
            let open =
                Boards(FULL & !state.closed()).map(|board| state.empty(board).count_ones()).sum::<u32>();
            if state.outcome().is_none() && open <= 9 {
                outcome(&state, &mut HashMap::new(), &mut shared);
                games += 1;
            }
        }
        assert!(shared > 1_000, "{shared} positions met again");
    }
}
