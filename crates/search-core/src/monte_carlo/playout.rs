use super::evaluator::{Candidate, Evaluator};
use crate::position::{MoveList, Outcome, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::marker::PhantomData;

/// Plays random moves to the end of the game. Returns the result for the side to move in `position`: −1, 0 or 1.
pub fn playout<P: Position>(position: &P, random: &mut Xoshiro256PlusPlus) -> f32 {
    let mut position = position.clone();
    let mut sign = 1.0;
    loop {
        if let Some(outcome) = position.outcome() {
            return sign * f32::from(outcome.sign());
        }
        let moves = position.move_list();
        position.play(moves[random.random_range(0..moves.len())]);
        sign = -sign;
    }
}

/// An evaluator without game knowledge: a position's value is the result of one random playout, and all moves have
/// equal priors and values.
#[derive(Debug)]
pub struct Playouts<P> {
    random: Xoshiro256PlusPlus,
    position: PhantomData<fn() -> P>,
}

impl<P> Playouts<P> {
    /// An evaluator whose playouts start from `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed), position: PhantomData }
    }
}

impl<P: Position> Evaluator for Playouts<P> {
    type Position = P;

    fn evaluate(&mut self, position: &P, candidates: &mut Vec<Candidate<P::Move>>) -> f32 {
        let value = playout(position, &mut self.random);
        let moves: MoveList<P::Move> = position.move_list();
        let prior = 1.0 / moves.len() as f32;
        candidates.extend(moves.into_iter().map(|mv| {
            let mut next = position.clone();
            next.play(mv);
            let outcome = next.outcome().map(Outcome::reversed);
            Candidate {
                mv,
                value: outcome.map_or(value, |outcome| f32::from(outcome.sign())),
                prior,
                outcome,
            }
        }));
        value
    }
}
