//! Logistic regression of the mover's chance to win, on the shapes of all free cells and the threats on the board.
//!
//! Source: an idea of Rapfi's classical evaluation.

use super::samples::Sample;
use super::sets::{Sets, Weight, rate};
use crate::adam::Step;
use connect5_joueur::patterns::THREATS;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Positions a batch.
const BATCH: usize = 1024;
/// Weight decay of the threat combinations.
const DECAY: f32 = 5e-5;

/// Fitted weights, as log-odds.
#[derive(Debug)]
pub struct Values {
    /// Weights by shape set, for the mover and for the opponent.
    pub sets: [Vec<f32>; 2],
    /// Weights by threat combination.
    pub threats: Vec<f32>,
    /// The value of being to move.
    pub tempo: f32,
}

impl Values {
    /// Returns the log-odds that the mover wins.
    fn odds(&self, sample: &Sample) -> f32 {
        let [own, other] = &self.sets;
        let cell = |&[a, b]: &[u16; 2]| own[usize::from(a)] - other[usize::from(b)];
        self.tempo + self.threats[usize::from(sample.threats)] + sample.cells.iter().map(cell).sum::<f32>()
    }

    /// Returns the mean cross-entropy of the results.
    fn loss(&self, samples: &[&Sample]) -> f32 {
        let surprise = |sample: &&Sample| {
            let expected = sigmoid(self.odds(sample)).clamp(1e-6, 1.0 - 1e-6);
            -sample.weight * (sample.result * expected.ln() + (1.0 - sample.result) * (1.0 - expected).ln())
        };
        let weight: f32 = samples.iter().map(|sample| sample.weight).sum();
        samples.iter().map(surprise).sum::<f32>() / weight.max(1e-6)
    }
}

/// Fits the weights to the samples. Reports progress to `inform`.
pub fn fit(samples: &[Sample], epochs: usize, inform: &mut dyn FnMut(String)) -> Values {
    let mut sides = [Sets::new(), Sets::new()];
    let mut threats = vec![Weight::default(); THREATS];
    let mut tempo = Weight::default();
    let fitted = |sides: &[Sets; 2], threats: &[Weight], tempo: &Weight| Values {
        sets: [sides[0].values(), sides[1].values()],
        threats: threats.iter().map(|weight| weight.value).collect(),
        tempo: tempo.value,
    };
    let (held_out, fitting): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|sample| sample.held_out);
    inform(format!("{} positions to fit, {} held out", fitting.len(), held_out.len()));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut steps = 0;
    for epoch in 0..epochs {
        let rate = rate(epoch, epochs);
        for _ in 0..2 * fitting.len() / BATCH {
            let now = fitted(&sides, &threats, &tempo);
            let mut gradients = [vec![0.0; now.sets[0].len()], vec![0.0; now.sets[1].len()]];
            let mut of_threats = vec![0.0; THREATS];
            let mut of_tempo = 0.0;
            for _ in 0..BATCH {
                let sample = fitting[random.random_range(0..fitting.len())];
                let error = (sigmoid(now.odds(sample)) - sample.result) * sample.weight / BATCH as f32;
                of_tempo += error;
                of_threats[usize::from(sample.threats)] += error;
                for &[own, other] in &sample.cells {
                    gradients[0][usize::from(own)] += error;
                    gradients[1][usize::from(other)] -= error;
                }
            }
            steps += 1;
            let step = Step::new(steps, rate);
            for (side, gradients) in sides.iter_mut().zip(&gradients) {
                side.step(gradients, step);
            }
            for (weight, &gradient) in threats.iter_mut().zip(&of_threats) {
                if gradient != 0.0 {
                    weight.step(gradient, DECAY, step);
                }
            }
            tempo.step(of_tempo, 0.0, step);
        }
        let now = fitted(&sides, &threats, &tempo);
        let [seen, unseen] = [&fitting, &held_out].map(|samples| now.loss(samples));
        inform(format!("values, epoch {}: loss {seen:.4}, held out {unseen:.4}", epoch + 1));
    }
    fitted(&sides, &threats, &tempo)
}

fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect5_joueur::patterns::shape_sets;

    #[test]
    fn a_cell_that_only_winners_have_is_worth_more_than_one_that_only_losers_have() {
        let sample = |own, other, result| Sample {
            cells: vec![[own, other]],
            threats: 0,
            result,
            weight: 1.0,
            held_out: false,
        };
        let strong = shape_sets().count() as u16 - 400;
        let samples: Vec<Sample> = (0..2000)
            .map(|n| if n % 2 == 0 { sample(strong, 0, 1.0) } else { sample(0, strong, 0.0) })
            .collect();
        let fitted = fit(&samples, 20, &mut |_| {});
        let index = usize::from(strong);
        assert!(fitted.sets[0][index] > 0.2 && fitted.sets[1][index] > 0.2, "{:?}", fitted.tempo);
    }
}
