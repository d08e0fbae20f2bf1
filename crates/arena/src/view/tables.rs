//! Games that are played elsewhere: tables side by side, and a standing.

use super::home::result as result_of;
use super::seats::{clock, sign};
use super::{Visitor, graph, spaces, status};
use courses::drawing::Language;
use courses::french::{french, say};
use courses::play::watched::Scoreboard;
use courses::play::{BoardView, Play};
use courses::record::Record;
use courses::registry;
use maud::{Markup, PreEscaped, html};
use std::sync::Arc;
use std::time::Duration;

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

    /// Returns the text after another one.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        Self { french: first.french.clone() + &self.french, english: first.english.clone() + &self.english }
    }

    fn say(&self, language: Language) -> &str {
        language.choose(&self.french, &self.english)
    }
}

/// A player at a table.
#[derive(Debug, Clone, Default)]
pub struct Chair {
    /// The player's name as shown in the standing.
    pub name: String,
    /// The game and the seat, for the colour by the name.
    pub seat: Option<(registry::Game, usize)>,
    /// The player's discs, men or boards, in words.
    pub tally: Text,
    /// The time used so far.
    pub clock: Option<Duration>,
    /// True if it is the player's turn.
    pub is_mover: bool,
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The players, by seat.
    pub chairs: Vec<Chair>,
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
    /// The rows, with a name in the second column and figures in the others.
    pub rows: Vec<Vec<String>>,
    /// Score, Elo and how far the run is, in words.
    pub summary: Text,
}

/// Returns the number of rows in which tables stand on a wide screen, as the style sheet arranges them.
fn rows(tables: usize) -> usize {
    match tables {
        0..=3 => 1,
        4..=8 => 2,
        _ => 3,
    }
}

/// Draws a player's name, with the colour, the discs and the clock.
fn sit(chair: &Chair, language: Language) -> Markup {
    html! {
        span.chair.turn[chair.is_mover] {
            @if let Some((game, seat)) = chair.seat { (sign(game, seat)) " " }
            (chair.name)
            @let tally = chair.tally.say(language);
            @if !tally.is_empty() { " " small { (tally) } }
            @if let Some(time) = chair.clock { " " time.clock { (clock(time)) } }
        }
    }
}

/// A finished game of a run, as its page shows it.
pub struct Game<'a> {
    /// Its moves, players and result.
    pub record: &'a Record,
    /// The game, replayed.
    pub play: &'a dyn Play,
    /// The ply shown.
    pub at: usize,
    /// True once all games are over, so that an engine disturbs none.
    pub may_study: bool,
}

impl Game<'_> {
    /// Returns the result in the board's words, or the reason why the game ended before.
    fn result(&self, language: Language) -> String {
        let (length, played) = (self.play.moves().len(), &self.record.played);
        let ending = self.play.ending(length);
        match (ending, played.faults.first()) {
            (Some(ending), None) => status::result(self.play, length, &ending, None, language),
            (_, Some((seat, fault))) => {
                let (name, fault) = (&self.record.names[*seat], say(&fault.to_string(), language));
                format!("{name}{}{fault}", language.colon())
            }
            (None, None) => say(&played.end, language),
        }
    }
}

/// Returns the page of a finished game, at a ply. Its number in addresses and titles begins at 1.
#[must_use]
pub fn game(visitor: &Visitor, game: &Game<'_>) -> String {
    let language = visitor.language;
    let Game { record, play, at, may_study } = *game;
    let number = record.game + 1;
    let (at, length) = (at.min(play.moves().len()), play.moves().len());
    let board = play.draw(&BoardView { at, language, explored: true, ..BoardView::default() });
    let address = |to: usize| format!("/watch/{number}?at={to}");
    let link = |to: usize, key: &'static str, sign: &'static str, name: &'static str| {
        html! { a href=(address(to)) rel=(key) aria-label=(name) { (sign) } }
    };
    let points = result_of(&record.played.points, language);
    let body = html! {
        main #view.replayed data-game=(play.game().name()) data-at=(at) data-length=(length) {
            h1 { (visitor.say("Partie", "Game")) " " (number) }
            p.status {
                @for (seat, name) in record.names.iter().enumerate() {
                    @if seat > 0 { " – " }
                    span.chair { (sign(play.game(), seat)) " " (name) }
                }
                " · " span.chair { (points) }
                br;
                (game.result(language))
            }
            div.boardbox { (PreEscaped(board)) }
            nav.browse aria-label=(visitor.say("coups", "moves")) {
                (link(0, "first", "«", visitor.say("début", "start")))
                (link(at.saturating_sub(1), "prev", "‹", visitor.say("coup précédent", "previous move")))
                span { (at) " / " (length) }
                (link((at + 1).min(length), "next", "›", visitor.say("coup suivant", "next move")))
                (link(length, "last", "»", visitor.say("fin", "end")))
            }
            (graph::told(play, record, at, address, language))
            p.status {
                @if may_study {
                    a href=(format!("/watch/{number}/study?at={at}")) { (visitor.say("étudier", "study")) }
                } @else {
                    small { (visitor.say("À étudier avec un moteur après le tournoi.", "To study with an engine after the run.")) }
                }
            }
            ol.moves {
                @for (nth, text) in play.moves().iter().enumerate() {
                    li { a.here[nth + 1 == at] href=(address(nth + 1)) { (play.worded(text, language)) } }
                }
            }
            p { a href="/watch" { (visitor.say("retour aux parties en cours", "back to the games in progress")) } " · " a href="/watch/games" { (visitor.say("toutes les parties finies", "all finished games")) } }
        }
    };
    super::shell(visitor, visitor.say("Regarder", "Watch"), &["main.js"], &body)
}

