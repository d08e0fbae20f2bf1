//! Reasons for the cost of a move in Connect5.

use super::{Connect5, Position};
use crate::drawing::Language;
use crate::review::{Moment, Reason};
use connect5_joueur::rules::{Cell, Color};
use search_core::Position as _;

/// The largest number of cells whose threats are looked for.
const CELLS: usize = 400;
/// Number of cells of which it is said that one of them had to be taken.
const SAVING: usize = 3;
/// Number of cells that a sentence names.
const NAMED: usize = 3;

/// A threat of the opponent that the move left and the better one did not.
#[derive(Debug)]
struct Threat {
    kind: Kind,
    cells: Vec<Cell>,
    before: Position,
    played: Position,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A stone on one of these cells makes five.
    Five,
    /// A stone on one of these cells makes two fives possible, and no five of the other side is there first.
    TwoFives,
    /// A stone on the first cell makes a four, the answer to it goes to the second, and a stone on the third makes two
    /// fives possible. The cells after them are the only ones that stop this, if they are few.
    Four,
}

/// Returns the free cells where a stone makes five.
fn fives(position: &Position, color: Color) -> Vec<Cell> {
    position.cells().filter(|&cell| position.is_free(cell) && position.makes_five(cell, color)).collect()
}

fn other(position: &Position) -> Color {
    let mut next = position.clone();
    match position.cells().find(|&cell| position.is_free(cell)) {
        Some(cell) => {
            next.play(cell);
            next.mover()
        }
        None => position.mover(),
    }
}

/// Returns the threats of the mover.
fn threats(position: &Position) -> Option<(Kind, Vec<Cell>)> {
    if position.outcome().is_some() || position.cells().len() > CELLS {
        return None;
    }
    let color = position.mover();
    let cells = fives(position, color);
    if !cells.is_empty() {
        return Some((Kind::Five, cells));
    }
    // The other side would make its own five first.
    if !fives(position, other(position)).is_empty() {
        return None;
    }
    let doubles = |&cell: &Cell| {
        let mut next = position.clone();
        next.play(cell);
        next.outcome().is_none() && fives(&next, color).len() > 1
    };
    let cells: Vec<Cell> = position.cells().filter(|&cell| position.is_free(cell)).filter(doubles).collect();
    (!cells.is_empty()).then_some((Kind::TwoFives, cells))
}

/// Returns a four of the mover that leads to two fives: its cell, the answer's, and the cell of the double threat.
fn four(position: &Position) -> Option<[Cell; 3]> {
    if threats(position).is_some() || position.outcome().is_some() || position.cells().len() > CELLS {
        return None;
    }
    let color = position.mover();
    // The other side would make its own five first.
    if !fives(position, other(position)).is_empty() {
        return None;
    }
    position.cells().filter(|&cell| position.is_free(cell)).find_map(|cell| {
        let mut next = position.clone();
        next.play(cell);
        let &[answer] = fives(&next, color).as_slice() else { return None };
        next.play(answer);
        match threats(&next)? {
            (Kind::TwoFives, cells) if next.mover() == color => Some([cell, answer, *cells.first()?]),
            _ => None,
        }
    })
}

/// Returns the moves after which the opponent has none of these threats; `None` if they are many.
fn saving(before: &Position) -> Option<Vec<Cell>> {
    let mut cells = Vec::new();
    for cell in before.move_list() {
        let mut next = before.clone();
        next.play(cell);
        if threats(&next).is_none() && four(&next).is_none() {
            cells.push(cell);
            if cells.len() > SAVING {
                return None;
            }
        }
    }
    Some(cells)
}

