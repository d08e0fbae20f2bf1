//! The defences against a threatened win.
//!
//! A threat is a stone that makes a four. If two cells complete its five, both cannot be taken, so the defence is on
//! the threat's cell or on one of the two. A four with a single completing cell, the reply, wins if it leaves an open
//! four. It is stopped on its own cell, on the reply, on every cell that stops all open fours it leaves, or if the
//! reply makes a four itself. A stone anywhere else loses, unless that stone makes a four itself.

use super::shape::REACH;
use super::{Class, Patterns, Shape, window};
use crate::rules::{Cell, Color, DIRECTIONS, Position};
use smallvec::SmallVec;

/// A few cells.
pub type Cells = SmallVec<[Cell; 16]>;
/// Offsets of cells from a cell along a line.
type Offsets = SmallVec<[isize; 8]>;

/// Returns the cells where a stone may stop all open fours, and fours that leave one, that `attacker` threatens.
/// Returns `None` if there is no such threat.
#[must_use]
pub fn defences(position: &Position, patterns: &Patterns, attacker: Color) -> Option<Cells> {
    if patterns.open_fours(attacker).is_empty() && patterns.count(attacker, Class::FourThree) == 0 {
        return None;
    }
    let wins = |&cell: &Cell| patterns.class(cell, attacker) >= Class::FourThree;
    let threats = patterns.fours(attacker).iter().filter(wins);
    all_of(threats.filter_map(|threat| stops(position, patterns, attacker, threat)))
}

/// Returns the cells where a stone may stop the four that `attacker` threatens on `threat`, or `None` if that four does
/// not win.
fn stops(position: &Position, patterns: &Patterns, attacker: Color, threat: Cell) -> Option<Cells> {
    let line = |direction| window::with_stone(position.window(threat, direction), 0, attacker);
    let shape = |direction| patterns.shape(position, threat, attacker, direction);
    let cells = |direction: usize, offsets: Offsets| {
        offsets.into_iter().filter_map(move |offset| position.free_neighbour(threat, direction, offset))
    };
    let fours = (0..DIRECTIONS).filter(|&direction| shape(direction) >= Shape::Four);
    let fives: Cells = fours
        .flat_map(|direction| cells(direction, completing(patterns, line(direction), attacker)))
        .collect();
    let mut stops = Cells::from_slice(&[threat]);
    match fives[..] {
        [reply] => {
            if patterns.fours(attacker.other()).contains(reply) {
                // The reply makes a four itself, so the threat does not win at once.
                return None;
            }
            let threes = (0..DIRECTIONS).filter(|&direction| shape(direction) == Shape::OpenThree);
            let open = threes.filter_map(|direction| {
                Some(cells(direction, stops_on(patterns, line(direction), attacker)?).collect::<Cells>())
            });
            stops.extend(all_of(open)?);
            stops.push(reply);
            let gained = fours_with(position, patterns, attacker.other(), reply);
            gained.into_iter().for_each(|cell| {
                if !stops.contains(&cell) {
                    stops.push(cell);
                }
            });
        }
        [_, _] => stops.extend(fives),
        _ => {}
    }
    Some(stops)
}

/// Returns the offsets where a stone of the other side may stop every open four that `color` can make next in a line:
/// its own cell, or one of the two that complete five.
fn stops_on(patterns: &Patterns, line: u64, color: Color) -> Option<Offsets> {
    let fours = free(line).filter(|&offset| patterns.shape_in(line, offset, color) == Shape::OpenFour);
    all_of(fours.filter_map(|four| {
        let mut stops = completing(patterns, window::with_stone(line, four, color), color);
        match stops.len() {
            // A second completing cell would be outside the window.
            0 | 1 => return None,
            2 => {}
            _ => stops.clear(),
        }
        stops.push(four);
        Some(stops)
    }))
}

/// Returns the cells where one more stone of `color` makes `cell` part of a four.
fn fours_with(position: &Position, patterns: &Patterns, color: Color, cell: Cell) -> Cells {
    let mut cells = Cells::new();
    for direction in 0..DIRECTIONS {
        if patterns.shape(position, cell, color, direction) < Shape::Three {
            continue;
        }
        let line = position.window(cell, direction);
        let makes_four = |&offset: &isize| {
            patterns.shape_in(window::with_stone(line, offset, color), 0, color) >= Shape::Four
        };
        let offsets = free(line).filter(|&offset| offset != 0).filter(makes_four);
        cells.extend(offsets.filter_map(|offset| position.free_neighbour(cell, direction, offset)));
    }
    cells
}

