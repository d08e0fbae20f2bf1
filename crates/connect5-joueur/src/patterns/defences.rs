//! What answers a threat.

use super::shape::REACH;
use super::{Class, Patterns, Shape};
use crate::rules::{Cell, Color, DIRECTIONS, Position};
use smallvec::SmallVec;

/// A few cells.
pub type Cells = SmallVec<[Cell; 32]>;

/// The cells on which a stone leaves none of `attacker`'s threats as strong as `class`.
pub fn defences(position: &Position, patterns: &Patterns, attacker: Color, class: Class) -> Cells {
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
    let offsets = || (-(REACH as isize)..=REACH as isize).filter(|&offset| offset != 0);
    for direction in 0..DIRECTIONS {
        if patterns.shape(position, threat, attacker, direction) < Shape::OpenThree {
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
            if patterns.shape(position, reply, attacker.other(), direction) < Shape::Three {
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
