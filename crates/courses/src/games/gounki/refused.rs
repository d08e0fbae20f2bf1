//! The reasons of refused moves at Gounki in English. The player's own messages are French.

use crate::drawing::Language;
use ::gounki::rules::{Refusal, Shape, Stack};

/// Returns the reason in a language.
pub(super) fn said(refusal: &Refusal, language: Language) -> String {
    if language == Language::French { refusal.to_string() } else { english(refusal) }
}

fn plural(shape: Shape) -> &'static str {
    match shape {
        Shape::Square => "squares",
        Shape::Round => "rounds",
    }
}

/// Returns the men of a stack in words.
fn men(stack: Stack) -> String {
    let counted = |shape: Shape| match (stack.count(shape), shape) {
        (0, _) => None,
        (1, Shape::Square) => Some("1 square".to_owned()),
        (1, Shape::Round) => Some("1 round".to_owned()),
        (number, _) => Some(format!("{number} {}", plural(shape))),
    };
    [Shape::Square, Shape::Round].into_iter().filter_map(counted).collect::<Vec<_>>().join(" and ")
}

fn english(refusal: &Refusal) -> String {
    match refusal {
        Refusal::GameOver => "the game is over".to_owned(),
        Refusal::NoPiece(cell) => format!("nobody stands on {cell}"),
        Refusal::NotYours(cell) => format!("the man on {cell} is the opponent's"),
        Refusal::Backwards { from, to } => format!("no man goes back: {to} is behind {from}"),
        Refusal::NoLine { from, to } => format!(
            "no way leads from {from} to {to}: a square goes straight ahead or sideways, a round diagonally"
        ),
        Refusal::WrongShape { from, to, shape, stack } => {
            format!("only {} reach {to}, and {from} has {}", plural(*shape), men(*stack))
        }
        Refusal::TooFar { from, to, steps, reach, stack } => {
            format!("{to} is {steps} steps from {from}, and the reach is {reach} ({})", men(*stack))
        }
        Refusal::InTheWay(cell) => format!("{cell} is taken: no man jumps over another, friend or enemy"),
        Refusal::TooHigh { cell, height } => {
            format!("the stack on {cell} would have {height} men (at most 3)")
        }
        Refusal::NoWayBack(cell) => {
            format!("to the edge and back to {cell}: two squares in column b or g, and a free cell there")
        }
        Refusal::CannotExit(cell) => format!("the man on {cell} cannot leave the board in one move"),
        Refusal::NotAStack(cell) => format!("{cell} has one man: only a stack is deployed"),
        Refusal::WrongSign { cell, shape, stack, .. } => {
            format!("{} first, and {cell} has {}", plural(*shape), men(*stack))
        }
        Refusal::Unfinished { cell, expected, given } => {
            format!("the men of {cell} need {expected} cells, not {given}")
        }
        Refusal::NoFirstStep { from, to, shape } => {
            format!("the {} do not reach {to} from {from} in one step", plural(*shape))
        }
        Refusal::NotInLine { after, expected, given, shape } => {
            format!("the {} are laid in line: after {after} comes {expected}, not {given}", plural(*shape))
        }
        Refusal::LeavesBoard { from, after } => {
            format!("after {after} the man leaves the board: that is written {from}#")
        }
        Refusal::Enemy(cell) => format!("{cell} is the opponent's: a deployment captures nothing"),
    }
}

#[cfg(test)]
mod tests {
    use crate::drawing::Language;
    use crate::games::gounki::assignment::Stacks;
    use crate::play::{self, Clicked};
    use crate::registry::Game;

    /// Returns the reason of the last click in both languages.
    fn refused(rank_2: &str, rank_3: &str, clicks: &[&str]) -> [String; 2] {
        let none = "V0 ".repeat(8);
        let start = format!("{none}{rank_2} {rank_3} {}V0 V0 V0 V0 V0 N2 V0 V0 blanc", none.repeat(4));
        let game = Game::of(&Stacks);
        let play = play::open(game, &play::start(game, &start, 2).unwrap(), 2).unwrap();
        let (last, path) = clicks.split_last().unwrap();
        let path: Vec<String> = path.iter().map(|&click| click.to_owned()).collect();
        [Language::French, Language::English].map(|language| match play.press(0, &path, last, language) {
            Clicked::Refused(why) => why,
            _ => panic!("{clicks:?} is allowed"),
        })
    }

    #[test]
    fn a_refused_click_names_the_rule_in_both_languages() {
        let none = "V0 V0 V0 V0 V0 V0 V0 V0";
        let stack = "V0 V0 V0 B7 V0 V0 V0 V0";
        let near = "V0 V0 N1 V0 V0 V0 V0 V0";
        let [french, english] = refused(stack, near, &["d2", "d4"]);
        assert_eq!(french, "d4 est à 2 pas de d2, mais la portée est de 1 (1 carré et 1 rond)");
        assert_eq!(english, "d4 is 2 steps from d2, and the reach is 1 (1 square and 1 round)");
        let [french, english] = refused(stack, near, &["d2", "+", "c3"]);
        assert_eq!(french, "c3 est à l'adversaire : un déploiement ne capture pas");
        assert_eq!(english, "c3 is the opponent's: a deployment captures nothing");
        let [_, english] = refused("V0 V0 V0 B3 V0 V0 V0 V0", none, &["d2", "+", "d3", "e3"]);
        assert_eq!(english, "the squares are laid in line: after d3 comes d4, not e3");
        let [_, english] = refused("V0 V0 V0 B3 V0 V0 V0 V0", none, &["d2", "+", "h8"]);
        assert_eq!(english, "the squares do not reach h8 from d2 in one step");
    }
}
