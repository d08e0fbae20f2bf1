//! Games that are played elsewhere: tables side by side, and a standing.

use courses::drawing::Language;
use courses::french::french;
use courses::play::watched::Scoreboard;
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;

/// A text in both languages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    french: String,
    english: String,
}

impl Text {
    /// Creates a text from its French and its English words.
    pub fn new(french: impl Into<String>, english: impl Into<String>) -> Self {
        Self { french: french.into(), english: english.into() }
    }

    /// Creates a text from the English words of a run, a course or a judge.
    pub fn told(english: impl Into<String>) -> Self {
        let english = english.into();
        Self { french: french(&english), english }
    }

    /// Creates a text that is the same in both languages: a name, a number.
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { french: text.clone(), english: text }
    }

    fn say(&self, language: Language) -> &str {
        language.choose(&self.french, &self.english)
    }
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The players' names.
    pub title: String,
    /// The board as SVG.
    pub drawing: String,
    /// The table beside the board, if the game has one.
    pub scoreboard: Option<Arc<dyn Scoreboard>>,
    /// Lines below the board: the last move, the number of moves.
    pub foot: Vec<Text>,
}

/// A standing.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The heads of the columns.
    pub heads: Vec<Text>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Score, Elo and how far the run is, in words.
    pub summary: Text,
}

/// Draws the table beside a board.
fn scores(scores: &dyn Scoreboard, language: Language) -> Markup {
    html! {
        p.foot { (scores.summary(language)) }
        div.scores tabindex="0" role="region" aria-label=(language.choose("joueurs", "players")) {
            table {
                thead { tr { th { "#" } @for head in scores.heads(language) { th { (head) } } } }
                tbody { @for (sign, cells) in scores.rows(language) {
                    tr { td { (PreEscaped(sign)) } @for cell in cells { td { (cell) } } }
                } }
            }
        }
    }
}

/// A run as its viewers see it.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The title.
    pub title: Text,
    /// The games in progress.
    pub tables: Vec<Table>,
    /// The standing.
    pub standing: Standing,
    /// True after the end.
    pub over: bool,
}

impl Run {
    /// Returns the text of the live region. It changes a few times a game, because boards change faster than speech.
    fn aloud(&self, language: Language) -> String {
        let boards = self.tables.iter().filter_map(|table| table.scoreboard.as_ref());
        let (left, names): (Vec<String>, Vec<&str>) =
            boards.map(|board| board.left(language)).map(|(count, name)| (count.to_string(), name)).unzip();
        let items = format!("{} {}", left.join(", "), names.first().copied().unwrap_or_default());
        let over = self.over.then(|| language.choose("terminé", "over").to_owned());
        let summary = self.standing.summary.say(language).to_owned();
        let parts = over.into_iter().chain((!left.is_empty()).then_some(items)).chain([summary]);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// Returns the changing part of the page.
    #[must_use]
    pub fn view(&self, language: Language) -> String {
        let say = |french: &'static str, english: &'static str| language.choose(french, english);
        html! {
            main #view data-over=[self.over.then_some("1")] data-say=(self.aloud(language)) {
                h1 { (self.title.say(language)) @if self.over { " · " (say("terminé", "over")) } }
                @if self.tables.iter().all(|table| table.drawing.is_empty()) {
                    p { (say("Personne ne joue encore.", "Nobody plays yet.")) }
                }
                div.tables {
                    @for table in self.tables.iter().filter(|table| !table.drawing.is_empty()) {
                        section.table {
                            h2 { (table.title) }
                            (PreEscaped(&table.drawing))
                            @if let Some(board) = &table.scoreboard { (scores(board.as_ref(), language)) }
                            @for line in &table.foot { p.foot { (line.say(language)) } }
                        }
                    }
                }
                @if !self.standing.rows.is_empty() {
                    section.standing tabindex="0" aria-label=(say("classement", "standing")) {
                        h2 { (say("Classement", "Standing")) }
                        table {
                            thead { tr { @for head in &self.standing.heads { th { (head.say(language)) } } } }
                            tbody { @for row in &self.standing.rows { tr { @for cell in row { td { (cell) } } } } }
                        }
                        p.foot { (self.standing.summary.say(language)) }
                    }
                }
            }
        }
        .into_string()
    }
}
