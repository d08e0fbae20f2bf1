//! Values and priors for the Monte-Carlo tree search.
//!
//! Source: children evaluated from their parent's sums, a backup between the best child and the mean: T. Alard, UTTT_player.

use crate::evaluation::network::Workspace;
use crate::evaluation::{Evaluation, Network};
use crate::rules::{Cell, State};
use search_core::monte_carlo::{self, Candidate};
use search_core::{Outcome, Position};

/// Evaluates each move by evaluating the position after it.
#[derive(Debug, Clone)]
pub struct Evaluator {
    evaluation: Evaluation,
    network: &'static Network,
    undecided: Vec<Cell>,
    workspace: Workspace,
}

/// A move whose value is this much below the best one's has a quarter of its prior.
const TEMPERATURE: f32 = 0.1;

impl Evaluator {
    /// An evaluator that uses `evaluation`.
    #[must_use]
    pub fn new(evaluation: Evaluation) -> Self {
        Self {
            evaluation,
            network: Network::embedded(),
            undecided: Vec::new(),
            workspace: Workspace::default(),
        }
    }

    /// An evaluator with a network other than the executable's.
    #[must_use]
    pub fn with_network(network: &'static Network) -> Self {
        Self { network, ..Self::new(Evaluation::Network) }
    }

    /// Computes the values of the moves that do not end the game.
    fn values(&mut self, state: &State) {
        if self.evaluation == Evaluation::Network {
            self.network.values_after(state, &self.undecided, &mut self.workspace);
            return;
        }
        let values = self.undecided.iter().map(|&cell| {
            let mut next = *state;
            next.play(cell);
            let score = self.evaluation.evaluate(&next).value() as f32;
            -score / (self.evaluation.scale() + score.abs())
        });
        self.workspace.values.clear();
        self.workspace.values.extend(values);
    }
}

impl monte_carlo::Evaluator for Evaluator {
    type Position = State;

    fn evaluate(&mut self, state: &State, candidates: &mut Vec<Candidate<Cell>>) -> f32 {
        self.undecided.clear();
        for cell in state.move_list() {
            // Only a move that closes a board can end the game.
            let outcome = if state.closes_board(cell) {
                let mut next = *state;
                next.play(cell);
                next.outcome().map(Outcome::reversed)
            } else {
                None
            };
            let value = match outcome {
                Some(Outcome::Win) => 1.0,
                Some(Outcome::Loss) => -1.0,
                _ => 0.0,
            };
            if outcome.is_none() {
                self.undecided.push(cell);
            }
            candidates.push(Candidate { mv: cell, value, prior: 0.0, outcome });
        }
        self.values(state);
        let undecided = candidates.iter_mut().filter(|candidate| candidate.outcome.is_none());
        for (candidate, &value) in undecided.zip(&self.workspace.values) {
            candidate.value = value;
        }
        let best = candidates.iter().map(|candidate| candidate.value).fold(-1.0, f32::max);
        let mut sum = 0.0;
        for candidate in candidates.iter_mut() {
            let share = 1.0 + (best - candidate.value) / TEMPERATURE;
            candidate.prior = 1.0 / (share * share);
            sum += candidate.prior;
        }
        for candidate in candidates {
            candidate.prior /= sum;
        }
        best
    }
}
