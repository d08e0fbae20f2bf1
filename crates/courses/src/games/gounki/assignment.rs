//! Gounki as an assignment.

use super::Gounki;
use super::page;
use crate::assignment::{AnalysisProgram, Assignment, Demonstration, Drawing, KeyHelp, Opponent, Phrase};
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

/// The assignment of gounki.
pub struct Stacks;

pub(super) const OPENINGS: &str = include_str!("../../../../../test-data/openings/gounki.txt");

impl Assignment for Stacks {
    fn name(&self) -> &'static str {
        "gounki"
    }

    fn title(&self, _: Language) -> &'static str {
        "Gounki"
    }

    fn summary(&self, language: Language) -> &'static str {
        language.choose("piles, déploiements, rebonds", "stacks, deployments, rebounds")
    }

    fn openings(&self) -> &'static dyn OpeningNotation {
        &super::openings::Openings
    }

    fn typed(&self, language: Language) -> &'static str {
        language.choose("coups : c1-b1 b7-a6, ou 64 codes", "moves: c1-b1 b7-a6, or 64 codes")
    }

    fn keys(&self) -> &'static [KeyHelp] {
        &[("+", "Gounki : déployer la pile choisie", "Gounki: deploy the chosen stack")]
    }

    fn puzzles(&self) -> &'static [Puzzle] {
        static PUZZLES: LazyLock<Vec<Puzzle>> =
            LazyLock::new(|| puzzle::embedded(Game::of(&Stacks), include_str!("puzzles.txt")));
        &PUZZLES
    }

    fn reasons(&self, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
        super::review::reasons(&Gounki { set: OpeningSet::single(""), timed: false }, moment)
    }

    fn lessons(&self) -> &'static [Lesson] {
        super::lessons::LESSONS
    }

    fn phrases(&self) -> &'static [Phrase] {
        &[
            ("a stack has at most three men", "une pile a au plus trois pions"),
            ("the board is empty", "le plateau est vide"),
            ("no white or black man", "aucun pion blanc ni noir"),
            ("is no code of a cell", "n'est pas un code de case"),
            ("a configuration is 64 codes", "une configuration a 64 codes"),
        ]
    }

    fn editor(&self) -> Option<&'static dyn Editor> {
        Some(&super::editor::Men)
    }

    fn demos(&self) -> &'static [Demo] {
        super::thinking::DEMOS
    }

    fn executables(&self) -> &'static [&'static str] {
        &["gounki"]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["gounki"]
    }

    fn protocols(&self) -> &'static [&'static str] {
        &["humain", "meilleur-coup"]
    }

    fn course(&'static self, options: &GameOptions, _: usize) -> Result<Box<dyn Course>, Failure> {
        let set = options.openings_of(Game::of(self), self.name(), OPENINGS, "")?;
        Ok(Box::new(Gounki { set, timed: options.time.is_some() }))
    }

    fn draw_opening(&self, drawing: &Drawing<'_>, seed: u64) -> Option<String> {
        let game = Gounki { set: OpeningSet::single(""), timed: false };
        random_line(&game, "", drawing.plies, seed).map(|line| line.join(" "))
    }

    fn levels(&self) -> &'static Levels {
        &super::own::LEVELS
    }

    fn opponent(&self, strength: Strength, _: &str) -> Opponent {
        let limit = if strength.is_timed() { "--time" } else { "--nodes" };
        let amount = strength.amount(&super::own::LEVELS);
        Opponent { player: format!("meilleur-coup:gounki {limit} {amount}"), ..Opponent::default() }
    }

    fn analysis(&self) -> Option<AnalysisProgram> {
        Some(AnalysisProgram { command: &["gounki", "--analyse"], moves: 8, threads: true })
    }

    fn own_player(&self, opening: &str, _: usize, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
        super::own::player(Gounki { set: OpeningSet::single(""), timed: false }, opening, terms)
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
            title: "gounki's robot as black, the referee typing a built-in player's moves as the person",
            players: &["greedy=builtin:greedy", "gounki=gounki --time {time} --seed {seed}"],
            sides: &["white", "black"],
            opening: "",
            millis: 100,
        })
    }

    #[cfg(feature = "hand-in")]
    fn submission(&self) -> Option<&'static dyn crate::hand_in::Submission> {
        Some(&super::hand_in::Archive)
    }

    fn open(&self, opening: &str, _: usize) -> anyhow::Result<Box<dyn Play>> {
        Ok(Box::new(Duel::new(Gounki { set: OpeningSet::single(""), timed: false }, opening)?))
    }

    fn start(&self, text: &str) -> anyhow::Result<String> {
        Ok(page::start(text))
    }

    fn swatch(&self, seat: usize) -> &'static str {
        if seat == 0 { "pale" } else { "deep" }
    }

    fn sample(&self) -> &'static str {
        "d2-d3 b7-a6 f1-g2 f8-e8"
    }
}