/// Returns the items common to all lists.
fn all_of<T: PartialEq, A: smallvec::Array<Item = T>>(
    lists: impl Iterator<Item = SmallVec<A>>,
) -> Option<SmallVec<A>> {
    lists.reduce(|mut common, list| {
        common.retain(|item| list.contains(item));
        common
    })
}

/// Returns the free cells of a line that complete five.
fn completing(patterns: &Patterns, line: u64, color: Color) -> Offsets {
    free(line).filter(|&offset| patterns.shape_in(line, offset, color) == Shape::Five).collect()
}

/// Iterates over the free cells of a line whose shapes are known.
fn free(line: u64) -> impl Iterator<Item = isize> {
    let reach = REACH as isize;
    (-reach..=reach).filter(move |&offset| window::is_free(line, offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::rules::Grid;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use search_core::Position as _;

    /// Returns true if the mover wins by fours alone, with at most `fours` of them before the last.
    fn wins(position: &mut Position, patterns: &mut Patterns, fours: usize) -> bool {
        let mover = position.mover();
        if !patterns.fives(mover).is_empty() {
            return true;
        }
        let cells: Cells = patterns.fours(mover).iter().collect();
        let forced = patterns.fives(mover.other()).first();
        cells.into_iter().filter(|&cell| forced.is_none_or(|forced| forced == cell)).any(|cell| {
            let win = play(position, patterns, cell, |position, patterns| {
                let fives = patterns.fives(mover);
                match (patterns.fives(mover.other()).is_empty(), fives.len(), fives.first()) {
                    (false, ..) => false,
                    (true, 2.., _) => true,
                    (true, 1, Some(reply)) if fours > 0 => {
                        play(position, patterns, reply, |position, patterns| {
                            wins(position, patterns, fours - 1)
                        })
                    }
                    _ => false,
                }
            });
            win && patterns.fives(mover.other()).len() < 2
        })
    }

    fn play(
        position: &mut Position,
        patterns: &mut Patterns,
        cell: Cell,
        then: impl FnOnce(&mut Position, &mut Patterns) -> bool,
    ) -> bool {
        position.play(cell);
        patterns.played(cell, position);
        let result = then(position, patterns);
        patterns.undone();
        position.undo(cell, ());
        result
    }

    #[test]
    fn a_stone_that_neither_defends_nor_makes_a_four_loses() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut seen = [0; 3];
        for _ in 0..20_000 {
            let mut position = Position::from_grid(&Grid::new(9, 9).unwrap());
            for _ in 0..14 + random.random_range(0..16) {
                let moves = position.move_list();
                position.play(moves[random.random_range(0..moves.len())]);
                if position.outcome().is_some() {
                    break;
                }
            }
            let mover = position.mover();
            let mut patterns = Patterns::new(&position, Evaluation::default().weights());
            let threatens_five = |color| !patterns.fives(color).is_empty();
            if position.outcome().is_some() || Color::ALL.into_iter().any(threatens_five) {
                continue;
            }
            let Some(defences) = defences(&position, &patterns, mover.other()) else { continue };
            let open = usize::from(patterns.open_fours(mover.other()).is_empty());
            seen[open] += 1;
            seen[2] += defences.len();
            for (nth, cell) in defences.iter().enumerate() {
                assert!(position.is_free(*cell) && !defences[..nth].contains(cell));
            }
            for cell in position.move_list() {
                if !defences.contains(&cell) && !patterns.fours(mover).contains(cell) {
                    let lost = play(&mut position, &mut patterns, cell, |position, patterns| {
                        wins(position, patterns, 1)
                    });
                    assert!(lost, "{mover:?} {cell:?}\n{}", position.to_grid());
                }
            }
        }
        let [open_fours, four_threes, cells] = seen;
        assert!(open_fours > 100 && four_threes > 20, "{seen:?}");
        assert!(cells < 7 * (open_fours + four_threes), "{seen:?}");
    }
}
