//! The moves worth trying: all that mean something, or only what answers a threat.

use crate::patterns::{Class, Patterns, Shape};
use crate::rules::{Cell, Color, DIRECTIONS, Position};
use smallvec::SmallVec;

type Cells = SmallVec<[Cell; 32]>;

/// How far from a threat a stone can change it.
const REACH: isize = 5;

/// Calls `add` with each move worth trying, once each.
pub(super) fn candidates(position: &Position, patterns: &Patterns, mut add: impl FnMut(Cell)) {
    let mover = position.mover();
    let other = mover.other();
    if let Some(forced) = patterns.fives(other).first() {
        return add(forced);
    }
    let defences = if !patterns.open_fours(other).is_empty() {
        Some(defences(position, patterns, other, Class::OpenFour))
    } else if patterns.count(other, Class::FourThree) > 0 {
        Some(defences(position, patterns, other, Class::FourThree)).filter(|cells| !cells.is_empty())
    } else {
        None
    };
    if let Some(defences) = defences {
        patterns.fours(mover).iter().for_each(&mut add);
        defences.into_iter().filter(|&cell| !patterns.fours(mover).contains(cell)).for_each(add);
    } else {
        let mut none = true;
        patterns.candidates().for_each(|cell| {
            none = false;
            add(cell);
        });
        if none {
            search_core::Position::moves(position, &mut search_core::Visit(add));
        }
    }
}

/// The cells on which a stone leaves none of `attacker`'s threats as strong as `class`.
fn defences(position: &Position, patterns: &Patterns, attacker: Color, class: Class) -> Cells {
    let is_threat = |&cell: &Cell| patterns.class(cell, attacker) >= class;
    let mut threats = patterns.fours(attacker).iter().filter(is_threat);
    let Some(first) = threats.next() else { return Cells::new() };
    let mut cells = answers(position, patterns, attacker, first, class);
    for threat in threats {
        if cells.is_empty() {
            break;
        }
        let answers = answers(position, patterns, attacker, threat, class);
        cells.retain(|cell| answers.contains(cell));
    }
    cells
}

/// The cells on which a stone answers the threat to play on `threat`.
fn answers(position: &Position, patterns: &Patterns, attacker: Color, threat: Cell, class: Class) -> Cells {
    let mut cells = Cells::new();
    cells.push(threat);
    let offsets = || (-REACH..=REACH).filter(|&offset| offset != 0);
    for direction in 0..DIRECTIONS {
        if patterns.shape(position, threat, attacker, direction) < Shape::NarrowThree {
            continue;
        }
        for offset in offsets() {
            if let Some(cell) = position.free_neighbour(threat, direction, offset)
                && patterns.class_after(position, threat, attacker, direction, offset) < class
            {
                cells.push(cell);
            }
        }
    }
    if class == Class::FourThree
        && let Some(reply) = patterns.reply_to_four(position, threat, attacker)
    {
        // A stone that turns the reply to the four into a four, too, gains the move to answer the three.
        for direction in 0..DIRECTIONS {
            if patterns.shape(position, reply, attacker.other(), direction) < Shape::SleepingThree {
                continue;
            }
            for offset in offsets() {
                if let Some(cell) = position.free_neighbour(reply, direction, offset)
                    && patterns.shape_with(position, reply, attacker.other(), direction, offset)
                        >= Shape::Four
                    && !cells.contains(&cell)
                {
                    cells.push(cell);
                }
            }
        }
    }
    cells
}
