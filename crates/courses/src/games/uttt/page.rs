//! Ultimate tic-tac-toe on the page: labels, positions as text, reasons for refused clicks.

use super::assignment::Ultimate;
use super::{Uttt, names};
use crate::drawing::Language;
use crate::play::counted;
use crate::play::duel::DuelPage;
use crate::registry::Game;
use uttt::rules as uttt_rules;

impl DuelPage for Uttt {
    fn game() -> Game {
        Game::of(&Ultimate)
    }

    fn unit(language: Language) -> &'static str {
        language.choose("points de l'évaluation", "points of the evaluation")
    }

    fn seat_name(seat: usize, _: Language) -> String {
        if seat == 0 { "x" } else { "o" }.to_owned()
    }

    fn analysed(&self, state: &uttt_rules::State) -> String {
        state.to_string()
    }

    fn tally(state: &uttt_rules::State, seat: usize, language: Language) -> String {
        let side = if seat == 0 { uttt_rules::Side::X } else { uttt_rules::Side::O };
        let boards = state.won(side).count_ones();
        counted(boards, language, ["plateau", "plateaux"], ["board", "boards"])
    }

    fn worded(text: &str, _: Language) -> String {
        let cell = text.parse().ok().and_then(uttt_rules::Cell::new);
        cell.map_or_else(|| text.to_owned(), names::cell)
    }

    fn bound(state: &uttt_rules::State, language: Language) -> Option<String> {
        let board = state.forced().filter(|board| state.closed() >> board & 1 == 0).map(names::board);
        Some(match (board, language) {
            (Some(board), Language::French) => format!("le plateau {board}"),
            (Some(board), Language::English) => format!("board {board}"),
            (None, Language::French) => "n'importe quel plateau".to_owned(),
            (None, Language::English) => "any open board".to_owned(),
        })
    }

    fn reason(state: &uttt_rules::State, language: Language) -> &'static str {
        match state.winner() {
            Some(_) => language.choose("trois plateaux alignés", "three boards in a row"),
            None => language.choose("tous les plateaux sont fermés", "every board is closed"),
        }
    }

    fn refuse(&self, state: &uttt_rules::State, _: &[String], click: &str, language: Language) -> String {
        let cell = click.parse().ok().and_then(uttt_rules::Cell::new);
        let Some(cell) = cell else { return language.choose("pas une case", "no cell").to_owned() };
        if state.at(cell).is_some() {
            return language.choose("la case est prise", "the cell is taken").to_owned();
        }
        if state.closed() >> cell.board() & 1 == 1 {
            return language.choose("ce plateau est fermé", "this board is closed").to_owned();
        }
        let board = names::board(state.forced().unwrap_or_default());
        match language {
            Language::French => format!("il faut jouer dans le plateau {board}"),
            Language::English => format!("you must play in board {board}"),
        }
    }
}
