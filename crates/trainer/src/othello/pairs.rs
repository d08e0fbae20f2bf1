//! Fits what every two states are worth together, on top of what each is worth by itself.
//!
//! A factorization machine, by stochastic gradient descent with a step for each number that shrinks with what it has
//! been told (AdaGrad). The error is that of the hyperbolic tangent of the score: far scores are decided, and count
//! less.
//!
//! Source: S. Rendle, "Factorization machines", 2010; J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods for
//! online learning and stochastic optimization", 2011.

use super::samples::{Features, Sample, mobility};
use othello_player::evaluation::patterns::TABLE_LEN;
use othello_player::evaluation::patterns::layout::LAYOUT;
use othello_player::evaluation::patterns::pairs::{COUNTS, Learned, Pairs, TooMany, WIDTH};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The parameters of the fit.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The number of epochs: every sample is seen so often.
    pub epochs: usize,
    /// The first step of every number; in the second half of the epochs it falls.
    pub rate: f32,
    /// Scores beyond so many discs are as good as decided.
    pub decided: f32,
    /// A state that is seen less often has no vector.
    pub least: u32,
    /// The seed of the first vectors and of the samples' order.
    pub seed: u64,
}

/// The positions that are fitted have so many empty squares; elsewhere pairs are worth nothing.
pub const EMPTIES: std::ops::RangeInclusive<u32> = 10..=56;

/// Vectors begin within this of zero.
const FIRST: f32 = 0.05;
/// Those of states that are seen so often begin within half of it, those of rarer ones nearer to zero.
const RARE: f32 = 100.0;
/// Every ply's vector begins here.
const FIRST_OF_PLY: f32 = 0.5;
/// The first value of the sums of squared gradients.
const FIRST_SQUARES: f32 = 1e-3;

/// Samples with their features, and with what the states' own weights say.
#[derive(Debug, Default)]
pub struct Set {
    features: Vec<u32>,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// The sample's number among the features.
    number: usize,
    empties: usize,
    by_itself: f32,
    target: f32,
    weight: f32,
}

impl Set {
    /// Adds a sample; `table` has what each feature is worth by itself, in discs.
    pub fn push(&mut self, features: &Features, sample: &Sample, table: &[f32]) {
        let before = self.features.len();
        features.push_states(&sample.position, &mut self.features);
        let states = self.features[before..].iter().copied();
        let by_itself =
            states.chain([mobility(&sample.position)]).map(|feature| table[feature as usize]).sum();
        self.rows.push(Row {
            number: self.rows.len(),
            empties: sample.position.empties() as usize,
            by_itself,
            target: sample.target,
            weight: sample.weight,
        });
    }

    /// The number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn states(&self, row: &Row) -> &[u32] {
        &self.features[row.number * LAYOUT.instances..][..LAYOUT.instances]
    }
}

/// A number's worth and the sum of its squared gradients.
#[derive(Debug, Clone, Copy)]
struct Numbers {
    values: [f32; WIDTH],
    squares: [f32; WIDTH],
}

impl Numbers {
    fn new(values: [f32; WIDTH]) -> Self {
        Self { values, squares: [FIRST_SQUARES; WIDTH] }
    }

    #[inline]
    fn step(&mut self, rate: f32, gradient: &[f32; WIDTH]) {
        for ((value, square), gradient) in self.values.iter_mut().zip(&mut self.squares).zip(gradient) {
            *square += gradient * gradient;
            *value -= rate * gradient / square.sqrt();
        }
    }
}

struct Ply {
    vector: Numbers,
    weights: Numbers,
    constant: f32,
    constant_squares: f32,
}

/// The parameters that are fitted.
struct Machine {
    vectors: Vec<Numbers>,
    plies: Vec<Ply>,
}

impl Machine {
    /// The sum of a row's vectors, and what the row is worth.
    #[inline]
    fn worth(&self, states: &[u32], row: &Row) -> ([f32; WIDTH], f32) {
        let ply = &self.plies[row.empties];
        let mut sum = ply.vector.values;
        for &state in states {
            for (sum, value) in sum.iter_mut().zip(&self.vectors[state as usize].values) {
                *sum += value;
            }
        }
        let squares = sum.iter().zip(&ply.weights.values).map(|(sum, weight)| weight * sum * sum);
        (sum, row.by_itself + ply.constant + squares.sum::<f32>() / 2.0)
    }

    #[inline]
    fn learn(&mut self, states: &[u32], row: &Row, seen: &[bool], rate: f32, decided: f32) {
        let (sum, worth) = self.worth(states, row);
        let says = (worth / decided).tanh();
        let error = (says - (row.target / decided).tanh()) * (1.0 - says * says) * row.weight;
        let ply = &mut self.plies[row.empties];
        let along: [f32; WIDTH] = std::array::from_fn(|at| error * ply.weights.values[at] * sum[at]);
        ply.weights.step(rate, &sum.map(|sum| error * sum * sum / 2.0));
        ply.vector.step(rate, &along);
        ply.constant_squares += error * error;
        ply.constant -= rate * error / ply.constant_squares.sqrt();
        for &state in states {
            if seen[state as usize] {
                self.vectors[state as usize].step(rate, &along);
            }
        }
    }

