//! The Othello board: a1 at the top left, black discs plain, white discs with a ring.

use crate::drawing::svg::Area;
use crate::drawing::{Canvas, Marks};
use othello_player::rules::{Board, Side, Square};

const SIDE: f64 = 44.0;
const EDGE: f64 = 20.0;

fn area(square: Square) -> Area {
    Area::square(EDGE + SIDE * f64::from(square.column()), EDGE + SIDE * f64::from(square.row()), SIDE)
}

/// Draws the board. Cells are squares from `a1` to `h8`.
pub fn draw(board: &Board, marks: &Marks) -> String {
    let size = 2.0 * EDGE + 8.0 * SIDE;
    let mut canvas = Canvas::new("othello", size, size, "Othello");
    canvas.rect("wood", Area::square(0.0, 0.0, size), 8.0);
    canvas.rect("felt", Area::square(EDGE, EDGE, 8.0 * SIDE), 0.0);
    let squares: Vec<(Square, String)> =
        (0..64).filter_map(Square::new).map(|square| (square, square.to_string())).collect();
    for (square, name) in &squares {
        canvas.ground(marks, name, area(*square));
    }
    for nth in 0..8 {
        let at = EDGE + SIDE * f64::from(nth);
        let middle = at + SIDE / 2.0;
        let letter = char::from(b'a' + nth as u8).to_string();
        canvas.text("name", (middle, EDGE - 6.0), &letter);
        canvas.text("name", (EDGE / 2.0, middle + 4.0), &(nth + 1).to_string());
    }
    grid(&mut canvas);
    for (square, name) in &squares {
        let area = area(*square);
        match board.cell(square.bit()) {
            Some(Side::Black) => canvas.circle("man dark", area.centre(), 0.41 * SIDE),
            Some(Side::White) => {
                canvas.circle("man light", area.centre(), 0.41 * SIDE);
                canvas.circle("ring on-light", area.centre(), 0.27 * SIDE);
            }
            None => {}
        }
        if marks.last.first() == Some(name) {
            canvas.circle("newest", area.centre(), 0.09 * SIDE);
        }
        canvas.over(marks, name, area);
    }
    for (square, name) in &squares {
        let what = match board.cell(square.bit()) {
            Some(Side::Black) => marks.choose(", noir", ", black"),
            Some(Side::White) => marks.choose(", blanc", ", white"),
            None => "",
        };
        canvas.hit(marks, name, &format!("{name}{what}"), area(*square));
    }
    canvas.finish()
}

fn grid(canvas: &mut Canvas) {
    let end = EDGE + 8.0 * SIDE;
    for nth in 0..=8 {
        let at = EDGE + SIDE * f64::from(nth);
        canvas.line("grid", &[(at, EDGE), (at, end)]);
        canvas.line("grid", &[(EDGE, at), (end, at)]);
    }
    for (x, y) in [(2.0, 2.0), (2.0, 6.0), (6.0, 2.0), (6.0, 6.0)] {
        canvas.circle("star", (EDGE + SIDE * x, EDGE + SIDE * y), 3.0);
    }
}
