//! Fits the second-order terms of the patterns, and optionally the first-order weights with them.
//!
//! The model is a factorization machine, fitted by stochastic gradient descent with AdaGrad. The error is that of the
//! hyperbolic tangent of the score, so that decided positions count less. A fit can continue from earlier vectors, with
//! the AdaGrad state that they would have.
//!
//! Sources: S. Rendle, "Factorization machines", 2010; J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods for
//! online learning and stochastic optimization", 2011.

use super::samples::{Features, Sample, mobility};
use super::teacher::Fitted;
use othello_player::evaluation::patterns::layout::LAYOUT;
use othello_player::evaluation::patterns::pairs::{COUNTS, Learned, Pairs, TooMany, WIDTH};
use othello_player::evaluation::patterns::{TABLE_LEN, stage_of};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The parameters of the fit.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Number of epochs.
    pub epochs: usize,
    /// Initial learning rate of the vectors. It falls in the second half of the epochs.
    pub rate: f32,
    /// Initial learning rate of the first-order weights. With 0 they are not changed.
    pub own_rate: f32,
    /// Number of epochs that the initial vectors count for. With 0 they start at random.
    pub prior: f32,
    /// Number of discs beyond which a score counts as decided.
    pub decided: f32,
    /// Minimum number of occurrences of a state with a vector.
    pub least: u32,
    /// Seed of the initial vectors and of the samples' order.
    pub seed: u64,
}

/// Numbers of empty squares of the positions fitted. Elsewhere the second-order terms are zero.
pub const EMPTIES: std::ops::RangeInclusive<u32> = 10..=56;

/// Initial vectors are within this of zero.
const FIRST: f32 = 0.05;
/// Number of occurrences at which a state's initial vector has half that range. Rarer states start nearer to zero.
const RARE: f32 = 100.0;
/// Initial value of every ply's vector.
const FIRST_OF_PLY: f32 = 0.5;
/// Initial value of the sums of squared gradients.
const FIRST_SQUARES: f32 = 1e-3;

/// Samples with their features: the pattern states, then the mobility of both sides.
#[derive(Debug, Default)]
pub struct Set {
    features: Vec<u32>,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// The sample's index in the features.
    number: usize,
    empties: usize,
    target: f32,
    weight: f32,
}

impl Set {
    /// Adds a sample.
    pub fn push(&mut self, features: &Features, sample: &Sample) {
        features.push_states(&sample.position, &mut self.features);
        self.features.push(mobility(&sample.position));
        self.rows.push(Row {
            number: self.rows.len(),
            empties: sample.position.empties() as usize,
            target: sample.target,
            weight: sample.weight,
        });
    }

    /// Returns the number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    fn features(&self, row: &Row) -> &[u32] {
        const WIDTH: usize = LAYOUT.instances + 1;
        &self.features[row.number * WIDTH..][..WIDTH]
    }
}

/// Parameters, and the sums of their squared gradients.
#[derive(Debug, Clone, Copy)]
struct Numbers<const N: usize> {
    values: [f32; N],
    squares: [f32; N],
}

impl<const N: usize> Numbers<N> {
    fn new(values: [f32; N]) -> Self {
        Self { values, squares: [FIRST_SQUARES; N] }
    }

    /// Moves every parameter against its gradient. Adds the squared gradient `times` to the sums.
    #[inline]
    fn step(&mut self, rate: f32, times: f32, gradient: &[f32; N]) {
        for ((value, square), gradient) in self.values.iter_mut().zip(&mut self.squares).zip(gradient) {
            *square += times * gradient * gradient;
            *value -= rate * gradient / square.sqrt();
        }
    }
}

struct Ply {
    vector: Numbers<WIDTH>,
    weights: Numbers<WIDTH>,
    constant: Numbers<1>,
}

/// The parameters of a step.
#[derive(Debug, Clone, Copy)]
struct Step {
    rate: f32,
    own_rate: f32,
    /// True if the first-order weights are fitted too.
    fits_own: bool,
    /// The factor of a sample's squared gradient.
    times: f32,
    decided: f32,
}

/// The fitted parameters.
struct Machine {
    /// The first-order weight of each feature, by stage.
    own: Vec<Vec<Numbers<1>>>,
    vectors: Vec<Numbers<WIDTH>>,
    plies: Vec<Ply>,
}

impl Machine {
    /// Returns the sum of a row's vectors, and the row's value. The last feature has no vector.
    #[inline]
    fn worth(&self, features: &[u32], row: &Row) -> ([f32; WIDTH], f32) {
        let ply = &self.plies[row.empties];
        let own = &self.own[stage_of(row.empties as u32)];
        let mut worth = ply.constant.values[0];
        for &feature in features {
            worth += own[feature as usize].values[0];
        }
        let mut sum = ply.vector.values;
        for &state in &features[..LAYOUT.instances] {
            for (sum, value) in sum.iter_mut().zip(&self.vectors[state as usize].values) {
                *sum += value;
            }
        }
        let squares = sum.iter().zip(&ply.weights.values).map(|(sum, weight)| weight * sum * sum);
        (sum, worth + squares.sum::<f32>() / 2.0)
    }

