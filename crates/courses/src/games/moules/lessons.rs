//! The rules of the maze as cards.

use crate::lesson::Lesson;

/// A maze for one player.
const MAZE: &str = "maze 812582 items 983649 size 11x11 dunes 24 mussels 3 beers 2 frites 1 turns 0";

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: MAZE,
        rule: (
            "A turn is a step, unless a dune is in the way. A mussel counts its points where it is reached.",
            "Un tour est un pas, sauf si une dune barre le chemin. Une moule compte ses points quand on l'atteint.",
        ),
        allowed: &["S"],
        refused: &["N"],
    },
    Lesson {
        start: MAZE,
        rule: (
            "With fries a player jumps two cells, with a beer it makes three steps in a turn. Both are found on the way.",
            "Une frite fait sauter deux cases, une bière fait trois pas en un tour. On les trouve en chemin.",
        ),
        allowed: &["S"],
        refused: &["F"],
    },
];
