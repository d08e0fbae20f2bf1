//! Reasons for the cost of a move in Connect5.

use super::{Connect5, Position};
use crate::drawing::Language;
use crate::review::{Moment, Reason};
use connect5_joueur::rules::{Cell, Color};
use search_core::Position as _;

/// The largest number of cells whose threats are looked for.
const CELLS: usize = 400;
/// Number of cells that a sentence names.
const NAMED: usize = 3;

/// A threat of the opponent that the move left and the better one did not.
#[derive(Debug)]
struct Threat {
    kind: Kind,
    cells: Vec<Cell>,
    played: Position,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A stone on one of these cells makes five.
    Five,
    /// A stone on one of these cells makes two fives possible, and no five of the other side is there first.
    TwoFives,
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

impl Reason for Threat {
    fn say(&self, language: Language) -> String {
        let columns = self.played.geometry().columns();
        let names: Vec<String> = self.cells.iter().take(NAMED).map(|cell| cell.name(columns)).collect();
        let names = names.join(language.choose(" ou ", " or "));
        match (self.kind, language) {
            (Kind::Five, Language::French) => format!("l'adversaire fait cinq en {names}"),
            (Kind::Five, Language::English) => format!("the opponent makes five at {names}"),
            (Kind::TwoFives, Language::French) => {
                format!("en {names}, l'adversaire menace deux fois de faire cinq : on n'en pare qu'une")
            }
            (Kind::TwoFives, Language::English) => {
                format!("at {names} the opponent threatens five twice, and only one can be stopped")
            }
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
        let holds = |&cell: &Cell| match self.kind {
            Kind::Five => wins(&self.played, cell),
            Kind::TwoFives => {
                let mut next = self.played.clone();
                next.play(cell);
                !can_win(&next)
                    && next.move_list().into_iter().all(|answer| {
                        let mut last = next.clone();
                        last.play(answer);
                        can_win(&last)
                    })
            }
        };
        self.cells.iter().take(NAMED).all(holds)
    }
}

pub(super) fn reasons(rules: &Connect5, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
    let Some([_, played, better]) = moment.positions(rules) else { return Vec::new() };
    match (threats(&played), threats(&better)) {
        (Some((kind, cells)), after) if after.as_ref().map(|after| after.0) != Some(kind) => {
            vec![Box::new(Threat { kind, cells, played })]
        }
        _ => Vec::new(),
    }
}