    #[inline]
    fn learn(&mut self, features: &[u32], row: &Row, seen: &[bool], step: Step) {
        let (sum, worth) = self.worth(features, row);
        let says = (worth / step.decided).tanh();
        let error = (says - (row.target / step.decided).tanh()) * (1.0 - says * says) * row.weight;
        let ply = &mut self.plies[row.empties];
        let along: [f32; WIDTH] = std::array::from_fn(|at| error * ply.weights.values[at] * sum[at]);
        ply.weights.step(step.rate, step.times, &sum.map(|sum| error * sum * sum / 2.0));
        ply.vector.step(step.rate, step.times, &along);
        ply.constant.step(step.rate, step.times, &[error]);
        for &state in &features[..LAYOUT.instances] {
            if seen[state as usize] {
                self.vectors[state as usize].step(step.rate, step.times, &along);
            }
        }
        if step.fits_own {
            let own = &mut self.own[stage_of(row.empties as u32)];
            for &feature in features {
                own[feature as usize].step(step.own_rate, step.times, &[error]);
            }
        }
    }

    /// Returns the root mean square error of the scores' hyperbolic tangents.
    fn error(&self, set: &Set, decided: f32) -> f64 {
        let (mut squares, mut count) = (0.0, 0.0);
        for row in &set.rows {
            let (_, worth) = self.worth(set.features(row), row);
            let error = (worth / decided).tanh() - (row.target / decided).tanh();
            squares += f64::from(row.weight * error * error);
            count += f64::from(row.weight);
        }
        (squares / count).sqrt()
    }

    /// Creates the parameters from the first-order weights of `start`, and its vectors or random ones. `seen` holds the
    /// number of occurrences of each state.
    fn new(start: &Fitted, settings: &Settings, seen: &[u32], random: &mut Xoshiro256PlusPlus) -> Self {
        let numbers = |table: &Vec<f32>| table.iter().map(|&value| Numbers::new([value])).collect();
        let own = start.tables.iter().map(numbers).collect();
        let mut first = |&seen: &u32| {
            let within = if seen < settings.least { 0.0 } else { FIRST * seen as f32 / (seen as f32 + RARE) };
            std::array::from_fn(|_| random.random_range(-1.0..1.0) * within)
        };
        let mut vectors: Vec<[f32; WIDTH]> = seen.iter().map(&mut first).collect();
        let mut counts = [Learned {
            vector: [FIRST_OF_PLY; WIDTH],
            // Half of the components count for the mover, half for the opponent.
            weights: std::array::from_fn(|at| if at % 2 == 0 { 1.0 } else { -1.0 }),
            constant: 0.0,
        }; COUNTS];
        if settings.prior > 0.0 {
            let (before, of_counts) = start.pairs.learned();
            for (vector, before) in vectors.iter_mut().zip(before) {
                // A state without a vector so far starts near zero.
                *vector = if before == [0.0; WIDTH] { vector.map(|value| value / 4.0) } else { before };
            }
            counts = of_counts;
        }
        let ply = |count: Learned| Ply {
            vector: Numbers::new(count.vector),
            weights: Numbers::new(count.weights),
            constant: Numbers::new([count.constant]),
        };
        Self {
            own,
            vectors: vectors.into_iter().map(Numbers::new).collect(),
            plies: counts.into_iter().map(ply).collect(),
        }
    }

    /// Rounds the parameters.
    fn finish(&self, features: &Features) -> Result<Fitted, TooMany> {
        let mut vectors = vec![[0.0; WIDTH]; LAYOUT.table];
        let learned: Vec<_> = self.vectors.iter().map(|numbers| numbers.values).collect();
        features.spread(&learned, &mut vectors);
        let counts = std::array::from_fn(|empties| {
            let ply = &self.plies[empties];
            if !EMPTIES.contains(&(empties as u32)) {
                return Learned::default();
            }
            let constant = ply.constant.values[0];
            Learned { vector: ply.vector.values, weights: ply.weights.values, constant }
        });
        let mut fitted = Fitted { pairs: Pairs::new(&vectors, &counts)?, ..Fitted::default() };
        for (table, own) in fitted.tables.iter_mut().zip(&self.own) {
            let own: Vec<f32> = own.iter().map(|number| number.values[0]).collect();
            features.spread(&own, table);
        }
        Ok(fitted)
    }
}

