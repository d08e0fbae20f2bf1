//! The second-order term of the evaluation: the weight of every two states of a position, by a factorization machine.
//!
//! A sum over patterns cannot know that one pattern matters more because of what another one shows. A weight for every
//! two states would be billions, so every state has a short vector instead, and two states are worth together what
//! their vectors' components give when multiplied, each product counted with the ply's weight for that component. All
//! pairs at once are then the squares of the components of one sum, to which the ply adds a vector of its own: a
//! factorization machine.
//!
//! Source: S. Rendle, "Factorization machines", 2010.

use super::layout::{LANES, LAYOUT, TABLE};
use super::weights::stored_states;

/// Components of a vector.
pub const WIDTH: usize = 32;
/// Numbers of empty squares, 0 to 60.
pub const COUNTS: usize = 61;
/// Vectors and weights are counted in this part of one.
const UNIT: f32 = 128.0;
/// Bytes of a [`Count`] in the file.
const COUNT_BYTES: usize = 2 * (2 * WIDTH + 1);

/// Vectors that numbers of 16 bits can tell apart.
const VECTORS: usize = 1 << 16;

/// A state's vector, in 1/128.
pub type Vector = [i8; WIDTH];

/// The parameters for a number of empty squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Count {
    /// Added to the sum of the states' vectors, in 1/128.
    vector: [i16; WIDTH],
    /// The weight of each component's square, in 1/128.
    weights: [i16; WIDTH],
    /// Added to the whole, in 1/128 of a disc.
    constant: i16,
}

/// The same as it is learned, in whole discs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Learned {
    /// Added to the sum of the states' vectors.
    pub vector: [f32; WIDTH],
    /// The weight of each component's square.
    pub weights: [f32; WIDTH],
    /// Added to the whole.
    pub constant: f32,
}

/// The vectors of all states, shared by all stages of the game. Most states are too rare to have one: those that do
/// stand close together, for which of them a position needs is all over the memory that they take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairs {
    /// The first is zero, and so are those behind the last; one for each number that there is, so that none needs a
    /// check.
    vectors: Box<[Vector; VECTORS]>,
    /// The number of them in use.
    used: usize,
    /// Which of them each place of a stage's table has, but the mobilities.
    numbers: Vec<u16>,
    counts: [Count; COUNTS],
}

/// More states have a vector than numbers can tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {} states have something that they are worth together with others", u16::MAX)]
pub struct TooMany;

impl Pairs {
    /// No two states are worth anything together.
    #[must_use]
    pub fn none() -> Self {
        let vectors = vec![[0; WIDTH]; VECTORS].try_into().expect("they are as many as there are numbers");
        Self { vectors, used: 1, numbers: vec![0; TABLE], counts: [Count::default(); COUNTS] }
    }

    /// Rounds what was learned: a vector for each place of a stage's table but the mobilities, mirror images agreeing,
    /// and what belongs to each number of empty squares.
    ///
    /// # Errors
    /// When more than 65,535 states that are no mirror images have a vector that does not round to zero.
    pub fn new(vectors: &[[f32; WIDTH]], counts: &[Learned; COUNTS]) -> Result<Self, TooMany> {
        let unit = |value: f32| (value * UNIT).round() as i16;
        let mut pairs = Self::none();
        for (place, mirror) in stored_states() {
            // Numbers that leave the range end at its bounds.
            let vector = vectors[place].map(|value| (value * UNIT).round() as i8);
            if vector != [0; WIDTH] {
                pairs.give(place, mirror, vector).ok_or(TooMany)?;
            }
        }
        pairs.counts = counts.map(|count| Count {
            vector: count.vector.map(unit),
            weights: count.weights.map(unit),
            constant: unit(count.constant),
        });
        Ok(pairs)
    }

