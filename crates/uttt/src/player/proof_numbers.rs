//! Heuristic initialisation of proof numbers by line features: who cannot win any more, and how hard the rest will be.

use super::classes::Look;
use super::ending::Ending;
use crate::rules::{Cell, has_line};
use search_core::proof::{Estimate, Goal};

/// First proof numbers by the lines of boards that each side can still make.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineEstimate;

impl Estimate<Ending> for LineEstimate {
    const KEEPS_COPIES: bool = true;

    #[inline]
    fn behind(&self, ending: &Ending, cell: Cell) -> Ending {
        ending.behind(cell)
    }

    #[inline]
    fn key(&self, ending: &Ending) -> u64 {
        ending.look.key(&ending.state)
    }

    #[inline]
    fn estimate(&self, ending: &Ending, goal: Goal) -> (u32, u32) {
        let state = &ending.state;
        let (own, other) = (state.mover(), state.mover().other());
        let Look { winnable, worth, .. } = ending.look;
        match goal {
            Goal::Win if !has_line(winnable[own.index()]) => return (1, 0),
            Goal::Draw if !has_line(winnable[other.index()]) => return (0, 1),
            _ => {}
        }
        let ahead = i32::from(worth[own.index()]) - i32::from(worth[other.index()]);
        (1 + (-ahead).max(0) as u32, ending.count_safe() + ahead.max(0) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Boards, FULL, State};
    use rand::{RngExt, SeedableRng};
    use search_core::{Outcome, Position};
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
        if let Some(seen) = Ending::new(*state).outcome() {
            assert_eq!(outcome, seen, "{state}");
        }
        if let Some(before) = known.insert(LineEstimate.key(&Ending::new(*state)), outcome) {
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
