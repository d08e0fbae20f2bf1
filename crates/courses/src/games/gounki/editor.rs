//! Gounki positions set up by hand: men are put on stacks one by one.

use super::drawing;
use crate::course::{POSITION, split_position};
use crate::drawing::Marks;
use crate::editor::{Editor, Piece};
use crate::fault::excerpt;
use ::gounki::rules::{Army, Cell, Colour, Position, Shape, Stack};
use anyhow::{Context as _, bail, ensure};

/// The board of 64 cells.
pub struct Men;

/// An army by colour, white first, and the side to move. Both may be empty.
struct Standing {
    armies: [Army; 2],
    mover: Colour,
}

/// Reads the codes of the cells. One that is not valid is empty.
fn read(position: &str) -> anyhow::Result<Standing> {
    let text = split_position(position).0.unwrap_or_default();
    let (codes, mover) = text.split_once(':').unwrap_or((text, ""));
    ensure!(codes.len() == 128, "a configuration is 64 codes");
    let mut armies = [Army::default(); 2];
    for (cell, code) in Cell::all().zip(codes.as_bytes().chunks(2)) {
        let &[owner @ (b'B' | b'N'), digit @ b'1'..=b'9'] = code else { continue };
        let Some(stack) = Stack::from_code(digit - b'0') else { continue };
        armies[usize::from(owner != b'B')].add(cell, stack);
    }
    Ok(Standing { armies, mover: if mover == "noir" { Colour::Black } else { Colour::White } })
}

fn write(Standing { armies: [white, black], mover }: &Standing) -> String {
    let code = |cell| match [white.at(cell), black.at(cell)] {
        [stack, _] if !stack.is_empty() => format!("B{}", stack.code()),
        [_, stack] if !stack.is_empty() => format!("N{}", stack.code()),
        _ => "V0".to_owned(),
    };
    format!("{POSITION}{}:{mover}", Cell::all().map(code).collect::<String>())
}

impl Editor for Men {
    fn pieces(&self) -> &'static [Piece] {
        &[
            Piece {
                name: "white-square",
                french: "carré blanc",
                english: "white square",
                swatch: "pale square",
            },
            Piece { name: "white-round", french: "rond blanc", english: "white round", swatch: "pale" },
            Piece {
                name: "black-square",
                french: "carré noir",
                english: "black square",
                swatch: "deep square",
            },
            Piece { name: "black-round", french: "rond noir", english: "black round", swatch: "deep" },
        ]
    }

    fn put(&self, position: &str, cell: &str, piece: &str) -> anyhow::Result<String> {
        let mut standing = read(position)?;
        let named = match *cell.as_bytes() {
            [file, rank] => Cell::from_name(file, rank),
            _ => None,
        };
        let cell = named.with_context(|| format!("\"{}\" is no cell", excerpt(cell)))?;
        let (owner, squares, rounds) = match piece {
            "white-square" => (0, 1, 0),
            "white-round" => (0, 0, 1),
            "black-square" => (1, 1, 0),
            "black-round" => (1, 0, 1),
            "" => (0, 0, 0),
            other => bail!("no man is \"{}\"", excerpt(other)),
        };
        let before = standing.armies[owner].at(cell);
        standing.armies.iter_mut().for_each(|army| army.clear(cell));
        if squares + rounds > 0 {
            let count = |shape, more| before.count(shape) + more;
            let stack = Stack::new(count(Shape::Square, squares), count(Shape::Round, rounds));
            standing.armies[owner].add(cell, stack.context("a stack has at most three men")?);
        }
        Ok(write(&standing))
    }

    fn cleared(&self, position: &str) -> anyhow::Result<String> {
        Ok(write(&Standing { armies: [Army::default(); 2], ..read(position)? }))
    }

    fn turned(&self, position: &str, seat: usize) -> Option<String> {
        let mover = if seat == 0 { Colour::White } else { Colour::Black };
        Some(write(&Standing { mover, ..read(position).ok()? }))
    }

    fn draw(&self, position: &str, marks: &Marks) -> anyhow::Result<String> {
        let Standing { armies: [white, black], mover } = read(position)?;
        Ok(drawing::draw(&Position::new(white, black, mover), marks))
    }
}
