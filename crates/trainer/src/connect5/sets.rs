//! Weights of shapes and of sets of shapes, fitted with Adam.

use crate::adam::Step;
use connect5_joueur::patterns::{Class, Shape, shape_sets};

/// Weight decay of set weights, which are often rare, and of shape weights.
const DECAY: [f32; 2] = [2e-4, 1e-6];
/// Number of shapes. A cell's value is the sum of its set's weight and its shapes' weights.
const SHAPES: usize = Shape::ALL.len();
/// The first and the last learning rate.
const RATES: [f32; 2] = [6e-3, 1e-4];

/// Returns the learning rate of epoch `epoch` of `epochs`.
pub fn rate(epoch: usize, epochs: usize) -> f32 {
    RATES[0] * (1.0 - epoch as f32 / epochs as f32) + RATES[1]
}

/// A weight with its running means, which stay as they are at a step without a gradient.
#[derive(Debug, Clone, Copy, Default)]
pub struct Weight {
    pub value: f32,
    mean: f32,
    square: f32,
}

impl Weight {
    /// Makes a step against `gradient`, the mean over the batch.
    pub fn step(&mut self, gradient: f32, decay: f32, step: Step) {
        let gradient = gradient + decay * self.value;
        step.apply(&mut self.value, gradient, &mut self.mean, &mut self.square);
    }
}

/// Weights of all sets of four shapes for one side, with a shared weight for each shape.
#[derive(Debug)]
pub struct Sets {
    names: Vec<[Shape; 4]>,
    sets: Vec<Weight>,
    shapes: [Weight; SHAPES],
}

impl Sets {
    /// Creates weights of zero.
    pub fn new() -> Self {
        let names: Vec<[Shape; 4]> = shape_sets().collect();
        Self { sets: vec![Weight::default(); names.len()], names, shapes: [Weight::default(); SHAPES] }
    }

    /// Returns the value of each set.
    pub fn values(&self) -> Vec<f32> {
        let worth = |(weight, set): (&Weight, &[Shape; 4])| match Class::of(*set) {
            Class::Nothing => 0.0,
            _ => weight.value + set.iter().map(|&shape| self.shapes[shape as usize].value).sum::<f32>(),
        };
        self.sets.iter().zip(&self.names).map(worth).collect()
    }

    /// Makes a step against the gradients of the sets' values.
    pub fn step(&mut self, gradients: &[f32], step: Step) {
        let mut of_shapes = [0.0; SHAPES];
        for ((weight, &gradient), set) in self.sets.iter_mut().zip(gradients).zip(&self.names) {
            if gradient != 0.0 {
                set.iter().for_each(|&shape| of_shapes[shape as usize] += gradient);
                weight.step(gradient, DECAY[0], step);
            }
        }
        for (weight, gradient) in self.shapes.iter_mut().zip(of_shapes).skip(1) {
            weight.step(gradient, DECAY[1], step);
        }
    }
}
