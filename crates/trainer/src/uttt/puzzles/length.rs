//! The number of plies to a win, for a position that is won.

use search_core::{Outcome, Position as _};
use std::collections::HashMap;
use uttt::rules::{Cell, State};

/// Bounds of the plies to the mover's win, by hash.
#[derive(Debug, Default)]
pub(super) struct Lengths(HashMap<u64, Bounds>);

/// A win takes more than `above` plies, and at most `within` if that is known.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    above: u32,
    within: u32,
}

impl Lengths {
    pub fn forget(&mut self) {
        self.0.clear();
    }

    /// Returns true if the mover wins within `plies` against every defence.
    pub fn wins(&mut self, state: &State, plies: u32) -> bool {
        if plies == 0 || state.outcome().is_some() {
            return false;
        }
        let known = self.0.get(&state.key()).copied().unwrap_or(Bounds { above: 0, within: u32::MAX });
        if plies <= known.above || plies >= known.within {
            return plies >= known.within;
        }
        let wins = state.move_list().into_iter().any(|mv| self.loses(&super::after(state, mv), plies - 1));
        let bounds = if wins { Bounds { within: plies, ..known } } else { Bounds { above: plies, ..known } };
        self.0.insert(state.key(), bounds);
        wins
    }

    /// Returns true if the mover loses within `plies`, whatever it plays.
    pub fn loses(&mut self, state: &State, plies: u32) -> bool {
        match state.outcome() {
            Some(outcome) => outcome == Outcome::Loss,
            None => {
                plies > 0
                    && state.move_list().into_iter().all(|mv| self.wins(&super::after(state, mv), plies - 1))
            }
        }
    }

    /// Returns the shortest win against the longest defence, for a mover who wins within `plies` but not sooner.
    pub fn line(&mut self, state: &State, mut plies: u32) -> Vec<Cell> {
        let (mut state, mut line) = (*state, Vec::new());
        while plies > 0 {
            let moves = state.move_list();
            let is_attack = line.len() % 2 == 0;
            let found = moves.into_iter().find(|&mv| {
                let next = super::after(&state, mv);
                if is_attack {
                    self.loses(&next, plies - 1)
                } else {
                    plies < 3 || !self.wins(&next, plies - 3)
                }
            });
            let Some(mv) = found else { break };
            line.push(mv);
            state.play(mv);
            plies -= 1;
        }
        line
    }
}
