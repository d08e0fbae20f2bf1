//! The rules of Connect5 as cards.

use crate::lesson::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: "9x9 e5",
        rule: (
            "Each side puts a stone on a free cell, and none is ever moved.",
            "Chacun pose un pion sur une case libre, et aucun ne bouge plus.",
        ),
        goal: ("Put a stone of white's.", "Posez un pion blanc."),
        reached: &[],
        refused: &["e5"],
    },
    Lesson {
        start: "9x9 b2b4c2c4d2d4e2e4",
        rule: (
            "Five in a row, column or diagonal win.",
            "Cinq pions alignés, en ligne, colonne ou diagonale, gagnent.",
        ),
        goal: ("Win.", "Gagnez."),
        reached: &["a2", "f2"],
        refused: &["e2"],
    },
    Lesson {
        start: "9x9 c2a9d2c9e2e9g2g9h2i9c3b7c4d7c5f7",
        rule: (
            "Exactly five win: six in a row do not. Here f2 would make six.",
            "Il en faut exactement cinq : six alignés ne gagnent pas. Ici, f2 en ferait six.",
        ),
        goal: ("Win with five.", "Gagnez avec cinq."),
        reached: &["c1", "c6"],
        refused: &["c5"],
    },
];
