//! Draws by repetition: a position together with the positions before it.
//!
//! [`Repeating`] makes a game that can run in circles one that ends: a position that has occurred often enough is a
//! draw. Its key holds the positions that may occur again, so table entries are exact, and proofs are sound. The price
//! is that two paths to a position share an entry only if they visit the same positions. Games that do not use it pay
//! nothing.
//!
//! ```
//! use search_core::repetition::{Repeating, Repeats};
//! use search_core::{
//!     Control, Evaluation, Limits, Options, Outcome, Position, Score, Search, Sink, Stopwatch, Table,
//! };
//!
//! /// Two men on a ring step to the next place in turn. Whoever steps onto the other man wins.
//! #[derive(Clone)]
//! struct Ring { places: u8, ahead: u8 } // how far the opponent is ahead of the mover
//!
//! impl Position for Ring {
//!     type Move = u8; // 0: forwards, 1: backwards
//!     type Undo = u8;
//!     fn moves<S: Sink<u8>>(&self, sink: &mut S) { (0..2).filter(|&mv| self.is_legal(mv)).for_each(|mv| sink.push(mv)) }
//!     fn is_legal(&self, mv: u8) -> bool { mv < 2 && self.ahead != 0 }
//!     fn play(&mut self, mv: u8) -> u8 {
//!         let step = if mv == 0 { self.places - 1 } else { 1 };
//!         let distance = (self.ahead + step) % self.places;
//!         std::mem::replace(&mut self.ahead, (self.places - distance) % self.places)
//!     }
//!     fn undo(&mut self, _: u8, ahead: u8) { self.ahead = ahead }
//!     fn outcome(&self) -> Option<Outcome> { (self.ahead == 0).then_some(Outcome::Loss) }
//!     fn key(&self) -> u64 { u64::from(self.ahead).wrapping_mul(0x9e37_79b9_7f4a_7c15) }
//! }
//!
//! impl Repeats for Ring {}
//!
//! let clock = Stopwatch::start();
//! let value = |places| {
//!     let control = Control::new(Limits::depth(30), &clock);
//!     let table = Table::with_bytes(1 << 16);
//!     let start = Repeating::new(Ring { places, ahead: 2 }, 2);
//!     let level = Evaluation::new(|_: &Repeating<Ring>| Score::DRAW);
//!     Search::new(level, start, &table, &control, Options::EXACT).think(&mut |_| {}).score
//! };
//! // On four places the mover must step next to the opponent. On five both run for ever.
//! assert_eq!([value(4), value(5)], [Score::loss_in(2), Score::DRAW]);
//! ```

use crate::position::{Outcome, Position, Sink};

/// A game whose positions may occur again.
pub trait Repeats: Position {
    /// Returns true if no position up to this one can occur after `mv`, such as a capture. The more moves it knows, the
    /// more table entries are shared.
    #[inline]
    fn is_irreversible(&self, _mv: Self::Move) -> bool {
        false
    }
}

/// A position with those before it, drawn once it occurs for the given time with the same player to move.
///
/// Play the moves of the game on it, then search it. In a search the second time is as good as the third: whoever gains by
/// a circle gains by going round it once more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeating<P> {
    position: P,
    times: usize,
    /// The keys of all positions, the current one last.
    keys: Vec<u64>,
    since: Since,
    is_drawn: bool,
}

/// The positions that may occur again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Since {
    /// The index of the first of them, after the last irreversible move.
    first: usize,
    /// The sums of their mixed keys, for even and odd indices, without the current position.
    sums: [u64; 2],
}

/// The record that takes a move back.
#[derive(Debug)]
pub struct Undo<U> {
    /// The record of the position itself.
    pub position: U,
    since: Since,
}

impl<P: Repeats> Repeating<P> {
    /// A game that begins with `position`. A position is drawn when it occurs for the `times`-th time, at least the second.
    #[must_use]
    pub fn new(position: P, times: usize) -> Self {
        let keys = vec![position.key()];
        Self { position, times: times.max(2), keys, since: Since { first: 0, sums: [0; 2] }, is_drawn: false }
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The number of times that the current position has occurred, this time included.
    #[must_use]
    pub fn occurrences(&self) -> usize {
        let key = self.keys.last();
        // Players alternate, so the mover is the same every other ply.
        self.keys[self.since.first..].iter().rev().step_by(2).filter(|&past| Some(past) == key).count()
    }
}

/// Mixes all bits of a key. Zero stays zero.
#[inline]
const fn mixed(key: u64) -> u64 {
    let key = (key ^ key >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<P: Repeats> Position for Repeating<P> {
    type Move = P::Move;
    type Undo = Undo<P::Undo>;

    #[inline]
    fn moves<S: Sink<P::Move>>(&self, sink: &mut S) {
        if !self.is_drawn {
            self.position.moves(sink);
        }
    }

    #[inline]
    fn is_legal(&self, mv: P::Move) -> bool {
        !self.is_drawn && self.position.is_legal(mv)
    }

    fn play(&mut self, mv: P::Move) -> Self::Undo {
        let since = self.since;
        let last = self.keys.len() - 1;
        if self.position.is_irreversible(mv) {
            self.since = Since { first: self.keys.len(), sums: [0; 2] };
        } else {
            let sum = &mut self.since.sums[last & 1];
            *sum = sum.wrapping_add(mixed(self.keys[last]));
        }
        let position = self.position.play(mv);
        self.keys.push(self.position.key());
        self.is_drawn = self.occurrences() >= self.times;
        Undo { position, since }
    }

    fn undo(&mut self, mv: P::Move, undo: Self::Undo) {
        self.position.undo(mv, undo.position);
        self.keys.pop();
        // Nothing is played after a draw.
        (self.since, self.is_drawn) = (undo.since, false);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.is_drawn { Some(Outcome::Draw) } else { self.position.outcome() }
    }

    /// The key of the position and of those that may occur again, whatever their order.
    #[inline]
    fn key(&self) -> u64 {
        let last = self.keys.len() - 1;
        let [even, odd] = self.since.sums;
        let (own, other) = if last & 1 == 0 { (even, odd) } else { (odd, even) };
        self.keys[last] ^ mixed(own) ^ mixed(other).rotate_left(32)
    }
}
