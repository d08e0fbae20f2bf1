//! The heuristics of a game that has an evaluation function and nothing more.

use super::Heuristics;
use crate::position::Position;
use crate::score::Score;
use std::marker::PhantomData;

/// Heuristics made of an evaluation function, which scores a position for its mover.
#[derive(Debug, Clone)]
pub struct Evaluation<P, F> {
    evaluate: F,
    game: PhantomData<fn(&P)>,
}

impl<P: Position, F: Fn(&P) -> Score> Evaluation<P, F> {
    /// Creates the heuristics.
    pub fn new(evaluate: F) -> Self {
        Self { evaluate, game: PhantomData }
    }
}

impl<P: Position, F: Fn(&P) -> Score> Heuristics for Evaluation<P, F> {
    type Position = P;
    type Frame = ();

    fn evaluate(&mut self, position: &P) -> Score {
        (self.evaluate)(position)
    }
}
