//! Othello on the page: labels, positions as text, reasons for refused clicks.

use super::assignment::Reversi;
use super::{Coloured, Othello};
use crate::drawing::Language;
use crate::play::counted;
use crate::play::duel::DuelPage;
use crate::play::engine::Spec;
use crate::registry::Game;
use othello_player::rules as othello_rules;
use search_core::Position as _;

impl DuelPage for Othello {
    fn game() -> Game {
        Game::of(&Reversi)
    }

    fn unit(language: Language) -> &'static str {
        language.choose("pions", "discs")
    }

    fn seat_name(seat: usize, language: Language) -> String {
        if seat == 0 { language.choose("noir", "black") } else { language.choose("blanc", "white") }
            .to_owned()
    }

    fn position(&self, position: &Coloured) -> String {
        text(&position.0)
    }

    fn analysed(&self, position: &Coloured) -> String {
        position.0.to_string()
    }

    fn tally(position: &Coloured, seat: usize, language: Language) -> String {
        let side = if seat == 0 { othello_rules::Side::Black } else { othello_rules::Side::White };
        let discs = position.0.discs(side).count_ones();
        counted(discs, language, ["pion", "pions"], ["disc", "discs"])
    }

    fn opening_name(position: &Coloured, language: Language) -> Option<&'static str> {
        super::names::name(position, language)
    }

    fn buttons() -> &'static [(&'static str, &'static str, &'static str)] {
        &[("pass", "passer", "pass")]
    }

    fn worded(text: &str, language: Language) -> String {
        if text == "pass" { language.choose("passe", text) } else { text }.to_owned()
    }

    fn refuse(&self, position: &Coloured, _: &[String], click: &str, language: Language) -> String {
        let square = click.parse::<othello_rules::Square>().ok();
        let taken = square.is_some_and(|square| position.0.cell(square.bit()).is_some());
        if taken {
            return language.choose("la case est prise", "the square is taken").to_owned();
        }
        if position.is_legal(othello_rules::Move::PASS) {
            return language.choose("aucun coup : il faut passer", "no move: you must pass").to_owned();
        }
        language.choose("ce coup ne retourne aucun pion", "this move turns no disc").to_owned()
    }

    fn reason(position: &Coloured, language: Language) -> &'static str {
        match position.0.position.empties() {
            0 => language.choose("l'othellier est plein", "the board is full"),
            _ => language.choose(
                "plus personne ne peut jouer, les cases vides comptent pour le gagnant",
                "nobody can move, the empty squares count for the winner",
            ),
        }
    }

    fn line(opening: &str, moves: &[String]) -> String {
        let moves: String = moves.iter().filter(|mv| *mv != "pass").map(String::as_str).collect();
        format!("{opening} {moves}").trim().to_owned()
    }

    /// Returns the number of moves that a line can represent. It omits passes, and a pass at the end is not implied by
    /// a later move.
    fn lined(moves: &[String]) -> usize {
        moves.iter().rposition(|mv| mv != "pass").map_or(0, |last| last + 1)
    }

    fn tuned(&self, spec: &Spec) -> Self {
        Self { depth: super::own::depth(spec.strength), ..self.clone() }
    }
}

/// Returns a board as the opening of a record.
pub(super) fn text(board: &othello_rules::Board) -> String {
    format!("@{}", board.to_string().split_whitespace().collect::<String>())
}

/// Converts a typed opening: a board and its side to move, or moves.
#[must_use]
pub fn start(text: &str) -> String {
    let board: String = text.split(['%', ';']).next().unwrap_or_default().split_whitespace().collect();
    if board.contains(|c: char| c.is_ascii_digit()) || board.chars().count() < 65 {
        return text.to_owned();
    }
    format!("@{board}")
}
