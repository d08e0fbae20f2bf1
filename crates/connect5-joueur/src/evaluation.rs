//! Evaluation functions: each free cell has a value for each colour, from the four line shapes that a stone there would
//! make. The sum is updated incrementally.

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
    /// The shapes of a cell's four lines, added up independently.
    Lines,
    /// The threat class of a cell's four shapes.
    Shapes,
    /// Weights fitted to self-play games.
    Learned,
    /// The learned evaluation with a correction by a small neural network.
    #[default]
    Network,
}

wire::named!(
    Evaluation, "evaluation": Lines = "lines", Shapes = "shapes", Learned = "learned", Network = "network"
);

/// The weights in the executable differ from those built into it.
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
    /// Checks that this evaluation's weights are intact.
    ///
    /// # Errors
    /// If the executable is damaged.
    pub fn check(self) -> Result<(), DamagedWeights> {
        match self {
            Self::Lines | Self::Shapes => Ok(()),
            Self::Learned => learned::check(),
            Self::Network => learned::check().and_then(|()| network::check()),
        }
    }

    /// Creates the network at `position`, if this evaluation has one and it supports the grid's size.
    #[must_use]
    pub fn network(self, position: &Position) -> Option<Network> {
        match self {
            Self::Network => Network::new(position, network::Weights::built_in()),
            _ => None,
        }
    }

    /// Returns the weight of every set of shapes, tabulated on first use.
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

    /// Evaluates `position` for its mover, from scratch.
    #[must_use]
    pub fn evaluate(self, position: &Position) -> Score {
        let patterns = Patterns::new(position, self.weights());
        match self.network(position) {
            Some(mut network) => network.evaluate(&patterns, position),
            None => judge(&patterns, position),
        }
    }
}

/// Evaluates `position` for its mover by `patterns`, which must be up to date.
#[inline]
#[must_use]
pub fn judge(patterns: &Patterns, position: &Position) -> Score {
    Score::new(patterns.balance(position.mover()))
}

/// Builds hand-written weights. The mover's threats count for more than those that it must answer. Weights are in half
/// units of a score, which is in hundredths of log-odds.
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
        assert!(compare(&[&bytes[..], &[0]].concat()).is_err(), "a zero after the end counts");
    }
}
