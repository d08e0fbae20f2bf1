//! The optimiser Adam.
//!
//! Source: D. Kingma, J. Ba, "Adam: a method for stochastic optimization", 2015.

/// The decay of the running means of gradients, and of their squares.
const DECAY: [f32; 2] = [0.9, 0.999];

/// One step of all weights, at one learning rate.
#[derive(Debug, Clone, Copy)]
pub struct Step(f32);

impl Step {
    /// Step `number`, from 1. The first running means are too small, which the step makes up for.
    #[must_use]
    pub fn new(number: i32, rate: f32) -> Self {
        let [of_mean, of_square] = DECAY.map(|decay| 1.0 - decay.powi(number));
        Self(rate * of_square.sqrt() / of_mean)
    }

    /// Moves a weight against its gradient.
    #[inline]
    pub fn apply(self, weight: &mut f32, gradient: f32, mean: &mut f32, square: &mut f32) {
        *mean += (1.0 - DECAY[0]) * (gradient - *mean);
        *square += (1.0 - DECAY[1]) * (gradient * gradient - *square);
        *weight -= self.0 * *mean / (square.sqrt() + 1e-8);
    }
}

/// The running means of a model's gradients.
#[derive(Debug)]
pub struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// Creates the state for this number of weights, before the first step.
    #[must_use]
    pub fn new(weights: usize) -> Self {
        Self { means: vec![0.0; weights], squares: vec![0.0; weights], steps: 0 }
    }

    /// Moves the parts of a model against the gradients of a batch, each a sum over its `batch` samples.
    ///
    /// # Panics
    /// If the parts have not as many weights together as [`new`](Self::new) was told.
    pub fn update<'a>(
        &mut self,
        parts: impl IntoIterator<Item = (&'a mut [f32], &'a [f32])>,
        batch: usize,
        rate: f32,
    ) {
        self.steps += 1;
        let step = Step::new(self.steps, rate);
        let scale = 1.0 / batch as f32;
        let mut done = 0;
        for (weights, gradients) in parts {
            let state = done..done + weights.len();
            done = state.end;
            let state = self.means[state.clone()].iter_mut().zip(&mut self.squares[state]);
            for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradients).zip(state) {
                step.apply(weight, gradient * scale, mean, square);
            }
        }
        assert_eq!(done, self.means.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_gradient() {
        for gradient in [1e-3, -40.0] {
            let mut weights = [1.0];
            Adam::new(1).update([(&mut weights[..], &[gradient][..])], 1, 0.1);
            assert!((weights[0] - (1.0 - 0.1 * f32::signum(gradient))).abs() < 1e-4, "{weights:?}");
        }
    }

    #[test]
    fn the_steps_end_at_the_smallest_value() {
        // The sum of squares of two parts' distances from 3 and −5, with gradients summed over four samples.
        let (mut first, mut second) = ([0.0], [0.0]);
        let mut adam = Adam::new(2);
        for _ in 0..2_000 {
            let gradients = [[8.0 * (first[0] - 3.0)], [8.0 * (second[0] + 5.0)]];
            let parts = [(&mut first[..], &gradients[0][..]), (&mut second[..], &gradients[1][..])];
            adam.update(parts, 4, 0.02);
        }
        assert!((first[0] - 3.0).abs() < 0.01 && (second[0] + 5.0).abs() < 0.01, "{first:?} {second:?}");
    }
}
