//! Reasons for the cost of a move in Othello.

use super::Othello;
use crate::drawing::Language;
use crate::review::{Moment, Reason};
use othello_player::rules::{Game, Move};
use search_core::Position as _;

const CORNERS: [&str; 4] = ["a1", "h1", "a8", "h8"];

/// The opponent can take a corner after the move, and cannot after the better one.
#[derive(Debug)]
struct Corner {
    corners: Vec<String>,
    games: [Game; 2],
}

impl Reason for Corner {
    fn say(&self, language: Language) -> String {
        let corners = self.corners.join(", ");
        match language {
            Language::French => format!("le coin {corners} pouvait être pris à partir d'ici"),
            Language::English => format!("the corner {corners} could be taken from here on"),
        }
    }

    fn holds(&self) -> bool {
        let takes = |game: &Game, corner: &String| {
            corner.parse::<Move>().is_ok_and(|corner| game.clone().play(corner).is_ok())
        };
        let [played, better] = &self.games;
        self.corners.iter().all(|corner| takes(played, corner) && !takes(better, corner))
    }
}

pub(super) fn reasons(rules: &Othello, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
    let Some([_, played, better]) = moment.positions(rules) else { return Vec::new() };
    let open = |at: &super::Coloured| -> Vec<String> {
        let moves = at.move_list().into_iter().map(|mv| mv.to_string());
        moves.filter(|text| CORNERS.contains(&text.as_str())).collect()
    };
    let known = open(&better);
    let corners: Vec<String> = open(&played).into_iter().filter(|corner| !known.contains(corner)).collect();
    if corners.is_empty() {
        return Vec::new();
    }
    vec![Box::new(Corner { corners, games: [Game::new(played.0), Game::new(better.0)] })]
}
