//! One drawing a game, as SVG with classes: the arena's boards, the reports' pictures and those of the READMEs.
//!
//! - [`Marks`]: what is drawn over a position.
//! - [`STYLE`]: the colours, light and dark; [`standalone`]: a drawing as a file of its own.
//! - One module a game.
//!
//! Colours are never alone: a piece's shape or its inner ring tells its owner, too.

pub mod connect5;
pub mod gounki;
pub mod moules;
pub mod othello;
mod svg;
pub mod uttt;

pub use svg::escape;
use svg::Canvas;

/// The style sheet of every drawing.
pub const STYLE: &str = include_str!("drawing/style.css");

/// The languages that drawings are labelled in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// As the courses are held.
    #[default]
    French,
    /// For everybody else.
    English,
}

impl Language {
    /// The text in this language.
    pub fn choose<'a>(self, french: &'a str, english: &'a str) -> &'a str {
        match self {
            Self::French => french,
            Self::English => english,
        }
    }
}

/// What is drawn over a position; cells by their names.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    /// The last move: its cells in order.
    pub last: Vec<String>,
    /// Cells that may be clicked next.
    pub targets: Vec<String>,
    /// Cells clicked so far.
    pub chosen: Vec<String>,
    /// The move that an engine would play.
    pub best: Vec<String>,
    /// Values on cells, the best first.
    pub values: Vec<(String, String)>,
    /// Whether cells can be clicked and get the keyboard's focus.
    pub interactive: bool,
    /// The language of labels.
    pub language: Language,
}

impl Marks {
    fn has(list: &[String], name: &str) -> bool {
        list.iter().any(|cell| cell == name)
    }

    fn value(&self, name: &str) -> Option<(&str, bool)> {
        let at = self.values.iter().position(|(cell, _)| cell == name)?;
        Some((&self.values[at].1, at == 0))
    }

    fn choose<'a>(&self, french: &'a str, english: &'a str) -> &'a str {
        self.language.choose(french, english)
    }
}

/// A drawing as a file of its own, its style inside.
pub fn standalone(svg: &str) -> String {
    svg.replacen('>', &format!("><style>{STYLE}</style><rect class=\"paper\" width=\"100%\" height=\"100%\"/>"), 1)
}
