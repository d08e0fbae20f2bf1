use search_core::{Outcome, Position, Score, Sink};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Board {
    full: u32, // 5 × 5 squares, row by row
    flat: bool, // how the mover lays
}

impl Board {
    pub const EMPTY: Self = Self { full: 0, flat: false };

    /// The squares that a domino covers whose first square is this one.
    fn domino(flat: bool, square: u8) -> u32 {
        let (other, fits) = if flat { (square + 1, square % 5 < 4) } else { (square + 5, square < 20) };
        if fits { 1 << square | 1 << other } else { u32::MAX }
    }
    fn room(&self, flat: bool) -> impl Iterator<Item = u8> {
        let full = self.full;
        (0..25).filter(move |&square| full & Self::domino(flat, square) == 0 && Self::domino(flat, square) != u32::MAX)
    }
}

impl Position for Board {
    type Move = u8;   // a small number, or a type of your own that implements `MoveCode`
    type Undo = Self; // copy and put back; `()` where a move can be taken back without help

    fn moves<S: Sink<u8>>(&self, sink: &mut S) {
        self.room(self.flat).for_each(|square| sink.push(square));
    }
    fn is_legal(&self, square: u8) -> bool {
        self.room(self.flat).any(|free| free == square)
    }
    fn play(&mut self, square: u8) -> Self {
        let full = self.full | Self::domino(self.flat, square);
        std::mem::replace(self, Self { full, flat: !self.flat })
    }
    fn undo(&mut self, _: u8, before: Self) {
        *self = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        self.room(self.flat).next().is_none().then_some(Outcome::Loss)
    }
    fn key(&self) -> u64 {
        let key = (u64::from(self.full) << 1 | u64::from(self.flat)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^ key >> 32
    }
}

/// How many more dominoes the mover could lay than the opponent. In a game with points, one is `Score::POINT`.
pub fn balance(board: &Board) -> Score {
    Score::new(board.room(board.flat).count() as i32 - board.room(!board.flat).count() as i32)
}
