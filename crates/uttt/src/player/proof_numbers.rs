//! Initial proof numbers from line features: decided positions, and the difficulty of the others.

use super::classes::Summary;
use super::ending::{End, Ending};
use crate::rules::{Cell, Side, has_line};
use search_core::proof::{Estimate, Goal, Successor};
use search_core::{Outcome, Position};

/// Initial proof numbers from the lines of boards that each side can still complete.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineEstimate;

impl Estimate<Ending> for LineEstimate {
    const LISTS_SUCCESSORS: bool = true;

    #[inline]
    fn key(&self, ending: &Ending) -> u64 {
        ending.key()
    }

    #[inline]
    fn estimate(&self, ending: &Ending, goal: Goal) -> (u32, u32) {
        numbers(&ending.summary, ending.state.mover(), goal, ending.count_safe())
    }

    #[inline]
    fn successors(&self, ending: &Ending, goal: Goal, mut visit: impl FnMut(Cell, Successor)) {
        let denied = if goal == Goal::Win { Goal::Draw } else { Goal::Win };
        let mover = ending.state.mover().other();
        ending.successors(|cell, summary, end| {
            let (proof, disproof) = match end {
                End::Over(Outcome::Draw) if denied == Goal::Draw => (0, 1),
                End::Over(_) => (1, 0),
                End::Open { safe, .. } => numbers(summary, mover, denied, safe),
            };
            visit(
                cell,
                match end {
                    End::Open { forced, .. } if proof > 0 && disproof > 0 => {
                        Successor::Open { key: summary.key(forced, mover), proof, disproof }
                    }
                    _ => Successor::Settled { is_reached: proof == 0, plies: 0 },
                },
            );
        });
    }
}

/// The initial numbers for a mover with `safe` moves that do not lose at once.
#[inline]
fn numbers(summary: &Summary, mover: Side, goal: Goal, safe: u32) -> (u32, u32) {
    let (own, other) = (mover, mover.other());
    let winnable = summary.winnable;
    match goal {
        Goal::Win if !has_line(winnable[own.index()]) => return (1, 0),
        Goal::Draw if !has_line(winnable[other.index()]) => return (0, 1),
        _ => {}
    }
    let ahead = i32::from(summary.worth[own.index()]) - i32::from(summary.worth[other.index()]);
    (1 + (-ahead).max(0) as u32, safe + ahead.max(0) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Boards, FULL, State};
    use rand::{RngExt, SeedableRng};
    use search_core::{Outcome, Position};
    use std::collections::HashMap;

    /// The outcome for the side to move by exhaustive search. Positions that share a key must have the same outcome.
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
    fn successors_match_the_positions_after_the_moves() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(6);
        let (mut open, mut settled, mut anywhere) = (0, 0, 0);
        for _ in 0..500 {
            let mut state = State::start();
            while state.outcome().is_none() {
                let ending = Ending::new(state);
                for (goal, denied) in [(Goal::Win, Goal::Draw), (Goal::Draw, Goal::Win)] {
                    if ending.outcome().is_some() {
                        continue;
                    }
                    let mut moves = ending.move_list().into_iter();
                    LineEstimate.successors(&ending, goal, |cell, successor| {
                        assert_eq!(moves.next(), Some(cell), "{state}");
                        let mut next = ending;
                        next.play(cell);
                        let (proof, disproof) = match next.outcome() {
                            Some(Outcome::Win) => (0, 1),
                            Some(Outcome::Draw) if denied == Goal::Draw => (0, 1),
                            Some(_) => (1, 0),
                            None => LineEstimate.estimate(&next, denied),
                        };
                        let expected = if proof == 0 || disproof == 0 {
                            settled += 1;
                            Successor::Settled { is_reached: proof == 0, plies: 0 }
                        } else {
                            open += 1;
                            anywhere += u32::from(next.state.forced().is_none());
                            Successor::Open { key: LineEstimate.key(&next), proof, disproof }
                        };
                        assert_eq!(successor, expected, "{state} {cell}");
                    });
                    assert_eq!(moves.next(), None, "{state}");
                }
                let moves = state.move_list();
                state.play(moves[random.random_range(0..moves.len())]);
            }
        }
        assert!(open > 100_000 && settled > 5_000 && anywhere > 10_000, "{open} {settled} {anywhere}");
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
