//! Positions of Connect5 whose searches can be watched.

use super::{Begun, drawing};
use crate::assignment::Phrase;
use crate::thinking::{Demo, Searched, Subject};
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::rules::{Grid, Position};

const SMALL: Phrase = ("Connect5, a full grid of 5×5", "Connect5, grille 5×5 presque pleine");
const LARGE: Phrase = ("Connect5, a game on 10×10", "Connect5, une partie sur 10×10");

pub(super) const DEMOS: &[Demo] = &[
    Demo { name: "connect5-small", title: SMALL, subject: || subject("5x5 @N0BB0/B00BN/BBNBN/N0N00/NNBBN") },
    Demo {
        name: "connect5",
        title: LARGE,
        subject: || {
            subject(
                "10x10 @0000000000/B0B0B00N00/0N0NNBBBBN/00N0NB0000/0N0NBN00B0/\
                 0BBBN0N0N0/00NB0BNB00/00NNB00000/0000000000/000000N000",
            )
        },
    },
];

fn subject(opening: &str) -> Box<dyn Searched> {
    let start = Begun::of(opening).map_or_else(|_| empty(), |begun| begun.position);
    Box::new(Subject {
        start,
        write: |position, cell| cell.name(position.geometry().columns()),
        evaluate: |position| Evaluation::default().evaluate(position),
        draw: drawing::draw,
    })
}

fn empty() -> Position {
    Grid::new(5, 5).map_or_else(|error| unreachable!("{error}"), |grid| Position::from_grid(&grid))
}