    /// The root of the mean squared error of the scores' hyperbolic tangents.
    fn error(&self, set: &Set, decided: f32) -> f64 {
        let (mut squares, mut count) = (0.0, 0.0);
        for row in &set.rows {
            let (_, worth) = self.worth(set.states(row), row);
            let error = (worth / decided).tanh() - (row.target / decided).tanh();
            squares += f64::from(row.weight * error * error);
            count += f64::from(row.weight);
        }
        (squares / count).sqrt()
    }
}

/// Fits pairs to `train`. `inform` is told the error on `test` before the first epoch, as of epoch 0, and after each.
///
/// # Errors
/// When more states are seen often enough than pairs can hold.
pub fn fit(
    features: &Features,
    train: &mut Set,
    test: &Set,
    settings: &Settings,
    inform: &mut dyn FnMut(usize, f64),
) -> Result<Pairs, TooMany> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut seen = vec![0_u32; TABLE_LEN];
    train.features.iter().for_each(|&state| seen[state as usize] += 1);
    let often: Vec<bool> = seen.iter().map(|&seen| seen >= settings.least).collect();
    if often.iter().filter(|&&often| often).count() > usize::from(u16::MAX) {
        return Err(TooMany);
    }
    let mut first = |&seen: &u32| {
        let within = if seen < settings.least { 0.0 } else { FIRST * seen as f32 / (seen as f32 + RARE) };
        Numbers::new(std::array::from_fn(|_| random.random_range(-1.0..1.0) * within))
    };
    let vectors = seen.iter().map(&mut first).collect();
    let ply = |_| Ply {
        vector: Numbers::new([FIRST_OF_PLY; WIDTH]),
        // Half of the squares count for the mover, half for the opponent.
        weights: Numbers::new(std::array::from_fn(|at| if at % 2 == 0 { 1.0 } else { -1.0 })),
        constant: 0.0,
        constant_squares: FIRST_SQUARES,
    };
    let mut machine = Machine { vectors, plies: (0..COUNTS).map(ply).collect() };
    inform(0, machine.error(test, settings.decided));
    for epoch in 0..settings.epochs {
        train.rows.shuffle(&mut random);
        let left = 2.0 * (settings.epochs - epoch) as f32 / (settings.epochs + 2) as f32;
        let rate = if 2 * epoch < settings.epochs { settings.rate } else { settings.rate * left };
        for row in &train.rows {
            machine.learn(train.states(row), row, &often, rate, settings.decided);
        }
        inform(epoch + 1, machine.error(test, settings.decided));
    }
    let mut vectors = vec![[0.0; WIDTH]; LAYOUT.table];
    let learned: Vec<_> = machine.vectors.iter().map(|numbers| numbers.values).collect();
    features.spread(&learned, &mut vectors);
    let counts = std::array::from_fn(|empties| {
        let ply = &machine.plies[empties];
        if !EMPTIES.contains(&(empties as u32)) {
            return Learned::default();
        }
        Learned { vector: ply.vector.values, weights: ply.weights.values, constant: ply.constant }
    });
    Pairs::new(&vectors, &counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use othello_player::rules::Position;
    use search_core::testing::random_positions;

    /// Positions that are worth the square of what the mover holds more of the diagonals of four cells: what each of
    /// those counts depends on the other three.
    fn set(features: &Features, seed: u64, count: usize) -> Set {
        const DIAGONALS: u64 = 1 << 4 | 1 << 13 | 1 << 22 | 1 << 31;
        let all = DIAGONALS
            | DIAGONALS.swap_bytes()
            | DIAGONALS.reverse_bits()
            | DIAGONALS.reverse_bits().swap_bytes();
        let mut set = Set::default();
        for position in random_positions(&Position::START, seed, count, 50) {
            if !EMPTIES.contains(&position.empties()) {
                continue;
            }
            let held = |discs: u64| (discs & all).count_ones() as f32;
            let target = (held(position.own()) - held(position.opponent())).powi(2) / 2.0;
            set.push(features, &Sample { position, target, weight: 1.0, held_out: false }, &[0.0; TABLE_LEN]);
        }
        set
    }

    #[test]
    fn it_learns_what_two_patterns_are_worth_together() {
        let features = Features::new();
        let (mut train, test) = (set(&features, 1, 4000), set(&features, 2, 400));
        let settings = Settings { epochs: 4, rate: 0.03, decided: 20.0, least: 5, seed: 1 };
        let mut errors = Vec::new();
        let fitted =
            fit(&features, &mut train, &test, &settings, &mut |_, error| errors.push(error)).unwrap();
        assert!(errors[settings.epochs] < 0.7 * errors[0], "{errors:?}");
        assert_ne!(fitted, Pairs::none());
        let mut again = set(&features, 1, 4000);
        let same = fit(&features, &mut again, &test, &settings, &mut |_, _| {}).unwrap();
        assert!(fitted == same, "the same seed gives the same");
    }
}
