//! Weights fitted to the results of games that the player played against itself.
//!
//! `learned.bin` holds, for every set of four shapes in the order of [`shape_sets`], what a cell is worth to the colour
//! whose turn it is and to the other, and then what the turn is worth: 16-bit little-endian numbers, a hundred of them
//! for a factor of e in the odds of winning.

use crate::patterns::{Code, Shape, Weights, shapes_of};
use std::collections::BTreeMap;

const BYTES: &[u8] = include_bytes!("learned.bin");

/// Every set of four shapes, the strongest first within a set.
pub fn shape_sets() -> impl Iterator<Item = [Shape; 4]> {
    let below = |top: Shape| Shape::ALL.into_iter().filter(move |&shape| shape <= top);
    Shape::ALL.into_iter().flat_map(move |a| {
        below(a).flat_map(move |b| below(b).flat_map(move |c| below(c).map(move |d| [a, b, c, d])))
    })
}

/// The set that the shapes of a code make.
pub fn shape_set(code: Code) -> [Shape; 4] {
    let mut shapes = shapes_of(code);
    shapes.sort_unstable_by(|a, b| b.cmp(a));
    shapes
}

pub(super) fn weights() -> Weights {
    let mut numbers = BYTES.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let mut next = || numbers.next().expect("a test reads the weights");
    let values: BTreeMap<[Shape; 4], [i16; 2]> = shape_sets().map(|set| (set, [next(), next()])).collect();
    let tempo = next();
    Weights::new(|code| values[&shape_set(code)], tempo.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_as_many_as_the_shape_sets() {
        let sets: Vec<_> = shape_sets().collect();
        assert_eq!(sets.len(), 1820);
        assert_eq!(BYTES.len(), 2 * (2 * sets.len() + 1));
        assert!(sets.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once");
        weights();
    }
}
