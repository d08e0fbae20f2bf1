//! Logistic regression: the odds that the mover wins, from the shapes of all free cells.

use super::games::Game;
use connect5_joueur::evaluation::{Evaluation, learned};
use connect5_joueur::patterns::{Class, Patterns, Shape};
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Position as _, Score};
use std::collections::BTreeMap;

/// Every set of four shapes, and each shape by itself: a cell is worth the sum of both.
const SHAPES: usize = Shape::ALL.len();
/// Positions a step.
const BATCH: usize = 1024;
/// A result that is a ply farther away counts by so much less, down to [`LEAST_WEIGHT`].
const PER_PLY: f32 = 0.94;
const LEAST_WEIGHT: f32 = 0.1;
/// How strongly weights are drawn to zero: those of sets, which are often rare, and those of shapes.
const DECAY: [f32; 2] = [2e-4, 1e-6];
/// The first rate of learning, and the last.
const RATES: [f32; 2] = [6e-3, 1e-4];
/// Every so many games one is kept apart to see how well the weights do on games that they were not fitted to.
const HELD_OUT: usize = 10;

/// A position: what its cells are to the mover and to the other side, and how the game ended for the mover.
#[derive(Debug)]
pub struct Sample {
    /// Sets of shapes by number, of the cells that are something to either side.
    cells: Vec<[u16; 2]>,
    result: f32,
    weight: f32,
    held_out: bool,
}

impl Sample {
    /// The quiet positions of these games.
    pub fn of_games(games: &[Game]) -> Vec<Self> {
        let sets: BTreeMap<[Shape; 4], u16> = learned::shape_sets().zip(0..).collect();
        let mut samples = Vec::new();
        for (number, game) in games.iter().enumerate() {
            Self::of_game(game, number % HELD_OUT == 0, &sets, &mut samples);
        }
        samples
    }

    fn of_game(game: &Game, held_out: bool, sets: &BTreeMap<[Shape; 4], u16>, samples: &mut Vec<Self>) {
        let grid = Grid::new(game.side, game.side).expect("checked when the game was read");
        let mut position = Position::from_grid(&grid);
        let mut patterns = Patterns::new(&position, Evaluation::Lines.weights());
        for (ply, &mv) in game.moves.iter().enumerate() {
            let cell = Cell::new(mv);
            if !position.is_legal(cell) {
                return;
            }
            let score = ply.checked_sub(game.opening).map(|index| game.scores[index]);
            let mover = position.mover();
            let quiet = Color::ALL.iter().all(|&color| patterns.fives(color).is_empty())
                && patterns.open_fours(mover).is_empty();
            if quiet && score.is_some_and(|score| score.abs() < Score::LIMIT.value()) {
                let black = f32::from(game.result) / 2.0;
                let set = |cell, color| match patterns.class(cell, color) {
                    Class::Nothing => 0,
                    _ => sets[&learned::shape_set(patterns.code(cell, color))],
                };
                let free = position.cells().filter(|&cell| position.is_free(cell));
                samples.push(Self {
                    cells: free
                        .map(|cell| [set(cell, mover), set(cell, mover.other())])
                        .filter(|&cell| cell != [0, 0])
                        .collect(),
                    result: if mover == Color::Black { black } else { 1.0 - black },
                    weight: PER_PLY.powi((game.moves.len() - ply) as i32).max(LEAST_WEIGHT),
                    held_out,
                });
            }
            position.play(cell);
            patterns.played(cell, &position);
        }
    }
}

/// Fitted weights, as logarithms of odds.
#[derive(Debug)]
pub struct Fitted {
    /// For the mover and the other side, one a set of shapes.
    sets: [Vec<f32>; 2],
    tempo: f32,
}

impl Fitted {
    /// As the player embeds them: hundredths, 16 bits, little-endian, mover and other side in turn, the tempo last.
    pub fn to_bytes(&self) -> Vec<u8> {
        let rounded = |weight: f32| ((100.0 * weight).round() as i16).to_le_bytes();
        let pairs = self.sets[0].iter().zip(&self.sets[1]);
        pairs.flat_map(|(&own, &other)| [own, other]).chain([self.tempo]).flat_map(rounded).collect()
    }

    /// The logarithm of the odds that the mover wins.
    fn odds(&self, sample: &Sample) -> f32 {
        let [own, other] = &self.sets;
        let cell = |&[a, b]: &[u16; 2]| own[usize::from(a)] - other[usize::from(b)];
        self.tempo + sample.cells.iter().map(cell).sum::<f32>()
    }
}

/// A weight with the running means that Adam (Kingma and Ba, 2015) keeps of its gradient.
#[derive(Debug, Clone, Copy, Default)]
struct Weight {
    value: f32,
    mean: f32,
    square: f32,
}

