//! The rules of Othello as cards.

use crate::lesson::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: "",
        rule: (
            "A disc encloses discs of the other colour in a line with another of its own; they turn.",
            "Un pion enferme en ligne des pions adverses avec un autre de sa couleur ; ils se retournent.",
        ),
        goal: ("Turn a disc.", "Retournez un pion."),
        reached: &[],
        refused: &["a1"],
    },
    Lesson {
        start: "OX-------------------------------------------------------------- X",
        rule: (
            "Whoever has no such move passes; whoever has one must not.",
            "Qui n'a aucun coup passe ; qui en a un ne passe pas.",
        ),
        goal: ("Black has no move: pass.", "Noir n'a aucun coup : passez."),
        reached: &["pass"],
        refused: &["c1"],
    },
    Lesson {
        start: "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- X",
        rule: (
            "The game ends when neither side can move. More discs win.",
            "La partie finit quand personne ne peut jouer. Qui a le plus de pions gagne.",
        ),
        goal: ("Play the last move.", "Jouez le dernier coup."),
        reached: &["h8"],
        refused: &["a1"],
    },
];
