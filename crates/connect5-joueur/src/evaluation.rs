//! The evaluation of a position: a value for every free cell and colour from the four shapes that a stone there would
//! make, summed while the stones come and go.

pub mod learned;
mod lines;
pub mod network;
mod shapes;

use crate::patterns::{Patterns, Shape, Weights};
use crate::rules::Position;
use network::Network;
use search_core::Score;
use std::sync::OnceLock;

/// An evaluation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evaluation {
    /// Every line by itself: the shapes of a cell are added up.
    Lines,
    /// The threat class of a cell's four shapes.
    Shapes,
    /// Fitted to games of self-play.
    Learned,
    /// The learned evaluation, corrected by a small network.
    #[default]
    Network,
}

wire::named!(
    Evaluation, "evaluation": Lines = "lines", Shapes = "shapes", Learned = "learned", Network = "network"
);

/// The executable's weights are not those that were built into it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the {name} evaluation's weights are damaged: their checksum is {found:016x}, not {expected:016x}")]
pub struct DamagedWeights {
    name: &'static str,
    found: u64,
    expected: u64,
}

impl DamagedWeights {
    fn compare(name: &'static str, bytes: &[u8], expected: u64) -> Result<(), Self> {
        let found = wire::checksum(bytes);
        if found == expected { Ok(()) } else { Err(Self { name, found, expected }) }
    }
}

impl Evaluation {
    /// The executable carries this evaluation's weights as they were built into it.
    ///
    /// # Errors
    /// A damaged executable.
    pub fn check(self) -> Result<(), DamagedWeights> {
        match self {
            Self::Lines | Self::Shapes => Ok(()),
            Self::Learned => learned::check(),
            Self::Network => learned::check().and_then(|()| network::check()),
        }
    }

    /// The network at `position`, if this evaluation has one that knows such grids.
    #[must_use]
    pub fn network(self, position: &Position) -> Option<Network> {
        match self {
            Self::Network => Network::new(position, network::Weights::built_in()),
            _ => None,
        }
    }

    /// The value of every set of shapes, tabulated when it is first asked for.
    pub fn weights(self) -> &'static Weights {
        static LINES: OnceLock<Weights> = OnceLock::new();
        static SHAPES: OnceLock<Weights> = OnceLock::new();
        static LEARNED: OnceLock<Weights> = OnceLock::new();
        match self {
            Self::Lines => LINES.get_or_init(|| by_hand(lines::value)),
            Self::Shapes => SHAPES.get_or_init(|| by_hand(shapes::value)),
            Self::Learned | Self::Network => LEARNED.get_or_init(learned::weights),
        }
    }

    /// The mover's prospects, from the position alone.
    #[must_use]
    pub fn evaluate(self, position: &Position) -> Score {
        let patterns = Patterns::new(position, self.weights());
        match self.network(position) {
            Some(mut network) => network.evaluate(&patterns, position),
            None => judge(&patterns, position),
        }
    }
}

/// The mover's prospects by the weights of `patterns`, which stand at `position`.
#[inline]
#[must_use]
pub fn judge(patterns: &Patterns, position: &Position) -> Score {
    Score::new(patterns.balance(position.mover()))
}

/// The mover has the next stone: what it threatens counts for more than what it has to answer. The tables are written
/// in numbers twice as fine as a score is, which counts hundredths of the logarithm of the odds of winning.
fn by_hand(value: impl Fn([Shape; 4]) -> i16) -> Weights {
    let halves = |value: i16| [(value + value / 16) / 2, (value - value / 16) / 2];
    Weights::new(|shapes| halves(value(shapes)), 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_anywhere_in_weights_shows() {
        let bytes: Vec<u8> = (0..1_000).map(|index| (index * 37 % 251) as u8).collect();
        let expected = wire::checksum(&bytes);
        let compare = |bytes: &[u8]| DamagedWeights::compare("learned", bytes, expected);
        assert_eq!(compare(&bytes), Ok(()));
        for at in [0, bytes.len() / 2, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            let error = compare(&damaged).unwrap_err().to_string();
            assert!(error.ends_with(&format!("not {expected:016x}")), "{error}");
        }
        assert!(compare(&bytes[1..]).is_err());
        assert!(compare(&[&bytes[..], &[0]].concat()).is_err(), "a zero behind the end counts");
    }
}
