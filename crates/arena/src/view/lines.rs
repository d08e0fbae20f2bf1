//! Lines of an analysis: each move shows the board after it, and leads there.

use crate::session::Session;
use courses::drawing::Language;
use courses::play::{BoardView, Play};
use maud::{Markup, html};

/// Draws the first moves of a line after `at` moves, as buttons. Tab comes to the first one, arrows to the others.
pub fn line(play: &dyn Play, at: usize, moves: &[String], most: usize, language: Language) -> Markup {
    html! {
        span.moved role="group" aria-label=(language.choose("suite", "line")) {
            @for (nth, text) in moves.iter().enumerate().take(most) {
                button type="button" tabindex=(if nth == 0 { "0" } else { "-1" }) data-from=(at) data-line=(moves[..=nth].join(" ")) { (play.worded(text, language)) }
                " "
            }
        }
    }
}

/// Draws the board after the first `at` moves of a game and a line, or the line on the board where it has only the moves
/// of one player. `None` if there is no such line.
#[must_use]
pub fn ahead(session: &Session, at: usize, line: &str, language: Language) -> Option<String> {
    let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let ahead = session.ahead(at, if session.play.is_line_of_all() { &line } else { &[] })?;
    let board = BoardView { at: ahead.moves().len(), language, ..BoardView::default() };
    Some(match session.play.is_line_of_all() {
        true => ahead.draw(&board),
        false => ahead.draw(&BoardView { line, ..board }),
    })
}
