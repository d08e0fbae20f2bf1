//! The moves worth trying: all that mean something, or only what answers a threat.

use crate::patterns::{Class, Patterns, defences};
use crate::rules::{Cell, Position};

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
        if defences.is_empty() && patterns.fours(mover).is_empty() {
            // Lost: any stone will do.
            return patterns.open_fours(other).first().into_iter().for_each(add);
        }
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
