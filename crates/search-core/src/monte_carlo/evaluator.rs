use crate::position::{Outcome, Position};

/// A move of the evaluated position, with its value and prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<M> {
    /// The move that is evaluated.
    pub mv: M,
    /// The move's value for the side to move, from −1 (a certain loss) to 1.
    pub value: f32,
    /// The move's prior: the probability that it is best. The priors of all moves add up to 1.
    pub prior: f32,
    /// The outcome for the side that makes the move, if the move ends the game.
    pub outcome: Option<Outcome>,
}

/// Gives a tree search the value and the policy of a position.
pub trait Evaluator {
    /// The position type of the game.
    type Position: Position;

    /// Appends every move of an unfinished position to `candidates`, and returns the position's value for the side to
    /// move, from −1 to 1.
    fn evaluate(
        &mut self,
        position: &Self::Position,
        candidates: &mut Vec<Candidate<<Self::Position as Position>::Move>>,
    ) -> f32;
}
