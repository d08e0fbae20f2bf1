//! Gomoku as SGF, game 4 (<https://www.red-bean.com/sgf/>). A point is its column and row from `aa`, with letters `a`
//! to `z`, then `A` to `Z`.

mod annotations;
mod variations;

use self::annotations::Annotations;
use super::{begin, cell_of, names};
use crate::fault::excerpt;
use crate::notation::tree::{Tree, archive};
use crate::notation::{Notation, ReadError, Written, note as note_on, result, root_comment, thought};
use crate::note::{self, Notes};
use crate::player::clean_name;
use crate::record::{About, Record};
use connect5_joueur::rules::{Cell, Color, Grid, GridError, Position};
use std::borrow::Cow;
use std::fmt::Write as _;
use wire::properties::{Part, Reader, SyntaxError, escape};

/// Maximum number of rows and columns that points of two letters can name.
pub const MAX_SIDE: usize = 52;

/// The Smart Game Format, for games of gomoku.
pub struct Sgf;

impl Notation for Sgf {
    fn is_of(&self, text: &str) -> bool {
        Tree::of(text) == Some(Tree::Numbered)
    }

    fn read(&self, text: &str, most: usize) -> Result<Vec<Written>, ReadError> {
        let mut games = archive(text, most, read, |error| match error {
            SgfError::Syntax(error) => Some(error.line()),
            _ => None,
        })?;
        variations::add(text, &mut games);
        Ok(games)
    }

    fn write(&self, record: &Record) -> Option<String> {
        can_write(record).then(|| write(record))
    }

    fn extension(&self) -> Option<&'static str> {
        Some("sgf")
    }
}

/// An error in an SGF game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SgfError {
    /// A bracket or a parenthesis is wrong.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The file is of another game.
    #[error("GM[{0}] is not gomoku, GM[4]")]
    Game(String),
    /// The size is not valid.
    #[error("SZ[{0}] is no size: SZ[15], or columns and rows, SZ[20:15]")]
    Size(String),
    /// No grid has this size.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A colour is not valid.
    #[error("PL[{0}] is no colour: B or W expected")]
    Color(String),
    /// A point is not valid.
    #[error("{0}: \"{1}\" is no point: two letters expected, the column and the row")]
    Point(Stone, String),
    /// A point is outside the grid.
    #[error("{0}: \"{1}\" lies outside the {2} x {3} grid")]
    Outside(Stone, String, usize, usize),
    /// A cell is taken.
    #[error("{0}: {1} is taken")]
    Taken(Stone, String),
    /// The side to move does not fit the position.
    #[error("PL: the colour with fewer stones moves, black where both have as many")]
    Mover,
}

/// The stone with the error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stone {
    /// A stone that is set up.
    Setup,
    /// The move of this number, from 1.
    Move(usize),
}

impl std::fmt::Display for Stone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Setup => f.write_str("a stone that is set up"),
            Self::Move(number) => write!(f, "move {number}"),
        }
    }
}

/// Writes a record as SGF. The stones of an opening that is a position are set up.
#[must_use]
pub fn write(record: &Record) -> String {
    let (size, line) = record.opening.split_once(' ').unwrap_or((&record.opening, ""));
    let (rows, columns) = size.split_once('x').unwrap_or(("0", "0"));
    let size = if rows == columns { rows.to_owned() } else { format!("{columns}:{rows}") };
    let winner = match result(record) {
        "1-0" => "B+",
        "0-1" => "W+",
        // The game goes on, as far as its rules say: its file may know more.
        "*" => Some(record.played.about.result.as_str()).filter(|text| points(text).is_some()).unwrap_or("?"),
        _ => "0",
    };
    let date = match record.played.about.date.as_str() {
        "" => String::new(),
        date => format!("DT[{}]", escape(date)),
    };
    let comment = match root_comment(record) {
        "" => String::new(),
        comment => format!("C[{}]", escape(comment)),
    };
    let name =
        |seat: usize| escape(&record.names.get(seat).map_or_else(String::new, |name| clean_name(name)));
    let mut text = format!(
        "(;GM[4]FF[4]CA[UTF-8]SZ[{size}]RU[exactly five]PB[{}]PW[{}]{date}RE[{}]{comment}",
        name(0),
        name(1),
        escape(winner)
    );
    let begun = begin(&record.opening).ok();
    text += &begun.as_ref().map(|(position, _)| set_up(position)).unwrap_or_default();
    let mover = begun.as_ref().map_or(Color::Black, |(position, _)| position.mover());
    let spaced = names(begun.map_or(line, |(_, line)| line));
    let before = spaced.len();
    let node = |nth: usize, name: &str| {
        let color = if nth.is_multiple_of(2) { mover } else { mover.other() };
        // A record's word may be no cell.
        let point = cell_of(name, MAX_SIDE, MAX_SIDE).map_or("??".to_owned(), |cell| point(cell, MAX_SIDE));
        (color, format!(";{}[{point}]", initial(color)))
    };
    for (nth, name) in spaced.iter().enumerate() {
        text += &node(nth, name).1;
    }
    let own = |nth: usize, color: Color| {
        let thought = thought(record, nth);
        // A node's value is for black.
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let value = thought.and_then(|thought| thought.score).map(|score| format!("V[{}]", sign * score));
        value.unwrap_or_default() + &annotations::written(&note_on(record, nth), thought)
    };
    text += &variations::written(&record.played, |nth, name, notes| {
        let (color, mut text) = node(before + nth, name);
        text += &match notes {
            None => own(nth, color),
            Some(notes) => annotations::written(&note::of(notes, nth).cloned().unwrap_or_default(), None),
        };
        text
    });
    text + ")\n"
}

