//! The files of `test-data/connect5`.

use connect5_joueur::rules::{Cell, Color, Grid, Position};
use search_core::Position as _;
use serde_json::Value;
use std::fs;

fn read(name: &str) -> String {
    let path = format!("{}/../../test-data/connect5/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A position with known results.
#[derive(Debug, Clone)]
pub struct Known {
    pub name: String,
    pub grid: Grid,
    pub mover: Color,
    /// The good first moves: row, column.
    pub good: Vec<(usize, usize)>,
    /// The number of attacker's moves in the shortest win by continuous fours, 0 if there is none.
    pub fours: usize,
    /// The good first moves if six in a row won too, and the number of attacker's moves of that win.
    pub freestyle: Vec<(usize, usize)>,
    pub freestyle_fours: usize,
}

impl Known {
    fn new(name: String, value: &Value, good: &str) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let rows: Vec<String> = value["board"].as_array().unwrap().iter().map(text).collect();
        let number = |value: &Value| value.as_u64().unwrap() as usize;
        let pair = |value: &Value| (number(&value[0]), number(&value[1]));
        Self {
            name,
            grid: rows.join("\n").parse().unwrap(),
            mover: if value["to_move"] == "N" { Color::Black } else { Color::White },
            good: value[good].as_array().unwrap().iter().map(pair).collect(),
            fours: value["vcf_moves"].as_u64().unwrap_or(0) as usize,
            freestyle: value["first_freestyle"].as_array().into_iter().flatten().map(pair).collect(),
            freestyle_fours: value["vcf_moves_freestyle"].as_u64().unwrap_or(0) as usize,
        }
    }

    pub fn position(&self) -> Position {
        Position::new(&self.grid, self.mover)
    }

    pub fn is_good(&self, cell: Cell) -> bool {
        let at = cell.coordinates(self.grid.columns());
        self.good.contains(&(at.row, at.column))
    }

    /// Returns the eight symmetries of the position.
    pub fn symmetries(&self) -> Vec<Self> {
        (0..8).map(|symmetry| self.symmetry(symmetry)).collect()
    }

    fn symmetry(&self, symmetry: usize) -> Self {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let (new_rows, new_columns) = if symmetry & 4 != 0 { (columns, rows) } else { (rows, columns) };
        let map = |row: usize, column: usize| {
            let row = if symmetry & 1 != 0 { rows - 1 - row } else { row };
            let column = if symmetry & 2 != 0 { columns - 1 - column } else { column };
            if symmetry & 4 != 0 { (column, row) } else { (row, column) }
        };
        let mut grid = Grid::new(new_rows, new_columns).unwrap();
        for row in 0..rows {
            for column in 0..columns {
                let (to_row, to_column) = map(row, column);
                let stone = self.grid.stone(Cell::at(row, column, columns));
                grid.set(Cell::at(to_row, to_column, new_columns), stone);
            }
        }
        let [good, freestyle] = [&self.good, &self.freestyle]
            .map(|cells| cells.iter().map(|&(row, column)| map(row, column)).collect());
        Self { name: format!("{}, symmetry {symmetry}", self.name), grid, good, freestyle, ..self.clone() }
    }
}

/// Returns the two published positions of the course's marking.
pub fn demo() -> Vec<Known> {
    let value: Value = serde_json::from_str(&read("connect5_demo_positions.json")).unwrap();
    let positions = value["positions"].as_array().unwrap().iter();
    positions.map(|position| Known::new(position["name"].to_string(), position, "accept")).collect()
}

/// Returns positions won by continuous fours.
pub fn won_by_fours() -> Vec<Known> {
    lines("exact5_vcf.jsonl")
}

/// Returns positions where six in a row make the difference.
pub fn overlines() -> Vec<Known> {
    lines("exact5_overline_sensitive.jsonl")
}

fn lines(name: &str) -> Vec<Known> {
    let known = |(number, line): (usize, &str)| {
        Known::new(format!("{name}, line {}", number + 1), &serde_json::from_str(line).unwrap(), "first")
    };
    read(name).lines().enumerate().map(known).collect()
}

/// Returns balanced openings on a square grid of this side.
pub fn openings(side: usize) -> Vec<Position> {
    let text = read(&format!("balanced_openings_{side}.txt"));
    text.lines().map(|line| opening(line, side)).collect()
}

fn opening(line: &str, side: usize) -> Position {
    let mut position = Position::from_grid(&Grid::new(side, side).unwrap());
    let mut rest = line.trim();
    while !rest.is_empty() {
        let end = rest[1..].find(char::is_alphabetic).map_or(rest.len(), |index| index + 1);
        let column = usize::from(rest.as_bytes()[0] - b'a');
        let row = rest[1..end].parse::<usize>().unwrap() - 1;
        let cell = Cell::at(row, column, side);
        assert!(position.is_legal(cell), "{line}");
        position.play(cell);
        rest = &rest[end..];
    }
    position
}
