//! Draws the maze: dunes, mussels with their points, frites, beers, players by number and shape, and their trails.

use crate::drawing::svg::Area;
use crate::drawing::{Canvas, Marks};
use moules_client::rules::{Cell, Direction, Move, State, Tile};
use std::fmt::Write as _;

const SIDE: f64 = 24.0;

/// The marks drawn over a maze: trails, the mover, a plan.
#[derive(Debug, Clone, Default)]
pub struct Trails {
    /// The last cells of each player, latest last.
    pub places: Vec<Vec<Cell>>,
    /// The player to move, whose cell has a ring.
    pub mover: Option<usize>,
    /// The recommended turns for the mover.
    pub plan: Vec<Move>,
}

/// Maximum number of turns of a plan to draw.
const PLAN: usize = 24;

/// Draws the maze. The mover's neighbouring cells are named by direction: `N`, `S`, `E`, `O`.
#[must_use]
pub fn draw(state: &State, trails: &Trails, marks: &Marks) -> String {
    let (width, height) = (SIDE * state.width as f64, SIDE * state.height as f64);
    let label = marks.choose("Labyrinthe des moules", "Maze of mussels");
    let mut canvas = Canvas::new("moules", width, height, label);
    canvas.rect("sand", Area { x: 0.0, y: 0.0, width, height }, 4.0);
    canvas.path("dune", &dunes(state));
    for (player, places) in trails.places.iter().enumerate() {
        let points: Vec<_> = places.iter().map(|&cell| area(state, cell).centre()).collect();
        if points.len() > 1 {
            canvas.line(&format!("trail player{player}"), &points);
        }
    }
    if let Some(mover) = trails.mover {
        let way = way(state, state.players[mover], &trails.plan);
        let points: Vec<_> = way.iter().map(|&cell| area(state, cell).centre()).collect();
        if let [_, .., last] = points.as_slice() {
            canvas.line("plan", &points);
            canvas.circle("plan-end", *last, 4.0);
        }
    }
    for (index, tile) in state.tiles.iter().enumerate() {
        let at = area(state, Cell(index as u32)).centre();
        match tile {
            Tile::Mussel(points) => mussel(&mut canvas, at, *points),
            Tile::Frite => frite(&mut canvas, at),
            Tile::Beer => beer(&mut canvas, at),
            Tile::Sand | Tile::Dune => {}
        }
    }
    for (player, &cell) in state.players.iter().enumerate() {
        // Players in the same cell are drawn slightly apart.
        let before = state.players[..player].iter().filter(|&&other| other == cell).count();
        let (x, y) = area(state, cell).centre();
        let at = (x + 5.0 * before as f64, y - 5.0 * before as f64);
        if trails.mover == Some(player) {
            canvas.circle("turn", at, 0.56 * SIDE);
        }
        token(&mut canvas, player, at);
    }
    if let Some(mover) = trails.mover {
        for direction in Direction::ALL {
            step(&mut canvas, state, state.players[mover], direction, marks);
        }
    }
    canvas.finish()
}

fn area(state: &State, cell: Cell) -> Area {
    let (column, row) = state.coordinates(cell);
    Area::square(SIDE * column as f64, SIDE * row as f64, SIDE)
}

/// Returns the cells that a plan passes, without blocked steps.
#[must_use]
pub fn way(state: &State, from: Cell, plan: &[Move]) -> Vec<Cell> {
    let mut cells = vec![from];
    let mut go = |direction: Direction, distance: i32| {
        let here = cells[cells.len() - 1];
        let there = state.neighbour(here, direction, distance);
        cells.extend(there.filter(|&cell| state.tile(cell) != Tile::Dune));
    };
    for turn in plan.iter().take(PLAN) {
        match *turn {
            Move::Stay => {}
            Move::Step(direction) => go(direction, 1),
            Move::Jump(direction) => go(direction, 2),
            Move::Beer(steps) => steps.into_iter().flatten().for_each(|direction| go(direction, 1)),
        }
    }
    cells
}

/// Draws a clickable neighbouring cell of the mover.
fn step(canvas: &mut Canvas, state: &State, from: Cell, direction: Direction, marks: &Marks) {
    let Some(there) = state.neighbour(from, direction, 1) else { return };
    let name = direction.letter().to_string();
    let word = match direction {
        Direction::North => marks.choose("nord", "north"),
        Direction::South => marks.choose("sud", "south"),
        Direction::East => marks.choose("est", "east"),
        Direction::West => marks.choose("ouest", "west"),
    };
    let area = area(state, there);
    canvas.over(marks, &name, area);
    canvas.hit(marks, &name, word, area);
}

