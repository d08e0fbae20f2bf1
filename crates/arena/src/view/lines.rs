//! Lines of an analysis: each move shows a preview of the board after it, and leads there.

use super::spaces;
use crate::session::Session;
use courses::drawing::Language;
use courses::play::{BoardView, Play};
use maud::{Markup, PreEscaped, html};

/// The longest text of a line, in characters: a game may have long names for its moves.
const LONGEST: usize = 80;

/// Draws the first moves of a line after `at` moves, as buttons. Tab comes to the first one, arrows to the others.
pub fn line(play: &dyn Play, at: usize, moves: &[String], most: usize, language: Language) -> Markup {
    let words: Vec<String> = moves.iter().take(most).map(|text| play.worded(text, language)).collect();
    let ends = words.iter().scan(0, |sum, word| {
        *sum += word.chars().count() + 1;
        Some(*sum)
    });
    let shown = ends.take_while(|end| *end <= LONGEST).count().max(1);
    html! {
        span.moved role="group" aria-label=(language.choose("suite", "line")) {
            @for (nth, word) in words.iter().enumerate().take(shown) {
                button type="button" tabindex=(if nth == 0 { "0" } else { "-1" }) data-from=(at) data-line=(moves[..=nth].join(" ")) { (word) }
                " "
            }
        }
    }
}

/// Draws a preview of the board after the first `at` moves of a game and a line, or of the line on the board where it has
/// only the moves of one player, with words that say so. `None` if there is no such line.
#[must_use]
pub fn ahead(session: &Session, at: usize, line: &str, language: Language) -> Option<String> {
    let line: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    let ahead = session.ahead(at, if session.play.is_line_of_all() { &line } else { &[] })?;
    let board = BoardView { at: ahead.moves().len(), language, ..BoardView::default() };
    let is_of_all = session.play.is_line_of_all();
    let words: Vec<String> = line.iter().map(|text| ahead.worded(text, language)).collect();
    let at = board.at;
    let text = match language {
        Language::French => format!("aperçu : après {}", words.join(" ")),
        Language::English => format!("preview: after {}", words.join(" ")),
    };
    let mover = ahead.mover(at).filter(|_| is_of_all).map(|seat| ahead.seat_name(seat, language));
    let turn = mover.map_or_else(String::new, |name| match language {
        Language::French => format!(" ; trait : {name}"),
        Language::English => format!("; {name} to move"),
    });
    let tallies = serde_json::json!(ahead.tally(at, language)).to_string();
    let drawn = ahead.draw(&if is_of_all { board } else { BoardView { line, ..board } });
    let page = html! { (PreEscaped(drawn)) p.preview data-tallies=(tallies) { (text) (turn) } };
    Some(spaces::text(page, language))
}
