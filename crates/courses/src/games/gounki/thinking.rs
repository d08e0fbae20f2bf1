//! Positions of Gounki whose searches can be watched.

use super::{drawing, of_codes};
use crate::thinking::{Demo, Searched, Subject};
use ::gounki::evaluation::Evaluation;
use ::gounki::player::Board;
use ::gounki::rules::Position;

pub(super) const DEMOS: &[Demo] = &[
    Demo {
        name: "gounki-race",
        title: ("Gounki, a race to the edge", "Gounki, une course au bord"),
        subject: || {
            subject(
                "V0V0B1V0V0V0V0V0V0V0V0V0V0V0V0B2V0V0V0V0V0V0V0V0V0V0V0V0V0V0V0V0\
                 V0V0V0V0B3V0V0V0V0V0V0V0V0V0V0V0V0V0V0V0V0V0V0N2N1V0V0V0V0V0N1V0:blanc",
            )
        },
    },
    Demo {
        name: "gounki",
        title: ("Gounki, from the start", "Gounki, du début"),
        subject: || Box::new(subject_of(Position::initial())),
    },
];

fn subject(codes: &str) -> Box<dyn Searched> {
    Box::new(subject_of(of_codes(codes).unwrap_or_else(|_| Position::initial())))
}

fn subject_of(start: Position) -> Subject<Board> {
    Subject {
        start: Board(start),
        write: |_, mv| mv.to_string(),
        evaluate: |board| Evaluation::default().evaluate(&board.0),
        draw: |board, marks| drawing::draw(&board.0, marks),
    }
}
