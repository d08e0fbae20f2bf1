//! Tests whether an engine understands `BOARD` as the referee means it.
//!
//! Both sides have a four. The engine is asked twice, with the opponent's stone last and with its own last, and should
//! complete its own five both times. Each question has its own process, so that the engine in the game is not affected.

use super::piskvork::{self, Piskvork, UNLIMITED};
use super::{Begun, Position, order};
use crate::course::GameSetup;
use crate::duel::Driver as _;
use crate::fault::{Trouble, excerpt};
use crate::peer::Command;
use connect5_joueur::rules::{Cell, Color, Grid};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// The engines of a match that were tested, by command, with the remark on each.
#[derive(Debug, Clone, Default)]
pub(super) struct Understanding(Arc<Mutex<BTreeMap<String, Option<String>>>>);

impl Understanding {
    /// Returns the remark on an engine for grids of this size, or `None` if it understands. Each engine is tested once
    /// a match.
    pub fn remark(
        &self,
        game: &GameSetup<'_>,
        command: &Command,
        seat: usize,
        (rows, columns): (usize, usize),
    ) -> Result<Option<String>, Trouble> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = format!("{rows}x{columns} {}", command.words.join(" "));
        if let Some(remark) = known.get(&key) {
            return Ok(remark.clone());
        }
        let remark = match two_fours(rows, columns) {
            None => None,
            Some(position) => match answers(game, command, seat, &position) {
                Ok(answers) => judge(&position, &answers),
                Err(Trouble::Fault(fault)) => {
                    Some(format!("it was not asked what BOARD means to it: {fault}"))
                }
                Err(trouble) => return Err(trouble),
            },
        };
        Ok(known.entry(key).or_insert(remark).clone())
    }
}

/// Returns a position in which each side can complete a five, Black to move, or `None` if the grid is too small.
fn two_fours(rows: usize, columns: usize) -> Option<Position> {
    let (long, across) = (rows.max(columns), rows.min(columns));
    if long < 5 || across < 3 {
        return None;
    }
    let mut grid = Grid::new(rows, columns).ok()?;
    for at in (long - 5) / 2..(long - 5) / 2 + 4 {
        for (line, color) in [(across / 2 - 1, Color::White), (across / 2 + 1, Color::Black)] {
            let (row, column) = if columns == long { (line, at) } else { (at, line) };
            grid.set(Cell::at(row, column, columns), Some(color));
        }
    }
    Some(Position::from_grid(&grid))
}

/// Returns the answers with the opponent's stone last and with the engine's own last.
fn answers(
    game: &GameSetup<'_>,
    command: &Command,
    seat: usize,
    position: &Position,
) -> Result<[String; 2], Trouble> {
    let columns = position.geometry().columns();
    let ask = |stones: &[(Cell, Color)]| {
        let begun = Begun { moves: Vec::new(), position: position.clone() };
        let conditions = game.conditions_of(seat);
        let mut engine = Piskvork::new(game.start(command, seat)?, begun, &conditions);
        let deadline = Instant::now() + conditions.start_up;
        let request = piskvork::board(stones, position.mover(), columns);
        let answer = engine.greet(deadline).and_then(|()| engine.exchange(&request, UNLIMITED, deadline));
        Box::new(engine).end();
        Ok::<_, Trouble>(answer?.0)
    };
    let in_order = order::of_play(position, &[]);
    let own_last: Vec<_> = in_order.chunks(2).flat_map(|pair| pair.iter().rev().copied()).collect();
    Ok([ask(&in_order)?, ask(&own_last)?])
}

/// Returns the remark on two answers, if any.
fn judge(position: &Position, [in_order, own_last]: &[String; 2]) -> Option<String> {
    let geometry = position.geometry();
    let completes = |answer: &str| {
        piskvork::cell(answer).is_some_and(|(column, row)| {
            let on_grid = row < geometry.rows() && column < geometry.columns();
            on_grid && {
                let cell = Cell::at(row, column, geometry.columns());
                position.is_free(cell) && position.makes_five(cell, position.mover())
            }
        })
    };
    match (completes(in_order), completes(own_last)) {
        (true, true) => None,
        (true, false) => Some(
            "it takes the side to move from the last stone of BOARD: it is told the stones in the order of play"
                .to_owned(),
        ),
        (false, _) => Some(format!(
            "with a four of its own on the board it answers \"{}\" and does not complete five: it may take the other \
             side's stones for its own",
            excerpt(in_order)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_can_complete_a_five_on_every_grid_that_is_large_enough() {
        for (rows, columns) in [(3, 5), (5, 3), (9, 14), (15, 15), (40, 4)] {
            let position = two_fours(rows, columns).unwrap();
            for color in [Color::Black, Color::White] {
                let mut free = position.cells().filter(|&cell| position.is_free(cell));
                assert!(free.any(|cell| position.makes_five(cell, color)), "{rows}x{columns}");
            }
            assert_eq!(order::of_play(&position, &[]).len(), 8);
        }
        for (rows, columns) in [(1, 1), (4, 4), (2, 30), (30, 2)] {
            assert!(two_fours(rows, columns).is_none(), "{rows}x{columns}");
        }
    }

    #[test]
    fn an_engine_that_completes_its_own_five_in_both_orders_has_no_remark() {
        let position = two_fours(3, 5).unwrap();
        let remark = |answers: [&str; 2]| judge(&position, &answers.map(str::to_owned));
        assert_eq!(remark(["4,2", " 4, 2 "]), None);
        assert!(remark(["4,2", "4,0"]).unwrap().contains("in the order of play"));
        for wrong in ["4,0", "4,1", "9,9", "0,2", "pass"] {
            assert!(remark([wrong, "4,2"]).unwrap().contains(wrong), "{wrong}");
        }
    }
}
