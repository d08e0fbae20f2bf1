//! Plays tic-tac-toe against itself: a whole game for search-core, searched to its end.
//!
//! `cargo run -p search-core --example tic_tac_toe`

use search_core::{
    Control, Evaluation, Limits, Options, Outcome, Position, Score, Search, Sink, Stopwatch, Table,
};

/// The squares of the mover and of the opponent, a bit each, row by row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Board {
    own: u16,
    opponent: u16,
}

const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Position for Board {
    type Move = u8; // the square, from 0
    type Undo = Self;

    fn moves<S: Sink<u8>>(&self, sink: &mut S) {
        (0..9).filter(|&square| self.is_legal(square)).for_each(|square| sink.push(square));
    }
    fn is_legal(&self, square: u8) -> bool {
        square < 9 && (self.own | self.opponent) >> square & 1 == 0 && self.outcome().is_none()
    }
    fn play(&mut self, square: u8) -> Self {
        std::mem::replace(self, Self { own: self.opponent, opponent: self.own | 1 << square })
    }
    fn undo(&mut self, _: u8, before: Self) {
        *self = before;
    }
    fn outcome(&self) -> Option<Outcome> {
        if LINES.iter().any(|line| self.opponent & line == *line) {
            return Some(Outcome::Loss); // the opponent has just completed a line
        }
        (self.own | self.opponent == 0o777).then_some(Outcome::Draw)
    }
    fn key(&self) -> u64 {
        u64::from(self.own) << 9 | u64::from(self.opponent)
    }
}

/// The number of games that can follow.
#[must_use]
pub fn games(board: Board) -> u64 {
    let after = |square| {
        let mut next = board;
        next.play(square);
        games(next)
    };
    if board.outcome().is_some() { 1 } else { board.move_list().into_iter().map(after).sum() }
}

/// Plays a game between two perfect players and returns its final position.
#[must_use]
pub fn play() -> Board {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(9), &clock);
    let table = Table::with_bytes(1 << 20);
    let best = |board| {
        let heuristics = Evaluation::new(|_: &Board| Score::DRAW);
        Search::new(heuristics, board, &table, &control, Options::EXACT).think(&mut |_| {}).best
    };
    let mut board = Board::default();
    while let Some(square) = best(board) {
        println!("{square}");
        board.play(square);
    }
    board
}

fn main() {
    println!("{} games can be played; this is one:", games(Board::default()));
    println!("{:?}", play().outcome());
}
