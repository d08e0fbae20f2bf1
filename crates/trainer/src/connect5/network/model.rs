//! The network in floating point: forward pass, gradients, and quantisation.
#![expect(
    clippy::needless_range_loop,
    reason = "loops over the same places of several arrays become vector instructions"
)]

use super::examples::Example;
use anyhow::{Result, ensure};
use connect5_joueur::evaluation::network::{
    BYTES, CLASSES, EMPTY_CLASSES, HIDDEN, INPUTS, LineClasses, MOST, MOST_WEIGHT, WIDTH, scale,
};
use rand::{Rng, RngExt};

/// Maximum of a number in a cell's vector.
const MOST_OF_CELL: f32 = MOST as f32 / scale::VECTOR as f32;
/// Maximum output of a hidden unit.
const MOST_OUTPUT: f32 = i16::MAX as f32 / scale::OUTPUT as f32;
/// Divisor of the sums over the cells before the hidden units.
const PER_INPUT: f32 = (scale::INPUT / scale::VECTOR) as f32;
/// Weight of the move loss relative to the value loss.
const MOVES: f32 = 0.3;

/// The weights, or their gradients.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub table: Vec<[f32; WIDTH]>,
    pub hidden: [[f32; INPUTS]; HIDDEN],
    pub biases: [f32; HIDDEN],
    pub outputs: [f32; HIDDEN],
    pub move_score: [[f32; WIDTH]; 2],
}

/// Summed losses over a number of examples, with and without the network.
#[derive(Debug, Clone, Copy, Default)]
pub struct Loss {
    pub examples: f32,
    /// Cross-entropy of the results, with the network and without.
    pub values: [f32; 2],
    pub choices: f32,
    /// Cross-entropy of the moves, with the network and without; and how often the first one was played.
    pub moves: [f32; 2],
    pub hits: [f32; 2],
}

/// Results of the forward pass that the gradients need.
struct Pass {
    /// The vectors of each cell for the mover and for the opponent, before clipping.
    vectors: Vec<[[f32; WIDTH]; 2]>,
    inputs: [f32; INPUTS],
    units: [f32; HIDDEN],
    /// The log-odds that the mover wins.
    odds: f32,
}

impl Model {
    pub fn zero() -> Self {
        Self {
            table: vec![[0.0; WIDTH]; CLASSES],
            hidden: [[0.0; INPUTS]; HIDDEN],
            biases: [0.0; HIDDEN],
            outputs: [0.0; HIDDEN],
            move_score: [[0.0; WIDTH]; 2],
        }
    }

    /// Creates random weights whose correction is zero.
    pub fn random(random: &mut impl Rng) -> Self {
        let mut model = Self::zero();
        let mut up_to = |most: f32| random.random_range(-most..most);
        model.table[usize::from(EMPTY_CLASSES)..].as_flattened_mut().fill_with(|| up_to(0.25));
        model.hidden.as_flattened_mut().fill_with(|| up_to(0.2));
        model
    }

    fn forward(&self, example: &Example) -> Pass {
        let classes = LineClasses::get();
        let mut sums = [[0.0; WIDTH]; 2];
        let mut vectors = Vec::with_capacity(example.cells.len());
        for lines in &example.cells {
            let mut cell = [[0.0; WIDTH]; 2];
            for &line in lines {
                for (side, class) in [line, classes.exchanged(line)].into_iter().enumerate() {
                    let row = &self.table[usize::from(class)];
                    for at in 0..WIDTH {
                        cell[side][at] += row[at];
                    }
                }
            }
            for side in 0..2 {
                for at in 0..WIDTH {
                    sums[side][at] += cell[side][at].clamp(0.0, MOST_OF_CELL);
                }
            }
            vectors.push(cell);
        }
        let mut inputs = [0.0; INPUTS];
        for at in 0..WIDTH {
            inputs[at] = sums[0][at] / PER_INPUT;
            inputs[WIDTH + at] = sums[1][at] / PER_INPUT;
        }
        inputs[2 * WIDTH..].copy_from_slice(&example.numbers);
        let mut units = self.biases;
        for unit in 0..HIDDEN {
            for input in 0..INPUTS {
                units[unit] += self.hidden[unit][input] * inputs[input];
            }
        }
        let correction = units.iter().zip(&self.outputs);
        let correction: f32 = correction.map(|(unit, weight)| unit.clamp(0.0, MOST_OUTPUT) * weight).sum();
        Pass { vectors, inputs, units, odds: example.learned + correction }
    }

