use crate::position::{Outcome, Position};

/// A move of the position that was evaluated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// Its value for the mover, from −1, a certain loss, to 1.
    pub value: f32,
    /// Its prior: how likely it is to be best; over all moves these sum up to 1.
    pub prior: f32,
    /// The outcome if it ends the game, for the mover.
    pub outcome: Option<Outcome>,
}

/// Evaluates positions for a tree search: policy and value.
pub trait Evaluator {
    /// The game.
    type Position: Position;

    /// Evaluates every move of a position in which the game goes on, and the position itself: its value for the mover,
    /// from −1 to 1.
    fn evaluate(
        &mut self,
        position: &Self::Position,
        candidates: &mut Vec<Candidate<<Self::Position as Position>::Move>>,
    ) -> f32;
}
