//! Connect5: the course's dialogue on pipes or over TCP, and piskvork for other engines. The clock follows the course:
//! 50 ms of grace, and an overrun of half the time tolerated and taken from the next move.

pub mod assignment;
#[cfg(feature = "marking")]
mod compliance;
mod dialogue;
pub mod drawing;
mod editor;
#[cfg(feature = "hand-in")]
mod hand_in;
mod java;
mod lessons;
#[cfg(feature = "marking")]
mod mark;
mod openings;
mod order;
mod own;
pub mod page;
mod piskvork;
pub mod psq;
mod review;
pub mod sgf;
mod thinking;
mod understanding;

pub use dialogue::Dialogue;

use crate::course::{Conditions, GameSetup, Line, OpeningSet, Setup, split_position};
use crate::drawing::Marks;
use crate::duel::{Driver, MoveClock, Players, Rules};
use crate::fault::Trouble;
use crate::peer::Peer;
use crate::player::Player;
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::protocol::team::{PRET, READY};
use connect5_joueur::rules::{Cell, Color, Grid, GridError, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Outcome, Position as _, Report, Score, Stopwatch};
use std::fmt::Write as _;
use std::time::Duration;
use understanding::Understanding;

/// The default time of a move in the course's tool.
pub const TIME: Duration = Duration::from_millis(2000);
/// The course's memory limit in bytes.
pub const MEMORY: u64 = 512 << 20;

/// Connect5 on grids of one size.
#[derive(Debug, Clone)]
pub struct Connect5 {
    /// Default number of rows, unless an opening states it.
    pub rows: usize,
    /// Columns of the grid.
    pub columns: usize,
    /// The openings, each a line of moves.
    pub set: OpeningSet,
    /// The results of asking engines about `BOARD`.
    understanding: Understanding,
}

impl Connect5 {
    /// Creates the game on grids of one size, with its openings.
    #[must_use]
    pub fn new(rows: usize, columns: usize, set: OpeningSet) -> Self {
        Self { rows, columns, set, understanding: Understanding::default() }
    }
}

/// Returns a cell's name in openings and records: the column's letters from `a`, then the row's number from 1.
fn cell_name(cell: Cell, columns: usize) -> String {
    cell.name(columns)
}

/// Returns the letters of a column, from 0.
pub(crate) fn column_name(column: usize) -> String {
    cell_name(Cell::at(0, column, column + 1), column + 1).trim_end_matches('1').to_owned()
}

/// Returns the cell of a name, in either case, if it is on the grid.
fn cell_of(name: &str, rows: usize, columns: usize) -> Option<Cell> {
    let digits = name.find(|c: char| c.is_ascii_digit())?;
    let (letters, number) = name.split_at(digits);
    if letters.is_empty() || letters.len() > 3 || !letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return None;
    }
    let column =
        letters.bytes().fold(0, |sum, byte| 26 * sum + usize::from(byte.to_ascii_lowercase() - b'a') + 1) - 1;
    let row = number.parse::<usize>().ok()?.checked_sub(1)?;
    (row < rows && column < columns).then(|| Cell::at(row, column, columns))
}

/// Splits `c6d6d4` into names, with or without blanks.
pub(crate) fn names(line: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for word in line.split_whitespace() {
        let mut start = 0;
        let bytes = word.as_bytes();
        for at in 1..bytes.len() {
            if bytes[at].is_ascii_alphabetic() && bytes[at - 1].is_ascii_digit() {
                names.push(&word[start..at]);
                start = at;
            }
        }
        names.push(&word[start..]);
    }
    names
}

/// An error in an opening.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpeningError {
    /// The first word is not a size.
    #[error("\"{0}\" is no size")]
    Size(String),
    /// The board has more or fewer rows than its size says.
    #[error("{found} rows for a grid of {expected}")]
    Rows { found: usize, expected: usize },
    /// The grid cannot be built.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A move is not to a free cell.
    #[error("\"{0}\" is no free cell")]
    Cell(String),
}

/// Fills a grid from rows separated by slashes.
fn set_rows(grid: &mut Grid, board: &str) -> Result<(), OpeningError> {
    let rows: Vec<&str> = board.split('/').collect();
    if rows.len() != grid.rows() {
        return Err(OpeningError::Rows { found: rows.len(), expected: grid.rows() });
    }
    for (row, text) in rows.iter().enumerate() {
        grid.set_row(row, text.as_bytes())?;
    }
    Ok(())
}

