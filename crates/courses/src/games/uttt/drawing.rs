//! The nine boards of ultimate tic-tac-toe: open boards are bright, won ones are covered by the winner's symbol.

use crate::drawing::svg::{Area, Hit};
use crate::drawing::{Canvas, Marks};
use uttt::rules::{Cell, Side, State};

const SIDE: f64 = 40.0;
const GAP: f64 = 12.0;

fn board_area(board: usize) -> Area {
    let step = 3.0 * SIDE + GAP;
    Area::square(GAP + step * (board % 3) as f64, GAP + step * (board / 3) as f64, 3.0 * SIDE)
}

fn area(cell: Cell) -> Area {
    let board = board_area(cell.board());
    let within = cell.within();
    Area::square(board.x + SIDE * (within % 3) as f64, board.y + SIDE * (within / 3) as f64, SIDE)
}

/// Draws the boards. Cells are named 0 to 80, as in records.
pub fn draw(state: &State, marks: &Marks) -> String {
    let size = 4.0 * GAP + 9.0 * SIDE;
    let mut canvas = Canvas::new("uttt", size, size, marks.choose("Morpion ultime", "Ultimate tic-tac-toe"));
    canvas.rect("frame", Area::square(0.0, 0.0, size), 8.0);
    let over = state.winner().is_some();
    for board in 0..9 {
        let open = !over && state.playable() >> board & 1 == 1;
        canvas.rect(if open { "small open" } else { "small" }, board_area(board), 4.0);
    }
    let cells: Vec<(Cell, String)> =
        (0..Cell::COUNT).filter_map(Cell::new).map(|cell| (cell, cell.to_string())).collect();
    for (cell, name) in &cells {
        canvas.ground(marks, name, area(*cell));
    }
    for board in 0..9 {
        let Area { x, y, width, .. } = board_area(board);
        for nth in 1..3 {
            let at = SIDE * f64::from(nth);
            canvas.line("grid", &[(x + at, y), (x + at, y + width)]);
            canvas.line("grid", &[(x, y + at), (x + width, y + at)]);
        }
    }
    for (cell, _) in &cells {
        let closed = state.closed() >> cell.board() & 1 == 1;
        if let Some(side) = state.at(*cell) {
            symbol(&mut canvas, side, if closed { " past" } else { "" }, area(*cell));
        }
    }
    for (cell, name) in &cells {
        if state.at(*cell).is_none() {
            let area = area(*cell);
            canvas.text("corner", (area.x + 8.0, area.y + 10.0), name);
        }
    }
    for board in 0..9 {
        for side in [Side::X, Side::O] {
            if state.won(side) >> board & 1 == 1 {
                canvas.rect("veil", board_area(board), 4.0);
                symbol(&mut canvas, side, " great", board_area(board));
            }
        }
    }
    if let Some([first, .., last]) = winning(state) {
        canvas.line("five", &[board_area(first).centre(), board_area(last).centre()]);
    }
    for (cell, name) in &cells {
        canvas.over(marks, name, area(*cell));
    }
    for (cell, name) in &cells {
        let what = match state.at(*cell) {
            Some(Side::X) => ", x",
            Some(Side::O) => ", o",
            None => "",
        };
        let (board, within) = (cell.board(), cell.within());
        let label = match marks.choose("f", "e") {
            "f" => format!("plateau {}, case {}{what}", board + 1, within + 1),
            _ => format!("board {}, cell {}{what}", board + 1, within + 1),
        };
        let at = (board % 3 * 3 + within % 3, board / 3 * 3 + within / 3);
        canvas.hit(marks, &Hit { name, label, at }, area(*cell));
    }
    canvas.finish()
}

/// Returns the three winning boards in line.
fn winning(state: &State) -> Option<[usize; 3]> {
    let won = state.won(state.winner()?);
    let mut lines = (0..3).flat_map(|nth| [[3 * nth, 3 * nth + 1, 3 * nth + 2], [nth, nth + 3, nth + 6]]);
    let is_won = |line: &[usize; 3]| line.iter().all(|board| won >> board & 1 == 1);
    lines.find(is_won).or_else(|| [[0, 4, 8], [2, 4, 6]].into_iter().find(is_won))
}

fn symbol(canvas: &mut Canvas, side: Side, size: &str, area: Area) {
    let (x, y) = area.centre();
    let reach = 0.3 * area.width;
    match side {
        Side::X => {
            let class = format!("stroke first-player{size}");
            canvas.line(&class, &[(x - reach, y - reach), (x + reach, y + reach)]);
            canvas.line(&class, &[(x - reach, y + reach), (x + reach, y - reach)]);
        }
        Side::O => canvas.circle(&format!("stroke second-player{size}"), (x, y), reach * 1.05),
    }
}
