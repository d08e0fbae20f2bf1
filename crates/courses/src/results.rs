//! Sums of many games: a player's results, wins and losses against one opponent, places.
//!
//! - [`sample`]: results as a sample: single games, or pairs in their pentanomial form.
//! - [`elo`]: a score as Elo, logistic or normalised, with its interval.
//! - [`interval`]: confidence intervals of a mean, valid for few results too.
//! - [`sprt`]: the generalised sequential probability ratio test.

pub mod elo;
pub mod interval;
pub mod sample;
pub mod sprt;

use crate::fault::Kind;
use crate::record::Times;
use crate::thought::Thought;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The 97.5 % quantile of the standard normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;

/// A player's results in all its games.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Line {
    /// The number of games.
    pub games: u64,
    /// Points: 1 a win, ½ a draw; by rank where more than two play.
    pub points: f64,
    /// Wins, draws, losses, pairs; for two players a game.
    pub tally: Tally,
    /// The course's own score, for and against.
    pub score_for: f64,
    /// The others' score in its games, together.
    pub score_against: f64,
    /// Firsts, seconds, … by the course's score.
    pub ranks: [u64; 4],
    /// Faults by kind.
    pub faults: BTreeMap<Kind, u64>,
    /// The times of its moves.
    #[serde(flatten)]
    pub times: Times,
    /// Processor time, in microseconds.
    pub cpu: u64,
}

/// Totals of the searches that a player reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct SearchTotals {
    /// The number of moves with a reported depth.
    pub moves: u64,
    /// The sum of the reported depths, in plies.
    pub depth: u64,
    /// The positions visited, for moves that report them.
    pub nodes: u64,
    /// The time in microseconds of the moves that report nodes.
    pub micros: u64,
}

impl SearchTotals {
    /// Adds a move with its search report.
    pub fn add(&mut self, thought: &Thought, micros: u64) {
        if let Some(depth) = thought.depth {
            self.moves += 1;
            self.depth += u64::from(depth);
        }
        if let Some(nodes) = thought.nodes {
            self.nodes = self.nodes.saturating_add(nodes);
            self.micros = self.micros.saturating_add(micros);
        }
    }

    /// Adds those of another game.
    pub fn sum(&mut self, other: &Self) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.micros = self.micros.saturating_add(other.micros);
    }

    /// The mean depth of the moves that report one.
    #[must_use]
    pub fn depth(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.depth as f64 / self.moves as f64)
    }

    /// Thousands of positions a second.
    #[must_use]
    pub fn speed(&self) -> Option<f64> {
        (self.nodes > 0).then(|| 1e3 * self.nodes as f64 / self.micros.max(1) as f64)
    }
}

/// A tally of one side's games. Games of a pair share their opening with the sides swapped, so that luck of the
/// opening cancels: the pair, not the game, is the unit of chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Counts a game by its points: 0, ½ or 1. The game's pair is counted by [`add_pair`](Self::add_pair).
    pub fn add(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Counts a whole pair by the points of both its games.
    pub fn add_pair(&mut self, first: f64, second: f64) {
        self.pairs[((first + second) * 2.0).round().clamp(0.0, 4.0) as usize] += 1;
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points scored.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game; ½ without any.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// The same games seen from the other side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }
}

/// The places, from 1, of values in their order from the best: equals share one, and the next has as many before it.
#[must_use]
pub fn places<T: PartialEq>(values: &[T]) -> Vec<usize> {
    let mut places: Vec<usize> = (1..=values.len()).collect();
    for nth in 1..values.len() {
        if values[nth] == values[nth - 1] {
            places[nth] = places[nth - 1];
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equals_share_a_place_and_the_next_counts_them() {
        assert_eq!(places(&[9, 9, 7, 7, 7, 1]), [1, 1, 3, 3, 3, 6]);
        assert_eq!(places::<u8>(&[]), [0; 0]);
    }

    #[test]
    fn what_players_tell_is_averaged_over_the_moves_that_tell_it() {
        let mut told = SearchTotals::default();
        assert_eq!((told.depth(), told.speed()), (None, None));
        let thought = |depth, nodes| Thought { depth, nodes, ..Thought::default() };
        told.add(&thought(Some(7), Some(3_000)), 2_000);
        told.add(&thought(Some(4), None), 5_000);
        told.add(&thought(None, Some(1_000)), 500);
        assert_eq!((told.moves, told.depth, told.nodes, told.micros), (2, 11, 4_000, 2_500));
        assert_eq!((told.depth(), told.speed()), (Some(5.5), Some(1_600.0)));
    }

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut tally = Tally::default();
        for (first, second) in [(1.0, 1.0), (1.0, 0.0), (0.5, 0.5), (0.0, 0.5), (0.0, 0.0)] {
            tally.add(first);
            tally.add(second);
            tally.add_pair(first, second);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 3, 4));
        assert_eq!(tally.pairs, [1, 1, 2, 0, 1]);
        assert_eq!(tally.reversed().pairs, [1, 0, 2, 1, 1]);
        assert_eq!(tally.points(), 4.5);
    }
}
