//! Othello positions set up by hand: any discs, and either side to move.

use super::{Begun, drawing};
use crate::drawing::Marks;
use crate::editor::{Editor, Piece};
use anyhow::bail;
use othello_player::rules::{Board, Position, Side, Square};

/// The board of 64 squares.
pub struct Discs;

fn read(position: &str) -> anyhow::Result<Board> {
    Ok(Begun::of(position)?.position.0)
}

fn write(black: u64, white: u64, side: Side) -> Option<String> {
    let (own, opponent) = if side == Side::Black { (black, white) } else { (white, black) };
    let board = Board { position: Position::new(own, opponent)?, side };
    Some(super::page::text(&board))
}

impl Editor for Discs {
    fn pieces(&self) -> &'static [Piece] {
        &[
            Piece { name: "black", french: "noir", english: "black", swatch: "deep" },
            Piece { name: "white", french: "blanc", english: "white", swatch: "pale" },
        ]
    }

    fn put(&self, position: &str, cell: &str, piece: &str) -> anyhow::Result<String> {
        let board = read(position)?;
        let bit = cell.parse::<Square>()?.bit();
        let side = match piece {
            "black" => Some(Side::Black),
            "white" => Some(Side::White),
            "" => None,
            other => bail!("no disc is \"{}\"", crate::fault::excerpt(other)),
        };
        let side = side.filter(|side| board.cell(bit) != Some(*side));
        let discs = |of| board.discs(of) & !bit | if side == Some(of) { bit } else { 0 };
        write(discs(Side::Black), discs(Side::White), board.side)
            .ok_or_else(|| anyhow::anyhow!("two discs on one square"))
    }

    fn cleared(&self, position: &str) -> anyhow::Result<String> {
        write(0, 0, read(position)?.side).ok_or_else(|| anyhow::anyhow!("two discs on one square"))
    }

    fn turned(&self, position: &str, seat: usize) -> Option<String> {
        let board = read(position).ok()?;
        let side = if seat == 0 { Side::Black } else { Side::White };
        write(board.discs(Side::Black), board.discs(Side::White), side)
    }

    fn draw(&self, position: &str, marks: &Marks) -> anyhow::Result<String> {
        Ok(drawing::draw(&read(position)?, marks))
    }
}