    /// Returns the log-odds of each move, up to a constant.
    fn move_scores(&self, example: &Example, pass: &Pass) -> Vec<f32> {
        let move_score = |&(cell, move_score): &(usize, f32)| {
            let mut sum = move_score;
            for side in 0..2 {
                for at in 0..WIDTH {
                    sum += pass.vectors[cell][side][at].clamp(0.0, MOST_OF_CELL) * self.move_score[side][at];
                }
            }
            sum
        };
        example.moves.iter().map(move_score).collect()
    }

    /// Adds this example's gradient to `gradients`.
    pub fn learn(&self, example: &Example, gradients: &mut Self) {
        let classes = LineClasses::get();
        let pass = self.forward(example);
        let error = sigmoid(pass.odds) - example.value;
        let mut to_inputs = [0.0; INPUTS];
        for unit in 0..HIDDEN {
            gradients.outputs[unit] += error * pass.units[unit].clamp(0.0, MOST_OUTPUT);
            if pass.units[unit] <= 0.0 || pass.units[unit] >= MOST_OUTPUT {
                continue;
            }
            let error = error * self.outputs[unit];
            gradients.biases[unit] += error;
            for input in 0..INPUTS {
                gradients.hidden[unit][input] += error * pass.inputs[input];
                to_inputs[input] += error * self.hidden[unit][input];
            }
        }
        let mut to_sums = [[0.0; WIDTH]; 2];
        for at in 0..WIDTH {
            to_sums[0][at] = to_inputs[at] / PER_INPUT;
            to_sums[1][at] = to_inputs[WIDTH + at] / PER_INPUT;
        }
        let mut to_cells = vec![0.0; example.cells.len()];
        if let Some(played) = example.played {
            let likelihoods = softmax(&self.move_scores(example, &pass));
            for (index, (&(cell, _), likelihood)) in example.moves.iter().zip(likelihoods).enumerate() {
                let error = MOVES * (likelihood - f32::from(u8::from(index == played)));
                to_cells[cell] += error;
                for side in 0..2 {
                    for at in 0..WIDTH {
                        let number = pass.vectors[cell][side][at].clamp(0.0, MOST_OF_CELL);
                        gradients.move_score[side][at] += error * number;
                    }
                }
            }
        }
        for ((lines, vectors), to_cell) in example.cells.iter().zip(&pass.vectors).zip(to_cells) {
            for side in 0..2 {
                let mut to_vector = [0.0; WIDTH];
                for at in 0..WIDTH {
                    let number = vectors[side][at];
                    let counts = 0.0 < number && number < MOST_OF_CELL;
                    let to = to_sums[side][at] + to_cell * self.move_score[side][at];
                    to_vector[at] = if counts { to } else { 0.0 };
                }
                for &line in lines {
                    let class = if side == 0 { line } else { classes.exchanged(line) };
                    let row = &mut gradients.table[usize::from(class)];
                    for at in 0..WIDTH {
                        row[at] += to_vector[at];
                    }
                }
            }
        }
    }

    /// Returns the loss at one example.
    pub fn loss(&self, example: &Example) -> Loss {
        let pass = self.forward(example);
        let at_value = |odds: f32| {
            let expected = sigmoid(odds).clamp(1e-6, 1.0 - 1e-6);
            -example.value * expected.ln() - (1.0 - example.value) * (1.0 - expected).ln()
        };
        let values = [pass.odds, example.learned].map(at_value);
        let mut loss = Loss { examples: 1.0, values, ..Loss::default() };
        if let Some(played) = example.played {
            let without: Vec<f32> = example.moves.iter().map(|&(_, move_score)| move_score).collect();
            for (index, move_scores) in [self.move_scores(example, &pass), without].into_iter().enumerate() {
                let likelihoods = softmax(&move_scores);
                let hit = likelihoods.iter().all(|&other| other <= likelihoods[played]);
                loss.moves[index] = -likelihoods[played].max(1e-9).ln();
                loss.hits[index] = f32::from(u8::from(hit));
            }
            loss.choices = 1.0;
        }
        loss
    }

