//! The nine boards of ultimate tic-tac-toe: open boards are bright, won ones are covered by the winner's symbol.

use super::names;
use crate::drawing::svg::Area;
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

/// Draws the boards. Marks and clicks have the numbers of records; what one reads has names.
pub fn draw(state: &State, marks: &Marks) -> String {
    let size = 4.0 * GAP + 9.0 * SIDE;
    let mut canvas = Canvas::new("uttt", size, size, marks.choose("Morpion ultime", "Ultimate tic-tac-toe"));
    canvas.rect("frame", Area::square(0.0, 0.0, size), 8.0);
    let over = state.winner().is_some();
    for board in 0..9 {
        let open = !over && state.playable() >> board & 1 == 1;
        let area = board_area(board);
        canvas.rect(if open { "small open" } else { "small" }, area, 4.0);
        canvas.text("corner board-name", (area.x + 5.0, area.y - 2.5), &names::board(board).to_string());
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
        let area = area(*cell);
        // The symbol of a won board covers the ground of the last move.
        if marks.last.first() == Some(name) {
            canvas.circle("newest", (area.x + SIDE - 7.0, area.y + 7.0), 4.0);
        }
        canvas.over(marks, name, area);
        // The name is legible over the ring of the best move.
        let is_won = (state.won(Side::X) | state.won(Side::O)) >> cell.board() & 1 == 1;
        if state.at(*cell).is_none() && !is_won {
            canvas.text("corner", (area.x + 8.0, area.y + 9.0), &names::cell(*cell));
        }
    }
    for (cell, name) in &cells {
        let what = match state.at(*cell) {
            Some(Side::X) => ", x",
            Some(Side::O) => ", o",
            None if Marks::has(&marks.targets, name) => "",
            None => marks.choose(", vide", ", empty"),
        };
        let label = names::cell(*cell) + what;
        canvas.hit(marks, name, &label, area(*cell));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::OpeningSet;
    use crate::duel::Rules;
    use crate::games::uttt::Uttt;
    use search_core::Position as _;

    #[test]
    fn every_legal_move_can_be_clicked_on_the_board_and_nothing_else_is_marked() {
        let game = Uttt { set: OpeningSet::single(""), timed: false };
        let state = game.start("40").unwrap();
        let targets = state.move_list().iter().map(ToString::to_string).collect();
        let drawn = game.draw(&state, &Marks { targets, interactive: true, ..Marks::default() });
        assert_eq!(drawn.matches("class=\"hit legal\"").count(), 8);
        assert_eq!(drawn.matches("class=\"hit\"").count(), 73);
        let still = game.draw(&state, &Marks::default());
        assert!(!still.contains("data-cell"), "what nobody may click has no cells");
    }

    #[test]
    fn two_values_of_a_cell_are_both_drawn_on_plates() {
        let game = Uttt { set: OpeningSet::single(""), timed: false };
        let values = [("0", "+0.5"), ("1", "−#12"), ("0", "−1.5"), ("0", "−9.9")];
        let values = values.map(|(cell, value)| (cell.to_owned(), value.to_owned())).to_vec();
        let drawn = game.draw(&game.start("40").unwrap(), &Marks { values, ..Marks::default() });
        assert_eq!(
            (drawn.matches("class=\"plate\"").count(), drawn.matches("class=\"value").count()),
            (3, 3)
        );
        assert!(
            drawn.contains(">+0.5<") && drawn.contains(">−1.5<") && drawn.contains("value first"),
            "{drawn}"
        );
        assert_eq!(drawn.matches("textLength").count(), 3, "no font makes a value wider than its plate");
        let heights: Vec<&str> = drawn.split("class=\"plate\"").skip(1).map(|part| &part[..30]).collect();
        assert_ne!(heights[0], heights[1], "one above the other");
    }

    #[test]
    fn the_three_boards_that_won_are_marked() {
        let game = Uttt { set: OpeningSet::single(""), timed: false };
        let mut random = 1_u64;
        let won = std::iter::repeat_with(|| {
            let mut state = game.start("").unwrap();
            while state.outcome().is_none() {
                assert!(!game.draw(&state, &Marks::default()).contains("class=\"five\""));
                random = crate::seed::mix(random, 1);
                let moves = state.move_list();
                state.play(moves[random as usize % moves.len()]);
            }
            state
        });
        let mut won = won.take(20).filter(|state| state.winner().is_some());
        let drawn = game.draw(&won.next().unwrap(), &Marks::default());
        assert_eq!(drawn.matches("class=\"five\"").count(), 1);
        // Boards and cells are named as in lists of moves.
        let start = game.draw(&game.start("").unwrap(), &Marks::default());
        assert!(start.contains("class=\"corner\"") && start.contains(">I9<"), "{start}");
        assert!((0..9).all(|board| start.contains(&format!(">{}<", names::board(board)))), "{start}");
        assert!(!start.contains(">80<"), "{start}");
    }
}
