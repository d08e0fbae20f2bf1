//! Fits what every two states are worth together, and with it what each is worth by itself.
//!
//! A factorization machine, by stochastic gradient descent with a step for each number that shrinks with what it has
//! been told (AdaGrad). The error is that of the hyperbolic tangent of the score: far scores are decided, and count
//! less. A fit can go on from another one's numbers: they then move as if they had been told so much already.
//!
//! Source: S. Rendle, "Factorization machines", 2010; J. Duchi, E. Hazan, Y. Singer, "Adaptive subgradient methods for
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
    /// The number of epochs: every sample is seen so often.
    pub epochs: usize,
    /// The first step of every number of a vector; in the second half of the epochs it falls.
    pub rate: f32,
    /// The same of what a state is worth by itself; 0: that stays.
    pub own_rate: f32,
    /// The fit goes on from vectors that count as if so many epochs of these samples had been seen; 0: from random ones.
    pub prior: f32,
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

/// Samples with their features: the states, and last both sides' mobility.
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

    fn features(&self, row: &Row) -> &[u32] {
        const WIDTH: usize = LAYOUT.instances + 1;
        &self.features[row.number * WIDTH..][..WIDTH]
    }
}

/// Numbers that are learned, and the sums of their squared gradients.
#[derive(Debug, Clone, Copy)]
struct Numbers<const N: usize> {
    values: [f32; N],
    squares: [f32; N],
}

impl<const N: usize> Numbers<N> {
    fn new(values: [f32; N]) -> Self {
        Self { values, squares: [FIRST_SQUARES; N] }
    }

    /// Moves every number against its gradient, which counts `times`.
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

/// The sizes of a step.
#[derive(Debug, Clone, Copy)]
struct Step {
    rate: f32,
    own_rate: f32,
    /// True if what states are worth by themselves is fitted, too.
    fits_own: bool,
    /// The count of each sample's squared gradient.
    times: f32,
    decided: f32,
}

/// The parameters that are fitted.
struct Machine {
    /// By stage: what each feature is worth by itself.
    own: Vec<Vec<Numbers<1>>>,
    vectors: Vec<Numbers<WIDTH>>,
    plies: Vec<Ply>,
}

impl Machine {
    /// The sum of a row's vectors, and what the row is worth; the last feature has no vector.
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

    /// The root of the mean squared error of the scores' hyperbolic tangents.
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

    /// Begins with what `start` says of states by themselves, and with its vectors or random ones; `seen` has how often
    /// each state is met.
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
            // Half of the squares count for the mover, half for the opponent.
            weights: std::array::from_fn(|at| if at % 2 == 0 { 1.0 } else { -1.0 }),
            constant: 0.0,
        }; COUNTS];
        if settings.prior > 0.0 {
            let (before, of_counts) = start.pairs.learned();
            for (vector, before) in vectors.iter_mut().zip(before) {
                // A state that had none begins near zero.
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

    /// Rounds what was learned.
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

/// Fits to `train`, from what `start` says of states by themselves on. `inform` is told the error on `test` before the
/// first epoch, as of epoch 0, and after each.
///
/// # Errors
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

    /// The value of a cell depends on the others.
    const TOGETHER: fn(f32) -> f32 = |more| more.powi(2) / 2.0;
    const ONE_BY_ONE: fn(f32) -> f32 = |more| 2.0 * more;

    /// Positions whose value follows from what the mover holds more of the diagonals of four cells.
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

    /// The fit and its errors, epoch by epoch.
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