/// Returns one path for all dunes, with one step a run of cells.
fn dunes(state: &State) -> String {
    let mut path = String::new();
    for row in 0..state.height {
        let mut column = 0;
        while column < state.width {
            let start = column;
            while column < state.width && state.tile(state.cell(column, row)) == Tile::Dune {
                column += 1;
            }
            if column > start {
                let (x, y) = (SIDE * start as f64, SIDE * row as f64);
                let _ = write!(path, "M{x} {y}h{}v{SIDE}H{x}z", SIDE * (column - start) as f64);
            } else {
                column += 1;
            }
        }
    }
    path
}

fn mussel(canvas: &mut Canvas, (x, y): (f64, f64), points: u32) {
    // A shell: a point at the left, a round belly at the right.
    let shell = format!(
        "M{} {y}C{} {} {} {} {} {y}C{} {} {} {} {} {y}z",
        x - 11.0,
        x - 5.0,
        y - 12.0,
        x + 11.0,
        y - 12.0,
        x + 11.0,
        x + 11.0,
        y + 12.0,
        x - 5.0,
        y + 12.0,
        x - 11.0
    );
    canvas.path("mussel", &shell);
    canvas.text("points", (x + 0.5, y + 3.8), &points.to_string());
}

fn frite(canvas: &mut Canvas, (x, y): (f64, f64)) {
    for (nth, top) in [8.0, 10.0, 7.0, 9.0].into_iter().enumerate() {
        let left = x - 6.0 + 3.2 * nth as f64;
        canvas.rect("frite", Area { x: left, y: y - top, width: 2.4, height: 10.0 }, 0.6);
    }
    canvas.path("carton", &format!("M{} {y}h15l-2 9h-11z", x - 7.5));
}

fn beer(canvas: &mut Canvas, (x, y): (f64, f64)) {
    canvas.path("handle", &format!("M{} {}h4v8h-4", x + 4.0, y - 3.0));
    canvas.rect("beer", Area { x: x - 6.0, y: y - 5.0, width: 10.5, height: 13.0 }, 1.5);
    canvas.rect("foam", Area { x: x - 7.0, y: y - 8.5, width: 12.5, height: 5.0 }, 2.5);
}

/// Draws a player's token: a disc, a square, a diamond or a triangle, with its number.
pub(super) fn token(canvas: &mut Canvas, player: usize, (x, y): (f64, f64)) {
    let class = format!("token player{player}");
    let r = 0.42 * SIDE;
    match player {
        0 => canvas.circle(&class, (x, y), r),
        1 => canvas.rect(&class, Area::square(x - 0.9 * r, y - 0.9 * r, 1.8 * r), 2.0),
        2 => {
            let reach = 1.2 * r;
            canvas.path(
                &class,
                &format!("M{x} {}L{} {y}L{x} {}L{} {y}z", y - reach, x + reach, y + reach, x - reach),
            );
        }
        _ => {
            let (top, base, half) = (y - 1.2 * r, y + 0.85 * r, 1.2 * r);
            canvas.path(&class, &format!("M{x} {top}L{} {base}H{}z", x + half, x - half));
        }
    }
    canvas.text("number", (x, y + 4.2), &player.to_string());
}

/// Returns a player's token alone, for legends.
#[must_use]
pub fn badge(player: usize) -> String {
    let mut canvas = Canvas::new("moules badge", 28.0, 28.0, &player.to_string());
    token(&mut canvas, player, (14.0, 14.0));
    canvas.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_in_the_maze_is_drawn_as_the_way_it_takes() {
        let text = "7x5/D-D-D-D-D-D-D-D-S-S-D-S-S-D-D-D-S-S-S-S-D-D-S-S-S-S-S-D-D-D-D-D-D-D-D/1-1,1";
        let (state, plan): (State, Vec<Move>) =
            (text.parse().unwrap(), ["E", "F-E", "B-S-S-C", "N"].map(|turn| turn.parse().unwrap()).to_vec());
        let trails = Trails { mover: Some(0), plan, ..Trails::default() };
        let drawn = draw(&state, &trails, &Marks::default());
        // The frite jumps over the dune. Nothing blocks the last step.
        assert!(drawn.contains("class=\"plan\" d=\"M36 36L60 36L108 36L108 60L108 84L108 60\""), "{drawn}");
        assert!(!draw(&state, &Trails::default(), &Marks::default()).contains("plan"));
    }
}
