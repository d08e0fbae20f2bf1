//! Reasons for the cost of a move in Gounki.

use super::{Gounki, Position};
use crate::drawing::Language;
use crate::duel::Rules as _;
use crate::play::counted;
use crate::review::{Moment, Reason};
use search_core::{Outcome, Position as _};
use wire::analysis::Value;

/// The stack that the line of a proven loss takes off the board.
#[derive(Debug)]
struct Runner {
    cell: String,
    plies: u32,
    line: Vec<String>,
    played: Position,
    rules: Gounki,
}

impl Reason for Runner {
    fn say(&self, language: Language) -> String {
        let plies = counted(self.plies, language, ["demi-coup", "demi-coups"], ["ply", "plies"]);
        let cell = &self.cell;
        match language {
            Language::French => {
                format!("rien n'arrête l'adversaire : en {plies}, {cell} sort (la suite du gain prouvé)")
            }
            Language::English => {
                format!(
                    "the opponent could not be stopped: {plies}, and {cell} leaves (the line of the proof)"
                )
            }
        }
    }

    fn holds(&self) -> bool {
        let mut position = self.played;
        for text in &self.line {
            let Some(mv) = self.rules.read(&position, text) else { return false };
            position.play(mv);
        }
        self.line.len() == self.plies as usize && position.outcome() == Some(Outcome::Loss)
    }
}

/// Returns the cells of a move's text, its stack first.
fn cells(text: &str) -> Vec<&str> {
    text.split(['-', '+', '*', '#']).filter(|cell| cell.len() == 2).collect()
}

/// Returns the cell of the stack whose man leaves the board at the end of a winning line.
fn runner(line: &[String]) -> Option<String> {
    let mut winner = line.iter().step_by(2).rev().filter(|_| line.len() % 2 == 1);
    let last = winner.next().filter(|text| text.contains('#'))?;
    let mut cell = *cells(last).first()?;
    for text in winner {
        let cells = cells(text);
        if let Some((from, to)) = cells.split_first()
            && to.contains(&cell)
        {
            cell = from;
        }
    }
    Some(cell.to_owned())
}

pub(super) fn reasons(rules: &Gounki, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
    let Some([_, played, _]) = moment.positions(rules) else { return Vec::new() };
    let Some(answer) = moment.answer else { return Vec::new() };
    let Value::Win(Some(plies)) = answer.value else { return Vec::new() };
    let Some(cell) = runner(&answer.line) else { return Vec::new() };
    let rules = rules.clone();
    let reason = Runner { cell, plies, line: answer.line.clone(), played, rules };
    // A line that was cut short by a table shows no stack.
    if reason.holds() { vec![Box::new(reason)] } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::runner;

    #[test]
    fn the_stack_that_leaves_is_followed_back_through_the_winners_moves() {
        let line = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(runner(&line("e5-e6 h8-g8 e6-e7 a8-a7 e7#")).as_deref(), Some("e5"));
        assert_eq!(runner(&line("h3*g2-f1 e1-f1 g2-f1 c5-c6 f1#")).as_deref(), Some("h3"));
        assert_eq!(runner(&line("e5-e6 h8-g8 e6-e7")), None);
        assert_eq!(runner(&line("e5-e6 h8#")), None);
    }
}
