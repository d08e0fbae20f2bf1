//! Connect5: a win within five or seven plies against every defence, by one first move alone. Easy: a win within three,
//! or the only cell that stops a five.
//!
//! The proof is a search over the player's patterns: fours with their single replies, and quiet moves with every reply.
//! The audit, in `plain`, only counts stones in lines of five cells, and tries every cell.

mod plain;
mod threats;

use crate::puzzles::{Goal, Level, Proven, Solved, Source};
use anyhow::{Context, Result};
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::rules::{Cell, Grid, Position};
use plain::Plain;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Position as _, Stopwatch};
use std::ops::Range;
use threats::Threats;

/// The lengths of a win in the winner's own moves.
const MOVES: [u32; 2] = [3, 4];
/// The lengths of an easy win.
const EASY: [u32; 2] = [1, 2];
/// The last plies of a game, up to the proof of a win, that are looked at.
const LAST: usize = 8;
/// The last plies of a whole game that may be easy puzzles.
const LAST_EASY: usize = 14;
/// The sides of the grids.
const SIDES: Range<usize> = 9..13;
/// Random stones at the start of a game.
const OPENING: Range<usize> = 1..7;
/// Nodes a move of self-play.
const NODES: u64 = 200;
/// The longest game in plies.
const LONGEST: usize = 90;

/// Connect5's puzzles.
#[derive(Debug)]
pub(crate) struct Connect5;

impl Source for Connect5 {
    type Position = Position;

    const HARDEST: u32 = 14;
    const EASY_GOALS: usize = 3;

    /// Plays until one side is proven to win, and returns its last positions. Easy: to the end, both sides' positions.
    fn game(&mut self, seed: u64, level: Level) -> Vec<(usize, Position)> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (rows, columns) = (random.random_range(SIDES), random.random_range(SIDES));
        let mut position = Position::from_grid(&Grid::new(rows, columns).expect("a size of ours"));
        let mut player = Player::new(Settings { table_bytes: 1 << 20, ..Settings::default() });
        let opening = random.random_range(OPENING);
        let mut found = Vec::new();
        while position.outcome().is_none() && found.len() < LONGEST {
            found.push((found.len(), position.clone()));
            if found.len() <= opening {
                let near =
                    |random: &mut Xoshiro256PlusPlus, side: usize| side / 2 + random.random_range(0..5) - 2;
                let cell = Cell::at(near(&mut random, rows), near(&mut random, columns), columns);
                if position.is_legal(cell) {
                    position.play(cell);
                    continue;
                }
            }
            let limits = Limits::nodes(random.random_range(NODES / 2..=NODES * 3 / 2));
            let report = player.think(&position, limits, &Stopwatch::start());
            if level == Level::Usual && report.proven && report.score.is_win() {
                let winner = position.mover();
                let from = found.len().saturating_sub(LAST);
                return found
                    .split_off(from)
                    .into_iter()
                    .filter(|(_, past)| past.mover() == winner)
                    .collect();
            }
            position.play(report.best.expect("the game goes on"));
        }
        if level == Level::Usual || position.outcome().is_none() {
            return Vec::new();
        }
        found.split_off(found.len().saturating_sub(LAST_EASY))
    }

    fn prove(&mut self, position: &Position, level: Level) -> Option<Proven> {
        let mut threats = Threats::new(position);
        // A five or an open four at once is easy.
        if position.outcome().is_some() || level == Level::Usual && threats.wins(2)?.is_some() {
            return None;
        }
        let columns = position.geometry().columns();
        for moves in if level == Level::Easy { EASY } else { MOVES } {
            let mut winning = Vec::new();
            for cell in position.move_list() {
                if let Some(line) = threats.wins_by(cell, moves)? {
                    winning.push(line);
                }
                if winning.len() > 1 {
                    return None;
                }
            }
            if let Some(line) = winning.pop() {
                let line = line.into_iter().map(|cell| cell.name(columns)).collect();
                return Some(Proven { goal: Goal::WinWithin(2 * moves - 1), line });
            }
        }
        let fives = threats.fives_against();
        let &[five] = fives.as_slice() else { return None };
        (level == Level::Easy).then(|| Proven { goal: Goal::Hold, line: vec![five.name(columns)] })
    }

    fn signature(&self, position: &Position) -> String {
        let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
        let image = |image: u32| {
            let is_turned = image & 4 != 0;
            let (height, width) = if is_turned { (columns, rows) } else { (rows, columns) };
            let mut text = format!("{height}x{width} ");
            for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
                let (mut row, mut column) = if is_turned { (column, row) } else { (row, column) };
                if image & 1 != 0 {
                    row = rows - 1 - row;
                }
                if image & 2 != 0 {
                    column = columns - 1 - column;
                }
                let stone = position.stone(Cell::at(row, column, columns));
                text.push(stone.map_or('-', |color| if color == position.mover() { 'm' } else { 'o' }));
            }
            text
        };
        (0..8).map(image).min().unwrap_or_default()
    }

    fn answer(&mut self, position: &Position, nodes: u64) -> (Option<String>, u64) {
        let report =
            Player::new(Settings::default()).think(position, Limits::nodes(nodes), &Stopwatch::start());
        (report.best.map(|cell| cell.name(position.geometry().columns())), report.nodes)
    }

    fn write(&self, position: &Position) -> String {
        let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
        let grid = position.to_grid().to_string();
        format!("{rows}x{columns} @{}", grid.lines().collect::<Vec<_>>().join("/"))
    }

    fn read(&self, text: &str) -> Result<Position> {
        let (_, rows) = text.split_once('@').context("no \"@\" before the rows")?;
        Ok(Position::from_grid(&rows.replace('/', "\n").parse::<Grid>()?))
    }

    fn solve(&mut self, position: &Position, goal: Goal) -> Solved {
        let columns = position.geometry().columns();
        let mut plain = Plain::new(position);
        let (reaching, is_surpassed) = match goal {
            Goal::WinWithin(plies) => {
                let moves = plies.div_ceil(2);
                let is_surpassed = moves > 1 && !plain.winning(moves - 1).is_empty();
                (plain.winning(moves), is_surpassed)
            }
            Goal::Hold => (plain.holding(), !plain.winning(1).is_empty()),
            _ => (Vec::new(), false),
        };
        Solved { moves: reaching.into_iter().map(|cell| cell.name(columns)).collect(), is_surpassed }
    }
}

