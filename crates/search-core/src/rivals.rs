//! Max^n: search for games of several players, each with its own payoff.
//!
//! Every player maximizes its own payoff (Luckhardt and Irani, 1986).
//!
//! ```
//! use search_core::rivals::{Payoffs, Rivals, max_n};
//! use search_core::{Control, Limits, Score, Sink, Stopwatch};
//!
//! /// Three players take one or two coins in turn; the last three are worth double.
//! #[derive(Clone)]
//! struct Coins { left: i32, taken: [i32; 3], mover: usize }
//!
//! impl Rivals for Coins {
//!     type Move = i32;
//!     fn mover(&self) -> usize { self.mover }
//!     fn moves<S: Sink<i32>>(&self, sink: &mut S) { (1..=self.left.min(2)).for_each(|n| sink.push(n)) }
//!     fn play(&mut self, n: i32) {
//!         self.taken[self.mover] += if self.left <= 3 { 2 * n } else { n };
//!         (self.left, self.mover) = (self.left - n, (self.mover + 1) % 3);
//!     }
//!     fn payoffs(&self) -> Payoffs { self.taken.iter().map(|&taken| Score::new(taken)).collect() }
//! }
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::default(), &clock);
//! let row = Coins { left: 4, taken: [0; 3], mover: 0 };
//! let choice = max_n(&row, 4, &control).unwrap();
//! assert_eq!((choice.best, choice.payoffs[0]), (Some(2), Score::new(2)));
//! ```
//!
//! Source: C. Luckhardt, K. Irani, "An algorithmic solution of N-person games", 1986.

use crate::limits::{Control, Searched};
use crate::position::Sink;
use crate::score::{Depth, Score};
use smallvec::SmallVec;

/// The payoff of each player, by player.
pub type Payoffs = SmallVec<[Score; 4]>;

/// A game of several players who move in any order.
pub trait Rivals: Clone {
    /// The move type.
    type Move: Copy + Eq;

    /// The player to move, from 0.
    fn mover(&self) -> usize;

    /// Pushes every move worth trying; nothing when the game is over.
    fn moves<S: Sink<Self::Move>>(&self, sink: &mut S);

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move);

    /// The payoffs of the players: exact when the game is over, an estimate before.
    fn payoffs(&self) -> Payoffs;
}

/// A move and the payoffs with best play after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice<M> {
    /// The best move; `None` when the game is over.
    pub best: Option<M>,
    /// The payoff of each player with best play.
    pub payoffs: Payoffs,
}

/// Searches to `depth` plies by max^n. Ties go to the first move.
///
/// # Errors
/// [`Stop`](crate::Stop) when `control` says so, once it is [armed](Control::arm).
pub fn max_n<R: Rivals>(game: &R, depth: Depth, control: &Control<'_>) -> Searched<Choice<R::Move>> {
    control.tick()?;
    let moves = moves_of(game, depth);
    let mover = game.mover();
    let mut choice: Option<Choice<R::Move>> = None;
    for mv in moves {
        let mut next = game.clone();
        next.play(mv);
        let payoffs = max_n(&next, depth - 1, control)?.payoffs;
        if choice.as_ref().is_none_or(|best| payoffs[mover] > best.payoffs[mover]) {
            choice = Some(Choice { best: Some(mv), payoffs });
        }
    }
    Ok(choice.unwrap_or_else(|| Choice { best: None, payoffs: game.payoffs() }))
}

fn moves_of<R: Rivals>(game: &R, depth: Depth) -> Vec<R::Move> {
    let mut moves = Vec::new();
    if depth > 0 {
        game.moves(&mut moves);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Stop, Stopwatch};

    /// Three players in turn take one or both ends of a row of numbers.
    #[derive(Clone)]
    struct Row {
        numbers: Vec<i32>,
        points: [i32; 3],
        mover: usize,
    }

    impl Row {
        fn new(seed: u64) -> Self {
            let numbers = (1..9u64).map(|i| ((seed * 31 + i * i * 17) % 23) as i32).collect();
            Self { numbers, points: [0; 3], mover: 0 }
        }

        /// The value of the same game computed without a window.
        fn worst_for(&self, hero: usize, depth: i32) -> i32 {
            let values =
                [false, true].into_iter().filter(|_| depth > 0 && !self.numbers.is_empty()).map(|front| {
                    let mut next = self.clone();
                    next.play(front);
                    next.worst_for(hero, depth - 1)
                });
            let best = if self.mover == hero { values.max() } else { values.min() };
            best.unwrap_or(self.points[hero])
        }
    }

    impl Rivals for Row {
        type Move = bool;
        fn mover(&self) -> usize {
            self.mover
        }
        fn moves<S: Sink<bool>>(&self, sink: &mut S) {
            if !self.numbers.is_empty() {
                sink.push(false);
                sink.push(true);
            }
        }
        fn play(&mut self, front: bool) {
            let number = if front { self.numbers.remove(0) } else { self.numbers.pop().unwrap() };
            self.points[self.mover] += number;
            self.mover = (self.mover + 1) % 3;
        }
        fn payoffs(&self) -> Payoffs {
            self.points.iter().map(|&points| Score::new(points)).collect()
        }
    }

    fn with_control<T>(limits: Limits, f: impl FnOnce(&Control<'_>) -> T) -> T {
        let clock = Stopwatch::start();
        let control = Control::new(limits, &clock);
        control.arm();
        f(&control)
    }

    #[test]
    fn in_max_n_nobody_gains_by_another_move() {
        for seed in 0..40 {
            let mut row = Row::new(seed);
            for depth in (1..=8).rev() {
                let choice = with_control(Limits::default(), |control| max_n(&row, depth, control)).unwrap();
                let mover = row.mover();
                let mut best = Score::new(-1);
                for front in [false, true] {
                    let mut next = row.clone();
                    next.play(front);
                    let after =
                        with_control(Limits::default(), |control| max_n(&next, depth - 1, control)).unwrap();
                    best = best.max(after.payoffs[mover]);
                }
                assert_eq!(choice.payoffs[mover], best);
                // Each player gets at least the worst that the others could force.
                assert!(best >= Score::new(row.worst_for(mover, depth)));
                row.play(choice.best.unwrap());
            }
        }
    }

    #[test]
    fn a_limit_stops_it() {
        let row = Row::new(1);
        assert_eq!(with_control(Limits::nodes(20), |control| max_n(&row, 8, control)), Err(Stop));
    }

    #[test]
    fn of_equal_moves_the_first_is_chosen() {
        let same = Row { numbers: vec![4; 6], points: [0; 3], mover: 0 };
        let best = |control: &Control<'_>| max_n(&same, 4, control).unwrap().best;
        assert_eq!(with_control(Limits::default(), best), Some(false));
        // A player other than the first maximizes its own payoff.
        let row = Row { mover: 1, ..Row::new(5) };
        let choice = with_control(Limits::default(), |control| max_n(&row, 1, control)).unwrap();
        let numbers = &row.numbers;
        assert_eq!(choice.payoffs[1].value(), numbers[0].max(numbers[7]));
    }
}
