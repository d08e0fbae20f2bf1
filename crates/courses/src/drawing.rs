//! Board drawings as SVG with classes, for the arena, the reports and the READMEs.
//!
//! - [`Marks`]: marks over a position.
//! - [`STYLE`]: the colours, light and dark.
//! - One module a game.
//!
//! Colour is never the only sign: a piece's shape or inner ring shows its owner too.

pub(crate) mod svg;

pub(crate) use svg::Canvas;
pub use svg::{escape, preformatted};

/// The style sheet of every drawing.
pub const STYLE: &str = include_str!("drawing/style.css");

/// The language of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// The language of the courses.
    #[default]
    French,
    /// English, for speakers of all other languages.
    English,
}

impl Language {
    /// Returns the text in this language.
    #[must_use]
    pub fn choose<'a>(self, french: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::French => french,
            Self::English => english,
        }
    }
}

/// Marks over a position, with cells by name.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The cells of the last move, in order.
    pub last: Vec<String>,
    /// Cells that may be clicked next.
    pub targets: Vec<String>,
    /// Cells clicked so far.
    pub chosen: Vec<String>,
    /// The cells of an engine's best move.
    pub best: Vec<String>,
    /// Values on cells, the best first.
    pub values: Vec<(String, String)>,
    /// True if cells can be clicked and focused.
    pub interactive: bool,
    /// The language of labels.
    pub language: Language,
}

impl Marks {
    pub(crate) fn has(list: &[String], name: &str) -> bool {
        list.iter().any(|cell| cell == name)
    }

    /// Returns the values of a cell, best first, each with true if it is the best of all.
    pub(crate) fn values_of(&self, name: &str) -> impl Iterator<Item = (&str, bool)> {
        let values = self.values.iter().enumerate().filter(move |(_, (cell, _))| cell == name);
        values.map(|(nth, (_, value))| (value.as_str(), nth == 0))
    }

    pub(crate) fn value(&self, name: &str) -> Option<(&str, bool)> {
        let at = self.values.iter().position(|(cell, _)| cell == name)?;
        Some((&self.values[at].1, at == 0))
    }

    pub(crate) fn choose<'a>(&self, french: &'a str, english: &'a str) -> &'a str {
        self.language.choose(french, english)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::OpeningSet;
    use crate::duel::Rules;
    use crate::games::gounki::Gounki;
    use crate::games::uttt::Uttt;
    use moules_client::rules::{Move, State};
    use search_core::Position as _;

    #[test]
    fn every_legal_move_can_be_clicked_on_the_board_and_nothing_else_is_marked() {
        let game = Uttt { set: OpeningSet::single(""), timed: false };
        let state = game.start("40").unwrap();
        let targets = state.move_list().iter().map(ToString::to_string).collect();
        let drawn = game.draw(&state, &Marks { targets, interactive: true, ..Marks::default() });
        assert_eq!(drawn.matches("class=\"hit legal\"").count(), 8);
        assert_eq!(drawn.matches("class=\"hit\"").count(), 73);
        let still = game.draw(&state, &Marks::default());
        assert!(!still.contains("data-cell"), "what nobody may click has no cells");
    }

    #[test]
    fn two_values_of_a_cell_are_both_drawn_on_plates() {
        let game = Uttt { set: OpeningSet::single(""), timed: false };
        let values = [("0", "+0.5"), ("1", "−#12"), ("0", "−1.5"), ("0", "−9.9")];
        let values = values.map(|(cell, value)| (cell.to_owned(), value.to_owned())).to_vec();
        let drawn = game.draw(&game.start("40").unwrap(), &Marks { values, ..Marks::default() });
        assert_eq!(
            (drawn.matches("class=\"plate\"").count(), drawn.matches("class=\"value").count()),
            (3, 3)
        );
        assert!(
            drawn.contains(">+0.5<") && drawn.contains(">−1.5<") && drawn.contains("value first"),
            "{drawn}"
        );
        let heights: Vec<&str> = drawn.split("class=\"plate\"").skip(1).map(|part| &part[..30]).collect();
        assert_ne!(heights[0], heights[1], "one above the other");
    }

    #[test]
    fn the_three_boards_that_won_are_marked() {
        let game = Uttt { set: OpeningSet::single(""), timed: false };
        let mut random = 1_u64;
        let won = std::iter::repeat_with(|| {
            let mut state = game.start("").unwrap();
            while state.outcome().is_none() {
                assert!(!game.draw(&state, &Marks::default()).contains("class=\"five\""));
                random = crate::seed::mix(random, 1);
                let moves = state.move_list();
                state.play(moves[random as usize % moves.len()]);
            }
            state
        });
        let mut won = won.take(20).filter(|state| state.winner().is_some());
        let drawn = game.draw(&won.next().unwrap(), &Marks::default());
        assert_eq!(drawn.matches("class=\"five\"").count(), 1);
        // Cells are named as in moves.
        let start = game.draw(&game.start("").unwrap(), &Marks::default());
        assert!(start.contains("class=\"corner\"") && start.contains(">80<"), "{start}");
    }

    #[test]
    fn a_rebound_is_drawn_as_the_way_it_took() {
        let game = Gounki { set: OpeningSet::single(""), timed: false };
        let codes: String = (0..64).map(|cell| if cell == 9 { "B4" } else { "V0" }).collect();
        let position = game.start(&format!("@{codes}:blanc")).unwrap();
        let mv = game.read(&position, "b2-b4").unwrap();
        assert_eq!(game.trace(&position, mv), ["b2", "a3", "b4"]);
        assert_eq!(game.clicks(&position, mv), ["b2", "b4"]);
    }

    #[test]
    fn a_plan_in_the_maze_is_drawn_as_the_way_it_takes() {
        let text = "7x5/D-D-D-D-D-D-D-D-S-S-D-S-S-D-D-D-S-S-S-S-D-D-S-S-S-S-S-D-D-D-D-D-D-D-D/1-1,1";
        let (state, plan): (State, Vec<Move>) =
            (text.parse().unwrap(), ["E", "F-E", "B-S-S-C", "N"].map(|turn| turn.parse().unwrap()).to_vec());
        let trails = crate::games::moules::drawing::Trails {
            mover: Some(0),
            plan,
            ..crate::games::moules::drawing::Trails::default()
        };
        let drawn = crate::games::moules::drawing::draw(&state, &trails, &Marks::default());
        // The frite jumps over the dune. Nothing blocks the last step.
        assert!(drawn.contains("class=\"plan\" d=\"M36 36L60 36L108 36L108 60L108 84L108 60\""), "{drawn}");
        assert!(
            !crate::games::moules::drawing::draw(
                &state,
                &crate::games::moules::drawing::Trails::default(),
                &Marks::default()
            )
            .contains("plan")
        );
    }
}
