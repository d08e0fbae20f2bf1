//! Statistics of games: scores, Elo with intervals over pairs, likelihood of superiority, sequential tests, ratings.
//!
//! - [`sample`]: results as a sample: single games, or pairs in their pentanomial form.
//! - [`elo`]: a score as Elo, logistic or normalised, with its interval.
//! - [`interval`]: confidence intervals of a mean, valid for few results too.
//! - [`sprt`]: the generalised sequential probability ratio test.
//! - [`rating`]: ratings of many players from all their games.
//! - [`trueskill`]: ratings from games of three or four players.
//! - [`spsa`]: parameter tuning by SPSA.

pub mod elo;
pub mod interval;
pub mod rating;
pub mod sample;
pub mod sprt;
pub mod spsa;
pub mod trueskill;

/// The 97.5 % quantile of the standard normal distribution.
pub const Z95: f64 = 1.959_963_984_540_054;
