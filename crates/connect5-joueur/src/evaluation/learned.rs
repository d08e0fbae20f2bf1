//! Weights fitted to the results of games that the player played against itself.
//!
//! `learned.bin` holds, for every set of four shapes in the order of [`shape_sets`], what a cell is worth to the colour
//! whose turn it is and to the other, and how much a move there promises to the colour that makes it and for what it
//! keeps from the other; then what the turn is worth, what each set of threats is, and what it adds to a move's promise
//! to lie near the last moves: 16-bit little-endian numbers, a hundred of them for a factor of e in the odds.

use crate::patterns::{Code, Shape, THREATS, Weights, shapes_of};
use crate::rules::RELATIONS;

const BYTES: &[u8] = include_bytes!("learned.bin");

/// How many numbers `learned.bin` holds.
pub const NUMBERS: usize = 4 * 1820 + 1 + THREATS + 2 * RELATIONS;

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

/// The place of a code's set in [`shape_sets`].
pub fn set_number(code: Code) -> usize {
    let [a, b, c, d] = shape_set(code).map(|shape| shape as usize);
    (a + 3) * (a + 2) * (a + 1) * a / 24 + (b + 2) * (b + 1) * b / 6 + (c + 1) * c / 2 + d
}

pub(super) fn weights() -> Weights {
    let mut numbers = BYTES.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let mut next = || numbers.next().expect("a test reads the weights");
    let values: Vec<[i16; 4]> = shape_sets().map(|_| std::array::from_fn(|_| next())).collect();
    let tempo = next();
    let threats = std::array::from_fn(|_| next());
    let near = std::array::from_fn(|_| std::array::from_fn(|_| next()));
    let of = |code| values[set_number(code)];
    let value = |code| {
        let [moving, waiting, _, _] = of(code);
        [moving, waiting]
    };
    let promise = |code| {
        let [.., own, other] = of(code);
        [own, other]
    };
    Weights::new(value, tempo.into()).with_threats(threats).with_promise(promise, near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_as_many_as_the_shape_sets() {
        let sets: Vec<_> = shape_sets().collect();
        assert_eq!(sets.len(), 1820);
        assert_eq!(BYTES.len(), NUMBERS * 2);
        assert!(sets.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once");
        let numbered = |code| sets[set_number(code)] == shape_set(code);
        assert!((0..=Code::MAX).step_by(7).all(numbered));
        weights();
    }
}
