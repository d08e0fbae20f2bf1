//! À la pêche aux moules as an assignment.

use super::{Moules, Opening, TIME, drawing, journal, page};
use crate::assignment::{
    AnalysisProgram, Assignment, Defaults, Demonstration, Drawing, GameOption, KeyHelp, Marks, Opponent,
    Phrase,
};
use crate::course::{Course, OpeningSet};
use crate::drawing::Language;
use crate::lesson::Lesson;
use crate::notation::Notation;
use crate::openings::OpeningNotation;
use crate::options::GameOptions;
use crate::play::Play;
use crate::play::own::{OwnAnalyst, OwnPlayer, Terms};
use crate::puzzle::{self, Puzzle};
use crate::registry::Game;
use crate::review::{Moment, Reason};
use crate::seed::mix;
use crate::strength::{Levels, Strength};
use moules_client::rules::Settings;
use std::ops::RangeInclusive;
use std::sync::LazyLock;
use std::time::Duration;
use wire::Failure;

/// The assignment of the maze of mussels.
pub struct Maze;

/// Default columns and rows.
const SIZE: (usize, usize) = (25, 17);

/// The built-in pairs of seeds.
pub const OPENINGS: &str = include_str!("../../../../../test-data/openings/moules.txt");

/// The game's phrases in French.
const PHRASES: &[Phrase] = &[
    (
        "marks: 6, 4, 2 and 0 by rank in a game of four, 6, 4 and 0 of three, 6 and 0 of two; equals share those of \
         their ranks",
        "barème : 6, 4, 2 et 0 par rang à quatre, 6, 4 et 0 à trois, 6 et 0 à deux ; les ex æquo partagent celui de \
         leurs rangs",
    ),
    ("moules", "moules"),
    ("dunes", "dunes"),
    ("frites", "frites"),
    ("mussels", "moules"),
    ("beers", "bières"),
    (
        "PGN does not hold a whole maze: its record file does",
        "PGN ne contient pas un labyrinthe entier : ouvrez son fichier de parties",
    ),
    ("every mussel is taken", "toutes les moules sont prises"),
    ("a maze has at most", "un labyrinthe a au plus"),
    ("a maze of", "un labyrinthe de"),
    ("% of dunes", "% de dunes"),
    (
        "maze, items, size, dunes, mussels, beers, frites, turns or played",
        "maze, items, size, dunes, mussels, beers, frites, turns ou played",
    ),
    ("no sand is left for item", "plus de sable pour l'objet"),
    ("items are placed at least", "les objets se posent à au moins"),
    ("everybody passed", "tout le monde a passé"),
];

/// Openings hold no moves.
struct Openings;

impl OpeningNotation for Openings {
    fn split(&self, _: &str) -> Option<Vec<String>> {
        None
    }
}