    /// Returns all parameters, in a fixed order.
    pub fn numbers(&mut self) -> [&mut [f32]; 5] {
        [
            self.table[usize::from(EMPTY_CLASSES)..].as_flattened_mut(),
            self.hidden.as_flattened_mut(),
            &mut self.biases,
            &mut self.outputs,
            self.move_score.as_flattened_mut(),
        ]
    }

    /// Clips every weight to the range of the player's integers.
    pub fn clip(&mut self) {
        let [vector, hidden, output] = [
            MOST_OF_CELL,
            f32::from(MOST_WEIGHT) / scale::HIDDEN as f32,
            f32::from(MOST_WEIGHT) / scale::CORRECTION as f32,
        ];
        let clip = |numbers: &mut [f32], most: f32| {
            numbers.iter_mut().for_each(|number| *number = number.clamp(-most, most));
        };
        clip(self.table.as_flattened_mut(), vector);
        clip(self.hidden.as_flattened_mut(), hidden);
        clip(&mut self.outputs, output);
        clip(self.move_score.as_flattened_mut(), 16.0);
    }

    /// Rounds every weight to the player's integers.
    pub fn round(&mut self) {
        let scales = [
            scale::VECTOR,
            scale::HIDDEN,
            scale::INPUT * scale::HIDDEN,
            scale::CORRECTION,
            scale::MOVE_SCORE,
        ];
        for (numbers, scale) in self.numbers().into_iter().zip(scales) {
            numbers.iter_mut().for_each(|number| *number = (*number * scale as f32).round() / scale as f32);
        }
    }

    /// Reads weights in the player's format.
    pub fn of_bytes(bytes: &[u8]) -> Result<Self> {
        ensure!(bytes.len() == BYTES, "{} bytes are no network, which has {BYTES}", bytes.len());
        let (table, rest) = bytes.split_at(CLASSES * WIDTH);
        let (words, biases) = rest.split_at(rest.len() - 4 * HIDDEN);
        let part = |number: i32, scale: i32| number as f32 / scale as f32;
        let mut words = words.as_chunks::<2>().0.iter().map(|&word| i32::from(i16::from_le_bytes(word)));
        let mut fill = |numbers: &mut [f32], scale| {
            numbers.iter_mut().zip(&mut words).for_each(|(number, word)| *number = part(word, scale));
        };
        let mut model = Self::zero();
        fill(model.hidden.as_flattened_mut(), scale::HIDDEN);
        fill(&mut model.outputs, scale::CORRECTION);
        fill(model.move_score.as_flattened_mut(), scale::MOVE_SCORE);
        for (number, &byte) in model.table.as_flattened_mut().iter_mut().zip(table) {
            *number = part(byte.cast_signed().into(), scale::VECTOR);
        }
        for (bias, &bytes) in model.biases.iter_mut().zip(biases.as_chunks::<4>().0) {
            *bias = part(i32::from_le_bytes(bytes), scale::INPUT * scale::HIDDEN);
        }
        Ok(model)
    }

    /// Returns the weights in the player's format.
    pub fn quantised(&self) -> Vec<u8> {
        let whole = |number: f32, scale: i32| (number * scale as f32).round() as i32;
        let table = self.table.as_flattened().iter().map(|&number| whole(number, scale::VECTOR) as u8);
        let words = self.hidden.as_flattened().iter().map(|&weight| whole(weight, scale::HIDDEN));
        let words = words.chain(self.outputs.map(|weight| whole(weight, scale::CORRECTION)));
        let move_score =
            self.move_score.as_flattened().iter().map(|&weight| whole(weight, scale::MOVE_SCORE));
        let biases = self.biases.map(|bias| whole(bias, scale::INPUT * scale::HIDDEN));
        table
            .chain(words.chain(move_score).flat_map(|word| (word as i16).to_le_bytes()))
            .chain(biases.into_iter().flat_map(i32::to_le_bytes))
            .collect()
    }
}

