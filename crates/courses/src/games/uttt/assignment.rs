//! Ultimate tic-tac-toe as an assignment.

use super::{Uttt, names};
use crate::assignment::{AnalysisProgram, Assignment, Demonstration, Drawing, Opponent, Phrase};
use crate::course::{Course, OpeningSet};
use crate::drawing::Language;
use crate::duel::random_line;
use crate::editor::Editor;
use crate::lesson::Lesson;
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
use std::sync::LazyLock;
use wire::Failure;

/// The assignment of ultimate tic-tac-toe.
pub struct Ultimate;

/// Openings: cells, or the integer of a position.
struct Openings;

impl OpeningNotation for Openings {
    fn line(&self, line: &str, _: Option<(usize, usize)>) -> anyhow::Result<String> {
        let is_one = line.split_whitespace().count() == 1;
        let is_integer = is_one && line.len() > 2 && line.bytes().all(|byte| byte.is_ascii_digit());
        Ok(if is_integer { format!("@{line}") } else { line.to_owned() })
    }
}

pub(super) const OPENINGS: &str = include_str!("../../../../../test-data/openings/uttt.txt");

impl Assignment for Ultimate {
    fn name(&self) -> &'static str {
        "uttt"
    }

    fn title(&self, language: Language) -> &'static str {
        language.choose("Morpion ultime", "Ultimate tic-tac-toe")
    }

    fn summary(&self, language: Language) -> &'static str {
        language.choose("neuf morpions en un", "nine tic-tac-toes in one")
    }

    fn openings(&self) -> &'static dyn OpeningNotation {
        &Openings
    }

    fn typed(&self, language: Language) -> &'static str {
        language.choose(
            "coups : E5 E1 A1, ou 40 36 0 ; ou l'entier d'une position",
            "moves: E5 E1 A1, or 40 36 0; or the integer of a position",
        )
    }

    fn puzzles(&self) -> &'static [Puzzle] {
        static PUZZLES: LazyLock<Vec<Puzzle>> =
            LazyLock::new(|| puzzle::embedded(Game::of(&Ultimate), include_str!("puzzles.txt")));
        &PUZZLES
    }

    fn reasons(&self, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
        super::review::reasons(&Uttt { set: OpeningSet::single(""), timed: false }, moment)
    }

    fn lessons(&self) -> &'static [Lesson] {
        super::lessons::LESSONS
    }

    fn phrases(&self) -> &'static [Phrase] {
        &[
            ("nothing was played there", "aucun coup n'a été joué là"),
            ("is no cell", "n'est pas une case"),
            ("does not follow", "ne suit pas"),
        ]
    }

    fn editor(&self) -> Option<&'static dyn Editor> {
        Some(&super::editor::Symbols)
    }

    fn demos(&self) -> &'static [Demo] {
        super::thinking::DEMOS
    }

    fn executables(&self) -> &'static [&'static str] {
        &["uttt"]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["tp1_*", "uttt"]
    }

    fn protocols(&self) -> &'static [&'static str] {
        &["dialogue"]
    }

    fn course(&'static self, options: &GameOptions, _: usize) -> Result<Box<dyn Course>, Failure> {
        let set = options.openings_of(Game::of(self), self.name(), OPENINGS, "")?;
        Ok(Box::new(Uttt { set, timed: options.time.is_some() }))
    }

    fn draw_opening(&self, drawing: &Drawing<'_>, seed: u64) -> Option<String> {
        let game = Uttt { set: OpeningSet::single(""), timed: false };
        random_line(&game, "", drawing.plies, seed).map(|line| line.join(" "))
    }

    fn levels(&self) -> &'static Levels {
        &super::own::LEVELS
    }

    fn opponent(&self, strength: Strength, _: &str) -> Opponent {
        let limit = if strength.is_timed() { "--time" } else { "--nodes" };
        let amount = strength.amount(&super::own::LEVELS);
        Opponent { player: format!("dialogue:uttt - {limit} {amount}"), ..Opponent::default() }
    }

    fn analysis(&self) -> Option<AnalysisProgram> {
        Some(AnalysisProgram {
            command: &["uttt", "analyse"],
            moves: wire::analysis::MAX_MOVES,
            threads: true,
        })
    }

    fn own_player(&self, opening: &str, _: usize, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
        super::own::player(Uttt { set: OpeningSet::single(""), timed: false }, opening, terms)
    }

    fn own_analyst(&self, memory: usize) -> Option<Box<dyn OwnAnalyst>> {
        Some(super::own::analyst(memory))
    }

    fn forms(&self) -> &'static [(&'static str, &'static str)] {
        &[("{position}", "says where the position goes")]
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
            title: "uttt as x, a process a move, against a built-in greedy player",
            players: &["uttt=uttt", "greedy=builtin:greedy"],
            sides: &["x", "o"],
            opening: "",
            millis: 100,
        })
    }

    #[cfg(feature = "hand-in")]
    fn submission(&self) -> Option<&'static dyn crate::hand_in::Submission> {
        Some(&super::hand_in::Archive)
    }

    fn open(&self, opening: &str, _: usize) -> anyhow::Result<Box<dyn Play>> {
        Ok(Box::new(Duel::new(Uttt { set: OpeningSet::single(""), timed: false }, opening)?))
    }

    fn start(&self, text: &str) -> anyhow::Result<String> {
        let is_integer = text.len() > 2 && text.bytes().all(|byte| byte.is_ascii_digit());
        // Records have numbers, whatever somebody types.
        let number = |word: &str| names::read(word).map_or_else(|| word.to_owned(), |cell| cell.to_string());
        let numbers = || text.split(' ').map(number).collect::<Vec<_>>().join(" ");
        Ok(if is_integer { format!("@{text}") } else { numbers() })
    }

    fn swatch(&self, seat: usize) -> &'static str {
        if seat == 0 { "x" } else { "o" }
    }

    fn style(&self) -> &'static str {
        include_str!("style.css")
    }

    fn sample(&self) -> &'static str {
        "11 24 61 65 26 76"
    }
}
