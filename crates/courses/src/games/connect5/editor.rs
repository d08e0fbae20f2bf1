//! Connect5 positions set up by hand. The colour with fewer stones moves, black where both have as many.

use super::{begin, cell_of, drawing, page};
use crate::drawing::Marks;
use crate::editor::{Editor, Piece};
use crate::fault::excerpt;
use anyhow::{Context as _, bail};
use connect5_joueur::rules::{Color, Grid, Position};

/// The grid, of any size.
pub struct Stones;

impl Editor for Stones {
    fn pieces(&self) -> &'static [Piece] {
        &[
            Piece { name: "black", french: "noir", english: "black", swatch: "deep" },
            Piece { name: "white", french: "blanc", english: "white", swatch: "pale" },
        ]
    }

    fn put(&self, position: &str, cell: &str, piece: &str) -> anyhow::Result<String> {
        let mut grid = begin(position)?.0.to_grid();
        let cell = cell_of(cell, grid.rows(), grid.columns())
            .with_context(|| format!("\"{}\" is no cell", excerpt(cell)))?;
        let color = match piece {
            "black" => Some(Color::Black),
            "white" => Some(Color::White),
            "" => None,
            other => bail!("no stone is \"{}\"", excerpt(other)),
        };
        let color = color.filter(|color| grid.stone(cell) != Some(*color));
        grid.set(cell, color);
        Ok(page::text(&Position::from_grid(&grid)))
    }

    fn cleared(&self, position: &str) -> anyhow::Result<String> {
        let (position, _) = begin(position)?;
        let geometry = position.geometry();
        let grid = Grid::new(geometry.rows(), geometry.columns())?;
        Ok(page::text(&Position::from_grid(&grid)))
    }

    fn draw(&self, position: &str, marks: &Marks) -> anyhow::Result<String> {
        Ok(drawing::draw(&begin(position)?.0, marks))
    }
}
