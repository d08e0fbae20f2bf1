//! Positions of ultimate tic-tac-toe whose searches can be watched.

use super::{drawing, names};
use crate::drawing::Marks;
use crate::thinking::{Demo, Searched, Subject};
use uttt::evaluation::Evaluation;
use uttt::rules::State;

pub(super) const DEMOS: &[Demo] = &[
    Demo {
        name: "uttt-end",
        title: ("ultimate tic-tac-toe, the end of a game", "morpion ultime, une fin de partie"),
        subject: || subject("356789561812078986350471253266432701502977661468842"),
    },
    Demo {
        name: "uttt",
        title: ("ultimate tic-tac-toe, from the start", "morpion ultime, du début"),
        subject: || Box::new(subject_of(State::start())),
    },
];

fn subject(position: &str) -> Box<dyn Searched> {
    Box::new(subject_of(position.parse().unwrap_or_else(|_| State::start())))
}

fn subject_of(start: State) -> Subject<State> {
    Subject {
        start,
        write: |_, cell| names::cell(cell),
        evaluate: |state| Evaluation::default().evaluate(state),
        draw,
    }
}

/// Draws a position whose last move has its name.
fn draw(state: &State, marks: &Marks) -> String {
    let last = marks.last.iter().filter_map(|name| names::read(name)).map(|cell| cell.to_string());
    drawing::draw(state, &Marks { last: last.collect(), ..marks.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawing::Language;

    #[test]
    fn the_last_move_of_a_search_is_marked_by_its_name() {
        let drawn = |moves: &[&str]| {
            let moves: Vec<String> = moves.iter().map(|&name| name.to_owned()).collect();
            subject_of(State::start()).draw(&moves, Language::English)
        };
        assert!(drawn(&["E5", "E1"]).contains("class=\"last\"") && !drawn(&[]).contains("class=\"last\""));
    }
}
