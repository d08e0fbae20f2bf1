//! A tiny game for examples and tests.

use crate::position::{MoveCode, Outcome, Position, Sink};

/// A heap from which players take one, two or three; whoever takes the last one wins. A multiple of four is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heap(pub u32);

/// The number taken in a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Take(pub u32);

impl MoveCode for Take {
    fn to_code(self) -> u32 {
        self.0
    }
    fn from_code(word: u32) -> Self {
        Self(word)
    }
}

impl Position for Heap {
    type Move = Take;
    type Undo = ();

    fn moves<S: Sink<Take>>(&self, sink: &mut S) {
        (1..=self.0.min(3)).for_each(|n| sink.push(Take(n)));
    }
    fn is_legal(&self, mv: Take) -> bool {
        (1..=self.0.min(3)).contains(&mv.0)
    }
    fn play(&mut self, mv: Take) {
        self.0 -= mv.0;
    }
    fn undo(&mut self, mv: Take, (): ()) {
        self.0 += mv.0;
    }
    fn outcome(&self) -> Option<Outcome> {
        (self.0 == 0).then_some(Outcome::Loss)
    }
    fn key(&self) -> u64 {
        u64::from(self.0).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}