impl Assignment for Maze {
    fn name(&self) -> &'static str {
        "moules"
    }

    fn title(&self, language: Language) -> &'static str {
        language.choose("Moules", "Mussels")
    }

    fn summary(&self, language: Language) -> &'static str {
        language.choose("la pêche aux moules, de 1 à 4", "fishing for mussels, 1 to 4 players")
    }

    fn seats(&self) -> RangeInclusive<usize> {
        1..=4
    }

    fn nickname(&self, language: Language) -> &'static str {
        language.choose("labyrinthe", "maze")
    }

    fn options(&self) -> &'static [GameOption] {
        &[
            GameOption { name: "size", meaning: "columns and rows of the maze", default: Some("25x17") },
            GameOption { name: "turns", meaning: "turns of each player", default: None },
            GameOption {
                name: "dunes",
                meaning: "share of the dunes that remain, in percent",
                default: None,
            },
        ]
    }

    fn openings(&self) -> &'static dyn OpeningNotation {
        &Openings
    }

    fn notations(&self) -> &'static [&'static dyn Notation] {
        &[&journal::Journal]
    }

    fn pgn_refusal(&self) -> Option<&'static str> {
        Some("PGN does not hold a whole maze: its record file does")
    }

    #[cfg(feature = "peers")]
    fn server(&self) -> Option<&'static dyn crate::assignment::Server> {
        Some(&super::server::Serveur)
    }

    fn typed(&self, language: Language) -> &'static str {
        language.choose(
            "deux numéros, du labyrinthe et de ses objets : 12 34",
            "two numbers, of the maze and of its items: 12 34",
        )
    }

    fn has_size(&self) -> bool {
        true
    }

    fn beginning(&self, _: &str, number: u64) -> Option<String> {
        Some(format!("maze {} items {}", number % 65_536, mix(number, 1) % 65_536))
    }

    fn resized(&self, opening: String, size: &str) -> String {
        if size.is_empty() || opening.contains("size") { opening } else { format!("{opening} size {size}") }
    }

    /// The run's head says the size and the counts, its openings only what is drawn in them.
    fn whole_opening(&self, opening: &str, setting: &str) -> anyhow::Result<String> {
        let mut start = Opening::default();
        start.read_setting(setting);
        start.read(opening)?;
        Ok(start.to_string())
    }

    fn badge(&self, seat: usize) -> Option<String> {
        Some(drawing::badge(seat))
    }

    fn keys(&self) -> &'static [KeyHelp] {
        &[("F, B, C", "labyrinthe : frite, bière, passer", "maze: fries, beer, pass")]
    }

    fn phrases(&self) -> &'static [Phrase] {
        PHRASES
    }

    fn puzzles(&self) -> &'static [Puzzle] {
        static PUZZLES: LazyLock<Vec<Puzzle>> =
            LazyLock::new(|| puzzle::embedded(Game::of(&Maze), include_str!("puzzles.txt")));
        &PUZZLES
    }

    fn least_cost(&self) -> f64 {
        0.5
    }

    fn reasons(&self, moment: &Moment<'_>) -> Vec<Box<dyn Reason>> {
        super::review::reasons(moment)
    }

    fn lessons(&self) -> &'static [Lesson] {
        super::lessons::LESSONS
    }

    fn executables(&self) -> &'static [&'static str] {
        &["moules-client", "moules-serveur"]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["moules-client", "client"]
    }

    /// The server allows no grace.
    fn defaults(&self) -> Defaults {
        Defaults { time: Some(TIME), grace: Duration::ZERO, memory: None }
    }

    fn course(&'static self, options: &GameOptions, seats: usize) -> Result<Box<dyn Course>, Failure> {
        let (width, height) = options.size(SIZE.0, SIZE.1)?;
        let course = Moules {
            settings: Settings { width, height, dunes: options.dunes, ..Settings::default() },
            turns: options.turns,
            seats,
            set: options.openings_of(Game::of(self), self.name(), OPENINGS, "maze 1 items 1")?,
            time: options.time.map(Duration::from_millis),
        };
        // Some sizes cannot be generated, so the openings are checked with the size.
        course.check_openings().map_err(Failure::input)?;
        Ok(Box::new(course))
    }

    /// A maze depends on settings that are not in its openings.
    fn recorded(
        &self,
        options: &GameOptions,
        seats: usize,
        setting: &str,
    ) -> Result<Box<dyn Course>, Failure> {
        let (width, height) = options.size(SIZE.0, SIZE.1)?;
        let settings = Settings { width, height, dunes: options.dunes, ..Settings::default() };
        let mut start = Opening { settings, turns: Some(options.turns), played: Vec::new() };
        start.read_setting(setting);
        let Opening { settings, turns, .. } = start;
        let (turns, set) = (turns.unwrap_or_default(), OpeningSet::single(""));
        Ok(Box::new(Moules { settings, turns, seats, set, time: None }))
    }

    fn draw_opening(&self, _: &Drawing<'_>, seed: u64) -> Option<String> {
        Some(format!("maze {} items {}", mix(seed, 0) % 1_000_000, mix(seed, 1) % 1_000_000))
    }

    fn levels(&self) -> &'static Levels {
        &super::own::LEVELS
    }

    fn opponent(&self, strength: Strength, _: &str) -> Opponent {
        let millis = strength.amount(&super::own::LEVELS);
        Opponent {
            player: format!("moules-client {{host}} {{port}} {{name}} --time {millis}"),
            time: Some(Duration::from_millis(2 * millis + 500)),
            memory: None,
        }
    }

    fn analysis(&self) -> Option<AnalysisProgram> {
        Some(AnalysisProgram { command: &["moules-client", "--analyse"], moves: 8, threads: false })
    }

    fn own_player(&self, opening: &str, seats: usize, terms: &Terms) -> anyhow::Result<Box<dyn OwnPlayer>> {
        super::own::player(opening, seats, terms)
    }

    fn own_analyst(&self, _: usize) -> Option<Box<dyn OwnAnalyst>> {
        Some(super::own::analyst())
    }

    fn forms(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("tcp:HOST:PORT", "the referee listens there"),
            ("{host}, {port}, {name}", "say where the server's address and the player's name go"),
        ]
    }

    fn marks(&self) -> Option<Marks> {
        Some(Marks {
            a_point: 6.0,
            scale: "marks: 6, 4, 2 and 0 by rank in a game of four, 6, 4 and 0 of three, 6 and 0 of two; equals share \
                    those of their ranks",
        })
    }

    fn knows_clocks(&self) -> bool {
        false
    }

    fn listens(&self) -> bool {
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
            title: "moules-client over TCP against three built-in clients",
            players: &[
                "moules-client=moules-client --time 100 {host} {port} {name}",
                "greedy=builtin:greedy",
                "lost=builtin:random",
                "greedy-too=builtin:greedy",
            ],
            sides: &["@0", "@1", "@2", "@3"],
            opening: "maze 49811 items 52567",
            millis: 2000,
        })
    }

    #[cfg(feature = "hand-in")]
    fn submission(&self) -> Option<&'static dyn crate::hand_in::Submission> {
        Some(&super::hand_in::Archive)
    }

    fn open(&self, opening: &str, seats: usize) -> anyhow::Result<Box<dyn Play>> {
        Ok(Box::new(page::open(opening, seats)?))
    }

    fn start(&self, text: &str) -> anyhow::Result<String> {
        if text.is_empty() {
            return Ok("maze 1 items 1".to_owned());
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            let mut numbers = text.split_whitespace();
            let mut next = || numbers.next().unwrap_or("0");
            return Ok(format!("maze {} items {}", next(), next()));
        }
        Ok(text.to_owned())
    }

    fn style(&self) -> &'static str {
        include_str!("style.css")
    }

    fn sample(&self) -> &'static str {
        "maze 783512 items 43448 size 13x11 mussels 6 beers 2 frites 3 dunes 30"
    }
}
