//! The rules of Gounki as cards.

use crate::lesson::Lesson;

/// A rank without a man.
macro_rules! none {
    () => {
        "V0 V0 V0 V0 V0 V0 V0 V0 "
    };
}

/// A start of eight ranks from the first on, white to move.
macro_rules! board {
    ($($rank:expr),*) => { concat!($($rank),*, "blanc") };
}

pub(super) const LESSONS: &[Lesson] = &[
    Lesson {
        start: "",
        rule: (
            "A square man goes one cell straight ahead or sideways. No man goes back.",
            "Un carré avance d'une case tout droit, ou va de côté. Aucun pion ne recule.",
        ),
        goal: ("Bring the square man from d2 to d3.", "Amenez le carré de d2 en d3."),
        reached: &["d2-d3"],
        refused: &["d2", "d6"],
    },
    Lesson {
        start: "",
        rule: ("A round man goes one cell diagonally ahead.", "Un rond avance d'une case en diagonale."),
        goal: ("Bring the round man from c2 to d3.", "Amenez le rond de c2 en d3."),
        reached: &["c2-d3"],
        refused: &["c2", "c3"],
    },
    Lesson {
        start: board!(
            none!(),
            "V0 V0 V0 V0 B2 V0 V0 V0 ",
            "V0 V0 B1 V0 V0 V0 V0 V0 ",
            "V0 V0 N8 V0 V0 V0 V0 V0 ",
            none!(),
            none!(),
            none!(),
            "V0 V0 V0 V0 V0 N2 V0 V0 "
        ),
        rule: (
            "Whoever moves onto an enemy captures it, a whole stack at once.",
            "Qui va sur un ennemi le capture, toute une pile à la fois.",
        ),
        goal: ("Capture the stack on c4.", "Capturez la pile en c4."),
        reached: &["c3-c4"],
        refused: &["c3", "d4"],
    },
    Lesson {
        start: board!(
            none!(),
            "V0 V0 B3 V0 V0 V0 V0 V0 ",
            "V0 B1 B3 V0 V0 V0 V0 V0 ",
            none!(),
            none!(),
            none!(),
            none!(),
            "V0 V0 V0 V0 V0 N2 V0 V0 "
        ),
        rule: (
            "A man on a friend makes a stack, of three men at most. Nobody jumps over a man.",
            "Un pion qui va sur un ami fait une pile, de trois pions au plus. Aucun ne saute.",
        ),
        goal: ("Make a stack of three on c3.", "Faites une pile de trois en c3."),
        reached: &["b3-c3"],
        refused: &["c2", "c4"],
    },
    Lesson {
        start: board!(
            none!(),
            "V0 V0 V0 B8 V0 V0 V0 V0 ",
            none!(),
            none!(),
            none!(),
            none!(),
            none!(),
            "V0 V0 V0 V0 V0 N2 V0 V0 "
        ),
        rule: (
            "A stack moves as one. It goes like its squares or like its rounds, one cell for each man of that shape.",
            "Une pile va d'un bloc, comme ses carrés ou comme ses ronds : une case pour chaque pion de cette forme.",
        ),
        goal: ("Bring the stack from d2 to d4.", "Amenez la pile de d2 en d4."),
        reached: &["d2-d4"],
        refused: &["d2", "f4"],
    },
    Lesson {
        start: board!(
            none!(),
            "V0 B4 V0 V0 V0 V0 V0 B4 ",
            none!(),
            none!(),
            none!(),
            none!(),
            none!(),
            "V0 V0 V0 V0 V0 N2 V0 V0 "
        ),
        rule: (
            "A stack that meets the side of the board on its way rebounds. No move begins with a rebound.",
            "Une pile qui rencontre en chemin le côté du plateau rebondit. Aucun coup ne commence par un rebond.",
        ),
        goal: ("Bring the stack from b2 to b4.", "Amenez la pile de b2 en b4."),
        reached: &["b2-b4"],
        refused: &["h2", "h4"],
    },
    Lesson {
        start: board!(
            none!(),
            "V0 V0 V0 B3 V0 V0 V0 V0 ",
            "V0 V0 N1 V0 V0 V0 V0 V0 ",
            none!(),
            none!(),
            none!(),
            none!(),
            "V0 V0 V0 V0 V0 N2 V0 V0 "
        ),
        rule: (
            "A stack may be deployed: choose it, then “deploy”, then a cell for each man. The men of one shape are laid \
             in a line.",
            "Une pile peut se déployer : choisissez-la, puis « déployer », puis une case pour chaque pion. Les pions \
             d'une forme se posent en ligne.",
        ),
        goal: ("Lay the men of d2 on d3 and d4.", "Posez les pions de d2 en d3 et d4."),
        reached: &["d2+d3-d4"],
        refused: &["d2", "+", "h8"],
    },
    Lesson {
        start: board!(
            none!(),
            "V0 V0 V0 B7 V0 V0 V0 V0 ",
            "V0 V0 N1 V0 V0 V0 V0 V0 ",
            none!(),
            none!(),
            none!(),
            none!(),
            "V0 V0 V0 V0 V0 N2 V0 V0 "
        ),
        rule: (
            "The rounds are laid first, then the squares from there, or the other way round. A deployment captures nothing.",
            "On pose d'abord les ronds, et de là les carrés, ou l'inverse. Un déploiement ne capture rien.",
        ),
        goal: (
            "Deploy d2: the round man on e3, the square one on e4.",
            "Déployez d2 : le rond en e3, le carré en e4.",
        ),
        reached: &["d2*e3-e4"],
        refused: &["d2", "+", "c3"],
    },
    Lesson {
        start: board!(
            none!(),
            none!(),
            none!(),
            none!(),
            none!(),
            none!(),
            none!(),
            "B1 V0 V0 V0 V0 V0 V0 N1 "
        ),
        rule: ("Whoever takes a man off the far side wins.", "Qui sort un pion au bout du plateau gagne."),
        goal: ("Take your man off the board.", "Sortez votre pion du plateau."),
        reached: &["a8#"],
        refused: &["b8"],
    },
];