/// Returns the position of an opening's board, and the moves after it.
pub(crate) fn begin(opening: &str) -> Result<(Position, &str), OpeningError> {
    let (size, line) = opening.split_once(' ').unwrap_or((opening, ""));
    let (rows, columns) = size
        .split_once('x')
        .and_then(|(rows, columns)| Some((rows.parse().ok()?, columns.parse().ok()?)))
        .ok_or_else(|| OpeningError::Size(size.to_owned()))?;
    let mut grid = Grid::new(rows, columns)?;
    let (board, line) = split_position(line);
    if let Some(board) = board {
        set_rows(&mut grid, board)?;
    }
    Ok((Position::from_grid(&grid), line))
}

/// A parsed opening.
pub(crate) struct Begun {
    /// The moves, in order.
    pub moves: Vec<Cell>,
    /// The position after them.
    pub position: Position,
}

impl Begun {
    /// Plays an opening.
    pub fn of(opening: &str) -> Result<Self, OpeningError> {
        let (mut position, line) = begin(opening)?;
        let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
        let mut moves = Vec::new();
        for name in names(line) {
            let cell = cell_of(name, rows, columns).filter(|&cell| position.is_legal(cell));
            let cell = cell.ok_or_else(|| OpeningError::Cell(name.to_owned()))?;
            position.play(cell);
            moves.push(cell);
        }
        Ok(Self { moves, position })
    }
}

impl Setup for Connect5 {
    fn name(&self) -> &'static str {
        "connect5"
    }

    fn set(&self) -> &OpeningSet {
        &self.set
    }

    fn opening_of(&self, line: &str) -> String {
        format!("{}x{} {line}", self.rows, self.columns).trim_end().to_owned()
    }

    fn is_timed(&self) -> bool {
        true
    }

    fn setting(&self) -> String {
        format!("{} rows, {} columns; openings {}", self.rows, self.columns, self.set.name())
    }
}

impl Rules for Connect5 {
    type Position = Position;

    fn start(&self, opening: &str) -> anyhow::Result<Position> {
        Ok(Begun::of(opening)?.position)
    }

    fn seat(&self, position: &Position) -> usize {
        position.mover().index()
    }

    fn write(&self, position: &Position, cell: Cell) -> String {
        cell_name(cell, position.geometry().columns())
    }

    fn read(&self, position: &Position, text: &str) -> Option<Cell> {
        let geometry = position.geometry();
        cell_of(text, geometry.rows(), geometry.columns()).filter(|&cell| position.is_legal(cell))
    }

    fn has_large_positions(&self) -> bool {
        true
    }

    fn picture(&self, position: &Position) -> String {
        let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
        let mut text = String::from("   ");
        for column in 0..columns {
            let _ = write!(text, "{:>2}", column_name(column));
        }
        text.push('\n');
        for row in 0..rows {
            let _ = write!(text, "{:>3}", row + 1);
            for column in 0..columns {
                text.push(' ');
                text.push(position.stone(Cell::at(row, column, columns)).map_or('.', Color::letter));
            }
            text.push('\n');
        }
        text
    }

    fn draw(&self, position: &Position, marks: &Marks) -> String {
        drawing::draw(position, marks)
    }

    fn end(&self, position: &Position, outcome: Outcome) -> String {
        match outcome {
            Outcome::Draw => "the grid is full".into(),
            _ => format!("exactly five of {}", position.mover().other().letter()),
        }
    }
}

impl Players for Connect5 {
    fn evaluate(&self, position: &Position) -> Score {
        Evaluation::default().evaluate(position)
    }

    fn search(position: &Position, depth: u16, _: u64) -> Report<Cell> {
        let settings = connect5_joueur::player::Settings { table_bytes: 1 << 20, ..Default::default() };
        let mut player = connect5_joueur::player::Player::new(settings);
        player.think(position, Limits::depth(depth.into()), &Stopwatch::start())
    }

    fn clock(&self, conditions: &Conditions) -> MoveClock {
        MoveClock::of(conditions).tolerant()
    }

    fn driver<'a>(
        &'a self,
        game: &'a GameSetup<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<Position> + 'a>, Trouble> {
        if let Some(dialogue) = dialogue(game, player, seat)? {
            return Ok(Box::new(dialogue));
        }
        match Line::from(player) {
            Line::Process(Some("piskvork"), command) => {
                let begun = Begun::of(game.opening).map_err(Trouble::referee)?;
                let geometry = begun.position.geometry();
                let size = (geometry.rows(), geometry.columns());
                let remark = self.understanding.remark(game, command, seat, size)?;
                let peer = game.start(command, seat)?;
                let mut engine = piskvork::Piskvork::new(peer, begun, &game.conditions_of(seat));
                engine.remark = remark;
                Ok(Box::new(engine))
            }
            _ => Err(Trouble::Argument(format!(
                "\"{}\": connect5 knows commands, tcp:, pret:, server: and piskvork: commands",
                player.text
            ))),
        }
    }
}

