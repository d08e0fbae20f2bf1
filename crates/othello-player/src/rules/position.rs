//! The position as a search plays on it.

use super::bitboard;
use super::mv::Move;
use super::square::{Square, Squares};
use search_core::{Outcome, Sink};
use std::fmt;

/// The discs of the mover and of the opponent, and where the mover may put one (found once, when the position
/// arises: the generator, the rules' end and the evaluations all ask for it).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    own: u64,
    opponent: u64,
    legal: u64,
}

impl Position {
    /// Where every game of the course begins: discs on d4, e4, d5, e5, the mover's on e4 and d5.
    pub const START: Self = Self {
        own: 1 << 28 | 1 << 35,
        opponent: 1 << 27 | 1 << 36,
        legal: 1 << 19 | 1 << 26 | 1 << 37 | 1 << 44,
    };

    /// The position of these discs; `None` where both claim a square.
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

    /// The squares that hold no disc.
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

    /// The squares on which the mover may put a disc; none where he must pass or the game is over.
    #[inline]
    #[must_use]
    pub fn legal(&self) -> u64 {
        self.legal
    }

    /// The squares on which the opponent could put a disc, were it his turn.
    #[inline]
    #[must_use]
    pub fn opponent_legal(&self) -> u64 {
        bitboard::moves(self.opponent, self.own)
    }

    /// The position after a disc on a legal square, and [`opponent_legal`](Self::opponent_legal) there: both sides'
    /// moves are found at once.
    #[inline]
    pub(crate) fn after_with_both(&self, square: Square) -> (Self, u64) {
        let flips = self.flips(square.index());
        let (own, opponent) = (self.opponent ^ flips, self.own ^ flips ^ square.bit());
        let (legal, opponent_legal) = bitboard::moves_of_both(own, opponent);
        (Self { own, opponent, legal }, opponent_legal)
    }

    /// The discs that a disc on `square` turns.
    #[inline]
    #[must_use]
    pub fn flips(&self, square: u8) -> u64 {
        bitboard::flips(square, self.own, self.opponent)
    }

    /// [`hash`](Self::hash) of its discs.
    #[inline]
    pub(crate) fn hash_of(&self) -> u64 {
        Self::hash(self.own, self.opponent)
    }

    /// A hash of these discs. Computed where it is asked for: three multiplications, less than keeping it up to date
    /// along the turned discs.
    #[inline]
    pub(crate) fn hash(own: u64, opponent: u64) -> u64 {
        let mixed = own.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ opponent.wrapping_mul(0xd1b5_4a32_d192_ed03).rotate_left(29);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// The mover's discs less the opponent's, the empty squares to whom has more.
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
    /// The mover's discs as `X`, rows parted by `/`.
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
