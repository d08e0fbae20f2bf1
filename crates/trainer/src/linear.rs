//! Ridge regression on sparse rows of ones, to fit pattern evaluations.
//!
//! Source: M. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.

/// Samples as rows of feature indices, all of the same length, with a target and a weight each.
#[derive(Debug, Clone, Default)]
pub struct Rows {
    /// Number of features in a row.
    pub width: usize,
    /// The feature indices, row by row.
    pub features: Vec<u32>,
    /// The target of each row.
    pub targets: Vec<f32>,
    /// The weight of each row.
    pub weights: Vec<f32>,
}

impl Rows {
    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns true if there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = (&[u32], f32)> {
        self.features.chunks_exact(self.width).zip(self.weights.iter().copied())
    }

    /// Returns the weighted root mean square error and the mean absolute error of `solution`.
    #[must_use]
    pub fn errors(&self, solution: &[f32]) -> (f64, f64) {
        let (mut squares, mut absolutes, mut count) = (0.0, 0.0, 0.0);
        for ((row, weight), &target) in self.iter().zip(&self.targets) {
            let error = f64::from(target - sum(row, solution));
            squares += f64::from(weight) * error * error;
            absolutes += f64::from(weight) * error.abs();
            count += f64::from(weight);
        }
        ((squares / count).sqrt(), absolutes / count)
    }
}

#[inline]
fn sum(row: &[u32], solution: &[f32]) -> f32 {
    row.iter().map(|&feature| solution[feature as usize]).sum()
}

/// Minimises Σ weight·(target − Σ solution)² + ridge·Σ(solution − prior)² by conjugate gradients, preconditioned by the
/// number of occurrences of each feature. `solution` is the prior on entry and the result on return. A feature that
/// occurs in no row keeps its prior. `inform` receives the solution after each iteration, counted from 1.
pub fn fit(
    rows: &Rows,
    ridge: f32,
    iterations: usize,
    solution: &mut [f32],
    inform: &mut dyn FnMut(usize, &[f32]),
) {
    // In double precision: in single precision many equal rows make the directions lose their independence, and the
    // sums diverge.
    let ridge = f64::from(ridge);
    let features = solution.len();
    let mut diagonal = vec![ridge; features];
    for (row, weight) in rows.iter() {
        for &feature in row {
            diagonal[feature as usize] += f64::from(weight);
        }
    }
    // The residual of the normal equations. At the prior the ridge term is zero.
    let mut residual = vec![0.0; features];
    for ((row, weight), &target) in rows.iter().zip(&rows.targets) {
        let error = f64::from(weight * (target - sum(row, solution)));
        for &feature in row {
            residual[feature as usize] += error;
        }
    }
    // Without a ridge and without rows both are zero.
    let quotient = |r: &f64, d: &f64| if *d > 0.0 { r / d } else { 0.0 };
    let mut conditioned: Vec<f64> = residual.iter().zip(&diagonal).map(|(r, d)| quotient(r, d)).collect();
    let mut direction = conditioned.clone();
    let mut product = vec![0.0; features];
    let mut power = dot(&residual, &conditioned);
    let start = power;
    for iteration in 1..=iterations {
        // Converged within rounding.
        if power <= start * 1e-12 {
            break;
        }
        // product = (XᵀWX + ridge)·direction.
        for (p, d) in product.iter_mut().zip(&direction) {
            *p = ridge * d;
        }
        for (row, weight) in rows.iter() {
            let along: f64 = row.iter().map(|&feature| direction[feature as usize]).sum();
            let along = f64::from(weight) * along;
            for &feature in row {
                product[feature as usize] += along;
            }
        }
        let step = power / dot(&direction, &product);
        for ((x, r), (d, p)) in solution.iter_mut().zip(&mut residual).zip(direction.iter().zip(&product)) {
            *x += (step * d) as f32;
            *r -= step * p;
        }
        for ((c, r), d) in conditioned.iter_mut().zip(&residual).zip(&diagonal) {
            *c = quotient(r, d);
        }
        let next = dot(&residual, &conditioned);
        let turn = next / power;
        power = next;
        for (d, c) in direction.iter_mut().zip(&conditioned) {
            *d = c + turn * *d;
        }
        inform(iteration, solution);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_the_weights_that_made_the_targets() {
        let truth = [1.0, -2.0, 0.5, 4.0];
        let mut rows = Rows { width: 2, ..Rows::default() };
        for a in 0..4_u32 {
            for b in 0..4_u32 {
                rows.features.extend([a, b]);
                rows.targets.push(truth[a as usize] + truth[b as usize]);
                rows.weights.push(1.0);
            }
        }
        let mut solution = [0.0; 5];
        fit(&rows, 1e-4, 50, &mut solution, &mut |_, _| {});
        for (found, expected) in solution.iter().zip(truth) {
            assert!((found - expected).abs() < 1e-2, "{solution:?}");
        }
        assert_eq!(solution[4], 0.0, "a feature without rows keeps its prior");
        assert!(rows.errors(&solution).0 < 1e-2);
    }

    #[test]
    fn without_a_ridge_a_feature_without_rows_keeps_its_prior_too() {
        let rows = Rows { width: 1, features: vec![0, 0], targets: vec![1.0, 3.0], weights: vec![1.0; 2] };
        let mut solution = [0.0, 7.0];
        fit(&rows, 0.0, 9, &mut solution, &mut |_, _| {});
        assert_eq!(solution, [2.0, 7.0]);
    }

    #[test]
    fn a_few_rows_many_times_over_are_fitted_and_then_left_alone() {
        let mut rows = Rows { width: 40, ..Rows::default() };
        for row in 0..200_000_u32 {
            let kind = row % 5;
            rows.features.extend((0..40).map(|feature| if feature < 30 { feature } else { 30 + kind }));
            rows.targets.push(kind as f32 * 0.5 - 1.0);
            rows.weights.push(1.0);
        }
        let mut solution = vec![0.0; 40];
        fit(&rows, 8.0, 200, &mut solution, &mut |_, _| {});
        assert!(rows.errors(&solution).0 < 1e-2, "{solution:?}");
    }
}