    /// The inverse of [`new`](Self::new), as far as numbers were rounded: a vector for each place of a stage's table but
    /// the mobilities, and what belongs to each number of empty squares.
    #[must_use]
    pub fn learned(&self) -> (Vec<[f32; WIDTH]>, [Learned; COUNTS]) {
        let vector = |&number: &u16| self.vectors[usize::from(number)].map(|value| f32::from(value) / UNIT);
        let whole = |value: i16| f32::from(value) / UNIT;
        let counts = self.counts.map(|count| Learned {
            vector: count.vector.map(whole),
            weights: count.weights.map(whole),
            constant: whole(count.constant),
        });
        (self.numbers.iter().map(vector).collect(), counts)
    }

    /// Gives a state and its mirror image a vector of their own; `None` when there are no more numbers.
    fn give(&mut self, place: usize, mirror: usize, vector: Vector) -> Option<()> {
        let number = u16::try_from(self.used).ok()?;
        self.vectors[self.used] = vector;
        self.used += 1;
        self.numbers[place] = number;
        self.numbers[mirror] = number;
        Some(())
    }

    /// The number of the vector that belongs to a place of a stage's table.
    #[inline]
    pub(super) fn number_at(&self, place: usize) -> u16 {
        self.numbers.get(place).copied().unwrap_or(0)
    }

    /// The second-order term of a position with so many empty squares, whose states have the vectors with these
    /// numbers, in 1/128 of a disc.
    #[inline]
    pub(super) fn worth(&self, numbers: &[u16; LANES], empties: u32) -> i32 {
        /// Sums beyond it are those of no position; their squares would leave 32 bits.
        const MOST: i16 = 2047;
        let count = &self.counts[(empties as usize).min(COUNTS - 1)];
        let mut sum = count.vector;
        for &number in &numbers[..LAYOUT.instances] {
            let vector = &self.vectors[usize::from(number)];
            // Counted: chained iterators are slow where a build does not inline them.
            for at in 0..WIDTH {
                sum[at] += i16::from(vector[at]);
            }
        }
        let mut squares = 0;
        for at in 0..WIDTH {
            let sum = i32::from(sum[at].clamp(-MOST, MOST));
            squares += ((sum * sum) >> 6) * i32::from(count.weights[at]);
        }
        // Half the square: each pair stands in it twice.
        i32::from(count.constant) + (squares >> 9)
    }

