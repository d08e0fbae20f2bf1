//! Connect5 positions set up by hand. The colour with fewer stones moves, black where both have as many.

use super::assignment::check_side;
use super::{begin, cell_of, drawing, page};
use crate::drawing::Marks;
use crate::editor::{Editor, Piece};
use crate::fault::excerpt;
use anyhow::{Context as _, bail};
use connect5_joueur::rules::{Color, Grid, Position};

/// The grid, of any size that fits the page.
pub struct Stones;

fn begun(position: &str) -> anyhow::Result<Position> {
    let (position, _) = begin(position)?;
    check_side(position.geometry().rows(), position.geometry().columns())?;
    Ok(position)
}

impl Editor for Stones {
    fn pieces(&self) -> &'static [Piece] {
        &[
            Piece { name: "black", french: "noir", english: "black", swatch: "deep" },
            Piece { name: "white", french: "blanc", english: "white", swatch: "pale" },
        ]
    }

    fn put(&self, position: &str, cell: &str, piece: &str) -> anyhow::Result<String> {
        let mut grid = begun(position)?.to_grid();
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
        let position = begun(position)?;
        let geometry = position.geometry();
        let grid = Grid::new(geometry.rows(), geometry.columns())?;
        Ok(page::text(&Position::from_grid(&grid)))
    }

    fn draw(&self, position: &str, marks: &Marks) -> anyhow::Result<String> {
        Ok(drawing::draw(&begun(position)?, marks))
    }
}

#[cfg(test)]
mod tests {
    use super::super::assignment::Gomoku;
    use super::*;
    use crate::assignment::Assignment as _;
    use crate::options::GameOptions;

    #[test]
    fn a_grid_that_no_page_or_no_game_can_hold_is_refused() {
        assert!(Stones.draw("50x50", &Marks::default()).is_ok());
        let refused = "a grid has at most 50x50 cells here";
        for position in ["51x9", "9x1023"] {
            let drawn = Stones.draw(position, &Marks::default());
            for error in [drawn, Stones.cleared(position), Stones.put(position, "a1", "black")] {
                assert_eq!(error.unwrap_err().to_string(), refused);
            }
        }
        let options = GameOptions { size: Some("99999x99999".into()), ..GameOptions::default() };
        let error = Gomoku.course(&options, 2).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("99999 x 99999 is not between 1 x 1 and")));
    }
}