impl std::ops::AddAssign for Loss {
    fn add_assign(&mut self, other: Self) {
        self.examples += other.examples;
        self.choices += other.choices;
        for index in 0..2 {
            self.values[index] += other.values[index];
            self.moves[index] += other.moves[index];
            self.hits[index] += other.hits[index];
        }
    }
}

fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

fn softmax(move_scores: &[f32]) -> Vec<f32> {
    let highest = move_scores.iter().copied().fold(f32::MIN, f32::max);
    let odds: Vec<f32> = move_scores.iter().map(|move_score| (move_score - highest).exp()).collect();
    let sum: f32 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::super::examples;
    use super::*;
    use crate::connect5::games;
    use connect5_joueur::evaluation::Evaluation;
    use connect5_joueur::evaluation::network::{Network, Weights};
    use connect5_joueur::patterns::Patterns;
    use connect5_joueur::rules::{Cell, Color, Grid, Position};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use search_core::Position as _;

    #[test]
    fn the_player_computes_what_the_model_does() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut model = Model::random(&mut random);
        for numbers in [&mut model.outputs[..], model.move_score.as_flattened_mut()] {
            numbers.fill_with(|| random.random_range(-0.3..0.3));
        }
        model.round();
        let bytes = model.quantised();
        assert_eq!(Model::of_bytes(&bytes).unwrap(), model);
        assert!(Model::of_bytes(&bytes[1..]).is_err());
        let weights = Box::leak(Box::new(Weights::read(&bytes).unwrap()));
        let mut compared = 0;
        for game in games::play(0..6, 30, 2, Evaluation::Learned) {
            let grid = Grid::new(game.size[0], game.size[1]).unwrap();
            let mut position = Position::from_grid(&grid);
            for &mv in &game.moves {
                let patterns = Patterns::new(&position, Evaluation::Network.weights());
                let mover = position.mover();
                let mut network = Network::new(&position, weights).unwrap();
                let score = network.evaluate(&patterns, &position).value() as f32;
                network.catch_up();
                let example = examples::example(&position, &patterns, [None; 2], Cell::new(mv), 0.5);
                let pass = model.forward(&example);
                assert!((score - 100.0 * pass.odds).abs() < 3.0, "{score} {}", pass.odds);
                let move_scores = model.move_scores(&example, &pass);
                for (cell, move_score) in patterns.candidates().zip(move_scores) {
                    let told = patterns.move_score(cell, mover) + network.move_score(cell, mover);
                    assert!((told as f32 - 100.0 * move_score).abs() < 2.0, "{told} {move_score}");
                    compared += usize::from(mover == Color::White);
                }
                position.play(Cell::new(mv));
            }
        }
        assert!(compared > 500, "{compared}");
    }

    #[test]
    fn the_gradients_are_those_of_the_loss() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut model = Model::random(&mut random);
        for numbers in [&mut model.outputs[..], model.move_score.as_flattened_mut()] {
            numbers.fill_with(|| random.random_range(-0.3..0.3));
        }
        let game = games::play(0..1, 30, 3, Evaluation::Learned).next().unwrap();
        let example = examples::of_game(&game).pop().unwrap();
        let mut gradients = Model::zero();
        model.learn(&example, &mut gradients);
        let loss = |model: &Model| {
            let loss = model.loss(&example);
            loss.values[0] + MOVES * loss.moves[0]
        };
        const STEP: f32 = 0.01;
        for part in 0..5 {
            let steepest = |numbers: &mut [f32]| {
                (0..numbers.len()).max_by(|&a, &b| numbers[a].abs().total_cmp(&numbers[b].abs()))
            };
            let at = steepest(gradients.numbers()[part]).unwrap();
            let gradient = gradients.numbers()[part][at];
            let [more, less] = [STEP, -STEP].map(|step| {
                let mut model = model.clone();
                model.numbers()[part][at] += step;
                loss(&model)
            });
            let measured = (more - less) / (2.0 * STEP);
            assert!(
                (measured - gradient).abs() < 0.1 * gradient.abs() + 1e-3,
                "part {part}: {measured} {gradient}"
            );
        }
    }
}
