//! Othello as an assignment.

use super::page;
use super::{Bridge, MOST_ADJUDICATED, Othello};
use crate::assignment::{AnalysisProgram, Assignment, Demonstration, Drawing, GameOption, Opponent};
use crate::course::{Course, OpeningSet};
use crate::drawing::Language;
use crate::duel::random_line;
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
use std::sync::LazyLock;
use wire::Failure;

/// The assignment of othello.
pub struct Reversi;

const OPENINGS: &str = include_str!("../../../../../test-data/openings/othello.txt");

/// Returns the game without openings, for the page and for drawn openings.
fn on_the_page() -> Othello {
    Othello { set: OpeningSet::single(""), depth: 5, timed: false, adjudicate: 0, bridge: Bridge::default() }
}

impl Assignment for Reversi {
    fn name(&self) -> &'static str {
        "othello"
    }

    fn title(&self, _: Language) -> &'static str {
        "Othello"
    }

    fn summary(&self, language: Language) -> &'static str {
        language.choose("retourner, et les coins", "turning discs, and corners")
    }

    fn options(&self) -> &'static [GameOption] {
        &[
            GameOption { name: "depth", meaning: "depth of both players", default: None },
            GameOption {
                name: "adjudicate",
                meaning: "score games with N empty squares left by their exact solution; 0 plays all games out",
                default: None,
            },
        ]
    }

    fn most_adjudicated(&self) -> u32 {
        MOST_ADJUDICATED
    }

    fn openings(&self) -> &'static dyn OpeningNotation {
        &super::openings::Openings
    }

    fn notations(&self) -> &'static [&'static dyn Notation] {
        &[&super::ggf::Ggf]
    }

    fn typed(&self, language: Language) -> &'static str {
        language.choose(
            "coups : f5 d6 c3, ou 64 cases (X, O, -) puis X ou O",
            "moves: f5 d6 c3, or 64 squares (X, O, -), then X or O",
        )
    }

    fn puzzles(&self) -> &'static [Puzzle] {
        static PUZZLES: LazyLock<Vec<Puzzle>> =
            LazyLock::new(|| puzzle::embedded(Game::of(&Reversi), include_str!("puzzles.txt")));
        &PUZZLES
    }

    fn reasons(&self, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
        super::review::reasons(&on_the_page(), moment)
    }

    fn least_cost(&self) -> f64 {
        4.0
    }

    fn most(&self) -> Option<f64> {
        Some(64.0)
    }

    fn lessons(&self) -> &'static [Lesson] {
        super::lessons::LESSONS
    }

    fn editor(&self) -> Option<&'static dyn Editor> {
        Some(&super::editor::Discs)
    }

    fn executables(&self) -> &'static [&'static str] {
        &["othello-player"]
    }

    fn protocols(&self) -> &'static [&'static str] {
        &["gtp", "nboard", "tournoi", "java"]
    }

    fn course(&'static self, options: &GameOptions, _: usize) -> Result<Box<dyn Course>, Failure> {
        Ok(Box::new(Othello {
            set: options.openings_of(Game::of(self), self.name(), OPENINGS, "")?,
            depth: options.depth,
            timed: options.time.is_some(),
            adjudicate: options.adjudicate,
            bridge: Bridge::default(),
        }))
    }

    fn draw_opening(&self, drawing: &Drawing<'_>, seed: u64) -> Option<String> {
        random_line(&on_the_page(), "", drawing.plies, seed).map(|line| line.concat())
    }

    fn levels(&self) -> &'static Levels {
        &super::own::LEVELS
    }

    /// GTP cannot set up a position.
    fn opponent(&self, strength: Strength, opening: &str) -> Opponent {
        let protocol = if opening.starts_with('@') { "nboard" } else { "gtp" };
        let limit = match strength {
            Strength::Millis(millis) => format!("--time {millis}"),
            Strength::Level(_) => "--depth {depth} --probcut on".to_owned(),
        };
        let player = format!("{protocol}:othello-player {protocol} {limit}");
        Opponent { player, ..Opponent::default() }
    }

    fn analysis(&self) -> Option<AnalysisProgram> {
        Some(AnalysisProgram { command: &["othello-player", "analyse"], moves: 33, threads: true })
    }

    fn own_player(&self, opening: &str, _: usize, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
        super::own::player(on_the_page(), opening, terms)
    }

    fn own_analyst(&self, memory: usize) -> Option<Box<dyn OwnAnalyst>> {
        Some(super::own::analyst(memory))
    }

    fn forms(&self) -> &'static [(&'static str, &'static str)] {
        &[("java:CLASSPATH CLASS", "a participant's class of the framework")]
    }

    fn java_framework(&self) -> Option<&'static JavaFramework> {
        Some(&super::FRAMEWORK)
    }

    fn ranks_by_score(&self) -> bool {
        true
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
            title: "othello-player by the course's tournament lines as red, against a built-in player at depth 2",
            players: &[
                "othello-player=tournoi:othello-player tournoi --joueur {seat} --depth {depth}",
                "depth-2=builtin:search:2",
            ],
            sides: &["red", "blue"],
            opening: "",
            millis: 2000,
        })
    }

    #[cfg(feature = "hand-in")]
    fn submission(&self) -> Option<&'static dyn crate::hand_in::Submission> {
        Some(&super::hand_in::Archive)
    }

    fn open(&self, opening: &str, _: usize) -> anyhow::Result<Box<dyn Play>> {
        Ok(Box::new(Duel::new(on_the_page(), opening)?))
    }

    fn start(&self, text: &str) -> anyhow::Result<String> {
        Ok(page::start(text))
    }

    fn style(&self) -> &'static str {
        include_str!("style.css")
    }

    fn sample(&self) -> &'static str {
        "d3c5f6e3e2f4b5d2"
    }
}
