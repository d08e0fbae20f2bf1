//! Notes on moves in SGF: labels, symbols and comments.

use crate::notation::{Written, comment};
use crate::note::{self, Note, Notes, Symbol};
use crate::thought::Thought;
use wire::properties::escape;

/// Returns a move's label, symbol and comment as properties.
pub(super) fn written(note: &Note, thought: Option<&Thought>) -> String {
    let label = Some(note.label()).filter(|label| !label.is_empty());
    let comment = Some(comment(note.text(), thought)).filter(|comment| !comment.is_empty());
    let mut text = label.map(|label| format!("N[{}]", escape(label))).unwrap_or_default();
    text += match note.symbol {
        None => "",
        Some(Symbol::Good) => "TE[1]",
        Some(Symbol::Excellent) => "TE[2]",
        Some(Symbol::Bad) => "BM[1]",
        Some(Symbol::Blunder) => "BM[2]",
        Some(Symbol::Interesting) => "IT[]",
        Some(Symbol::Doubtful) => "DO[]",
    };
    text + &comment.map(|comment| format!("C[{}]", escape(&comment))).unwrap_or_default()
}

/// The annotations of a node that is read.
#[derive(Default)]
pub(super) struct Annotations {
    symbol: Option<Symbol>,
    label: String,
    comment: String,
    /// The number of the move, from 1, if the node has one.
    pub(super) number: Option<usize>,
}

impl Annotations {
    /// Applies a property. Returns false for one of another kind.
    pub(super) fn take(&mut self, name: &str, value: &str) -> bool {
        let is_double = value.trim() == "2";
        match name {
            "C" => self.comment.push_str(value),
            "N" => value.clone_into(&mut self.label),
            "TE" => self.symbol = Some(if is_double { Symbol::Excellent } else { Symbol::Good }),
            "BM" => self.symbol = Some(if is_double { Symbol::Blunder } else { Symbol::Bad }),
            "IT" => self.symbol = Some(Symbol::Interesting),
            "DO" => self.symbol = Some(Symbol::Doubtful),
            _ => return false,
        }
        true
    }

    /// Ends the node: the note belongs to its move. The comment of the first node is the game's.
    pub(super) fn end(&mut self, notes: &mut Notes, game: &mut Written, is_first: bool) {
        let Self { symbol, label, comment, number } = std::mem::take(self);
        match number {
            Some(number) if notes.len() < note::MOST => {
                let note = Note::new(symbol, &label, &comment);
                notes.extend(Some((number, note)).filter(|(_, note)| !note.is_empty()));
            }
            None if is_first => game.comment = comment,
            _ => {}
        }
    }
}
