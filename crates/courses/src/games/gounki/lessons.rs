//! The rules of Gounki as cards.

use crate::lesson::Lesson;

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: "",
        rule: (
            "A square man goes straight ahead or sideways, a round one diagonally ahead. None goes back.",
            "Un carré va tout droit ou de côté, un rond en diagonale vers l'avant. Aucun ne recule.",
        ),
        allowed: &["d2", "d3"],
        refused: &["d2", "d6"],
    },
    Lesson {
        start: "c1-b1 b7-a6",
        rule: (
            "A man on a friend makes a stack of up to three. A stack may be deployed: its men are laid one by one.",
            "Un pion sur un ami fait une pile, de trois au plus. Une pile se déploie : ses pions se posent un à un.",
        ),
        allowed: &["b1", "+"],
        refused: &["b1", "+", "h8"],
    },
    Lesson {
        start: "V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 \
                V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 V0 B1 V0 V0 V0 V0 V0 V0 N1 blanc",
        rule: ("Whoever takes a man off the far side wins.", "Qui sort un pion au bout du plateau gagne."),
        allowed: &["a8", "#"],
        refused: &["b8"],
    },
];