/// Returns true if SGF can name every cell of a record's grid.
#[must_use]
pub fn can_write(record: &Record) -> bool {
    begin(&record.opening)
        .is_ok_and(|(position, _)| position.geometry().rows().max(position.geometry().columns()) <= MAX_SIDE)
}

/// Returns a colour's letter in SGF.
fn initial(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

/// Returns the stones and the side to move of a position, empty for an empty grid.
fn set_up(position: &Position) -> String {
    let columns = position.geometry().columns();
    let stones = |color: Color| -> String {
        let of = position.cells().filter(|&cell| position.stone(cell) == Some(color));
        of.map(|cell| format!("[{}]", point(cell, columns))).collect()
    };
    let properties = Color::ALL.map(|color| match stones(color) {
        points if points.is_empty() => points,
        points => format!("A{}{points}", initial(color)),
    });
    match properties.concat() {
        text if text.is_empty() => text,
        text => format!("{text}PL[{}]", initial(position.mover())),
    }
}

/// Returns a cell's column and row in SGF, which supports no larger boards.
fn point(cell: Cell, columns: usize) -> String {
    let letter = |from_zero: usize| match from_zero {
        0..26 => char::from(b'a' + from_zero as u8),
        26..MAX_SIDE => char::from(b'A' + (from_zero - 26) as u8),
        _ => '?',
    };
    let at = cell.coordinates(columns);
    [at.column, at.row].map(letter).iter().collect()
}

/// A change of the board, in the order of the main line.
enum Event<'a> {
    /// A stone played by a colour, with the point as text.
    Move(Color, Cow<'a, str>),
    /// Points set up with stones of a colour, or emptied.
    Setup(Option<Color>, Cow<'a, str>),
    /// The next side to move.
    Mover(Color),
}

/// Reads the main line of the next game. Returns `None` after the last.
///
/// Moves of a game alternate, and the colour with fewer stones begins. Stones in another order become part of the
/// position from which the game begins, with their colours. Passes are ignored.
///
/// # Errors
/// The first error.
pub fn read(reader: &mut Reader<'_>) -> Result<Option<Written>, SgfError> {
    let names = vec!["?".to_owned(); 2];
    let mut game = Written { course: "connect5".to_owned(), names, ..Written::default() };
    let (mut date, mut result) = (String::new(), String::new());
    let mut size = Cow::Borrowed("15");
    let mut events = Vec::new();
    let (mut notes, mut annotations, mut nodes, mut number) = (Notes::new(), Annotations::default(), 0, 0);
    loop {
        let Some(part) = reader.next_part()? else { return Ok(None) };
        let (name, value) = match part {
            Part::Property(name, value) => (short(name), value),
            Part::Begin => continue,
            Part::Node | Part::End => {
                annotations.end(&mut notes, &mut game, nodes == 1);
                nodes += 1;
                if part == Part::End {
                    break;
                }
                continue;
            }
        };
        if annotations.take(&name, &value) {
            continue;
        }
        if matches!(&*name, "B" | "W") {
            number += 1;
            annotations.number = Some(number);
        }
        match &*name {
            "GM" if value.trim() != "4" => return Err(SgfError::Game(excerpt(&value))),
            "SZ" => size = value,
            "PB" => game.names[0] = clean_name(&value),
            "PW" => game.names[1] = clean_name(&value),
            "DT" => date = value.into_owned(),
            "RE" => {
                game.points = points(value.trim());
                result = value.into_owned();
            }
            "B" => events.push(Event::Move(Color::Black, value)),
            "W" => events.push(Event::Move(Color::White, value)),
            "AB" => events.push(Event::Setup(Some(Color::Black), value)),
            "AW" => events.push(Event::Setup(Some(Color::White), value)),
            "AE" => events.push(Event::Setup(None, value)),
            "PL" if value.trim().is_empty() => {}
            "PL" => events.push(Event::Mover(match value.trim() {
                "B" | "b" | "1" | "black" => Color::Black,
                "W" | "w" | "2" | "white" => Color::White,
                text => return Err(SgfError::Color(excerpt(text))),
            })),
            _ => {}
        }
    }
    let sides = size.trim();
    let (columns, rows) = sides.split_once(':').unwrap_or((sides, sides));
    let side = |text: &str| text.trim().parse::<usize>().map_err(|_| SgfError::Size(excerpt(sides)));
    let (columns, rows) = (side(columns)?, side(rows)?);
    let grid = Grid::new(rows, columns)?;
    let mut board = Board { grid, counts: [0; 2], mover: Color::Black, line: Vec::new() };
    board.replay(&events)?;
    let numbers: Vec<usize> = board.line.iter().map(|(_, number)| *number).collect();
    let index = |number: usize| numbers.iter().position(|of| *of == number);
    game.notes = notes.into_iter().filter_map(|(number, note)| Some((index(number)?, note))).collect();
    (game.opening, game.moves) = board.written();
    game.about = About::new(&date, &result, &game.comment);
    Ok(Some(game))
}

/// Returns a property's name in capitals. Old files spell names out, `SiZe` and `PlayerBlack`, and some have no
/// capitals.
fn short(name: &str) -> String {
    let capitals: String = name.chars().filter(|c| !c.is_ascii_lowercase()).collect();
    if capitals.is_empty() { name.to_ascii_uppercase() } else { capitals }
}

/// Parses the points by seat of a result: `B+`, `W+Resign`, `0`, `Draw`.
fn points(text: &str) -> Option<[f64; 2]> {
    match text.get(..2).unwrap_or(text) {
        "B+" | "b+" => Some([1.0, 0.0]),
        "W+" | "w+" => Some([0.0, 1.0]),
        "0" | "Dr" | "dr" => Some([0.5; 2]),
        _ => None,
    }
}

/// The state of a main line.
struct Board {
    /// All stones.
    grid: Grid,
    /// Number of stones by colour.
    counts: [usize; 2],
    /// The next side to move.
    mover: Color,
    /// The last stones, in alternating colours, each with the number of its move. The others are set up.
    line: Vec<(Cell, usize)>,
}

impl Board {
    fn replay(&mut self, events: &[Event<'_>]) -> Result<(), SgfError> {
        let (mut number, mut wanted) = (0, None);
        for event in events {
            match event {
                Event::Move(color, text) => {
                    number += 1;
                    let stone = Stone::Move(number);
                    let is_outside = self.grid.rows().max(self.grid.columns()) <= 19;
                    if text.trim().is_empty() || is_outside && text.trim() == "tt" {
                        continue;
                    }
                    let cell = self.cell(stone, text)?;
                    if self.grid.stone(cell).is_some() {
                        return Err(SgfError::Taken(stone, cell.name(self.grid.columns())));
                    }
                    self.set(cell, Some(*color));
                    if *color == self.mover {
                        self.line.push((cell, number));
                        self.mover = color.other();
                    } else {
                        self.set_up();
                    }
                    wanted = None;
                }
                Event::Setup(color, text) => {
                    let (first, last) = text.split_once(':').unwrap_or((text, text));
                    let [first, last] = [self.cell(Stone::Setup, first)?, self.cell(Stone::Setup, last)?]
                        .map(|cell| cell.coordinates(self.grid.columns()));
                    for row in first.row.min(last.row)..=first.row.max(last.row) {
                        for column in first.column.min(last.column)..=first.column.max(last.column) {
                            self.set(Cell::at(row, column, self.grid.columns()), *color);
                        }
                    }
                    self.set_up();
                }
                Event::Mover(color) => wanted = Some(*color),
            }
        }
        if wanted.is_some_and(|wanted| wanted != self.mover) { Err(SgfError::Mover) } else { Ok(()) }
    }

    /// Turns all stones into the position from which the game begins. Their numbers give the side to move.
    fn set_up(&mut self) {
        self.line.clear();
        let [black, white] = self.counts;
        self.mover = if black > white { Color::White } else { Color::Black };
    }

    fn set(&mut self, cell: Cell, stone: Option<Color>) {
        if let Some(before) = self.grid.stone(cell) {
            self.counts[before.index()] -= 1;
        }
        if let Some(color) = stone {
            self.counts[color.index()] += 1;
        }
        self.grid.set(cell, stone);
    }

    fn cell(&self, stone: Stone, text: &str) -> Result<Cell, SgfError> {
        let number = |letter: u8| match letter {
            b'a'..=b'z' => Some(usize::from(letter - b'a')),
            b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
            _ => None,
        };
        let point = match text.trim().as_bytes() {
            &[column, row] => number(column).zip(number(row)),
            _ => None,
        };
        let (column, row) = point.ok_or_else(|| SgfError::Point(stone, excerpt(text)))?;
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        if column >= columns || row >= rows {
            return Err(SgfError::Outside(stone, excerpt(text), rows, columns));
        }
        Ok(Cell::at(row, column, columns))
    }

    /// Returns the opening and the moves in the notation of records.
    fn written(mut self) -> (String, Vec<String>) {
        let columns = self.grid.columns();
        let moves = self.line.iter().map(|(cell, _)| cell.name(columns)).collect();
        for (cell, _) in std::mem::take(&mut self.line) {
            self.set(cell, None);
        }
        let mut opening = format!("{}x{columns}", self.grid.rows());
        if self.counts != [0, 0] {
            let _ = write!(opening, " @{}", self.grid.to_string().lines().collect::<Vec<_>>().join("/"));
        }
        (opening, moves)
    }
}

#[cfg(test)]
mod tests;
