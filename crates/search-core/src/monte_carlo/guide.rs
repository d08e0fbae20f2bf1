use crate::position::{Outcome, Position};

/// A move of the position judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<M> {
    /// The move.
    pub mv: M,
    /// What it promises the mover, from −1, a certain loss, to 1.
    pub value: f32,
    /// How likely it is to be best; over all moves these sum up to 1.
    pub prior: f32,
    /// How the game ends with it, if it does, for the mover.
    pub outcome: Option<Outcome>,
}

/// Judges positions for a tree search.
pub trait Guide {
    /// The game.
    type Position: Position;

    /// Judges every move of a position in which the game goes on, and the position itself: its value for the mover,
    /// from −1 to 1.
    fn judge(
        &mut self,
        position: &Self::Position,
        candidates: &mut Vec<Candidate<<Self::Position as Position>::Move>>,
    ) -> f32;
}