/// Draws finished games as links, in the order of their numbers.
fn finished<'a>(games: impl Iterator<Item = &'a Finished>, language: Language) -> Markup {
    html! {
        ul.finished {
            @for Finished { number, title, .. } in games {
                li { a href=(format!("/watch/{}", number + 1)) { (number + 1) " · " (title.say(language)) } }
            }
        }
    }
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

/// A finished game in the list of a run.
#[derive(Debug, Clone, Default)]
pub struct Finished {
    /// The number of its record, from 0.
    pub number: u64,
    /// Its place among the games in the order of their ends.
    pub ended: u64,
    /// Players and result.
    pub title: Text,
}

/// The number of finished games on the page of a run; a page of their own has all.
const LATEST: usize = 8;

/// A run as its viewers see it.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The title.
    pub title: Text,
    /// The games in progress.
    pub tables: Vec<Table>,
    /// The standing.
    pub standing: Standing,
    /// The finished games, in the order of their numbers.
    pub finished: Vec<Finished>,
    /// The latest fault, as long as it is news.
    pub fault: Option<Text>,
    /// A line that says that games are not kept, and why.
    pub unkept: Option<Text>,
    /// A line while nobody plays.
    pub waits: Option<Text>,
    /// True after the end.
    pub over: bool,
}

impl Run {
    /// Returns what went wrong, in lines of the page.
    fn faults(&self) -> impl Iterator<Item = &Text> {
        self.unkept.iter().chain(&self.fault)
    }

    /// Returns the text of the live region. It changes a few times a game, because boards change faster than speech.
    fn aloud(&self, language: Language) -> String {
        let boards = self.tables.iter().filter_map(|table| table.scoreboard.as_ref());
        let (left, names): (Vec<String>, Vec<&str>) =
            boards.map(|board| board.left(language)).map(|(count, name)| (count.to_string(), name)).unzip();
        let items = format!("{} {}", left.join(", "), names.first().copied().unwrap_or_default());
        let over = self.over.then(|| language.choose("terminé", "over").to_owned());
        let summary = self.standing.summary.say(language).to_owned();
        let faults = self.faults().map(|fault| fault.say(language).to_owned());
        let parts = faults.chain(over).chain((!left.is_empty()).then_some(items)).chain([summary]);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }

    /// Returns the games that ended last, in the order of their numbers.
    fn latest(&self) -> Vec<&Finished> {
        let mut latest: Vec<&Finished> = self.finished.iter().collect();
        latest.sort_by_key(|game| std::cmp::Reverse(game.ended));
        latest.truncate(LATEST);
        latest.sort_by_key(|game| game.number);
        latest
    }

    /// Returns the page of all finished games.
    #[must_use]
    pub fn games(&self, visitor: &Visitor) -> String {
        let body = html! {
            main #view {
                h1 { (self.title.say(visitor.language)) }
                h2 { (visitor.say("Parties finies", "Finished games")) " (" (self.finished.len()) ")" }
                (finished(self.finished.iter(), visitor.language))
                p { a href="/watch" { (visitor.say("retour aux parties en cours", "back to the games in progress")) } }
            }
        };
        super::shell(visitor, visitor.say("Regarder", "Watch"), &["main.js"], &body)
    }

    /// Returns the changing part of the page.
    #[must_use]
    pub fn view(&self, language: Language) -> String {
        let say = |french: &'static str, english: &'static str| language.choose(french, english);
        let tables = || self.tables.iter().filter(|table| !table.drawing.is_empty());
        let page = html! {
            main #view data-over=[self.over.then_some("1")] data-say=(self.aloud(language)) {
                h1 { (self.title.say(language)) @if self.over { " · " (say("terminé", "over")) } }
                @if self.tables.iter().all(|table| table.drawing.is_empty()) {
                    @match &self.waits {
                        Some(text) => p { (text.say(language)) },
                        None => p { (say("Personne ne joue encore.", "Nobody plays yet.")) },
                    }
                }
                @for fault in self.faults() { p.fault { (fault.say(language)) } }
                div.tables data-rows=(rows(tables().count())) {
                    @for table in tables() {
                        section.table {
                            h2 { @for (nth, chair) in table.chairs.iter().enumerate() { @if nth > 0 { span.vs { " – " } } (sit(chair, language)) } }
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
                            tbody { @for row in &self.standing.rows { tr { @for (nth, cell) in row.iter().enumerate() { td { @if nth == 1 { (cell) } @else { (language.number(cell)) } } } } } }
                        }
                        p.foot { (self.standing.summary.say(language)) }
                        @if !self.finished.is_empty() {
                            h2 { (say("Dernières parties finies", "Games finished last")) " " small { a href="/watch/games" { (say("toutes", "all")) " (" (self.finished.len()) ")" } } }
                            (finished(self.latest().into_iter(), language))
                        }
                    }
                }
            }
        };
        spaces::text(page, language)
    }
}
