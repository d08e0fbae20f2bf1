//! Plays connect four against itself, a quarter of a second a move.
//!
//! `cargo run --release -p search-core --example connect_four`

use search_core::{
    Control, Evaluation, Limits, Options, Outcome, Position, Score, Search, Sink, Stopwatch, Table,
};
use std::time::Duration;

/// Seven columns of seven bits, lowest square first. The seventh bit stays empty, so that no line wraps around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Board {
    /// The discs of the player to move.
    pub own: u64,
    /// The discs of the other player.
    pub opponent: u64,
}

/// Returns whether four of the discs form a line: vertical, horizontal or diagonal.
fn has_four(discs: u64) -> bool {
    [1, 7, 6, 8].iter().any(|step| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

impl Position for Board {
    type Move = u8; // the column, from 0
    type Undo = Self;

    fn moves<S: Sink<u8>>(&self, sink: &mut S) {
        // The middle first: it is mostly better, and alpha-beta depends on move order.
        [3, 2, 4, 1, 5, 0, 6]
            .into_iter()
            .filter(|&column| self.is_legal(column))
            .for_each(|column| sink.push(column));
    }
    fn is_legal(&self, column: u8) -> bool {
        column < 7 && (self.own | self.opponent) >> (7 * column + 5) & 1 == 0 && !has_four(self.opponent)
    }
    fn play(&mut self, column: u8) -> Self {
        let bottom = 1 << (7 * column);
        // The addition carries to the lowest empty square.
        let disc = ((self.own | self.opponent) + bottom) & (0x3f * bottom);
        std::mem::replace(self, Self { own: self.opponent, opponent: self.own | disc })
    }
    fn undo(&mut self, _: u8, before: Self) {
        *self = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        let is_full = (self.own | self.opponent).count_ones() == 42;
        if has_four(self.opponent) { Some(Outcome::Loss) } else { is_full.then_some(Outcome::Draw) }
    }
    fn key(&self) -> u64 {
        // The sum is unique to the position. The product and the shift mix it, because the table uses the low bits.
        let key = (self.own + (self.own | self.opponent)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^ key >> 32
    }
}

/// Middle columns lie on more lines.
#[must_use]
pub fn evaluate(board: &Board) -> Score {
    const MIDDLE: u64 = 0x3f << 21;
    const BESIDE: u64 = 0x3f << 14 | 0x3f << 28;
    let worth = |discs: u64| (2 * (discs & MIDDLE).count_ones() + (discs & BESIDE).count_ones()) as i32;
    Score::new(worth(board.own) - worth(board.opponent))
}

fn main() {
    let limits = Limits::time(Duration::from_millis(250));
    let table = Table::with_bytes(16 << 20);
    let mut board = Board::default();
    while board.outcome().is_none() {
        let clock = Stopwatch::start();
        let control = Control::new(limits, &clock);
        let heuristics = Evaluation::new(evaluate);
        let report = Search::new(heuristics, board, &table, &control, Options::STRONG).think(&mut |_| {});
        println!("{:?}: {} at depth {}", report.principal_variation, report.score, report.depth);
        board.play(report.best.expect("the game goes on"));
    }
}
