//! A person's notes on moves: a symbol, a label and a comment.

use crate::drawing::Language;
use serde::{Deserialize, Serialize};

/// Maximum number of notes of a game.
pub const MOST: usize = 200;
/// Maximum length of a label, in characters.
pub const LABEL: usize = 40;
/// Maximum length of a comment, in characters.
pub const TEXT: usize = 500;

/// The notes of a game, by index of the move from 0.
pub type Notes = Vec<(usize, Note)>;

/// A judgement of a move, as in books of chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Symbol {
    /// A good move.
    #[serde(rename = "!")]
    Good,
    /// A bad move.
    #[serde(rename = "?")]
    Bad,
    /// An excellent move.
    #[serde(rename = "!!")]
    Excellent,
    /// A move that loses much.
    #[serde(rename = "??")]
    Blunder,
    /// An interesting move.
    #[serde(rename = "!?")]
    Interesting,
    /// A doubtful move.
    #[serde(rename = "?!")]
    Doubtful,
}

impl Symbol {
    /// All symbols, in the order of their numbers in PGN.
    pub const ALL: [Self; 6] =
        [Self::Good, Self::Bad, Self::Excellent, Self::Blunder, Self::Interesting, Self::Doubtful];

    /// Returns the symbol.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Good => "!",
            Self::Bad => "?",
            Self::Excellent => "!!",
            Self::Blunder => "??",
            Self::Interesting => "!?",
            Self::Doubtful => "?!",
        }
    }

    /// Returns the meaning in words.
    #[must_use]
    pub fn meaning(self, language: Language) -> &'static str {
        match self {
            Self::Good => language.choose("bon coup", "good move"),
            Self::Bad => language.choose("mauvais coup", "bad move"),
            Self::Excellent => language.choose("excellent coup", "excellent move"),
            Self::Blunder => language.choose("gaffe", "blunder"),
            Self::Interesting => language.choose("coup intéressant", "interesting move"),
            Self::Doubtful => language.choose("coup douteux", "doubtful move"),
        }
    }

    /// Returns the number in PGN, from 1 to 6 (<https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>).
    #[must_use]
    pub fn number(self) -> usize {
        Self::ALL.iter().position(|symbol| *symbol == self).map_or(0, |at| at + 1)
    }

    /// Returns the symbol of a text that is nothing else.
    #[must_use]
    pub fn of(sign: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|symbol| symbol.sign() == sign)
    }

    /// Splits the symbol off the end of a move: `f5!?`.
    #[must_use]
    pub fn split(word: &str) -> (&str, Option<Self>) {
        let mv = word.trim_end_matches(['!', '?']);
        Self::of(&word[mv.len()..]).map_or((word, None), |symbol| (mv, Some(symbol)))
    }
}

/// A note on a move, as plain text of bounded length.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written")]
pub struct Note {
    /// The judgement of the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<Symbol>,
    label: String,
    text: String,
}

/// A note as a file has it.
#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct Written {
    symbol: Option<Symbol>,
    label: String,
    text: String,
}

impl From<Written> for Note {
    fn from(Written { symbol, label, text }: Written) -> Self {
        Self::new(symbol, &label, &text)
    }
}

impl Note {
    /// Creates a note. Longer texts are cut, and control characters except line ends are left out.
    #[must_use]
    pub fn new(symbol: Option<Symbol>, label: &str, text: &str) -> Self {
        let lines: Vec<String> = text.lines().take(TEXT).map(|line| printable(line, TEXT)).collect();
        Self { symbol, label: printable(label, LABEL), text: cut(&lines.join("\n"), TEXT) }
    }

    /// Adds lines to the comment, as far as they have room.
    pub fn add(&mut self, text: &str) {
        add_lines(&mut self.text, &Self::new(None, "", text).text, TEXT);
    }

    /// Returns the name of the position after the move; one line.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Returns the comment, which may have several lines.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns true if the note says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.symbol.is_none() && self.label.is_empty() && self.text.is_empty()
    }

    /// Returns the label and the comment as one text, for notations without labels.
    #[must_use]
    pub fn comment(&self) -> String {
        let parts = [self.label.as_str(), self.text.as_str()];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ")
    }

    /// Returns symbol, label and comment as one text, for notations with comments only.
    #[must_use]
    pub fn plain(&self) -> String {
        let sign = self.symbol.map_or("", Symbol::sign);
        format!("{sign} {}", self.comment()).trim().to_owned()
    }

    /// Reads a comment that may begin with a symbol, as [`plain`](Self::plain) writes it.
    #[must_use]
    pub fn from_plain(comment: &str) -> Self {
        let (first, rest) = comment.trim().split_once(' ').unwrap_or((comment.trim(), ""));
        match Symbol::of(first) {
            symbol @ Some(_) => Self::new(symbol, "", rest),
            None => Self::new(None, "", comment),
        }
    }
}

/// Adds lines to a text of at most `most` characters.
pub(crate) fn add_lines(text: &mut String, more: &str, most: usize) {
    let between = if text.is_empty() { "" } else { "\n" };
    let room = most.saturating_sub(text.chars().count() + between.len());
    if room > 0 && !more.is_empty() {
        text.push_str(between);
        text.extend(more.chars().take(room));
    }
}

fn cut(text: &str, most: usize) -> String {
    text.trim().chars().take(most).collect()
}

/// Returns a line without control and formatting characters.
fn printable(line: &str, most: usize) -> String {
    let spaced = line.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    spaced.filter(|&c| !wire::is_unprintable(c)).take(most).collect()
}

/// Returns the note on move `nth`.
#[must_use]
pub fn of(notes: &Notes, nth: usize) -> Option<&Note> {
    notes.iter().find(|(on, _)| *on == nth).map(|(_, note)| note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_plain_text_of_bounded_length() {
        let note = Note::new(None, &"é".repeat(50), &format!("a\u{7}b\r\n\u{202e}c\n{}", "x".repeat(600)));
        assert_eq!(note.label().chars().count(), LABEL);
        assert_eq!(note.text().chars().count(), TEXT);
        assert!(note.text().starts_with("ab\nc\nxx"), "{note:?}");
        let read: Note = serde_json::from_str(&format!("{{\"text\":\"{}\"}}", "y".repeat(900))).unwrap();
        assert_eq!(read.text().len(), TEXT);
        assert!(Note::new(None, " \n", "\u{0}").is_empty());
    }

    #[test]
    fn symbols_are_told_apart_from_moves_and_texts() {
        for (nth, symbol) in Symbol::ALL.into_iter().enumerate() {
            assert_eq!(symbol.number(), nth + 1);
            assert_eq!(Symbol::split(&format!("f5{}", symbol.sign())), ("f5", Some(symbol)));
            let note = Note::new(Some(symbol), "", "why not d6?");
            assert_eq!(Note::from_plain(&note.plain()), note);
            assert_eq!(serde_json::from_str::<Note>(&serde_json::to_string(&note).unwrap()).unwrap(), note);
        }
        assert_eq!(Symbol::split("f5!!!"), ("f5!!!", None));
        assert_eq!(Symbol::split("f5"), ("f5", None));
        assert_eq!(Note::new(None, "Tiger", "sharp").plain(), "Tiger: sharp");
        assert_eq!(Note::from_plain("!").symbol, Some(Symbol::Good));
    }
}
