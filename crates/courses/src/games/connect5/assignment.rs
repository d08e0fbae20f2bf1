//! Connect5 as an assignment.

use super::page;
use super::{Connect5, MEMORY, TIME, drawn_openings, openings};
use crate::assignment::{
    AnalysisProgram, Assignment, Defaults, Demonstration, Drawing, GameOption, Opponent,
};
use crate::course::{Course, OpeningSet};
use crate::drawing::Language;
use crate::duel::Rules as _;
use crate::editor::Editor;
use crate::framework::JavaFramework;
use crate::lesson::Lesson;
use crate::notation::Notation;
use crate::openings::OpeningNotation;
use crate::options::GameOptions;
use crate::play::Play;
use crate::play::duel::Duel;
use crate::play::own::{OwnAnalyst, OwnPlayer, Terms};
use crate::puzzle::{self, Puzzle};
use crate::registry::Game;
use crate::review::{Moment, Reason};
use crate::strength::{Levels, Strength};
use crate::thinking::Demo;
use anyhow::{Context, ensure};
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::rules::{Cell, Grid, Position};
use search_core::{Limits, Position as _, Stopwatch};
use std::sync::LazyLock;
use std::time::Duration;
use wire::Failure;

/// The assignment of connect5: five in a row.
pub struct Gomoku;

/// Default rows and columns.
const SIZE: (usize, usize) = (12, 12);

/// The longest side of a grid that a page shows.
const SIDE: usize = 50;

/// Checks that a grid fits the page.
pub(super) fn check_side(rows: usize, columns: usize) -> anyhow::Result<()> {
    ensure!(rows.max(columns) <= SIDE, "a grid has at most {SIDE}x{SIDE} cells here");
    Ok(())
}

/// Returns the size of the options, which a grid can have.
fn size(options: &GameOptions) -> Result<(usize, usize), Failure> {
    let (rows, columns) = options.size(SIZE.0, SIZE.1)?;
    Grid::new(rows, columns).map_err(|error| Failure::input(format!("--size: {error}")))?;
    Ok((rows, columns))
}

/// Returns the game of an opening, on a grid that fits the page.
fn on_the_page(opening: &str) -> anyhow::Result<Connect5> {
    let size = opening.split_whitespace().next().unwrap_or_default();
    let sides = size.split_once('x').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
    let (rows, columns): (usize, usize) = sides.with_context(|| format!("\"{size}\" is no size: 9x14"))?;
    check_side(rows, columns)?;
    Ok(Connect5::new(rows, columns, OpeningSet::single("")))
}

