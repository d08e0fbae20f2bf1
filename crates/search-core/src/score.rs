//! Scores, windows and bounds.
//!
//! ```
//! use search_core::{Bound, Outcome, Score, Window};
//!
//! // The sooner win is the greater score, and every win is above every evaluation.
//! assert!(Score::win_in(3) > Score::win_in(5) && Score::win_in(5) > Score::new(1_000_000));
//! assert_eq!(-Score::win_in(3), Score::loss_in(3));
//! assert_eq!(Score::of_outcome(Outcome::Margin(-4), 60), Score::new(-4 * Score::POINT));
//!
//! // A score outside the window is only a bound.
//! let window = Window::new(Score::new(-10), Score::new(10));
//! assert_eq!(Bound::of(Score::new(25), window), Bound::Lower);
//! assert_eq!(-window, window);
//! ```

use crate::position::Outcome;
use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A search depth in plies.
pub type Depth = i32;

/// The value of a position for the side to move.
///
/// The unit of evaluations is the game's own; in scored games a point is [`Score::POINT`]. Sooner wins are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

impl Score {
    /// A score above all that a search returns. It fits in 24 bits with its sign.
    pub const INFINITY: Self = Self((1 << 23) - 1);
    /// An immediate win.
    pub const WIN: Self = Self(8_000_000);
    /// The greatest distance to a win or loss that a score can express, in plies.
    pub const MAX_PLY: usize = 20_000;
    /// The largest evaluation. Proven wins are above it, proven losses below its negation.
    pub const LIMIT: Self = Self(Self::WIN.0 - Self::MAX_PLY as i32 - 1);
    /// An equal position, or a draw.
    pub const DRAW: Self = Self(0);
    /// One point of a scored game ([`Outcome::Margin`]).
    pub const POINT: i32 = 128;

    /// Returns an evaluation, clamped to ±[`LIMIT`](Self::LIMIT).
    #[inline]
    #[must_use]
    pub const fn new(value: i32) -> Self {
        if value > Self::LIMIT.0 {
            Self::LIMIT
        } else if value < -Self::LIMIT.0 {
            Self(-Self::LIMIT.0)
        } else {
            Self(value)
        }
    }

    /// Returns the score of a number from [`value`](Self::value), proven results included.
    #[inline]
    pub(crate) const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// Returns the score as a number.
    #[inline]
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The score of a win `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn win_in(ply: usize) -> Self {
        Self(Self::WIN.0 - ply as i32)
    }

    /// The score of a loss `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn loss_in(ply: usize) -> Self {
        Self(ply as i32 - Self::WIN.0)
    }

    /// The score of a game that ended `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn of_outcome(outcome: Outcome, ply: usize) -> Self {
        match outcome {
            Outcome::Loss => Self::loss_in(ply),
            Outcome::Draw => Self::DRAW,
            Outcome::Win => Self::win_in(ply),
            Outcome::Margin(points) => Self::new(points as i32 * Self::POINT),
        }
    }

    /// Returns whether this is a proven win or loss.
    #[inline]
    #[must_use]
    pub const fn is_decided(self) -> bool {
        self.0 > Self::LIMIT.0 || self.0 < -Self::LIMIT.0
    }

    /// Returns whether this is a proven win.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 > Self::LIMIT.0
    }

    /// Returns whether this is a proven loss.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::LIMIT.0
    }

    /// The number of plies from the root to the proven end, if the score is proven.
    #[must_use]
    pub const fn plies_to_end(self) -> Option<usize> {
        if self.is_decided() { Some((Self::WIN.0 - self.0.abs()) as usize) } else { None }
    }

    /// Converts from the root's to the node's view, `ply` plies deeper, as the table stores scores: mate distances then hold
    /// at any distance from the root.
    #[inline]
    pub(crate) const fn to_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`to_table`](Self::to_table).
    #[inline]
    pub(crate) const fn from_table(stored: Self, ply: usize) -> Self {
        if stored.is_win() {
            Self(stored.0 - ply as i32)
        } else if stored.is_loss() {
            Self(stored.0 + ply as i32)
        } else {
            stored
        }
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline]
    fn add(self, difference: i32) -> Self {
        Self((self.0 + difference).clamp(-Self::INFINITY.0, Self::INFINITY.0))
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline]
    fn sub(self, difference: i32) -> Self {
        self + -difference
    }
}

impl fmt::Display for Score {
    /// Writes `win in 5`, `loss in 4`, or the signed number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.is_win() => write!(f, "win in {plies}"),
            Some(plies) => write!(f, "loss in {plies}"),
            None => write!(f, "{:+}", self.0),
        }
    }
}

/// A search window. Scores above `alpha` and below `beta` are exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// The score that the mover already has.
    pub alpha: Score,
    /// The score at which the opponent avoids this node.
    pub beta: Score,
}