impl Weight {
    fn step(&mut self, gradient: f32, decay: f32, rate: f32, steps: i32) {
        let gradient = gradient / BATCH as f32 + decay * self.value;
        self.mean = 0.9 * self.mean + 0.1 * gradient;
        self.square = 0.999 * self.square + 0.001 * gradient * gradient;
        let mean = self.mean / (1.0 - 0.9_f32.powi(steps));
        let square = self.square / (1.0 - 0.999_f32.powi(steps));
        self.value -= rate * mean / (square.sqrt() + 1e-8);
    }
}

/// The weights of one side: of sets, then of shapes.
struct Side {
    sets: Vec<Weight>,
    shapes: [Weight; SHAPES],
}

impl Side {
    fn of_sets(&self, sets: &[[Shape; 4]]) -> Vec<f32> {
        let worth = |(weight, set): (&Weight, &[Shape; 4])| match Class::of(*set) {
            Class::Nothing => 0.0,
            _ => weight.value + set.iter().map(|&shape| self.shapes[shape as usize].value).sum::<f32>(),
        };
        self.sets.iter().zip(sets).map(worth).collect()
    }

    fn step(&mut self, gradients: &[f32], sets: &[[Shape; 4]], rate: f32, steps: i32) {
        let mut of_shapes = [0.0; SHAPES];
        for ((weight, &gradient), set) in self.sets.iter_mut().zip(gradients).zip(sets) {
            if gradient != 0.0 {
                set.iter().for_each(|&shape| of_shapes[shape as usize] += gradient);
                weight.step(gradient, DECAY[0], rate, steps);
            }
        }
        for (weight, gradient) in self.shapes.iter_mut().zip(of_shapes).skip(1) {
            weight.step(gradient, DECAY[1], rate, steps);
        }
    }
}

/// Fits weights to the samples, telling `inform` how it goes.
pub fn fit(samples: &[Sample], epochs: usize, inform: &mut dyn FnMut(String)) -> Fitted {
    let sets: Vec<[Shape; 4]> = learned::shape_sets().collect();
    let side = || Side { sets: vec![Weight::default(); sets.len()], shapes: [Weight::default(); SHAPES] };
    let mut sides = [side(), side()];
    let mut tempo = Weight::default();
    let fitted = |sides: &[Side; 2], tempo: &Weight| Fitted {
        sets: [sides[0].of_sets(&sets), sides[1].of_sets(&sets)],
        tempo: tempo.value,
    };
    let (held_out, fitting): (Vec<&Sample>, Vec<&Sample>) =
        samples.iter().partition(|sample| sample.held_out);
    inform(format!("{} positions to fit, {} held out", fitting.len(), held_out.len()));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut steps = 0;
    for epoch in 0..epochs {
        let rate = RATES[0] * (1.0 - epoch as f32 / epochs as f32) + RATES[1];
        for _ in 0..2 * fitting.len() / BATCH {
            let now = fitted(&sides, &tempo);
            let mut gradients = [vec![0.0; sets.len()], vec![0.0; sets.len()]];
            let mut of_tempo = 0.0;
            for _ in 0..BATCH {
                let sample = fitting[random.random_range(0..fitting.len())];
                let error = (sigmoid(now.odds(sample)) - sample.result) * sample.weight;
                of_tempo += error;
                for &[own, other] in &sample.cells {
                    gradients[0][usize::from(own)] += error;
                    gradients[1][usize::from(other)] -= error;
                }
            }
            steps += 1;
            for (side, gradients) in sides.iter_mut().zip(&gradients) {
                side.step(gradients, &sets, rate, steps);
            }
            tempo.step(of_tempo, 0.0, rate, steps);
        }
        let now = fitted(&sides, &tempo);
        inform(format!(
            "epoch {}: loss {:.4}, held out {:.4}",
            epoch + 1,
            loss(&fitting, &now),
            loss(&held_out, &now)
        ));
    }
    fitted(&sides, &tempo)
}

fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

/// The mean surprise at the results.
fn loss(samples: &[&Sample], fitted: &Fitted) -> f32 {
    let surprise = |sample: &&Sample| {
        let expected = sigmoid(fitted.odds(sample)).clamp(1e-6, 1.0 - 1e-6);
        -sample.weight * (sample.result * expected.ln() + (1.0 - sample.result) * (1.0 - expected).ln())
    };
    let weight: f32 = samples.iter().map(|sample| sample.weight).sum();
    samples.iter().map(surprise).sum::<f32>() / weight.max(1e-6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_that_only_winners_have_is_worth_more_than_one_that_only_losers_have() {
        let sample =
            |own, other, result| Sample { cells: vec![[own, other]], result, weight: 1.0, held_out: false };
        let strong = learned::shape_sets().count() as u16 - 400;
        let samples: Vec<Sample> = (0..2000)
            .map(|n| if n % 2 == 0 { sample(strong, 0, 1.0) } else { sample(0, strong, 0.0) })
            .collect();
        let fitted = fit(&samples, 20, &mut |_| {});
        let index = usize::from(strong);
        assert!(fitted.sets[0][index] > 0.2 && fitted.sets[1][index] > 0.2, "{:?}", fitted.tempo);
        assert_eq!(fitted.to_bytes().len(), 2 * (2 * 1820 + 1));
    }
}
