//! Positions for the search.

use super::bitboard;
use super::mv::Move;
use super::square::{Square, Squares};
use search_core::{Outcome, Sink};
use std::fmt;

/// The discs of the mover and of the opponent, with the mover's legal moves. These are computed once per position,
/// because the move generator, the end of the game and the evaluations all need them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    own: u64,
    opponent: u64,
    legal: u64,
}

impl Position {
    /// The initial position of the course: the mover's discs on e4 and d5, the opponent's on d4 and e5.
    pub const START: Self = Self {
        own: 1 << 28 | 1 << 35,
        opponent: 1 << 27 | 1 << 36,
        legal: 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44,
    };

    /// The position with these discs; `None` if they overlap.
    #[must_use]
    pub fn new(own: u64, opponent: u64) -> Option<Self> {
        (own & opponent == 0).then(|| Self::of(own, opponent))
    }

    #[inline]
    fn of(own: u64, opponent: u64) -> Self {
        debug_assert_eq!(own & opponent, 0, "a square holds one disc");
        Self { own, opponent, legal: bitboard::moves(own, opponent) }
    }

    /// The mover's discs.
    #[inline]
    #[must_use]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The opponent's discs.
    #[inline]
    #[must_use]
    pub fn opponent(&self) -> u64 {
        self.opponent
    }

    /// The empty squares.
    #[inline]
    #[must_use]
    pub fn empty(&self) -> u64 {
        !(self.own | self.opponent)
    }

    /// The number of empty squares.
    #[inline]
    #[must_use]
    pub fn empties(&self) -> u32 {
        self.empty().count_ones()
    }

    /// The mover's legal moves; none if the mover must pass or the game is over.
    #[inline]
    #[must_use]
    pub fn legal(&self) -> u64 {
        self.legal
    }

    /// The moves that the opponent would have if it were to move.
    #[inline]
    #[must_use]
    pub fn opponent_legal(&self) -> u64 {
        bitboard::moves(self.opponent, self.own)
    }

    /// Plays a disc on a legal square. Returns the new position and its [`opponent_legal`](Self::opponent_legal), which
    /// are computed together.
    #[inline]
    pub(crate) fn after_with_both(&self, square: Square) -> (Self, u64) {
        let flips = self.flips(square.index());
        let (own, opponent) = (self.opponent ^ flips, self.own ^ flips ^ square.bit());
        let (legal, opponent_legal) = bitboard::moves_of_both(own, opponent);
        (Self { own, opponent, legal }, opponent_legal)
    }

    /// The discs that a disc on `square` flips.
    #[inline]
    #[must_use]
    pub fn flips(&self, square: u8) -> u64 {
        bitboard::flips(square, self.own, self.opponent)
    }

    /// The [`hash`](Self::hash) of the discs.
    #[inline]
    pub(crate) fn hash_of(&self) -> u64 {
        Self::hash(self.own, self.opponent)
    }

    /// A hash of these discs. It is computed on demand by three multiplications, which is cheaper than an incremental
    /// update.
    #[inline]
    pub(crate) fn hash(own: u64, opponent: u64) -> u64 {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ opponent.wrapping_mul(0xd1b5_4a32_d192_ed03).rotate_left(29);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The final disc difference for the mover, with empty squares counted for the winner.
    #[inline]
    #[must_use]
    pub fn margin(&self) -> i16 {
        let difference = self.own.count_ones() as i16 - self.opponent.count_ones() as i16;
        difference + difference.signum() * self.empties() as i16
    }

    /// The position after a legal move.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let index = mv.index();
        if index < 64 {
            let flips = self.flips(index);
            debug_assert!(self.legal >> index & 1 == 1 && flips != 0, "{mv} is illegal: {self:?}");
            Self::of(self.opponent ^ flips, self.own ^ flips ^ 1 << index)
        } else {
            debug_assert!(self.legal == 0, "the mover may not pass: {self:?}");
            Self::of(self.opponent, self.own)
        }
    }
}

impl search_core::Position for Position {
    type Move = Move;
    type Undo = Self;

    #[inline]
    fn moves<S: Sink<Move>>(&self, sink: &mut S) {
        if self.legal != 0 {
            sink.push_all(Squares(self.legal).map(Move::from));
        } else if self.opponent_legal() != 0 {
            sink.push(Move::PASS);
        }
    }

    #[inline]
    fn is_legal(&self, mv: Move) -> bool {
        match mv.square() {
            Some(square) => self.legal & square.bit() != 0,
            None => self.legal == 0 && self.opponent_legal() != 0,
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) -> Self {
        std::mem::replace(self, self.after(mv))
    }

    #[inline]
    fn undo(&mut self, _: Move, before: Self) {
        *self = before;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.legal == 0 && self.opponent_legal() == 0).then(|| Outcome::Margin(self.margin()))
    }

    #[inline]
    fn key(&self) -> u64 {
        Self::hash(self.own, self.opponent)
    }
}

impl fmt::Debug for Position {
    /// The mover's discs as `X`, rows separated by `/`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..64 {
            let cell = match (self.own >> index & 1, self.opponent >> index & 1) {
                (1, _) => "X",
                (_, 1) => "O",
                _ => "-",
            };
            write!(f, "{}{cell}", if index % 8 == 0 && index > 0 { "/" } else { "" })?;
        }
        Ok(())
    }
}
