//! Positions of ultimate tic-tac-toe set up by hand. The symbol put last is the last move, which decides who moves and
//! where.

use super::drawing;
use crate::course::{POSITION, split_position};
use crate::drawing::Marks;
use crate::editor::{Editor, Piece};
use crate::fault::excerpt;
use anyhow::{Context as _, bail, ensure};
use uttt::rules::{Cell, Integer, Side, State};

/// The nine boards.
pub struct Symbols;

fn read(position: &str) -> anyhow::Result<State> {
    Ok(split_position(position).0.unwrap_or_default().parse::<State>()?)
}

fn cells() -> impl Iterator<Item = Cell> {
    (0..Cell::COUNT).filter_map(Cell::new)
}

/// Returns a position with these symbols and this last move.
fn write(symbol: impl Fn(Cell) -> Option<Side>, last: usize) -> anyhow::Result<String> {
    let mut integer = Integer::default();
    for (cell, side) in cells().filter_map(|cell| Some((cell, symbol(cell)?))) {
        integer.put(cell, side.symbol());
    }
    Ok(format!("{POSITION}{}", State::try_from(integer.with_last(last))?))
}

impl Editor for Symbols {
    fn pieces(&self) -> &'static [Piece] {
        &[
            Piece { name: "x", french: "x", english: "x", swatch: "x" },
            Piece { name: "o", french: "o", english: "o", swatch: "o" },
            Piece { name: "last", french: "dernier coup", english: "last move", swatch: "" },
        ]
    }

    fn put(&self, position: &str, cell: &str, piece: &str) -> anyhow::Result<String> {
        let state = read(position)?;
        let named = cell.parse().ok().and_then(Cell::new);
        let cell = named.with_context(|| format!("\"{}\" is no cell", excerpt(cell)))?;
        let side = match piece {
            "x" => Some(Side::X),
            "o" => Some(Side::O),
            "" => None,
            "last" => {
                ensure!(state.at(cell).is_some(), "nothing was played there");
                return write(|of| state.at(of), cell.index());
            }
            other => bail!("no symbol is \"{}\"", excerpt(other)),
        };
        let side = side.filter(|side| state.at(cell) != Some(*side));
        let symbol = |of: Cell| if of == cell { side } else { state.at(of) };
        let last = match (side, state.last()) {
            (Some(_), _) => Some(cell),
            // The last move is gone: any other symbol takes its place.
            (None, last) => {
                last.filter(|last| *last != cell).or_else(|| cells().find(|of| symbol(*of).is_some()))
            }
        };
        write(symbol, last.map_or(0, Cell::index))
    }

    fn cleared(&self, _: &str) -> anyhow::Result<String> {
        write(|_| None, 0)
    }

    fn draw(&self, position: &str, marks: &Marks) -> anyhow::Result<String> {
        let state = read(position)?;
        let last = state.last().map(|cell| cell.to_string()).into_iter().collect();
        Ok(drawing::draw(&state, &Marks { last, ..marks.clone() }))
    }
}
