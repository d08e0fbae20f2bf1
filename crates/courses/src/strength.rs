//! The strength of the project's own players: a level, or a time.

use crate::seed::mix;
use search_core::Limits;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The strength of an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// A level from 1 to 10.
    Level(u8),
    /// Milliseconds a move.
    Millis(u64),
}

/// A level of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Level {
    /// The percentage of moves that are drawn among all legal ones.
    pub random_percent: u32,
    /// The limit of the other moves: positions, plies or milliseconds, as the game's player counts.
    pub limit: u64,
}

/// The ten levels of a game, the weakest first.
pub type Levels = [Level; 10];

/// Makes levels from pairs of a percentage of random moves and a limit.
#[must_use]
pub const fn levels(pairs: [(u32, u64); 10]) -> Levels {
    let mut levels = [Level { random_percent: 0, limit: 0 }; 10];
    let mut at = 0;
    while at < 10 {
        levels[at] = Level { random_percent: pairs[at].0, limit: pairs[at].1 };
        at += 1;
    }
    levels
}

impl Strength {
    /// Returns the entry of `levels`, or `None` for a time.
    #[must_use]
    pub fn level(self, levels: &Levels) -> Option<Level> {
        match self {
            Self::Level(level) => Some(levels[usize::from(level.clamp(1, 10)) - 1]),
            Self::Millis(_) => None,
        }
    }

    /// Returns the number of a level, or the milliseconds.
    #[must_use]
    pub fn amount(self, levels: &Levels) -> u64 {
        match self {
            Self::Level(level) => levels[usize::from(level.clamp(1, 10)) - 1].limit,
            Self::Millis(millis) => millis,
        }
    }

    /// Returns the limits of a search: the time, or what `limit` makes of a level's number.
    pub fn limits(self, levels: &Levels, limit: impl FnOnce(u64) -> Limits) -> Limits {
        match self {
            Self::Level(_) => limit(self.amount(levels)),
            Self::Millis(millis) => Limits::time(Duration::from_millis(millis)),
        }
    }

    /// Returns true if the time of a move is limited.
    #[must_use]
    pub fn is_timed(self) -> bool {
        matches!(self, Self::Millis(_))
    }
}

/// Returns a number for the next move of a game if a level draws that move at random. The same game and seed give the
/// same answer.
#[must_use]
pub fn drawn(level: Option<Level>, seed: u64, moves: &[String]) -> Option<u64> {
    let percent = level?.random_percent;
    let number = moves.iter().flat_map(|text| text.bytes()).fold(seed, |sum, byte| mix(sum, byte.into()));
    (mix(number, 0) % 100 < percent.into()).then(|| mix(number, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_draws_its_share_of_the_moves() {
        let level = |random_percent| Some(Level { random_percent, limit: 1 });
        let games: Vec<Vec<String>> = (0..1_000).map(|nth| vec!["a1".to_owned(), nth.to_string()]).collect();
        let count = |level, seed| games.iter().filter(|moves| drawn(level, seed, moves).is_some()).count();
        assert_eq!((count(None, 1), count(level(0), 1), count(level(100), 1)), (0, 0, 1_000));
        let third = count(level(30), 1);
        assert!((250..350).contains(&third), "{third}");
        let moves = |seed| games.iter().map(|moves| drawn(level(30), seed, moves)).collect::<Vec<_>>();
        assert!(moves(1) == moves(1) && moves(1) != moves(2));
    }
}
