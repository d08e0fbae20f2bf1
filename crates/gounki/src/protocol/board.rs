//! The board as text, with coordinates on all four sides.

use crate::rules::{Cell, Colour, Move, Position, Shape};
use std::fmt::Write;

/// The style of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Style {
    /// Letters, on any terminal: `C` and `R` for White's squares and rounds, `c` and `r` for Black's.
    #[default]
    Ascii,
    /// Shapes, where the terminal knows them.
    Unicode {
        /// Dark cells and the last move on a coloured ground.
        colour: bool,
    },
}

impl Style {
    /// The style of standard output: shapes where it is a terminal whose locale is UTF-8, colours unless `NO_COLOR` is
    /// set, letters anywhere else.
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

/// The letters of the files, above and below the board.
const FILES: &str = "       a     b     c     d     e     f     g     h\n";

/// A line of the frame: above rank 8, between two ranks, below rank 1.
fn rules(style: Style) -> [String; 3] {
    let line = |[left, between, right, along]: [&str; 4]| {
        format!("    {left}{}{right}\n", [along.repeat(5).as_str(); 8].join(between))
    };
    match style {
        Style::Ascii => [["+", "+", "+", "-"]; 3].map(line),
        Style::Unicode { .. } => [["┌", "┬", "┐", "─"], ["├", "┼", "┤", "─"], ["└", "┴", "┘", "─"]].map(line),
    }
}

/// Draws the board, rank 8 on top; the cells that `last` touched are marked. 19 lines.
#[must_use]
pub fn draw(position: &Position, last: Option<Move>, style: Style) -> String {
    let [above, between, below] = rules(style);
    let ranks = ranks(position, last, style).join(&between);
    format!("{FILES}{above}{ranks}{below}{FILES}")
}

/// The board without lines between its ranks, where there is not enough room for them. 10 lines.
#[must_use]
pub fn draw_low(position: &Position, last: Option<Move>, style: Style) -> String {
    format!("{FILES}{}{FILES}", ranks(position, last, style).concat())
}

/// The ranks, the eighth first, a line each.
fn ranks(position: &Position, last: Option<Move>, style: Style) -> Vec<String> {
    let marked = last.map_or(0, touched);
    let bar = if style == Style::Ascii { '|' } else { '│' };
    let rank = |rank: usize| {
        let number = rank + 1;
        let mut text = format!("  {number} ");
        for file in 0..8 {
            // In range: both are below 8.
            let cell = Cell::new(8 * rank + file).expect("a cell of the board");
            text.push(bar);
            push_cell(&mut text, position, cell, marked & cell.bit() != 0, style);
        }
        let _ = writeln!(text, "{bar} {number}");
        text
    };
    (0..8).rev().map(rank).collect()
}

/// Five columns: what stands there in the middle, the mark around it.
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

/// The cells that a move starts from and ends on, on the board's own cells.
fn touched(mv: Move) -> u64 {
    use crate::rules::Notation;
    match mv.notation() {
        Notation::Step { from, to } => from.bit() | to.bit(),
        Notation::Exit { from } => from.bit(),
        Notation::Deploy { from, cells, .. } => cells.iter().fold(from.bit(), |set, cell| set | cell.bit()),
    }
}
