//! The second-order term of the evaluation: a weight for every two states of a position, by a factorization machine.
//!
//! A sum over patterns cannot express that one pattern matters more because of another. A weight for every two states
//! would take billions of numbers. Instead, every state has a short vector, and the weight of two states is the product
//! of their vectors, component by component, weighted by ply. The sum over all pairs then follows from the squared
//! components of the sum of all vectors, to which the ply adds a vector of its own.
//!
//! Source: S. Rendle, "Factorization machines", 2010.

use super::layout::{STORED, StoredState, TABLE, stored_states};

/// The number of components of a vector.
pub const WIDTH: usize = 32;
/// The number of possible counts of empty squares, 0 to 60.
pub const COUNTS: usize = 61;
/// The fixed-point scale of vectors and weights.
const UNIT: f32 = 128.0;
/// The size of a [`Count`] in the file, in bytes.
const COUNT_BYTES: usize = 2 * (2 * WIDTH + 1);

/// The number of vectors that 16 bits can index.
const VECTORS: usize = 1 << 16;

/// The vector of a state: signed bytes as a file holds them, in 1/128.
pub type Vector = [u8; WIDTH];
/// The vectors by number, one after the other, and one more, so that [`WIDTH`] bytes can be read at any vector's offset.
pub(super) type Vectors = [u8; (VECTORS + 1) * WIDTH];

/// The vector number of each stored state, little endian.
type Numbers = [[u8; 2]; STORED];

/// A component of a [`Vector`], in 1/128.
#[inline(always)]
pub(super) fn component(byte: u8) -> i16 {
    i16::from(byte as i8)
}

/// The parameters for one number of empty squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Count {
    /// Added to the sum of the states' vectors, in 1/128.
    vector: [i16; WIDTH],
    /// The weight of each component's square, in 1/128.
    weights: [i16; WIDTH],
    /// The constant term, in 1/128 of a disc.
    constant: i16,
    /// The sum of the weights, times [`MIDDLE`].
    middles: i32,
}

/// The middle of the range of a squared component, in 1/64.
const MIDDLE: u16 = 1 << 15;

impl Count {
    fn new(vector: [i16; WIDTH], weights: [i16; WIDTH], constant: i16) -> Self {
        let middles = weights.iter().map(|&weight| i32::from(weight)).sum::<i32>() * i32::from(MIDDLE);
        Self { vector, weights, constant, middles }
    }
}

/// The parameters for one number of empty squares as learned, in discs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Learned {
    /// Added to the sum of the states' vectors.
    pub vector: [f32; WIDTH],
    /// The weight of each component's square.
    pub weights: [f32; WIDTH],
    /// The constant term.
    pub constant: f32,
}

/// The vectors of all states, shared by all stages of the game. Most states are too rare to have one. The others are
/// sorted by frequency, so that the vectors a position needs are likely to share cache lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairs {
    /// Vector 0 is zero, and so are those after the last one in use. Every number has an entry, so that lookups need no
    /// bounds check. A file's own bytes, so that a player neither copies nor touches those that it does not need.
    vectors: &'static Vectors,
    /// The vector number of each stored state, as a file holds it.
    numbers: &'static Numbers,
    counts: [Count; COUNTS],
}

/// More states have a vector than 16 bits can number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {} states have a second-order vector", u16::MAX)]
pub struct TooMany;

impl Pairs {
    /// No second-order term: all vectors are zero.
    #[must_use]
    pub fn none() -> Self {
        static ZEROS: Vectors = [0; (VECTORS + 1) * WIDTH];
        Self { vectors: &ZEROS, numbers: &[[0; 2]; STORED], counts: [Count::default(); COUNTS] }
    }

    /// Rounds learned parameters: a vector for each index of a stage's table (mobilities excluded, mirror images
    /// equal), and the parameters for each number of empty squares.
    ///
    /// # Errors
    /// More than 65,535 states, mirror images not counted, have a vector that does not round to zero.
    pub fn new(vectors: &[[f32; WIDTH]], counts: &[Learned; COUNTS]) -> Result<Self, TooMany> {
        let unit = |value: f32| (value * UNIT).round() as i16;
        // Values out of range saturate.
        let vector =
            |state: &StoredState| vectors[state.place()].map(|value| (value * UNIT).round() as i8 as u8);
        let mut pairs = Self::none();
        let mut some: Vec<_> = (0..STORED).map(|nth| (nth, vector(&stored_states()[nth]))).collect();
        some.retain(|(_, vector)| *vector != [0; WIDTH]);
        // The most frequent states get the lowest numbers.
        some.sort_by_key(|&(nth, _)| stored_states()[nth].rarity());
        if some.len() >= VECTORS {
            return Err(TooMany);
        }
        let (mut all, mut numbers) = (pairs.vectors.to_vec(), pairs.numbers.to_vec());
        for (number, (nth, vector)) in (1..).zip(some) {
            numbers[nth] = (number as u16).to_le_bytes();
            all.as_chunks_mut().0[number] = vector;
        }
        // Leaked, because those of a file are static, too. Copies keep their length.
        pairs.vectors = all.leak().as_array().unwrap_or(pairs.vectors);
        pairs.numbers = numbers.leak().as_array().unwrap_or(pairs.numbers);
        pairs.counts = counts
            .map(|count| Count::new(count.vector.map(unit), count.weights.map(unit), unit(count.constant)));
        Ok(pairs)
    }

