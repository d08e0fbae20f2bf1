//! The grid of Connect5: stones in cells, dark ones plain, light ones with a ring.

use crate::drawing::svg::Area;
use crate::drawing::{Canvas, Marks};
use connect5_joueur::rules::{Cell, Color, Position};

const SIDE: f64 = 30.0;
const EDGE: f64 = 22.0;

/// Returns a column's letters.
fn letters(column: usize, columns: usize) -> String {
    Cell::at(0, column, columns).name(columns).trim_end_matches('1').to_owned()
}

/// Draws the grid. Cells are named as in records, `a1` at the top left.
#[must_use]
pub fn draw(position: &Position, marks: &Marks) -> String {
    let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
    let (width, height) = (SIDE * columns as f64, SIDE * rows as f64);
    let mut canvas = Canvas::new("connect5", 2.0 * EDGE + width, 2.0 * EDGE + height, "Connect5");
    let whole = Area { x: 0.0, y: 0.0, width: 2.0 * EDGE + width, height: 2.0 * EDGE + height };
    canvas.rect("frame", whole, 8.0);
    canvas.rect("paper-board", Area { x: EDGE, y: EDGE, width, height }, 0.0);
    let cells: Vec<(usize, usize, String)> = (0..rows)
        .flat_map(|row| (0..columns).map(move |column| (row, column)))
        .map(|(row, column)| (row, column, Cell::at(row, column, columns).name(columns)))
        .collect();
    let area =
        |row: usize, column: usize| Area::square(EDGE + SIDE * column as f64, EDGE + SIDE * row as f64, SIDE);
    for (row, column, name) in &cells {
        canvas.ground(marks, name, area(*row, *column));
    }
    for column in 0..=columns {
        let x = EDGE + SIDE * column as f64;
        canvas.line("grid", &[(x, EDGE), (x, EDGE + height)]);
        if column < columns {
            canvas.text("name", (x + SIDE / 2.0, EDGE - 7.0), &letters(column, columns));
        }
    }
    for row in 0..=rows {
        let y = EDGE + SIDE * row as f64;
        canvas.line("grid", &[(EDGE, y), (EDGE + width, y)]);
        if row < rows {
            canvas.text("name", (EDGE / 2.0, y + SIDE / 2.0 + 4.0), &(row + 1).to_string());
        }
    }
    let five = winning(position);
    for (row, column, name) in &cells {
        let cell = Cell::at(*row, *column, columns);
        let area = area(*row, *column);
        match position.stone(cell) {
            Some(Color::Black) => canvas.circle("man dark", area.centre(), 0.4 * SIDE),
            Some(Color::White) => {
                canvas.circle("man light", area.centre(), 0.4 * SIDE);
                // A number needs the place of the ring.
                let ring = if marks.number(name).is_some() { 0.34 } else { 0.24 };
                canvas.circle("ring on-light", area.centre(), ring * SIDE);
            }
            None => {}
        }
        let is_last = marks.last.first() == Some(name);
        match (marks.number(name), position.stone(cell)) {
            (Some(number), Some(color)) => {
                let class = if color == Color::Black { "nth on-dark" } else { "nth on-light" };
                let (x, y) = area.centre();
                canvas.text(class, (x, y + 3.5), &number.to_string());
                if is_last {
                    canvas.circle("newest-ring", (x, y), 0.36 * SIDE);
                }
            }
            _ if is_last => canvas.circle("newest", area.centre(), 0.1 * SIDE),
            _ => {}
        }
        canvas.over(marks, name, area);
    }
    if let [first, .., last] = five.as_slice() {
        let ends = [first, last].map(|&(row, column)| area(row, column).centre());
        canvas.line("five", &ends);
    }
    for (row, column, name) in &cells {
        let what = match position.stone(Cell::at(*row, *column, columns)) {
            Some(Color::Black) => marks.choose(", noir", ", black"),
            Some(Color::White) => marks.choose(", blanc", ", white"),
            None => "",
        };
        canvas.hit(marks, name, &format!("{name}{what}"), area(*row, *column));
    }
    canvas.finish()
}

/// Returns the cells of a run of exactly five.
fn winning(position: &Position) -> Vec<(usize, usize)> {
    let (rows, columns) = (position.geometry().rows() as isize, position.geometry().columns() as isize);
    let stone = |row: isize, column: isize| {
        let inside = (0..rows).contains(&row) && (0..columns).contains(&column);
        inside.then(|| position.stone(Cell::at(row as usize, column as usize, columns as usize))).flatten()
    };
    for row in 0..rows {
        for column in 0..columns {
            let Some(color) = stone(row, column) else { continue };
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let is_own = |nth: isize| stone(row + nth * down, column + nth * right) == Some(color);
                if (1..5).all(is_own) && !is_own(-1) && !is_own(5) {
                    let cell = |nth: isize| ((row + nth * down) as usize, (column + nth * right) as usize);
                    return (0..5).map(cell).collect();
                }
            }
        }
    }
    Vec::new()
}
