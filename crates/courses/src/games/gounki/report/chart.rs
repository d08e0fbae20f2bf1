//! The tournament's graph: a bar with its interval for each player, and the table of results.

use super::font::Style;
use super::page::{COLUMN, Layout, MARGIN};
use super::tournament::{Tournament, rounded};

const SIZE: f32 = 9.5;
const BAR: f32 = 13.0;
const STEP: f32 = 20.0;
/// The left end of the bars, in points from the margin.
const AXIS: f32 = 74.0;
const LENGTH: f32 = COLUMN - AXIS - 34.0;
const ROW: f32 = 14.0;

/// Draws the bars, the strongest player on top.
pub(super) fn draw(layout: &mut Layout, tournament: &Tournament) {
    let rows = tournament.players.len() as f32;
    let top = layout.take(rows * STEP + 46.0) - 12.0;
    let (left, foot) = (MARGIN + AXIS, top - rows * STEP - 2.0);
    let at = |percent: f64| left + LENGTH * percent as f32 / 100.0;
    for tick in (0..=100).step_by(20) {
        let x = at(f64::from(tick));
        let canvas = layout.canvas();
        canvas.set_stroke_gray(if tick == 0 { 0.2 } else { 0.82 }).set_line_width(0.6);
        canvas.move_to(x, top).line_to(x, foot).stroke();
        let text = tick.to_string();
        let width = layout.width(&text, Style::Regular, SIZE);
        layout.write(x - width / 2.0, foot - 11.0, &text, Style::Regular, SIZE);
    }
    for (row, player) in tournament.players.iter().rev().enumerate() {
        let y = top - STEP * (row as f32 + 1.0) + (STEP - BAR) / 2.0;
        let x = at(player.score);
        let canvas = layout.canvas();
        canvas.set_fill_rgb(0.36, 0.55, 0.74).rect(left, y, x - left, BAR).fill_nonzero();
        canvas.set_fill_gray(0.0).set_stroke_gray(0.1).set_line_width(0.9);
        let low = at((player.score - player.margin).max(0.0));
        let high = at((player.score + player.margin).min(100.0));
        let middle = y + BAR / 2.0;
        canvas.move_to(low, middle).line_to(high, middle);
        for end in [low, high] {
            canvas.move_to(end, middle - 2.5).line_to(end, middle + 2.5);
        }
        canvas.stroke();
        let width = layout.width(&player.name, Style::Code, SIZE);
        layout.write(left - 6.0 - width, y + 3.5, &player.name, Style::Code, SIZE);
        let text = format!("{}\u{a0}%", rounded(player.score));
        layout.write(high + 5.0, y + 3.5, &text, Style::Regular, SIZE);
    }
    let title = "Points gagnés contre toutes les autres, en % (trait : intervalle à 95 %)";
    let width = layout.width(title, Style::Italic, SIZE);
    layout.write(left + (LENGTH - width) / 2.0, foot - 25.0, title, Style::Italic, SIZE);
}

/// Draws the table of each row's score against each column.
pub(super) fn table(layout: &mut Layout, tournament: &Tournament) {
    let players = || tournament.players.iter().rev();
    let rows = players().count() as f32 + 2.0;
    let top = layout.take(rows * ROW + 2.0) - 4.0;
    let column = COLUMN / (players().count() as f32 + 1.0);
    let centred = |layout: &mut Layout, column_number: usize, y: f32, text: &str, style: Style| {
        let middle = MARGIN + column * (column_number as f32 + 0.5);
        let width = layout.width(text, style, SIZE);
        layout.write(middle - width / 2.0, y, text, style, SIZE);
    };
    let mut y = top - ROW;
    layout.write(MARGIN + 4.0, y, "% contre", Style::Italic, SIZE);
    for (index, opponent) in players().enumerate() {
        centred(layout, index + 1, y, &opponent.name, Style::Code);
    }
    layout.canvas().set_stroke_gray(0.4).set_line_width(0.6);
    layout.canvas().move_to(MARGIN, y - 4.0).line_to(MARGIN + COLUMN, y - 4.0).stroke();
    y -= 2.0;
    for player in players() {
        y -= ROW;
        layout.write(MARGIN + 4.0, y, &player.name, Style::Code, SIZE);
        for (index, opponent) in players().enumerate() {
            let text = tournament.between(player, opponent).map_or_else(|| "–".to_owned(), rounded);
            centred(layout, index + 1, y, &text, Style::Regular);
        }
    }
}
