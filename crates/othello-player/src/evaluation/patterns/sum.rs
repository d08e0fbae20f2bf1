//! The sums of the weights and of the vectors (see [`Pairs`](super::Pairs)) of a position's states.
//!
//! The words of the states are loaded one by one and added whole. Gathering sixteen at a time, or unpacking before
//! adding, is slower.

#![allow(unsafe_code)]

use super::layout::LAYOUT;
use super::pairs::{Vectors, WIDTH, component};
use super::{Features, StateEntry, Table};

/// The sum of the weights of all states, in 1/128 of a disc.
#[inline]
pub(super) fn of(table: &Table, features: &Features) -> i32 {
    let mut sum = 0_u32;
    for &place in &features.places()[..LAYOUT.instances] {
        // SAFETY: every index of features is within the table.
        sum = sum.wrapping_add(unsafe { table.get_unchecked(place as usize) }.0);
    }
    StateEntry::worth_of_all(sum)
}

/// As [`of`], and the sum of the states' vectors added to `first`.
#[inline(always)]
pub(super) fn with_vectors(
    table: &Table,
    features: &Features,
    vectors: &Vectors,
    first: &[i16; WIDTH],
) -> (i32, [i16; WIDTH]) {
    let places = features.places();
    let (mut sum, mut vector_sum) = (0_u32, *first);
    // Not in a closure: it would keep the sums in memory instead of registers.
    for &place in &places[..LAYOUT.instances] {
        // SAFETY: as above.
        let place = unsafe { *table.get_unchecked(place as usize) };
        sum = sum.wrapping_add(place.0);
        let vector = place.vector_of(vectors);
        // An index loop: chained iterators are slow in builds that do not inline them.
        for at in 0..WIDTH {
            vector_sum[at] += component(vector[at]);
        }
    }
    (StateEntry::worth_of_all(sum), vector_sum)
}

#[cfg(test)]
mod tests {
    use super::super::Weights;
    use super::*;
    use crate::rules::Position;
    use search_core::testing::random_positions;

    #[test]
    fn sums_are_those_of_the_states_one_by_one() {
        let weights = Weights::embedded();
        let (table, vectors) = (weights.stage(8), weights.pairs().vectors());
        let numbers = weights.pairs().by_place();
        for position in random_positions(&Position::START, 3, 200, 60) {
            let features = Features::of(position.own(), position.opponent());
            let worth = features.indices().map(|place| table[place].worth()).sum::<i32>();
            let mut sum = [7; WIDTH];
            for place in features.indices() {
                let vector = *weights.pairs().vector(numbers[place]);
                sum.iter_mut().zip(vector).for_each(|(sum, byte)| *sum += component(byte));
            }
            assert_eq!(of(table, &features), worth, "{position:?}");
            assert_eq!(with_vectors(table, &features, vectors, &[7; WIDTH]), (worth, sum), "{position:?}");
        }
    }
}
