//! Expectimax: search for games of two players with dice, cards or other chance.
//!
//! The value of a chance event is the mean of its results (Michie 1966). [`expectimax`] searches all of them;
//! [`star1`] returns the same value and leaves out results that cannot matter (Ballard 1983). Values are those of the
//! player who maximises, so that a player may move several times in a row.
//!
//! ```
//! use search_core::chance::{Chance, Turn, star1};
//! use search_core::{Control, Limits, Stopwatch};
//!
//! /// Pig: the mover rolls a die as often as it likes and keeps the sum; a one loses the sum. Twenty points win.
//! #[derive(Clone)]
//! struct Pig { kept: [u32; 2], sum: u32, mover: usize, rolls: bool }
//!
//! #[derive(Clone, Copy, Debug, PartialEq)]
//! enum Act { Roll, Keep }
//!
//! impl Pig {
//!     fn keep(&self, sum: u32) -> Self {
//!         let mut kept = self.kept;
//!         kept[self.mover] += sum;
//!         Pig { kept, sum: 0, mover: 1 - self.mover, rolls: false }
//!     }
//! }
//!
//! impl Chance for Pig {
//!     type Move = Act;
//!     const LEAST: f64 = 0.0;
//!     const MOST: f64 = 1.0;
//!
//!     fn turn(&self) -> Turn<Self> {
//!         if let Some(winner) = self.kept.iter().position(|&kept| kept >= 20) {
//!             return Turn::Over(if winner == 0 { 1.0 } else { 0.0 });
//!         }
//!         if self.rolls {
//!             let after = |die| match die {
//!                 1 => self.keep(0),
//!                 _ => Pig { sum: self.sum + die, rolls: false, ..self.clone() },
//!             };
//!             return Turn::Event((1..=6).map(|die| (1.0 / 6.0, after(die))).collect());
//!         }
//!         let (roll, keep) = (Pig { rolls: true, ..self.clone() }, self.keep(self.sum));
//!         Turn::Choice { maximises: self.mover == 0, moves: vec![(Act::Roll, roll), (Act::Keep, keep)] }
//!     }
//!     fn evaluate(&self) -> f64 { 0.5 + 0.02 * (f64::from(self.kept[0]) - f64::from(self.kept[1])) }
//! }
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::default(), &clock);
//! let best = |sum| star1(&Pig { kept: [10, 9], sum, mover: 0, rolls: false }, 5, &control).unwrap().1;
//! assert_eq!([best(0), best(10)], [Some(Act::Roll), Some(Act::Keep)]);
//! ```
//!
//! Source: D. Michie, "Game-playing and game-learning automata", 1966; B. Ballard, "The *-minimax search procedure for
//! trees containing chance nodes", 1983.

use crate::limits::{Control, Searched};
use crate::score::Depth;

/// A position of a game with chance events.
pub trait Chance: Sized {
    /// The move type.
    type Move: Copy;

    /// The least value that a position can have.
    const LEAST: f64;
    /// The greatest value that a position can have.
    const MOST: f64;

    /// Returns the end of the game, the moves of a player, or the results of a chance event.
    fn turn(&self) -> Turn<Self>;

    /// The static evaluation of a position at the depth limit, between [`LEAST`](Self::LEAST) and [`MOST`](Self::MOST).
    fn evaluate(&self) -> f64;
}

/// The next step of a game.
#[derive(Debug, Clone)]
pub enum Turn<P: Chance> {
    /// The game is over with this value.
    Over(f64),
    /// A player moves.
    Choice {
        /// True if this player wants a high value.
        maximises: bool,
        /// The moves, at least one, with the positions after them.
        moves: Vec<(P::Move, P)>,
    },
    /// Chance decides.
    Event(
        /// The results with their probabilities, which add up to 1.
        Vec<(f64, P)>,
    ),
}

/// Returns the value of `position` at `depth` moves, and the first move that reaches it. Chance events use no depth.
///
/// # Errors
/// [`Stop`](crate::Stop) when `control` says so, once it is [armed](Control::arm).
pub fn expectimax<P: Chance>(
    position: &P,
    depth: Depth,
    control: &Control<'_>,
) -> Searched<(f64, Option<P::Move>)> {
    search::<P, false>(position, depth, [P::LEAST, P::MOST], control)
}