impl Reason for Threat {
    fn say(&self, language: Language) -> String {
        let columns = self.played.geometry().columns();
        let names: Vec<String> = self.cells.iter().map(|cell| cell.name(columns)).collect();
        let list = |names: &[String]| names.join(language.choose(" ou ", " or "));
        if let (Kind::Four, [cell, answer, double, saving @ ..]) = (self.kind, names.as_slice()) {
            let only = match (saving.is_empty(), language) {
                (true, _) => String::new(),
                (false, Language::French) => format!(" ; il fallait prendre {}", list(saving)),
                (false, Language::English) => format!("; {} had to be taken", list(saving)),
            };
            return match language {
                Language::French => {
                    format!(
                        "l'adversaire fait quatre en {cell} et, après {answer}, menace deux fois de faire cinq en {double}{only}"
                    )
                }
                Language::English => {
                    format!(
                        "the opponent makes a four at {cell} and, after {answer}, threatens two fives at {double}{only}"
                    )
                }
            };
        }
        let names = list(&names[..names.len().min(NAMED)]);
        match (self.kind, language) {
            (Kind::Five, Language::French) => format!("l'adversaire fait cinq en {names}"),
            (Kind::Five, Language::English) => format!("the opponent makes five at {names}"),
            (Kind::TwoFives, Language::French) => {
                format!("en {names}, l'adversaire menace deux fois de faire cinq : on n'en pare qu'une")
            }
            (Kind::TwoFives, Language::English) => {
                format!("at {names} the opponent threatens five twice, and only one can be stopped")
            }
            (Kind::Four, _) => names,
        }
    }

    /// Plays every answer to every threat.
    fn holds(&self) -> bool {
        let wins = |position: &Position, cell: Cell| {
            let mut next = position.clone();
            next.play(cell);
            next.outcome() == Some(search_core::Outcome::Loss)
        };
        let can_win = |position: &Position| position.move_list().into_iter().any(|cell| wins(position, cell));
        // Whatever the other side answers, the next stone makes five; but for one answer, if it is given.
        let forces = |position: &Position, cell: Cell, but: Option<Cell>| {
            let mut next = position.clone();
            next.play(cell);
            let answers = next.move_list().into_iter().filter(|&answer| Some(answer) != but);
            !can_win(&next)
                && answers.into_iter().all(|answer| {
                    let mut last = next.clone();
                    last.play(answer);
                    can_win(&last)
                })
        };
        if let (Kind::Four, [cell, answer, double, saving @ ..]) = (self.kind, self.cells.as_slice()) {
            let mut last = self.played.clone();
            last.play(*cell);
            last.play(*answer);
            let is_lost = |mv: Cell| {
                let mut next = self.before.clone();
                next.play(mv);
                threats(&next).is_some() || four(&next).is_some()
            };
            let mut others = self.before.move_list().into_iter().filter(|mv| !saving.contains(mv));
            return forces(&self.played, *cell, Some(*answer))
                && forces(&last, *double, None)
                && (saving.is_empty() || others.all(is_lost));
        }
        let holds = |&cell: &Cell| match self.kind {
            Kind::Five => wins(&self.played, cell),
            Kind::TwoFives | Kind::Four => forces(&self.played, cell, None),
        };
        self.cells.iter().take(NAMED).all(holds)
    }
}

pub(super) fn reasons(rules: &Connect5, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
    let Some([before, played, better]) = moment.positions(rules) else { return Vec::new() };
    let (kind, cells) = match (threats(&played), threats(&better)) {
        (Some((kind, cells)), after) if after.as_ref().map(|after| after.0) != Some(kind) => (kind, cells),
        (None, None) => match four(&played).filter(|_| four(&better).is_none()) {
            Some(cells) => (Kind::Four, [cells.to_vec(), saving(&before).unwrap_or_default()].concat()),
            None => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    vec![Box::new(Threat { kind, cells, before, played })]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::OpeningSet;

    /// Black has a closed three on row 4 and an open two on column e, which meet at e4; white moves.
    const CROSS: &str = "9x9 b4 a4 c4 a8 d4 c8 e5 g8 e6";

    #[test]
    fn a_four_that_wins_is_named_with_the_cells_that_stop_it() {
        let rules = Connect5::new(9, 9, OpeningSet::single(""));
        let moment = |played, better| Moment {
            opening: CROSS,
            seats: 2,
            before: &[],
            played,
            better,
            line: &[],
            after: &[],
            answer: None,
        };
        let found = reasons(&rules, &moment("i1", "e4"));
        let [reason] = found.as_slice() else { panic!("{found:?}") };
        assert!(reason.holds(), "{reason:?}");
        let said = reason.say(Language::English);
        assert!(
            said.starts_with("the opponent makes a four at ") && said.contains("threatens two fives"),
            "{said}"
        );
        assert!(reason.say(Language::French).contains("fait quatre en"));
        assert!(reasons(&rules, &moment("e4", "i1")).is_empty(), "the better move stops it");
    }
}
