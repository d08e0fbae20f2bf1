//! Searches recorded step by step, for a page that shows how they think.
//!
//! - [`Demo`]: a position to search; [`Algorithm`]: the searches.
//! - [`Recording`]: the steps of a search; [`Scene`]: the search after one of them.
//! - [`TIC_TAC_TOE`]: the positions of a game that has no course.

mod alpha_beta;
mod monte_carlo;
mod proof;
mod scene;
mod tic_tac_toe;
mod tree;

pub use scene::{Chip, Row, Scene, State};
pub use tic_tac_toe::TIC_TAC_TOE;

use crate::assignment::Phrase;
use crate::drawing::{Language, Marks};
use search_core::{Position, Score};
use std::time::Duration;

/// The largest number of positions that a recorded search visits.
const NODES: u64 = 1_200;
/// The largest number of plies of a recorded alpha-beta search.
const DEPTH: i32 = 8;

/// A kind of search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// Alpha-beta with iterative deepening, a table, killers and history.
    AlphaBeta,
    /// Monte-Carlo tree search with random playouts.
    MonteCarlo,
    /// Depth-first proof-number search for a win.
    Proof,
}

impl Algorithm {
    /// All of them, in the order to learn them.
    pub const ALL: [Self; 3] = [Self::AlphaBeta, Self::MonteCarlo, Self::Proof];

    /// Returns the name in addresses.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "alphabeta",
            Self::MonteCarlo => "montecarlo",
            Self::Proof => "proof",
        }
    }

    /// Returns the title for people.
    #[must_use]
    pub fn title(self, language: Language) -> &'static str {
        match self {
            Self::AlphaBeta => language.choose("alpha-bêta", "alpha-beta"),
            Self::MonteCarlo => "Monte-Carlo",
            Self::Proof => language.choose("nombres de preuve (df-pn)", "proof numbers (df-pn)"),
        }
    }

    /// Describes what the page shows of it.
    #[must_use]
    pub fn legend(self, language: Language) -> &'static str {
        match self {
            Self::AlphaBeta => language.choose(
                "Une ligne par demi-coup. α : ce que le trait a déjà ; β : ce que l'adversaire a déjà ailleurs. Une valeur qui atteint β coupe le reste. ≤ et ≥ : des bornes. +#2 : gain en 2 demi-coups ; −#2 : perte.",
                "A row for each ply. α: what the mover already has; β: what the opponent already has elsewhere. A value that reaches β cuts the rest. ≤ and ≥ are bounds. +#2: a win in 2 plies; −#2: a loss.",
            ),
            Self::MonteCarlo => language.choose(
                "Une ligne par demi-coup de la dernière visite. Sous chaque coup : sa valeur moyenne pour qui le joue, de −1 à +1, et ses visites.",
                "A row for each ply of the last visit. Below each move: its mean value for whoever plays it, from −1 to +1, and its visits.",
            ),
            Self::Proof => language.choose(
                "Sous chaque coup : preuve / réfutation, les positions à régler au moins pour que le trait, après ce coup, atteigne son but ou le manque. 0 : c'est réglé.",
                "Below each move: proof / disproof, the positions still to settle at least so that the side to move after it reaches its goal, or misses it. 0: settled.",
            ),
        }
    }
}

/// A position whose searches can be watched.
#[derive(Debug, Clone, Copy)]
pub struct Demo {
    /// The name in addresses.
    pub name: &'static str,
    /// The title for people.
    pub title: Phrase,
    /// Creates the position.
    pub(crate) subject: fn() -> Box<dyn Searched>,
}

impl Demo {
    /// Records a search of the position.
    #[must_use]
    pub fn record(&self, algorithm: Algorithm) -> Recording {
        (self.subject)().record(algorithm)
    }

    /// Draws the position after some moves of a recording.
    #[must_use]
    pub fn draw(&self, moves: &[String], language: Language) -> String {
        (self.subject)().draw(moves, language)
    }
}

/// The steps of a search.
#[derive(Debug)]
pub enum Recording {
    /// Alpha-beta.
    AlphaBeta(alpha_beta::Log),
    /// Monte-Carlo tree search.
    MonteCarlo(monte_carlo::Log),
    /// Proof-number search.
    Proof(proof::Log),
}

impl Recording {
    /// Returns the number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::AlphaBeta(log) => log.steps.len(),
            Self::MonteCarlo(log) => log.visits.len(),
            Self::Proof(log) => log.steps.len(),
        }
    }

    /// Returns true if the search had nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the search after step `at`, counted from 1; after 0 it has not begun.
    #[must_use]
    pub fn scene(&self, at: usize, language: Language) -> Scene {
        let at = at.min(self.len());
        match self {
            Self::AlphaBeta(log) => log.scene(at, language),
            Self::MonteCarlo(log) => log.scene(at, language),
            Self::Proof(log) => log.scene(at, language),
        }
    }
}

/// A position with what its searches and its drawing need.
pub(crate) struct Subject<P: Position> {
    /// The root of the searches.
    pub start: P,
    /// Writes a legal move.
    pub write: fn(&P, P::Move) -> String,
    /// The static evaluation for the mover.
    pub evaluate: fn(&P) -> Score,
    /// Draws a position.
    pub draw: fn(&P, &Marks) -> String,
}

/// A [`Subject`] of any game.
pub(crate) trait Searched {
    /// Records a search.
    fn record(&self, algorithm: Algorithm) -> Recording;

    /// Draws the position after some moves.
    fn draw(&self, moves: &[String], language: Language) -> String;
}

impl<P: Position> Searched for Subject<P> {
    fn record(&self, algorithm: Algorithm) -> Recording {
        match algorithm {
            Algorithm::AlphaBeta => Recording::AlphaBeta(alpha_beta::record(self)),
            Algorithm::MonteCarlo => Recording::MonteCarlo(monte_carlo::record(self)),
            Algorithm::Proof => Recording::Proof(proof::record(self)),
        }
    }

    fn draw(&self, moves: &[String], language: Language) -> String {
        let mut position = self.start.clone();
        for text in moves {
            let found = position.move_list().into_iter().find(|&mv| (self.write)(&position, mv) == *text);
            let Some(mv) = found else { break };
            position.play(mv);
        }
        let cells = moves.last().map(|text| text.split(['-', '+', '*', '#']).map(str::to_owned).collect());
        (self.draw)(&position, &Marks { last: cells.unwrap_or_default(), language, ..Marks::default() })
    }
}

/// A clock that stands still: recorded searches are limited by positions alone.
fn no_time() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests;