/// Like [`expectimax`], without the moves and results that cannot change its value.
///
/// # Errors
/// [`Stop`](crate::Stop) when `control` says so, once it is [armed](Control::arm).
pub fn star1<P: Chance>(
    position: &P,
    depth: Depth,
    control: &Control<'_>,
) -> Searched<(f64, Option<P::Move>)> {
    search::<P, true>(position, depth, [P::LEAST, P::MOST], control)
}

/// The value of a position and a move that reaches it; with `CUTS` a bound of the value if that lies outside of the window.
fn search<P: Chance, const CUTS: bool>(
    position: &P,
    depth: Depth,
    [mut alpha, mut beta]: [f64; 2],
    control: &Control<'_>,
) -> Searched<(f64, Option<P::Move>)> {
    control.tick()?;
    match position.turn() {
        Turn::Over(value) => Ok((value, None)),
        Turn::Choice { .. } if depth <= 0 => Ok((position.evaluate(), None)),
        Turn::Choice { maximises, moves } => {
            let mut best = (if maximises { f64::NEG_INFINITY } else { f64::INFINITY }, None);
            for (mv, next) in moves {
                let value = search::<P, CUTS>(&next, depth - 1, [alpha, beta], control)?.0;
                if if maximises { value > best.0 } else { value < best.0 } {
                    best = (value, Some(mv));
                    let bound = if maximises { &mut alpha } else { &mut beta };
                    *bound = if maximises { bound.max(value) } else { bound.min(value) };
                }
                if CUTS && alpha >= beta {
                    break;
                }
            }
            Ok(best)
        }
        Turn::Event(results) => {
            let (mut sum, mut left) = (0.0, 1.0);
            for (probability, next) in results {
                left -= probability;
                // The values of this result below and above which the mean lies outside of the window, whatever the others are.
                let low = (alpha - sum - left * P::MOST) / probability;
                let high = (beta - sum - left * P::LEAST) / probability;
                let window = [low.max(P::LEAST), high.min(P::MOST)];
                let value = search::<P, CUTS>(&next, depth, window, control)?.0;
                sum += probability * value;
                if CUTS && value <= low {
                    return Ok((sum + left * P::MOST, None));
                }
                if CUTS && value >= high {
                    return Ok((sum + left * P::LEAST, None));
                }
            }
            Ok((sum, None))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Stopwatch};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A node of a random tree: its kind and its children follow from its number.
    struct Node(u64);

    impl Chance for Node {
        type Move = usize;
        const LEAST: f64 = -1.0;
        const MOST: f64 = 1.0;

        fn turn(&self) -> Turn<Self> {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(self.0);
            let mut child = || Self(random.random());
            let children = [child(), child(), child()];
            match random.random_range(0..10) {
                0..=1 => Turn::Over(f64::from(random.random_range(-1..=1))),
                // Either player may move after either.
                kind @ 2..=7 => {
                    Turn::Choice { maximises: kind < 5, moves: children.into_iter().enumerate().collect() }
                }
                _ => Turn::Event([0.5, 0.25, 0.25].into_iter().zip(children).collect()),
            }
        }

        fn evaluate(&self) -> f64 {
            (self.0 % 2001) as f64 / 1000.0 - 1.0
        }
    }

    #[test]
    fn star1_has_the_value_of_expectimax_and_visits_fewer_positions() {
        let clock = Stopwatch::start();
        let mut visited = [0; 2];
        for seed in 0..300 {
            let controls = [(); 2].map(|()| Control::new(Limits::default(), &clock));
            let [plain, cut] =
                [expectimax(&Node(seed), 3, &controls[0]), star1(&Node(seed), 3, &controls[1])];
            let ((plain, plain_move), (cut, cut_move)) = (plain.unwrap(), cut.unwrap());
            assert!((plain - cut).abs() < 1e-12 && plain_move == cut_move, "{seed}: {plain} {cut}");
            visited = [0, 1].map(|nth| visited[nth] + controls[nth].nodes());
        }
        assert!(visited[1] < visited[0] * 3 / 4, "{visited:?}");
    }

    #[test]
    fn it_stops_at_its_limits() {
        let clock = Stopwatch::start();
        let stopped = (0..50).filter(|&seed| {
            let control = Control::new(Limits::nodes(20), &clock);
            control.arm();
            let stopped = star1(&Node(seed), 60, &control).is_err();
            assert!(control.nodes() <= 20 + u64::from(stopped));
            stopped
        });
        assert!(stopped.count() > 10);
    }
}
