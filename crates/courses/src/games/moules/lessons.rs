//! The rules of the maze as cards.

use crate::lesson::Lesson;

/// The same small maze for one player, after some turns.
macro_rules! maze {
    ($($played:literal)?) => {
        concat!(
            "maze 812582 items 983649 size 11x11 dunes 24 mussels 3 beers 2 frites 1 turns 0",
            $(" played ", $played)?
        )
    };
}

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: maze!(),
        rule: (
            "A turn is a step, unless a dune is in the way.",
            "Un tour est un pas, sauf si une dune barre le chemin.",
        ),
        goal: ("Go a step to the south.", "Faites un pas vers le sud."),
        reached: &["S"],
        refused: &["N"],
    },
    Lesson {
        start: maze!("S/S/E"),
        rule: (
            "Whoever reaches a mussel takes it, and has its points.",
            "Qui atteint une moule la prend, et compte ses points.",
        ),
        goal: ("Take the mussel of 10 points.", "Prenez la moule de 10 points."),
        reached: &["E"],
        refused: &["S"],
    },
    Lesson {
        start: maze!("S/E/E/E/E/E/E/S/S/S/S"),
        rule: (
            "Fries are kept until they are used: they jump two cells, over a dune too.",
            "Une frite se garde jusqu'à ce qu'on s'en serve : elle fait sauter deux cases, même par-dessus une dune.",
        ),
        goal: ("Jump over the dune in the east.", "Sautez la dune de l'est."),
        reached: &["F-E"],
        refused: &["E"],
    },
    Lesson {
        start: maze!("S/E/E/E/E/E/S"),
        rule: (
            "A beer is kept too: it makes three steps in one turn.",
            "Une bière se garde aussi : elle fait trois pas en un tour.",
        ),
        goal: (
            "With the beer, go west, south and west, to the mussel of 60 points.",
            "Avec la bière, allez à l'ouest, au sud et à l'ouest, jusqu'à la moule de 60 points.",
        ),
        reached: &["B-O-S-O"],
        refused: &["F"],
    },
    Lesson {
        start: maze!("S/S/E/E/S"),
        rule: (
            "The match is over once every mussel is taken. Whoever has the most points wins.",
            "La partie finit quand toutes les moules sont prises. Qui a le plus de points gagne.",
        ),
        goal: ("Take the last mussel.", "Prenez la dernière moule."),
        reached: &["E"],
        refused: &["O"],
    },
];