    /// The inverse of [`new`](Self::new), up to rounding.
    #[must_use]
    pub fn learned(&self) -> (Vec<[f32; WIDTH]>, [Learned; COUNTS]) {
        let vector = |&number: &u16| self.vector(number).map(|byte| f32::from(component(byte)) / UNIT);
        let whole = |value: i16| f32::from(value) / UNIT;
        let counts = self.counts.map(|count| Learned {
            vector: count.vector.map(whole),
            weights: count.weights.map(whole),
            constant: whole(count.constant),
        });
        (self.by_place().iter().map(vector).collect(), counts)
    }

    /// The vector number of the `nth` stored state.
    #[inline(always)]
    pub(super) fn number(&self, nth: usize) -> u16 {
        u16::from_le_bytes(self.numbers[nth])
    }

    /// The vector number of each index of a stage's table, mobilities excluded.
    pub(super) fn by_place(&self) -> Vec<u16> {
        let mut numbers = vec![0; TABLE];
        for (nth, state) in stored_states().iter().enumerate() {
            numbers[state.place()] = self.number(nth);
            numbers[state.mirror()] = self.number(nth);
        }
        numbers
    }

    /// The vector with this number.
    pub(super) fn vector(&self, number: u16) -> &Vector {
        &self.vectors.as_chunks().0[usize::from(number)]
    }

