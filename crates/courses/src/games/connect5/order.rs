//! The order in which a position's stones are sent to an engine.
//!
//! The Gomocup protocol allows any order in `BOARD`, but engines with a move history take the side to move from the
//! last stone. Rapfi plays the other colour for the rest of the game if that stone is its own.

use super::Position;
use connect5_joueur::rules::{Cell, Color};
use std::collections::HashSet;

/// Returns the stones of a position in the order of play. `known` are the moves since a board that was set up, in
/// order. The stones of that board come first, in alternating colours, so that the last one is not of the side to move.
/// Surplus stones of one colour come before all others.
pub fn of_play(position: &Position, known: &[Cell]) -> Vec<(Cell, Color)> {
    let played: Vec<_> = known.iter().filter_map(|&cell| Some((cell, position.stone(cell)?))).collect();
    let ordered: HashSet<Cell> = known.iter().copied().collect();
    let mut left = [Color::Black, Color::White].map(|color| {
        let is_left = |cell: &Cell| position.stone(*cell) == Some(color) && !ordered.contains(cell);
        position.cells().filter(is_left).collect::<Vec<_>>()
    });
    let next = played.first().map_or_else(|| position.mover(), |&(_, color)| color);
    let (mut color, mut stones) = (next.other(), Vec::new());
    while let Some(cell) = left[color.index()].pop() {
        stones.push((cell, color));
        color = color.other();
    }
    for color in [Color::Black, Color::White] {
        stones.extend(left[color.index()].drain(..).map(|cell| (cell, color)));
    }
    stones.reverse();
    stones.extend(played);
    stones
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect5_joueur::rules::Grid;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use search_core::Position as _;

    /// Returns the colours of the stones in order, one letter each.
    fn colors(stones: &[(Cell, Color)]) -> String {
        stones.iter().map(|&(_, color)| color.letter()).collect()
    }

    fn position(rows: [&str; 3]) -> Position {
        let mut grid = Grid::new(3, rows[0].len()).unwrap();
        for (row, text) in rows.iter().enumerate() {
            grid.set_row(row, text.as_bytes()).unwrap();
        }
        Position::from_grid(&grid)
    }

    #[test]
    fn moves_are_told_as_they_were_played() {
        let mut position = position(["00000", "00000", "00000"]);
        let cells = [7, 3, 12, 0, 9].map(|at| Cell::at(at / 5, at % 5, 5));
        for cell in cells {
            position.play(cell);
        }
        let told: Vec<Cell> = of_play(&position, &cells).into_iter().map(|(cell, _)| cell).collect();
        assert_eq!(told, cells);
    }

    #[test]
    fn stones_without_an_order_alternate_and_the_last_is_the_opponents() {
        for (rows, expected) in [
            (["NNBB0", "00000", "00000"], "NBNB"),
            (["NNNBB", "00000", "00000"], "NBNBN"),
            (["BBBBN", "00000", "00000"], "BBBNB"),
            (["NNNNB", "00000", "00000"], "NNNBN"),
            (["BB000", "00000", "00000"], "BB"),
        ] {
            assert_eq!(colors(&of_play(&position(rows), &[])), expected, "{rows:?}");
        }
    }

    #[test]
    fn a_board_that_was_set_up_comes_before_the_moves_from_there() {
        let mut position = position(["NNB00", "00000", "00000"]);
        let cells = [14, 10, 4].map(|at| Cell::at(at / 5, at % 5, 5));
        for cell in cells {
            position.play(cell);
        }
        let told = of_play(&position, &cells);
        assert_eq!(told.len(), 6);
        assert!(told[3..].iter().map(|&(cell, _)| cell).eq(cells));
        assert!(told.windows(2).all(|pair| pair[0].1 != pair[1].1), "{told:?}");
    }

    #[test]
    fn every_stone_is_told_once_and_the_last_is_the_opponents_however_much_is_known() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(39);
        for _ in 0..200 {
            let mut position = Position::from_grid(&Grid::new(5, 8).unwrap());
            let mut played = Vec::new();
            for _ in 0..random.random_range(0..40) {
                let cell = Cell::at(random.random_range(0..5), random.random_range(0..8), 8);
                if position.is_legal(cell) {
                    position.play(cell);
                    played.push(cell);
                }
            }
            let told = of_play(&position, &played[random.random_range(0..=played.len())..]);
            assert!(told.windows(2).all(|pair| pair[0].1 != pair[1].1), "{told:?}");
            assert!(told.last().is_none_or(|&(_, color)| color != position.mover()), "{told:?}");
            let mut told: Vec<Cell> = told.into_iter().map(|(cell, _)| cell).collect();
            told.sort();
            played.sort();
            assert_eq!(told, played);
        }
    }
}