/// Starts the course's dialogue with a player, if the player is reached by it.
///
/// # Errors
/// If the player cannot be reached.
pub fn dialogue<'a>(
    game: &GameSetup<'a>,
    player: &Player,
    seat: usize,
) -> Result<Option<Dialogue<'a>>, Trouble> {
    Ok(match Line::from(player) {
        Line::Process(None, command) => Some(Dialogue::new(game.start(command, seat)?, READY)),
        Line::Process(Some("pret"), command) => Some(Dialogue::new(game.start(command, seat)?, PRET)),
        Line::Process(Some("server"), command) => Some(Dialogue::with_server(game, command, seat)?),
        Line::Tcp(address) => Some(Dialogue::new(Peer::connect(game.supervisor, address)?, READY)),
        _ => None,
    })
}

/// The built-in sets of openings, by rows and columns.
const SETS: [(usize, usize, &str); 7] = [
    (8, 8, include_str!("../../../../test-data/connect5/balanced_openings_8.txt")),
    (10, 10, include_str!("../../../../test-data/connect5/balanced_openings_10.txt")),
    (12, 12, include_str!("../../../../test-data/connect5/balanced_openings_12.txt")),
    (15, 15, include_str!("../../../../test-data/connect5/balanced_openings_15.txt")),
    (19, 19, include_str!("../../../../test-data/connect5/balanced_openings_19.txt")),
    (9, 14, include_str!("../../../../test-data/openings/connect5-9x14.txt")),
    (16, 11, include_str!("../../../../test-data/openings/connect5-16x11.txt")),
];

/// Returns the set for grids of one size.
#[must_use]
pub fn openings(rows: usize, columns: usize) -> Option<&'static str> {
    SETS.iter().find(|set| (set.0, set.1) == (rows, columns)).map(|set| set.2)
}

/// Returns random lines of three to five stones near the middle, one a line, or fewer if the grid is too small for
/// `count`.
#[must_use]
pub fn drawn_openings(rows: usize, columns: usize, count: usize, seed: u64) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let middle = |side: usize| side.saturating_sub(5) / 2..(side + 5).div_ceil(2).min(side);
    let mut lines = std::collections::BTreeSet::new();
    for _ in 0..20 * count {
        let stones = random.random_range(3..=5).min(rows * columns / 4);
        let mut cells = Vec::new();
        while cells.len() < stones {
            let cell =
                Cell::at(random.random_range(middle(rows)), random.random_range(middle(columns)), columns);
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        lines.insert(cells.into_iter().map(|cell| cell_name(cell, columns)).collect::<String>());
        if lines.len() == count {
            break;
        }
    }
    lines.into_iter().collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_named_by_column_and_row() {
        assert_eq!(names("c6d6aa10b1"), ["c6", "d6", "aa10", "b1"]);
        assert_eq!(names("c6 d6"), ["c6", "d6"]);
        for (row, column, name) in
            [(0, 0, "a1"), (5, 2, "c6"), (0, 25, "z1"), (99, 26, "aa100"), (1, 99, "cv2")]
        {
            let cell = Cell::at(row, column, 100);
            assert_eq!(cell_name(cell, 100), name);
            assert_eq!(cell_of(name, 100, 100), Some(cell));
        }
        assert_eq!(names("H8I9"), ["H8", "I9"]);
        assert_eq!(cell_of("B3", 3, 3), cell_of("b3", 3, 3));
        for bad in ["", "a", "1", "a0", "é1", "d1", "a4", "aaaa1", "a99999999999999999999"] {
            assert_eq!(cell_of(bad, 3, 3), None, "{bad}");
        }
    }

    #[test]
    fn drawn_openings_are_as_many_as_asked_for_and_can_be_played() {
        let game = Connect5::new(9, 7, OpeningSet::single(""));
        assert!(game.is_timed());
        let drawn = drawn_openings(9, 7, 60, 5);
        assert_eq!(drawn.lines().count(), 60);
        for line in drawn.lines() {
            game.start(&game.opening_of(line)).unwrap();
        }
    }

    #[test]
    fn an_opening_says_its_size_and_its_moves() {
        let game = Connect5::new(8, 8, OpeningSet::single(""));
        let position = game.start("7x9 c6 i7").unwrap();
        assert_eq!((position.geometry().rows(), position.geometry().columns()), (7, 9));
        assert_eq!(position.stone(Cell::at(5, 2, 9)), Some(Color::Black));
        assert_eq!(position.stone(Cell::at(6, 8, 9)), Some(Color::White));
        assert_eq!(game.start("7x9 c6 c6").unwrap_err().to_string(), "\"c6\" is no free cell");
        assert!(game.start("0x9").is_err() && game.start("x").is_err());
    }
}
