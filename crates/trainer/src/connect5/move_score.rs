//! Move prediction from the shapes of each move: a softmax over the moves of a position.
//!
//! Source: an idea of Rapfi's classical evaluation.

use super::samples::Choice;
use super::sets::{Sets, Weight, rate};
use crate::adam::Step;
use connect5_joueur::rules::RELATIONS;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Positions a batch.
const BATCH: usize = 256;

/// Fitted weights, as log-odds.
#[derive(Debug)]
pub struct MoveScores {
    /// Two weights per shape set: own gain, and denial of the opponent's.
    pub sets: [Vec<f32>; 2],
    /// Weights by the relation of a move to the opponent's last move, and to the mover's own.
    pub near: [[f32; RELATIONS]; 2],
}

impl MoveScores {
    fn of(&self, &[own, other, from_other, from_own]: &[u16; 4]) -> f32 {
        self.sets[0][usize::from(own)]
            + self.sets[1][usize::from(other)]
            + self.near[0][usize::from(from_other)]
            + self.near[1][usize::from(from_own)]
    }

    /// Returns the probability of each move.
    fn likelihoods(&self, choice: &Choice) -> Vec<f32> {
        let move_scores: Vec<f32> = choice.moves.iter().map(|mv| self.of(mv)).collect();
        let highest = move_scores.iter().copied().fold(f32::MIN, f32::max);
        let odds: Vec<f32> = move_scores.iter().map(|move_score| (move_score - highest).exp()).collect();
        let sum: f32 = odds.iter().sum();
        odds.into_iter().map(|odds| odds / sum).collect()
    }

    /// Returns the mean cross-entropy of the moves played, and how often the highest-scored move was played.
    fn loss(&self, choices: &[&Choice]) -> (f32, f32) {
        let (mut surprise, mut hits) = (0.0, 0);
        for choice in choices {
            let likelihoods = self.likelihoods(choice);
            surprise -= likelihoods[choice.played].max(1e-9).ln();
            hits += usize::from(likelihoods.iter().all(|&other| other <= likelihoods[choice.played]));
        }
        let count = choices.len().max(1) as f32;
        (surprise / count, hits as f32 / count)
    }
}

/// Fits the weights to the choices. Reports progress to `inform`.
pub fn fit(choices: &[Choice], epochs: usize, inform: &mut dyn FnMut(String)) -> MoveScores {
    let mut sides = [Sets::new(), Sets::new()];
    let mut near = [[Weight::default(); RELATIONS]; 2];
    let fitted = |sides: &[Sets; 2], near: &[[Weight; RELATIONS]; 2]| MoveScores {
        sets: [sides[0].values(), sides[1].values()],
        near: near.map(|near| near.map(|weight| weight.value)),
    };
    let (held_out, fitting): (Vec<&Choice>, Vec<&Choice>) =
        choices.iter().partition(|choice| choice.held_out);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut steps = 0;
    for epoch in 0..epochs {
        let rate = rate(epoch, epochs);
        for _ in 0..fitting.len() / BATCH {
            let now = fitted(&sides, &near);
            let mut gradients = [vec![0.0; now.sets[0].len()], vec![0.0; now.sets[1].len()]];
            let mut of_near = [[0.0; RELATIONS]; 2];
            for _ in 0..BATCH {
                let choice = fitting[random.random_range(0..fitting.len())];
                let likelihoods = now.likelihoods(choice);
                for (index, (mv, likelihood)) in choice.moves.iter().zip(likelihoods).enumerate() {
                    let error = likelihood - f32::from(u8::from(index == choice.played));
                    let error = error / BATCH as f32;
                    gradients[0][usize::from(mv[0])] += error;
                    gradients[1][usize::from(mv[1])] += error;
                    of_near[0][usize::from(mv[2])] += error;
                    of_near[1][usize::from(mv[3])] += error;
                }
            }
            steps += 1;
            let step = Step::new(steps, rate);
            for (side, gradients) in sides.iter_mut().zip(&gradients) {
                side.step(gradients, step);
            }
            for (weights, gradients) in near.iter_mut().zip(of_near) {
                for (weight, gradient) in weights.iter_mut().zip(gradients) {
                    weight.step(gradient, 0.0, step);
                }
            }
        }
        let now = fitted(&sides, &near);
        let [(seen, _), (unseen, hits)] = [&fitting, &held_out].map(|choices| now.loss(choices));
        inform(format!(
            "moves, epoch {}: loss {seen:.4}, held out {unseen:.4}, right {:.1} %",
            epoch + 1,
            100.0 * hits
        ));
    }
    fitted(&sides, &near)
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect5_joueur::patterns::shape_sets;

    #[test]
    fn moves_that_are_always_played_score_more() {
        let strong = shape_sets().count() as u16 - 400;
        let choice = |played: usize| {
            let mut moves = vec![[0, 0, 0, 0]; 4];
            moves[played] = [strong, 0, 1, 0];
            Choice { moves, played, held_out: false }
        };
        let choices: Vec<Choice> = (0..2000).map(|n| choice(n % 4)).collect();
        let fitted = fit(&choices, 20, &mut |_| {});
        assert!(fitted.sets[0][usize::from(strong)] > 0.5 && fitted.near[0][1] > 0.2, "{:?}", fitted.near);
    }
}