/// Returns the free cells.
fn free(position: &Position) -> impl Iterator<Item = Cell> {
    position.cells().filter(|&cell| position.is_free(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use connect5_joueur::rules::Color;

    /// A grid of 9×9 with black's and white's stones, and the side to move from their number.
    fn grid(black: &[(usize, usize)], white: &[(usize, usize)]) -> Position {
        let mut grid = Grid::new(9, 9).unwrap();
        for (stones, color) in [(black, Color::Black), (white, Color::White)] {
            for &(row, column) in stones {
                grid.set(Cell::at(row, column, 9), Some(color));
            }
        }
        Position::from_grid(&grid)
    }

    #[test]
    fn both_solvers_find_the_four_that_makes_two() {
        // A row of three and a column of three, each closed on one side: they cross at the top left corner of both.
        let position = grid(
            &[(4, 5), (4, 6), (4, 7), (5, 4), (6, 4), (7, 4)],
            &[(4, 8), (8, 4), (0, 0), (0, 3), (1, 8), (3, 0)],
        );
        let mut plain = Plain::new(&position);
        let mut threats = Threats::new(&position);
        let cross = Cell::at(4, 4, 9);
        assert!(threats.wins_by(cross, 2).unwrap().is_some());
        assert_eq!(plain.winning(2), [cross]);
        assert!(plain.winning(1).is_empty());
        assert_eq!(Connect5.prove(&position, Level::Usual), None, "it is easy");
        let easy = Connect5.prove(&position, Level::Easy).unwrap();
        assert_eq!((easy.goal, easy.line[0].as_str()), (Goal::WinWithin(3), "e5"));
    }

    #[test]
    fn a_four_is_stopped_by_one_cell_unless_the_mover_wins_first() {
        let white = [(8, 0), (8, 8), (0, 8), (6, 6)];
        let stopped = |position: &Position| {
            let proven = Connect5.prove(position, Level::Easy).unwrap();
            let Solved { moves, is_surpassed } = Connect5.solve(position, proven.goal);
            assert_eq!((moves.as_slice(), is_surpassed), (&proven.line[..1], false));
            proven
        };
        // Black's four ends at the edge.
        let position = grid(&[(2, 0), (2, 1), (2, 2), (2, 3), (7, 7)], &white);
        assert_eq!(stopped(&position), Proven { goal: Goal::Hold, line: vec!["e3".into()] });
        let position = grid(&[(2, 0), (2, 1), (2, 2), (2, 3), (7, 7)], &[(8, 0), (8, 1), (8, 2), (8, 3)]);
        assert_eq!(stopped(&position).goal, Goal::WinWithin(1));
        assert!(Connect5.solve(&position, Goal::Hold).is_surpassed);
    }

    #[test]
    fn turned_and_mirrored_grids_have_one_signature() {
        let signature = |at| Connect5.signature(&grid(&[at], &[]));
        assert_eq!(signature((1, 2)), signature((6, 7)));
        assert_ne!(signature((1, 2)), signature((1, 3)));
        let position = grid(&[(1, 2)], &[]);
        assert_eq!(Connect5.read(&Connect5.write(&position)).unwrap(), position);
    }
}
