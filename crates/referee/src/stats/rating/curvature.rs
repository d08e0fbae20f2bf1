//! The curvature of the log-likelihood, solved for Newton steps and inverted for errors.
//!
//! Source: M. Hestenes, E. Stiefel, "Methods of conjugate gradients for solving linear systems", 1952.

use super::{PRIOR, Results, Totals, chance};

/// The negated second derivatives of the log-likelihood.
pub(super) struct Curvature {
    pub(super) diagonal: Vec<f64>,
    /// The off-diagonal entries, negated.
    pub(super) beside: Vec<Vec<(usize, f64)>>,
}

impl Curvature {
    /// Computes the curvature at these log-strengths. A game counts for at least `least`.
    pub(super) fn of(totals: &Totals, logs: &[f64], least: f64) -> Self {
        let bend = |difference: f64| {
            let chance = chance(difference);
            (chance * (1.0 - chance)).max(least)
        };
        let row = |(results, &log): (&Results, &f64)| -> Vec<(usize, f64)> {
            results.against.iter().map(|of| (of.other, of.games * bend(log - logs[of.other]))).collect()
        };
        let beside: Vec<_> = totals.0.iter().zip(logs).map(row).collect();
        let sum = |(row, &log): (&Vec<(usize, f64)>, &f64)| {
            row.iter().map(|(_, bend)| bend).sum::<f64>() + PRIOR * bend(log)
        };
        Self { diagonal: beside.iter().zip(logs).map(sum).collect(), beside }
    }

    /// Solves for the right side by conjugate gradients, preconditioned by the diagonal.
    pub(super) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let size = right.len();
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let scaled =
            |vector: &[f64]| -> Vec<f64> { vector.iter().zip(&self.diagonal).map(|(v, d)| v / d).collect() };
        let (mut solution, mut rest) = (vec![0.0; size], right.to_vec());
        let mut direction = scaled(&rest);
        let mut norm = dot(&rest, &direction);
        // The next Newton step corrects the rest.
        let enough = 1e-8 * norm;
        for _ in 0..2 * size + 10 {
            if norm <= enough || norm < 1e-300 {
                break;
            }
            let image: Vec<f64> = (0..size)
                .map(|row| {
                    let beside: f64 = self.beside[row].iter().map(|&(at, bend)| bend * direction[at]).sum();
                    self.diagonal[row] * direction[row] - beside
                })
                .collect();
            let stride = norm / dot(&direction, &image);
            for at in 0..size {
                solution[at] += stride * direction[at];
                rest[at] -= stride * image[at];
            }
            let next = scaled(&rest);
            let grown = dot(&rest, &next) / norm;
            norm *= grown;
            direction
                .iter_mut()
                .zip(&next)
                .for_each(|(direction, next)| *direction = next + grown * *direction);
        }
        solution
    }
}

/// Returns the diagonal of the inverse of a positive definite matrix in row order, by Cholesky decomposition.
pub(super) fn inverse_diagonal(mut matrix: Vec<f64>, size: usize) -> Vec<f64> {
    for i in 0..size {
        let (above, row) = matrix.split_at_mut(i * size);
        for j in 0..i {
            let other = &above[j * size..=j * size + j];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        row[i] = (row[i] - dot(&row[..i], &row[..i])).max(1e-300).sqrt();
    }
    // Column by column of the factor's inverse, which is lower triangular. Its squares add up to the diagonal.
    let mut diagonal = vec![0.0; size];
    let mut column = vec![0.0; size];
    for (at, sum) in diagonal.iter_mut().enumerate() {
        column[at] = 1.0 / matrix[at * size + at];
        for row in at + 1..size {
            let line = &matrix[row * size..=row * size + row];
            column[row] = -dot(&line[at..row], &column[at..row]) / line[row];
        }
        *sum = dot(&column[at..], &column[at..]);
    }
    diagonal
}

/// Returns a scalar product, in four partial sums.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut sums, (a4, a_rest), (b4, b_rest)) = ([0.0; 4], a.as_chunks::<4>(), b.as_chunks::<4>());
    for (a, b) in a4.iter().zip(b4) {
        for at in 0..4 {
            sums[at] += a[at] * b[at];
        }
    }
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
}
