//! Tic-tac-toe, the game that every student knows, for searches that are watched.

use super::{Demo, Searched, Subject};
use crate::drawing::svg::Area;
use crate::drawing::{Canvas, Marks};
use search_core::{Outcome, Position, Score, Sink};

/// The positions of tic-tac-toe.
pub const TIC_TAC_TOE: &[Demo] = &[
    Demo {
        name: "tictactoe-end",
        title: ("tic-tac-toe, four moves played", "morpion, quatre coups joués"),
        subject: || subject(&[0, 4, 8, 2]),
    },
    Demo {
        name: "tictactoe",
        title: ("tic-tac-toe, from the start", "morpion, du début"),
        subject: || subject(&[]),
    },
];

const SIDE: f64 = 60.0;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The squares of the mover and of the opponent, a bit each, row by row.
#[derive(Debug, Clone, Copy)]
struct Board {
    own: u16,
    opponent: u16,
}

impl Position for Board {
    type Move = u8;
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
            return Some(Outcome::Loss);
        }
        (self.own | self.opponent == 0o777).then_some(Outcome::Draw)
    }

    fn key(&self) -> u64 {
        let key = (u64::from(self.own) << 9 | u64::from(self.opponent)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        key ^ key >> 32
    }
}

/// Returns the position after some moves.
fn subject(moves: &[u8]) -> Box<dyn Searched> {
    let mut start = Board { own: 0, opponent: 0 };
    for &mv in moves {
        start.play(mv);
    }
    Box::new(Subject { start, write: |_, square| name(square), evaluate: |_| Score::DRAW, draw })
}

/// Returns a square's name: column, then row from the top.
fn name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 3), square / 3 + 1)
}

fn draw(board: &Board, marks: &Marks) -> String {
    // Crosses begin.
    let played = (board.own | board.opponent).count_ones();
    let (crosses, noughts) =
        if played.is_multiple_of(2) { (board.own, board.opponent) } else { (board.opponent, board.own) };
    let title = [("x", crosses), ("o", noughts)].into_iter().fold(
        marks.choose("Morpion", "Tic-tac-toe").to_owned(),
        |title, (symbol, squares)| {
            let taken = (0..9_u8).filter(|square| squares >> square & 1 == 1).map(name);
            format!("{title}; {symbol}: {}", taken.collect::<Vec<_>>().join(" "))
        },
    );
    let mut canvas = Canvas::new("tictactoe", 3.0 * SIDE, 3.0 * SIDE, &title);
    canvas.rect("paper-board", Area::square(0.0, 0.0, 3.0 * SIDE), 4.0);
    for square in 0..9_u8 {
        let area = Area::square(SIDE * f64::from(square % 3), SIDE * f64::from(square / 3), SIDE);
        canvas.ground(marks, &name(square), area);
        let (x, y) = area.centre();
        let reach = 0.3 * SIDE;
        if crosses >> square & 1 == 1 {
            canvas.line("stroke first-player", &[(x - reach, y - reach), (x + reach, y + reach)]);
            canvas.line("stroke first-player", &[(x - reach, y + reach), (x + reach, y - reach)]);
        } else if noughts >> square & 1 == 1 {
            canvas.circle("stroke second-player", (x, y), reach);
        } else {
            canvas.text("corner", (area.x + 10.0, area.y + 12.0), &name(square));
        }
    }
    for at in [SIDE, 2.0 * SIDE] {
        canvas.line("grid", &[(at, 0.0), (at, 3.0 * SIDE)]);
        canvas.line("grid", &[(0.0, at), (3.0 * SIDE, at)]);
    }
    canvas.finish()
}
