//! The rules of Connect5 as cards.

use crate::lesson::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: "9x9 e5",
        rule: (
            "Each side puts a stone on a free cell, and none is ever moved.",
            "Chacun pose un pion sur une case libre, et aucun ne bouge plus.",
        ),
        allowed: &["e6"],
        refused: &["e5"],
    },
    Lesson {
        start: "9x9 b2b4c2c4d2d4e2e4",
        rule: (
            "Exactly five in a row, column or diagonal win. Six do not.",
            "Cinq alignés, ni plus ni moins, en ligne, colonne ou diagonale gagnent.",
        ),
        allowed: &["f2"],
        refused: &["e2"],
    },
];
