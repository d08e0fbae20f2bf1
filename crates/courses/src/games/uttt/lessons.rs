//! The rules of ultimate tic-tac-toe as cards.

use crate::lesson::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: "",
        rule: (
            "Nine small boards make a large one. The first move may go anywhere.",
            "Neuf petits plateaux en font un grand. Le premier coup va où l'on veut.",
        ),
        goal: ("Put x on any cell.", "Posez x sur une case."),
        reached: &[],
        refused: &["x"],
    },
    Lesson {
        start: "40",
        rule: (
            "The place of a cell in its board names the board that the other side must play in.",
            "La place d'une case dans son plateau désigne le plateau où l'autre doit jouer.",
        ),
        goal: (
            "x played the cell in the middle of its board: answer in the board in the middle.",
            "x a joué au milieu de son plateau : répondez dans le plateau du milieu.",
        ),
        reached: &[],
        refused: &["0"],
    },
    Lesson {
        start: "9 1 11 19",
        rule: (
            "Three in a row win a small board, which is closed then.",
            "Trois alignés gagnent un petit plateau, qui est alors fermé.",
        ),
        goal: ("Win the board at the top in the middle.", "Gagnez le plateau du haut, au milieu."),
        reached: &["10"],
        refused: &["0"],
    },
    Lesson {
        start: "9 1 11 19 10",
        rule: (
            "Whoever is sent to a board that is won chooses another one.",
            "Qui est envoyé à un plateau gagné en choisit un autre.",
        ),
        goal: (
            "x sends you to its own board: play where you like.",
            "x vous envoie à son plateau : jouez où vous voulez.",
        ),
        reached: &[],
        refused: &["12"],
    },
    Lesson {
        start: "64 9 7 65 19 13 40 36 6 55 16 66 27 3 29 22 41 53 79 63 2 25 69 61 67 43 71 75 34 70 68 52",
        rule: (
            "A full board without three in a row is nobody's. It is closed too, and frees whoever is sent there.",
            "Un plateau plein sans alignement n'est à personne. Il est fermé aussi, et libère qui y est envoyé.",
        ),
        goal: (
            "o sends you to the full board, at the bottom in the middle: play where you like.",
            "o vous envoie au plateau plein, en bas au milieu : jouez où vous voulez.",
        ),
        reached: &[],
        refused: &["63"],
    },
    Lesson {
        start: "63 2 21 29 20 23 45 8 72 1 12 34 70 64 13 37 14 52 67 41 51 58 43 66 35 79 71 76 42 55",
        rule: (
            "Three boards in a row win the game. Without them it is a draw once all boards are closed.",
            "Trois plateaux alignés gagnent la partie. Sinon, elle est nulle quand tous sont fermés.",
        ),
        goal: ("Win the game.", "Gagnez la partie."),
        reached: &["44"],
        refused: &["9"],
    },
];