    /// All vectors by number.
    #[inline]
    pub(super) fn vectors(&self) -> &'static Vectors {
        self.vectors
    }

    /// The vector that the ply adds to those of the states.
    #[inline]
    pub(super) fn first(&self, empties: u32) -> &[i16; WIDTH] {
        &self.count(empties).vector
    }

    #[inline]
    fn count(&self, empties: u32) -> &Count {
        &self.counts[(empties as usize).min(COUNTS - 1)]
    }

    /// The second-order term, in 1/128 of a disc, from the sum of all vectors.
    #[inline]
    pub(super) fn worth(&self, sum: &[i16; WIDTH], empties: u32) -> i32 {
        /// No position has a larger sum; the square of a larger one would overflow 16 bits.
        const MOST: u16 = 2047;
        let count = self.count(empties);
        let mut squares = count.middles;
        for (component, &weight) in sum.iter().zip(&count.weights) {
            let magnitude = u32::from(component.unsigned_abs().min(MOST)) << 5;
            // The square in 1/64, less the middle of its range: a signed number of 16 bits, which processors multiply
            // and add in one instruction.
            let square = ((magnitude * magnitude) >> 16) as u16;
            squares += i32::from((square ^ MIDDLE) as i16) * i32::from(weight);
        }
        // Half the square, because the square contains each pair twice.
        i32::from(count.constant) + (squares >> 9)
    }

    /// Serialises: the parameters for each number of empty squares, the vector number of each stored state, and the
    /// vectors. `before` is the number of bytes before these in the file: zeros put the vectors at a multiple of their
    /// size there, so that none spans two cache lines.
    pub(super) fn to_bytes(&self, before: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        for count in &self.counts {
            let words = count.vector.iter().chain(&count.weights).chain([&count.constant]);
            words.for_each(|word| bytes.extend(word.to_le_bytes()));
        }
        bytes.extend(self.numbers.as_flattened());
        let aligned = (before + bytes.len()).next_multiple_of(WIDTH) - before;
        bytes.resize(aligned, 0);
        bytes.extend(self.vectors);
        bytes
    }

    /// Parses the output of [`to_bytes`](Self::to_bytes); `None` if it is damaged.
    pub(super) fn of_bytes(bytes: &'static [u8]) -> Option<Self> {
        let mut pairs = Self::none();
        let (rest, vectors) = bytes.split_last_chunk()?;
        pairs.vectors = vectors;
        let (counts, rest) = rest.split_at_checked(COUNTS * COUNT_BYTES)?;
        for (count, bytes) in pairs.counts.iter_mut().zip(counts.chunks_exact(COUNT_BYTES)) {
            let mut words = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
            let mut word = || words.next().unwrap_or_default();
            *count = Count::new([(); WIDTH].map(|()| word()), [(); WIDTH].map(|()| word()), word());
        }
        let (numbers, zeros) = rest.split_at_checked(2 * STORED)?;
        pairs.numbers = numbers.as_chunks().0.first_chunk()?;
        (zeros.len() < WIDTH).then_some(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Features;
    use super::*;
    use crate::rules::Position;
    use search_core::testing::random_positions;

    /// Irregular vectors and weights, with mirror images equal.
    fn some() -> (Vec<[f32; WIDTH]>, [Learned; COUNTS]) {
        let value = |number: usize| (number * 37 % 101) as f32 / 640.0 - 0.08;
        let mut vectors = vec![[0.0; WIDTH]; TABLE];
        for state in stored_states().iter().filter(|state| state.place() % 3 == 0) {
            let [place, mirror] = [state.place(), state.mirror()];
            vectors[place] = std::array::from_fn(|component| value(place * 7 + component));
            vectors[mirror] = vectors[place];
        }
        let counts = std::array::from_fn(|empties| Learned {
            vector: std::array::from_fn(|component| value(empties + component) * 8.0),
            weights: std::array::from_fn(|component| if component % 2 == 0 { 1.0 } else { -1.25 }),
            constant: value(empties),
        });
        (vectors, counts)
    }

    fn worth(pairs: &Pairs, numbers: &[u16], features: &Features, empties: u32) -> i32 {
        let vectors = features.indices().map(|place| *pairs.vector(numbers[place]));
        let mut sum = *pairs.first(empties);
        vectors.for_each(|vector| sum.iter_mut().zip(vector).for_each(|(sum, one)| *sum += component(one)));
        pairs.worth(&sum, empties)
    }

    #[test]
    fn it_is_the_worth_of_every_two_states_together() {
        let (vectors, counts) = some();
        let pairs = Pairs::new(&vectors, &counts).unwrap();
        let numbers = pairs.by_place();
        for position in random_positions(&Position::START, 5, 100, 60) {
            let features = Features::of(position.own(), position.opponent());
            let count = &counts[position.empties() as usize];
            // The ply's vector is one of the terms; each product counts once, each square half.
            let mut all = vec![count.vector];
            all.extend(features.indices().map(|place| vectors[place]));
            let mut expected = count.constant;
            for (nth, one) in all.iter().enumerate() {
                for (other_nth, other) in all.iter().enumerate().take(nth + 1) {
                    let share = if nth == other_nth { 0.5 } else { 1.0 };
                    let products = one.iter().zip(other).zip(&count.weights);
                    expected +=
                        products.map(|((one, other), weight)| share * one * other * weight).sum::<f32>();
                }
            }
            let found = worth(&pairs, &numbers, &features, position.empties()) as f32 / UNIT;
            // Both computations round each component.
            let tolerance = 0.2 + expected.abs() * 0.15;
            assert!((found - expected).abs() < tolerance, "{found} and {expected}: {position:?}");
        }
    }

    #[test]
    fn both_colours_and_all_symmetries_find_the_same() {
        let (vectors, counts) = some();
        let pairs = Pairs::new(&vectors, &counts).unwrap();
        let numbers = pairs.by_place();
        for position in random_positions(&Position::START, 6, 50, 60) {
            let worth = |own: u64, opponent: u64| {
                worth(&pairs, &numbers, &Features::of(own, opponent), position.empties())
            };
            let (own, opponent) = (position.own(), position.opponent());
            let here = worth(own, opponent);
            assert_eq!(worth(own.swap_bytes(), opponent.swap_bytes()), here, "{position:?}");
            assert_eq!(worth(own.reverse_bits(), opponent.reverse_bits()), here, "{position:?}");
        }
    }

    #[test]
    fn more_states_than_numbers_are_refused() {
        let with = |states: usize| {
            let mut vectors = vec![[0.0; WIDTH]; TABLE];
            stored_states()[..states].iter().for_each(|state| vectors[state.place()] = [1.0; WIDTH]);
            Pairs::new(&vectors, &[Learned::default(); COUNTS]).map(drop)
        };
        assert_eq!(with(usize::from(u16::MAX)), Ok(()));
        assert_eq!(with(usize::from(u16::MAX) + 1), Err(TooMany));
    }

    #[test]
    fn the_commonest_states_have_the_first_numbers() {
        let (vectors, counts) = some();
        let pairs = Pairs::new(&vectors, &counts).unwrap();
        let mut states: Vec<_> = (0..STORED).map(|nth| (pairs.number(nth), stored_states()[nth])).collect();
        states.retain(|&(number, _)| number != 0);
        states.sort_by_key(|&(number, _)| number);
        assert!(states.len() > 50_000 && states.is_sorted_by_key(|(_, state)| state.rarity()));
    }

    #[test]
    fn bytes_and_back() {
        let (vectors, counts) = some();
        let pairs = Pairs::new(&vectors, &counts).unwrap();
        let of_bytes = |bytes: &[u8]| Pairs::of_bytes(bytes.to_vec().leak());
        for before in [0, 1, 31] {
            let bytes = pairs.to_bytes(before);
            assert_eq!((before + bytes.len()) % WIDTH, 0, "no vector spans two cache lines");
            assert!(of_bytes(&bytes).as_ref() == Some(&pairs));
        }
        let bytes = Pairs::none().to_bytes(0);
        assert!(of_bytes(&bytes) == Some(Pairs::none()));
        assert_eq!(of_bytes(&bytes[WIDTH..]), None, "too short");
        assert_eq!(of_bytes(&[&[0; WIDTH], &bytes[..]].concat()), None, "too long");
        assert_eq!(of_bytes(&bytes[..100]), None, "hardly begun");
    }
}
