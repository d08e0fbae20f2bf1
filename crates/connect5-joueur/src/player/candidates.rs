//! Candidate moves: all threat-relevant moves, or only the defences if there is a threat.

use crate::patterns::{Patterns, defences};
use crate::rules::{Cell, Position};

/// Calls `add` once with each candidate move, at least one. If the opponent threatens to win, every other move loses.
pub(super) fn candidates(position: &Position, patterns: &Patterns, mut add: impl FnMut(Cell)) {
    let mover = position.mover();
    let other = mover.other();
    if let Some(forced) = patterns.fives(other).first() {
        return add(forced);
    }
    let fours = patterns.fours(mover);
    if let Some(defences) = defences(position, patterns, other) {
        if defences.is_empty() && fours.is_empty() {
            // All moves lose, so any will do.
            return patterns.fours(other).first().into_iter().for_each(add);
        }
        fours.iter().for_each(&mut add);
        return defences.into_iter().filter(|&cell| !fours.contains(cell)).for_each(add);
    }
    let mut none = true;
    patterns.candidates().for_each(|cell| {
        none = false;
        add(cell);
    });
    if none {
        search_core::Position::moves(position, &mut search_core::Visit(add));
    }
}
