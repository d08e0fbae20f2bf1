//! Statistics of games: scores, Elo with intervals over pairs, likelihood of superiority, sequential tests, ratings.
//!
//! - [`elo`], [`interval`], [`sample`]: a score as Elo, with its interval, from single games or pairs.
//! - [`sprt`]: the generalised sequential probability ratio test.
//! - [`rating`]: ratings of many players from all their games.
//! - [`trueskill`]: ratings from games of three or four players.
//! - [`spsa`]: parameter tuning by SPSA.

pub mod rating;
pub mod spsa;
pub mod trueskill;

pub use courses::results::{Z95, elo, interval, sample, sprt};