impl Window {
    /// The full window.
    pub const FULL: Self = Self { alpha: Score(-Score::INFINITY.0), beta: Score::INFINITY };

    /// Returns the window between `alpha` and `beta`, both excluded.
    #[inline]
    #[must_use]
    pub const fn new(alpha: Score, beta: Score) -> Self {
        Self { alpha, beta }
    }

    /// Returns the null window above `alpha`, which asks whether the score is greater.
    #[inline]
    #[must_use]
    pub const fn above(alpha: Score) -> Self {
        Self { alpha, beta: Score(alpha.0 + 1) }
    }

    /// Returns the null window below `beta`, which asks whether the score reaches it.
    #[inline]
    #[must_use]
    pub const fn below(beta: Score) -> Self {
        Self { alpha: Score(beta.0 - 1), beta }
    }

    /// Returns true for a null window, which has no score inside.
    #[inline]
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }
}

impl Neg for Window {
    type Output = Self;
    /// Returns the window from the opponent's view.
    #[inline]
    fn neg(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The relation of a returned score to the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at most this: no move raised alpha.
    Upper,
    /// The true score is at least this: a move reached beta.
    Lower,
    /// The true score is this.
    Exact,
}

impl Bound {
    /// Returns the bound of a `score` from a search with `window`.
    #[inline]
    #[must_use]
    pub fn of(score: Score, window: Window) -> Self {
        if score <= window.alpha {
            Self::Upper
        } else if score >= window.beta {
            Self::Lower
        } else {
            Self::Exact
        }
    }

    /// Returns true if a score of this bound makes a search with `window` unnecessary.
    #[inline]
    #[must_use]
    pub fn settles(self, score: Score, window: Window) -> bool {
        match self {
            Self::Exact => true,
            Self::Lower => score >= window.beta,
            Self::Upper => score <= window.alpha,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sooner_win_is_better_and_a_later_loss_is_better() {
        assert!(Score::win_in(3) > Score::win_in(5));
        assert!(Score::loss_in(5) > Score::loss_in(3));
        assert!(Score::win_in(Score::MAX_PLY) > Score::LIMIT);
        assert!(Score::win_in(Score::MAX_PLY).is_win());
        assert_eq!(Score::new(i32::MAX), Score::LIMIT);
    }

    #[test]
    fn the_largest_evaluation_is_neither_a_win_nor_its_negation_a_loss() {
        let nearly = Score::win_in(Score::MAX_PLY);
        assert_eq!(nearly.value(), Score::LIMIT.value() + 1);
        assert!(nearly.is_win() && nearly.is_decided() && !nearly.is_loss());
        assert!((-nearly).is_loss() && (-nearly).is_decided() && !(-nearly).is_win());
        for score in [Score::LIMIT, -Score::LIMIT, Score::DRAW] {
            assert!(!score.is_win() && !score.is_loss() && !score.is_decided());
            assert_eq!(score.plies_to_end(), None);
        }
    }

    #[test]
    fn a_proven_score_keeps_its_distance_from_its_own_node() {
        let found_at_ply_7 = Score::win_in(10);
        let seen_at_ply_2 = Score::from_table(found_at_ply_7.to_table(7), 2);
        assert_eq!(seen_at_ply_2, Score::win_in(5));
        assert_eq!(Score::from_table(Score::loss_in(10).to_table(7), 2), Score::loss_in(5));
        assert_eq!(Score::from_table(Score::new(77).to_table(7), 2), Score::new(77));
    }

    #[test]
    fn a_score_says_what_it_is() {
        assert_eq!(Score::win_in(5).to_string(), "win in 5");
        assert_eq!(Score::loss_in(4).to_string(), "loss in 4");
        assert_eq!(Score::new(-12).to_string(), "-12");
    }

    #[test]
    fn a_distance_is_added_and_taken_away_within_bounds() {
        assert_eq!(
            (Score::new(5) + 3, Score::new(5) - 3, Score::new(5) + -9),
            (Score::new(8), Score::new(2), Score::new(-4))
        );
        assert_eq!((Score::INFINITY + 1, -Score::INFINITY - 1), (Score::INFINITY, -Score::INFINITY));
    }

    #[test]
    fn a_bound_settles_a_window_that_it_lies_outside_of() {
        let window = Window::new(Score::new(0), Score::new(10));
        let settles =
            |bound: Bound| [-1, 0, 1, 9, 10, 11].map(|score| bound.settles(Score::new(score), window));
        assert_eq!(settles(Bound::Exact), [true; 6]);
        assert_eq!(settles(Bound::Lower), [false, false, false, false, true, true]);
        assert_eq!(settles(Bound::Upper), [true, true, false, false, false, false]);
    }
}
