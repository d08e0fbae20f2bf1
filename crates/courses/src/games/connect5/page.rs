//! Connect5 on the page: labels, positions as text, reasons for refused clicks.

use super::Connect5;
use super::assignment::Gomoku;
use crate::drawing::Language;
use crate::play::counted;
use crate::play::duel::DuelPage;
use crate::registry::Game;
use connect5_joueur::rules as connect5_rules;
use search_core::Outcome;
use search_core::Position as _;

impl DuelPage for Connect5 {
    fn game() -> Game {
        Game::of(&Gomoku)
    }

    fn memory(position: &Self::Position) -> usize {
        // Every cell in four lines, two bits each, and the walls between the lines.
        size_of::<Self::Position>() + 2 * position.cells().len()
    }

    fn unit(language: Language) -> &'static str {
        language.choose("points de l'évaluation", "points of the evaluation")
    }

    fn seat_name(seat: usize, language: Language) -> String {
        if seat == 0 { language.choose("noir", "black") } else { language.choose("blanc", "white") }
            .to_owned()
    }

    fn position(&self, position: &connect5_rules::Position) -> String {
        text(position)
    }

    fn analysed(&self, position: &connect5_rules::Position) -> String {
        grid(position, '/')
    }

    fn tally(position: &connect5_rules::Position, seat: usize, language: Language) -> String {
        let color = connect5_rules::Color::ALL[seat];
        let stones = position.to_grid().count(color) as u32;
        counted(stones, language, ["pion", "pions"], ["stone", "stones"])
    }

    fn numbers_moves() -> bool {
        true
    }

    fn reason(position: &connect5_rules::Position, language: Language) -> &'static str {
        match position.outcome() {
            Some(Outcome::Draw) => language.choose("la grille est pleine", "the grid is full"),
            _ => language.choose("cinq alignés, ni plus ni moins", "exactly five in a row"),
        }
    }

    fn refuse(&self, _: &connect5_rules::Position, _: &[String], _: &str, language: Language) -> String {
        language.choose("la case est prise", "the cell is taken").to_owned()
    }
}

/// Returns a position as the opening of a record.
pub(super) fn text(position: &connect5_rules::Position) -> String {
    let geometry = position.geometry();
    format!("{}x{} @{}", geometry.rows(), geometry.columns(), grid(position, '/'))
}

fn grid(position: &connect5_rules::Position, between: char) -> String {
    let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
    let mut text = String::with_capacity(rows * (columns + 1));
    for row in 0..rows {
        if row > 0 {
            text.push(between);
        }
        for column in 0..columns {
            text.push(match position.stone(connect5_rules::Cell::at(row, column, columns)) {
                None => '0',
                Some(connect5_rules::Color::Black) => 'N',
                Some(connect5_rules::Color::White) => 'B',
            });
        }
    }
    text
}

/// Converts a typed opening: rows of a grid, or moves with or without a size.
#[must_use]
pub fn start(text: &str) -> String {
    let rows: Vec<&str> = text.split_whitespace().collect();
    let is_row = |row: &&str| row.len() >= 5 && row.bytes().all(|byte| b"0NB".contains(&byte));
    match rows.first() {
        None => "15x15".to_owned(),
        // A size may precede a grid.
        Some(first) if is_row(first) => format!("{}x{} @{}", rows.len(), first.len(), rows.join("/")),
        Some(first) if first.contains('x') => text.to_owned(),
        Some(_) => format!("15x15 {text}"),
    }
}