    /// As bytes: what belongs to each number of empty squares, the number of vectors that are not zero (4 bytes), those
    /// vectors, and a bit for each stored state that says whether it has one of them.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for count in &self.counts {
            let words = count.vector.iter().chain(&count.weights).chain([&count.constant]);
            words.for_each(|word| bytes.extend(word.to_le_bytes()));
        }
        let vectors = &self.vectors[1..self.used];
        bytes.extend((vectors.len() as u32).to_le_bytes());
        vectors.iter().for_each(|vector| bytes.extend(vector.map(|component| component as u8)));
        let present: Vec<bool> = stored_states().map(|(place, _)| self.numbers[place] != 0).collect();
        let bits = |eight: &[bool]| {
            eight.iter().enumerate().map(|(nth, &is_some)| u8::from(is_some) << nth).sum::<u8>()
        };
        bytes.extend(present.chunks(8).map(bits));
        bytes
    }

    /// Reads the bytes of [`to_bytes`](Self::to_bytes); `None` for any others.
    pub(super) fn of_bytes(bytes: &[u8]) -> Option<Self> {
        let mut pairs = Self::none();
        let (counts, rest) = bytes.split_at_checked(COUNTS * COUNT_BYTES)?;
        for (count, bytes) in pairs.counts.iter_mut().zip(counts.chunks_exact(COUNT_BYTES)) {
            let mut words = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
            let places = count.vector.iter_mut().chain(&mut count.weights).chain([&mut count.constant]);
            places.for_each(|place| *place = words.next().unwrap_or_default());
        }
        let (present, rest) = rest.split_first_chunk()?;
        let present = u32::from_le_bytes(*present) as usize;
        let (vectors, bits) = rest.split_at_checked(present.checked_mul(WIDTH)?)?;
        let mut vectors = vectors.chunks_exact(WIDTH);
        let mut nth = 0;
        // Walked from within: the chained iterators are slow step by step.
        stored_states().try_for_each(|(place, mirror)| {
            if bits.get(nth / 8)? >> (nth % 8) & 1 != 0 {
                let vector: &[u8; WIDTH] = vectors.next()?.try_into().ok()?;
                pairs.give(place, mirror, vector.map(|byte| byte as i8))?;
            }
            nth += 1;
            Some(())
        })?;
        (vectors.next().is_none() && bits.len() == nth.div_ceil(8)).then_some(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Features;
    use super::*;
    use crate::rules::Position;
    use search_core::testing::random_positions;

    /// Vectors and weights without a pattern of their own, mirror images agreeing.
    fn some() -> (Vec<[f32; WIDTH]>, [Learned; COUNTS]) {
        let value = |number: usize| (number * 37 % 101) as f32 / 640.0 - 0.08;
        let mut vectors = vec![[0.0; WIDTH]; TABLE];
        for (place, mirror) in stored_states().filter(|(place, _)| place % 3 == 0) {
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

    fn worth(pairs: &Pairs, features: &Features, empties: u32) -> i32 {
        let mut numbers = [0; LANES];
        for (number, place) in numbers.iter_mut().zip(features.indices()) {
            *number = pairs.number_at(place);
        }
        pairs.worth(&numbers, empties)
    }

    #[test]
    fn it_is_the_worth_of_every_two_states_together() {
        let (vectors, counts) = some();
        let pairs = Pairs::new(&vectors, &counts).unwrap();
        for position in random_positions(&Position::START, 5, 100, 60) {
            let features = Features::of(position.own(), position.opponent());
            let count = &counts[position.empties() as usize];
            // The ply's vector stands among the states'; each product once, each square half.
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
            let found = worth(&pairs, &features, position.empties()) as f32 / UNIT;
            // Both sides round each component.
            let tolerance = 0.2 + expected.abs() * 0.15;
            assert!((found - expected).abs() < tolerance, "{found} and {expected}: {position:?}");
        }
    }

    #[test]
    fn both_colours_and_all_symmetries_find_the_same() {
        let (vectors, counts) = some();
        let pairs = Pairs::new(&vectors, &counts).unwrap();
        for position in random_positions(&Position::START, 6, 50, 60) {
            let worth =
                |own: u64, opponent: u64| worth(&pairs, &Features::of(own, opponent), position.empties());
            let (own, opponent) = (position.own(), position.opponent());
            let here = worth(own, opponent);
            assert_eq!(worth(own.swap_bytes(), opponent.swap_bytes()), here, "{position:?}");
            assert_eq!(worth(own.reverse_bits(), opponent.reverse_bits()), here, "{position:?}");
        }
    }

    #[test]
    fn more_states_than_numbers_are_refused() {
        let all = vec![[1.0; WIDTH]; TABLE];
        assert_eq!(Pairs::new(&all, &[Learned::default(); COUNTS]), Err(TooMany));
    }

    #[test]
    fn bytes_and_back() {
        let (vectors, counts) = some();
        let pairs = Pairs::new(&vectors, &counts).unwrap();
        let bytes = pairs.to_bytes();
        assert!(Pairs::of_bytes(&bytes).as_ref() == Some(&pairs));
        assert!(Pairs::of_bytes(&Pairs::none().to_bytes()) == Some(Pairs::none()));
        assert_eq!(Pairs::of_bytes(&bytes[..bytes.len() - 1]), None, "too short");
        assert_eq!(Pairs::of_bytes(&[&bytes[..], &[0]].concat()), None, "too long");
        assert_eq!(Pairs::of_bytes(&bytes[..100]), None, "hardly begun");
    }
}