/// Fits to `train`, starting from the first-order weights of `start`. `inform` receives the error on `test` before the
/// first epoch, as epoch 0, and after each.
///
/// # Errors
/// If more states occur often enough than the second-order terms can hold.
/// When more states are seen often enough than pairs can hold.
pub fn fit(
    features: &Features,
    start: &Fitted,
    train: &mut Set,
    test: &Set,
    settings: &Settings,
    inform: &mut dyn FnMut(usize, f64),
) -> Result<Fitted, TooMany> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut seen = vec![0_u32; TABLE_LEN];
    train.features.iter().for_each(|&state| seen[state as usize] += 1);
    let mut machine = Machine::new(start, settings, &seen, &mut random);
    let has_vector = |(&seen, numbers): (&u32, &Numbers<WIDTH>)| {
        seen >= settings.least || settings.prior > 0.0 && numbers.values != [0.0; WIDTH]
    };
    let often: Vec<bool> = seen.iter().zip(&machine.vectors).map(has_vector).collect();
    let counted = (0..LAYOUT.table).filter(|&place| often[place] && features.is_feature(place));
    if counted.count() > usize::from(u16::MAX) {
        return Err(TooMany);
    }
    inform(0, machine.error(test, settings.decided));
    let fits_own = settings.own_rate > 0.0;
    if settings.prior > 0.0 {
        let step =
            Step { rate: 0.0, own_rate: 0.0, fits_own, times: settings.prior, decided: settings.decided };
        for row in &train.rows {
            machine.learn(train.features(row), row, &often, step);
        }
    }
    for epoch in 0..settings.epochs {
        train.rows.shuffle(&mut random);
        let left = 2.0 * (settings.epochs - epoch) as f32 / (settings.epochs + 2) as f32;
        let falling = if 2 * epoch < settings.epochs { 1.0 } else { left };
        let step = Step {
            rate: settings.rate * falling,
            own_rate: settings.own_rate * falling,
            fits_own,
            times: 1.0,
            decided: settings.decided,
        };
        for row in &train.rows {
            machine.learn(train.features(row), row, &often, step);
        }
        inform(epoch + 1, machine.error(test, settings.decided));
    }
    machine.finish(features)
}

#[cfg(test)]
mod tests {
    use super::super::samples::Next;
    use super::*;
    use othello_player::rules::Position;
    use search_core::testing::random_positions;

    /// A value that depends on pairs of cells.
    const TOGETHER: fn(f32) -> f32 = |more| more.powi(2) / 2.0;
    const ONE_BY_ONE: fn(f32) -> f32 = |more| 2.0 * more;

    /// Returns positions whose value is a function of the mover's surplus on the diagonals of four cells.
    fn set(features: &Features, seed: u64, count: usize, worth: fn(f32) -> f32) -> Set {
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
            let target = worth(held(position.own()) - held(position.opponent()));
            let next = Next::Another;
            set.push(features, &Sample { position, target, weight: 1.0, held_out: false, next });
        }
        set
    }

    const SETTINGS: Settings =
        Settings { epochs: 4, rate: 0.03, own_rate: 0.0, prior: 0.0, decided: 20.0, least: 5, seed: 1 };

    /// Returns a fit and its errors by epoch.
    fn fitted(start: &Fitted, seed: u64, worth: fn(f32) -> f32, settings: Settings) -> (Fitted, Vec<f64>) {
        let features = Features::new();
        let (mut train, test) = (set(&features, seed, 4000, worth), set(&features, 2, 400, worth));
        let mut errors = Vec::new();
        let inform = &mut |_, error| errors.push(error);
        (fit(&features, start, &mut train, &test, &settings, inform).unwrap(), errors)
    }

    #[test]
    fn it_learns_what_two_patterns_are_worth_together() {
        let nothing = Fitted::default();
        let (first, errors) = fitted(&nothing, 1, TOGETHER, SETTINGS);
        assert!(errors[SETTINGS.epochs] < 0.7 * errors[0], "{errors:?}");
        assert_ne!(first.pairs, Pairs::none());
        assert!(first.tables == nothing.tables, "what states are worth by themselves stays");
        let (same, _) = fitted(&nothing, 1, TOGETHER, SETTINGS);
        assert!(first.pairs == same.pairs, "the same seed gives the same");
    }

    #[test]
    fn it_goes_on_from_what_was_learned() {
        let (first, errors) = fitted(&Fitted::default(), 1, TOGETHER, SETTINGS);
        let (_, further) = fitted(&first, 3, TOGETHER, Settings { prior: 1.0, ..SETTINGS });
        assert!((further[0] - errors[4]).abs() < 0.02 * errors[4], "{errors:?}, then {further:?}");
        assert!(further[4] < errors[4], "{errors:?}, then {further:?}");
        let (_, anew) = fitted(&first, 3, TOGETHER, SETTINGS);
        assert!(further[1] < anew[1], "{further:?} and {anew:?}");
    }

    #[test]
    fn it_learns_what_states_are_worth_by_themselves() {
        let no_vectors = Settings { least: u32::MAX, ..SETTINGS };
        let (_, without) = fitted(&Fitted::default(), 1, ONE_BY_ONE, no_vectors);
        let with = Settings { own_rate: 0.1, ..no_vectors };
        let (_, errors) = fitted(&Fitted::default(), 1, ONE_BY_ONE, with);
        assert!(errors[4] < 0.8 * without[4], "{errors:?} and {without:?}");
    }
}
