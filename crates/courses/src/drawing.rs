//! Board drawings as SVG with classes, for the arena, the reports and the READMEs.
//!
//! - [`Marks`]: marks over a position.
//! - [`style`]: the colours, light and dark.
//!
//! Each game draws its own board.
//!
//! Colour is never the only sign: a piece's shape or inner ring shows its owner too.

pub(crate) mod svg;

use crate::registry;

pub use svg::{Area, Canvas, escape, preformatted};

/// Returns the style sheet of every drawing: the shared rules, then each game's own.
#[must_use]
pub fn style() -> String {
    let own = registry::all().into_iter().map(|game| game.assignment().style());
    std::iter::once(include_str!("drawing/style.css")).chain(own).collect()
}

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

    /// Returns the language's code, as pages and addresses name it.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.choose("fr", "en")
    }

    /// Returns a number that is written with a point, in this language's form.
    #[must_use]
    pub fn number(self, number: &str) -> String {
        number.replace('.', self.choose(",", "."))
    }

    /// Returns the sign between a name and its value.
    #[must_use]
    pub fn colon(self) -> &'static str {
        self.choose(" : ", ": ")
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
    /// The numbers of the moves on cells, for games that draw them.
    pub numbers: Vec<(String, usize)>,
    /// Values on cells, the best first.
    pub values: Vec<(String, String)>,
    /// True if cells can be clicked and focused.
    pub interactive: bool,
    /// True if cells can be reached by keys and have names for screen readers, though none can be clicked.
    pub explored: bool,
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

    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.numbers.iter().find(|(cell, _)| cell == name).map(|(_, number)| *number)
    }

    pub(crate) fn choose<'a>(&self, french: &'a str, english: &'a str) -> &'a str {
        self.language.choose(french, english)
    }
}
