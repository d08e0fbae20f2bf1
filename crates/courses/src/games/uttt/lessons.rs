//! The rules of ultimate tic-tac-toe as cards.

use crate::lesson::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: "",
        rule: (
            "Nine small boards make a large one. The first move may go anywhere.",
            "Neuf petits plateaux en font un grand. Le premier coup va où l'on veut.",
        ),
        allowed: &["40"],
        refused: &["x"],
    },
    Lesson {
        start: "40",
        rule: (
            "The place of a cell in its board names the board that the other side must play in.",
            "La place d'une case dans son plateau désigne le plateau où l'autre doit jouer.",
        ),
        allowed: &["36"],
        refused: &["0"],
    },
    Lesson {
        start: "9 1 11 19 10",
        rule: (
            "Three in a row win a small board, which is closed then. Whoever is sent to a closed board chooses one.",
            "Trois alignés gagnent un petit plateau, alors fermé. Qui est envoyé à un plateau fermé choisit le sien.",
        ),
        allowed: &["40"],
        refused: &["12"],
    },
];
