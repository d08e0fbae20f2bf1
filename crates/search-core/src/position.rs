//! Positions and moves: the rules of a game as the search needs them.
//!
//! ```
//! use search_core::{Count, Outcome, Position, Sink, MoveCode};
//!
//! /// Take one, two or three of a heap; who takes the last one wins.
//! #[derive(Debug, Clone, PartialEq)]
//! struct Heap(u32);
//!
//! #[derive(Debug, Clone, Copy, PartialEq, Eq)]
//! struct Take(u32);
//!
//! impl MoveCode for Take {
//!     fn to_code(self) -> u32 { self.0 }
//!     fn from_code(word: u32) -> Self { Self(word) }
//! }
//!
//! impl Position for Heap {
//!     type Move = Take;
//!     type Undo = ();
//!     fn moves<S: Sink<Take>>(&self, sink: &mut S) { (1..=self.0.min(3)).for_each(|n| sink.push(Take(n))) }
//!     fn is_legal(&self, mv: Take) -> bool { (1..=self.0.min(3)).contains(&mv.0) }
//!     fn play(&mut self, mv: Take) { self.0 -= mv.0 }
//!     fn undo(&mut self, mv: Take, (): ()) { self.0 += mv.0 }
//!     fn outcome(&self) -> Option<Outcome> { (self.0 == 0).then_some(Outcome::Loss) }
//!     fn key(&self) -> u64 { u64::from(self.0).wrapping_mul(0x9e37_79b9_7f4a_7c15) }
//! }
//!
//! let mut heap = Heap(2);
//! assert_eq!(heap.move_list().as_slice(), [Take(1), Take(2)]);
//! let mut count = Count(0);
//! heap.moves(&mut count);
//! assert_eq!(count.0, 2);
//! heap.play(Take(2));
//! assert_eq!(heap.outcome(), Some(Outcome::Loss), "the mover has nothing to take");
//! ```

use smallvec::SmallVec;
use std::fmt::Debug;

/// The receiver of a move generator's moves: a list, a count or a visitor.
pub trait Sink<M> {
    /// Takes one move.
    fn push(&mut self, mv: M);

    /// Takes many moves at once. A count ignores their contents.
    fn push_all(&mut self, moves: impl ExactSizeIterator<Item = M>) {
        for mv in moves {
            self.push(mv);
        }
    }
}

/// A list of moves, on the stack up to 64 moves.
pub type MoveList<M> = SmallVec<[M; 64]>;

impl<M, const N: usize> Sink<M> for SmallVec<[M; N]>
where
    [M; N]: smallvec::Array<Item = M>,
{
    #[inline]
    fn push(&mut self, mv: M) {
        SmallVec::push(self, mv);
    }
}

impl<M> Sink<M> for Vec<M> {
    #[inline]
    fn push(&mut self, mv: M) {
        Vec::push(self, mv);
    }
}

/// A sink that only counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count(pub u64);

impl<M> Sink<M> for Count {
    #[inline]
    fn push(&mut self, _: M) {
        self.0 += 1;
    }

    #[inline]
    fn push_all(&mut self, moves: impl ExactSizeIterator<Item = M>) {
        self.0 += moves.len() as u64;
    }
}

/// A sink that calls a function on each move.
#[derive(Debug)]
pub struct Visit<F>(pub F);

impl<M, F: FnMut(M)> Sink<M> for Visit<F> {
    #[inline]
    fn push(&mut self, mv: M) {
        (self.0)(mv);
    }
}

/// The outcome of a game, for the side that would move next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The mover has lost.
    Loss,
    /// The game is drawn.
    Draw,
    /// The mover has won.
    Win,
    /// The mover's points less the opponent's, in games that are scored.
    Margin(i16),
}

impl Outcome {
    /// Returns the outcome for the opponent.
    #[must_use]
    pub const fn reversed(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
            Self::Margin(points) => Self::Margin(-points),
        }
    }

    /// Returns 1 for a win, 0 for a draw, −1 for a loss; of a margin the sign.
    #[must_use]
    pub const fn sign(self) -> i8 {
        match self {
            Self::Loss => -1,
            Self::Draw => 0,
            Self::Win => 1,
            Self::Margin(points) => points.signum() as i8,
        }
    }
}

/// Conversion of a move to a small number and back, for tables that store moves or are indexed by them.
pub trait MoveCode: Copy + Eq + Debug {
    /// Returns the move's code, below 2^24 − 1. Moves of the same position must have different codes.
    fn to_code(self) -> u32;

    /// Returns the move of a code from [`to_code`](Self::to_code).
    fn from_code(word: u32) -> Self;
}

/// Implements [`MoveCode`] for integer types, such as the index of a square or a column.
macro_rules! small_numbers {
    ($($number:ty),*) => {$(
        impl MoveCode for $number {
            #[inline]
            fn to_code(self) -> u32 {
                self.into()
            }

            #[inline]
            fn from_code(word: u32) -> Self {
                word as Self
            }
        }
    )*};
}

small_numbers!(u8, u16);

/// A position of a game for two players who alternate strictly (a pass is a move). Scores and outcomes are those of the
/// side to move.
pub trait Position: Clone {
    /// The move type.
    type Move: MoveCode;
    /// The record that [`undo`](Self::undo) needs: `()` where the position keeps its own stack, `Self` for copy-make.
    type Undo;

    /// Pushes every legal move once; nothing when the game is over.
    fn moves<S: Sink<Self::Move>>(&self, sink: &mut S);

    /// Returns true if `mv` is legal; false when the game is over. The search checks table moves with it before it generates
    /// any, because a table can return another position's move.
    fn is_legal(&self, mv: Self::Move) -> bool;

    /// Plays a legal move.
    fn play(&mut self, mv: Self::Move) -> Self::Undo;

    /// Takes the last move back.
    fn undo(&mut self, mv: Self::Move, undo: Self::Undo);

    /// Returns the outcome, or `None` while the game goes on.
    fn outcome(&self) -> Option<Outcome>;

    /// Returns the position's hash. Positions with equal keys must have the same value for the side to move. Where earlier
    /// positions matter, [`Repeating`](crate::repetition::Repeating) adds them.
    fn key(&self) -> u64;

    /// Returns the legal moves as a list.
    fn move_list(&self) -> MoveList<Self::Move> {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        moves
    }
}