impl Assignment for Gomoku {
    fn name(&self) -> &'static str {
        "connect5"
    }

    fn title(&self, _: Language) -> &'static str {
        "Connect5"
    }

    fn summary(&self, language: Language) -> &'static str {
        language.choose("cinq alignés, ni plus ni moins", "exactly five in a row")
    }

    fn options(&self) -> &'static [GameOption] {
        &[GameOption { name: "size", meaning: "rows and columns", default: Some("12x12") }]
    }

    fn openings(&self) -> &'static dyn OpeningNotation {
        &super::openings::Openings
    }

    fn notations(&self) -> &'static [&'static dyn Notation] {
        &[&super::sgf::Sgf, &super::psq::Psq]
    }

    fn typed(&self, language: Language) -> &'static str {
        language.choose("coups : h8 h9 i9, ou une grille", "moves: h8 h9 i9, or a grid")
    }

    fn has_size(&self) -> bool {
        true
    }

    /// The search leaves moves out: a loss that it sees is not proven.
    fn proves_values(&self) -> bool {
        false
    }

    fn beginning(&self, size: &str, _: u64) -> Option<String> {
        (!size.is_empty()).then(|| size.to_owned())
    }

    fn puzzles(&self) -> &'static [Puzzle] {
        static PUZZLES: LazyLock<Vec<Puzzle>> =
            LazyLock::new(|| puzzle::embedded(Game::of(&Gomoku), include_str!("puzzles.txt")));
        &PUZZLES
    }

    fn reasons(&self, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
        on_the_page(moment.opening)
            .map_or_else(|_| Vec::new(), |rules| super::review::reasons(&rules, moment))
    }

    fn lessons(&self) -> &'static [Lesson] {
        super::lessons::LESSONS
    }

    fn editor(&self) -> Option<&'static dyn Editor> {
        Some(&super::editor::Stones)
    }

    fn demos(&self) -> &'static [Demo] {
        super::thinking::DEMOS
    }

    fn executables(&self) -> &'static [&'static str] {
        &["connect5-joueur"]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["joueur"]
    }

    fn examples(&self) -> &'static [&'static str] {
        &["joueuraleatoire", "serveurjoueuraleatoire"]
    }

    fn java_framework(&self) -> Option<&'static JavaFramework> {
        Some(&super::java::FRAMEWORK)
    }

    fn protocols(&self) -> &'static [&'static str] {
        &["pret", "server", "piskvork"]
    }

    fn defaults(&self) -> Defaults {
        Defaults { time: Some(TIME), memory: Some(MEMORY), ..Defaults::default() }
    }

    fn course(&'static self, options: &GameOptions, _: usize) -> Result<Box<dyn Course>, Failure> {
        let (rows, columns) = size(options)?;
        let own = openings(rows, columns);
        let set = if own.is_none() && options.openings.openings.is_none() {
            let drawn = drawn_openings(rows, columns, 200, options.seed);
            OpeningSet::new("drawn near the middle", &drawn, options.seed)
        } else {
            options.openings_of(
                Game::of(self),
                &format!("connect5 {rows}x{columns}"),
                own.unwrap_or_default(),
                "",
            )?
        };
        Ok(Box::new(Connect5::new(rows, columns, set)))
    }

    fn draw_opening(&self, drawing: &Drawing<'_>, seed: u64) -> Option<String> {
        let (rows, columns) = size(drawing.options).ok()?;
        balanced(drawing, &Connect5::new(rows, columns, OpeningSet::single("")), seed)
    }

    fn drawn_by(&self, drawing: &Drawing<'_>) -> String {
        let size = drawing.options.size.as_ref().map(|size| format!("--size {size} ")).unwrap_or_default();
        format!("{size}--level {} --positions {}", drawing.level, drawing.positions)
    }

    fn levels(&self) -> &'static Levels {
        &super::own::LEVELS
    }

    fn opponent(&self, strength: Strength, _: &str) -> Opponent {
        let evaluation = if super::own::is_weak(strength) { " --eval lines" } else { "" };
        // At a level, a millisecond stands for a position.
        let count = if strength.is_timed() { "" } else { " --nodestime 1" };
        Opponent {
            player: format!("connect5-joueur{evaluation}{count}"),
            time: Some(Duration::from_millis(strength.amount(&super::own::LEVELS).max(10))),
            memory: Some(MEMORY),
        }
    }

    fn analysis(&self) -> Option<AnalysisProgram> {
        Some(AnalysisProgram { command: &["connect5-joueur", "--analyse"], moves: 8, threads: true })
    }

    fn own_player(&self, opening: &str, _: usize, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
        super::own::player(on_the_page(opening)?, opening, terms)
    }

    fn own_analyst(&self, memory: usize) -> Option<Box<dyn OwnAnalyst>> {
        Some(super::own::analyst(memory))
    }

    #[cfg(feature = "marking")]
    fn compliance(&self) -> Option<&'static dyn crate::compliance::Compliance> {
        Some(&super::compliance::Steps)
    }

    #[cfg(feature = "marking")]
    fn marking(&self) -> Option<&'static dyn crate::marking::MarkingScheme> {
        Some(&super::mark::Scheme)
    }

    fn demonstration(&self) -> Option<Demonstration> {
        Some(Demonstration {
            title: "connect5-joueur by the course's dialogue as N, against a built-in greedy player",
            players: &["connect5-joueur=connect5-joueur", "greedy=builtin:greedy"],
            sides: &["N", "B"],
            opening: "12x12",
            millis: 100,
        })
    }

    #[cfg(feature = "hand-in")]
    fn submission(&self) -> Option<&'static dyn crate::hand_in::Submission> {
        Some(&super::hand_in::Archive)
    }

    fn open(&self, opening: &str, _: usize) -> anyhow::Result<Box<dyn Play>> {
        Ok(Box::new(Duel::new(on_the_page(opening)?, opening)?))
    }

    fn start(&self, text: &str) -> anyhow::Result<String> {
        Ok(page::start(text))
    }

    /// Moves are those on a grid of this size.
    fn sized(&self, text: &str, size: &str) -> String {
        let first = text.split_whitespace().next().unwrap_or_default();
        let is_line = first.as_bytes().get(1).is_some_and(u8::is_ascii_digit) && !first.contains('x');
        let is_sized = !size.is_empty() && is_line && first.starts_with(char::is_alphabetic);
        if is_sized { format!("{size} {text}") } else { text.to_owned() }
    }

    fn style(&self) -> &'static str {
        include_str!("style.css")
    }

    fn sample(&self) -> &'static str {
        "10x10 e5f6e6e4f5d7"
    }
}

/// Returns a line that the project's search considers undecided and nearly level.
fn balanced(drawing: &Drawing<'_>, game: &Connect5, seed: u64) -> Option<String> {
    let line = drawn_openings(game.rows, game.columns, 1, seed);
    let mut position = game.start(&format!("{}x{} {line}", game.rows, game.columns)).ok()?;
    level_move(&position, Limits::depth(6), drawing.level)?;
    if drawing.positions > 0 {
        let best = level_move(&position, Limits::nodes(drawing.positions), drawing.level)?;
        position.play(best);
        level_move(&position, Limits::nodes(drawing.positions), drawing.level)?;
    }
    Some(line)
}

/// Returns the best move found, if the position after it is undecided and nearly level.
fn level_move(position: &Position, limits: Limits, level: i32) -> Option<Cell> {
    let settings = Settings { table_bytes: 4 << 20, ..Settings::default() };
    let report = Player::new(settings).think(position, limits, &Stopwatch::start());
    let is_level = !report.score.is_decided() && report.score.value().abs() <= level;
    report.best.filter(|_| is_level)
}
