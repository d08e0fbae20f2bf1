//! The board as text, with coordinates on all four sides.

use crate::rules::{Cell, Colour, Move, Position, Shape};
use std::fmt::Write;

/// The style of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// ASCII letters: `C` and `R` for White's squares and rounds, `c` and `r` for Black's.
    #[default]
    Ascii,
    /// Unicode shapes.
    Unicode {
        /// True to colour dark cells and the last move.
        colour: bool,
    },
}

impl Style {
    /// The style for standard output: shapes on a terminal with a UTF-8 locale, in colour unless `NO_COLOR` is set;
    /// letters otherwise.
    #[must_use]
    pub fn of_terminal() -> Self {
        use std::env::var;
        use std::io::IsTerminal;
        let locale =
            ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| var(name).ok().filter(|v| !v.is_empty()));
        let utf8 = locale.is_some_and(|name| {
            let name = name.to_ascii_uppercase();
            name.contains("UTF-8") || name.contains("UTF8")
        });
        let dumb = var("TERM").map_or(true, |term| term.is_empty() || term == "dumb");
        if utf8 && !dumb && std::io::stdout().is_terminal() {
            Self::Unicode { colour: var("NO_COLOR").map_or(true, |value| value.is_empty()) }
        } else {
            Self::Ascii
        }
    }
}

/// The file letters above and below the board.
const FILES: &str = "       a     b     c     d     e     f     g     h\n";

/// The frame's horizontal lines: above rank 8, between ranks, and below rank 1.
fn rules(style: Style) -> [String; 3] {
    let line = |[left, between, right, along]: [&str; 4]| {
        format!("    {left}{}{right}\n", [along.repeat(5).as_str(); 8].join(between))
    };
    match style {
        Style::Ascii => [["+", "+", "+", "-"]; 3].map(line),
        Style::Unicode { .. } => [["┌", "┬", "┐", "─"], ["├", "┼", "┤", "─"], ["└", "┴", "┘", "─"]].map(line),
    }
}

/// Draws the board in 19 lines, rank 8 on top. The cells of the move `last` are marked.
#[must_use]
pub fn draw(position: &Position, last: Option<Move>, style: Style) -> String {
    let [above, between, below] = rules(style);
    let ranks = ranks(position, last, style).join(&between);
    format!("{FILES}{above}{ranks}{below}{FILES}")
}

/// Draws the board in 10 lines, without rules between ranks, for small screens.
#[must_use]
pub fn draw_low(position: &Position, last: Option<Move>, style: Style) -> String {
    format!("{FILES}{}{FILES}", ranks(position, last, style).concat())
}

/// The eight ranks, one line each, rank 8 first.
fn ranks(position: &Position, last: Option<Move>, style: Style) -> Vec<String> {
    let marked = last.map_or(0, touched);
    let bar = if style == Style::Ascii { '|' } else { '│' };
    let rank = |rank: usize| {
        let number = rank + 1;
        let mut text = format!("  {number} ");
        for file in 0..8 {
            // In range, as both numbers are below 8.
            let cell = Cell::new(8 * rank + file).expect("a cell of the board");
            text.push(bar);
            push_cell(&mut text, position, cell, marked & cell.bit() != 0, style);
        }
        let _ = writeln!(text, "{bar} {number}");
        text
    };
    (0..8).rev().map(rank).collect()
}

/// Appends a cell of five columns: the stack in the middle, the mark around it.
fn push_cell(text: &mut String, position: &Position, cell: Cell, marked: bool, style: Style) {
    let (open, close) = if marked { ('[', ']') } else { (' ', ' ') };
    let mut inside = String::with_capacity(9);
    match position.at(cell) {
        Some((colour, stack)) => {
            for shape in [Shape::Square, Shape::Round] {
                for _ in 0..stack.count(shape) {
                    inside.push(man(colour, shape, style));
                }
            }
            inside = format!("{inside:^3}");
        }
        None if cell.is_dark() => inside.push_str(if style == Style::Ascii { " . " } else { " · " }),
        None => inside.push_str("   "),
    }
    match style {
        Style::Unicode { colour: true } => {
            let ground = match (marked, cell.is_dark()) {
                (true, _) => "\x1b[48;5;58m",
                (false, true) => "\x1b[48;5;236m",
                (false, false) => "",
            };
            let ink = match position.at(cell) {
                Some((Colour::White, _)) => "\x1b[1;97m",
                Some((Colour::Black, _)) => "\x1b[1;38;5;209m",
                None => "\x1b[90m",
            };
            let _ = write!(text, "{ground}{ink}{open}{inside}{close}\x1b[0m");
        }
        _ => {
            let _ = write!(text, "{open}{inside}{close}");
        }
    }
}

fn man(colour: Colour, shape: Shape, style: Style) -> char {
    match (style, colour, shape) {
        (Style::Ascii, Colour::White, Shape::Square) => 'C',
        (Style::Ascii, Colour::White, Shape::Round) => 'R',
        (Style::Ascii, Colour::Black, Shape::Square) => 'c',
        (Style::Ascii, Colour::Black, Shape::Round) => 'r',
        (Style::Unicode { .. }, Colour::White, Shape::Square) => '□',
        (Style::Unicode { .. }, Colour::White, Shape::Round) => '○',
        (Style::Unicode { .. }, Colour::Black, Shape::Square) => '■',
        (Style::Unicode { .. }, Colour::Black, Shape::Round) => '●',
    }
}

/// The set of cells where a move starts and ends, as seen by White.
fn touched(mv: Move) -> u64 {
    use crate::rules::Notation;
    match mv.notation() {
        Notation::Step { from, to } => from.bit() | to.bit(),
        Notation::Exit { from } => from.bit(),
        Notation::Deploy { from, cells, .. } => cells.iter().fold(from.bit(), |set, cell| set | cell.bit()),
    }
}
