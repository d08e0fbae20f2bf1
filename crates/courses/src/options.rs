//! The arguments of every program that plays the assignments: which one, its settings, the conditions of its games.

use crate::course::{Conditions, Course, OpeningSet};
use crate::games::connect5::{self, Connect5};
use crate::games::gounki::Gounki;
use crate::games::moules::{self, Moules};
use crate::games::othello::{Bridge, MOST_ADJUDICATED, Othello};
use crate::games::uttt::Uttt;
use crate::limits::Adjudication;
use crate::openings::{self, Found, OpeningOptions, Order};
use clap::{Args, ValueEnum};
use moules_client::rules::Settings;
use std::io::Read;
use std::path::PathBuf;
use std::time::Duration;
use wire::{Failure, Telling};

/// The assignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Game {
    /// Exactly five in a row
    Connect5,
    /// The game of stacks and rebounds
    Gounki,
    /// À la pêche aux moules
    Moules,
    /// Othello
    Othello,
    /// Ultimate tic-tac-toe
    Uttt,
}

impl Game {
    /// Its name, as it is written on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Connect5 => "connect5",
            Self::Gounki => "gounki",
            Self::Moules => "moules",
            Self::Othello => "othello",
            Self::Uttt => "uttt",
        }
    }

    /// All of them, in the order of the demo.
    pub const ALL: [Self; 5] = [Self::Connect5, Self::Gounki, Self::Moules, Self::Othello, Self::Uttt];
}

/// Options of games.
#[derive(Debug, Clone, Args)]
pub struct GameOptions {
    /// Seed of everything that is drawn: openings, players' seeds
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Milliseconds a move [default: 2000 for connect5 and moules, no limit for the others]
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// Milliseconds that a move may be late by [default: 50; moules 0]
    #[arg(long, value_name = "MS")]
    pub grace: Option<u64>,
    /// Without a time limit: seconds after which a silent player has lost
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    pub watchdog: f64,
    /// Seconds that a player may take to be ready for its first question
    #[arg(long, value_name = "S", default_value_t = 30.0)]
    pub start_up: f64,
    /// What games begin from
    #[command(flatten)]
    pub openings: OpeningOptions,
    /// Virtual memory of each player's process, in MB [default: 512 for connect5, else unlimited]
    #[arg(long, value_name = "MB")]
    pub memory: Option<u64>,
    /// Where the project's own executables are [default: beside the referee]
    #[arg(long, value_name = "DIR")]
    pub bin_dir: Option<PathBuf>,
    /// connect5: rows and columns; moules: columns and rows of the maze [default: 12x12; 25x17]
    #[arg(long, value_name = "AxB")]
    pub size: Option<String>,
    /// othello: depth of both players
    #[arg(long, default_value_t = 5)]
    pub depth: u16,
    /// othello: with N empty squares left the game is scored by its exact solution; 0 plays all games out
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=i64::from(MOST_ADJUDICATED)))]
    pub adjudicate: u32,
    /// moules: turns of each player
    #[arg(long, default_value_t = 500)]
    pub turns: u64,
    /// moules: dunes that stay, in hundredths
    #[arg(long, default_value_t = 50)]
    pub dunes: u32,
}

/// A file's text, of at most 64 MiB.
///
/// # Errors
/// Those of the system; a file that is longer.
pub fn read(path: &str) -> std::io::Result<String> {
    const MOST: u64 = 64 << 20;
    let mut text = String::new();
    std::fs::File::open(path)?.take(MOST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > MOST {
        return Err(std::io::Error::other(format!("longer than {MOST} bytes")));
    }
    Ok(text)
}

impl Default for GameOptions {
    /// The arguments where none is given.
    fn default() -> Self {
        Self {
            seed: 1,
            time: None,
            grace: None,
            watchdog: 60.0,
            start_up: 30.0,
            openings: OpeningOptions { openings_start: 1, ..OpeningOptions::default() },
            memory: None,
            bin_dir: None,
            size: None,
            depth: 5,
            adjudicate: 0,
            turns: 500,
            dunes: 50,
        }
    }
}

impl GameOptions {
    /// The assignment with its settings.
    ///
    /// # Errors
    /// An opening file that cannot be read, a size that is none.
    pub fn course(&self, game: Game, seats: usize) -> Result<Box<dyn Course>, Failure> {
        let course = self.unchecked(game, seats)?;
        // The project's own sets are read by the tests.
        if self.openings.openings.is_some() || game == Game::Moules {
            course.check_openings().map_err(Failure::input)?;
        }
        Ok(course)
    }

    fn unchecked(&self, game: Game, seats: usize) -> Result<Box<dyn Course>, Failure> {
        Ok(match game {
            Game::Connect5 => {
                let (rows, columns) = self.size(12, 12)?;
                Box::new(Connect5 { rows, columns, set: self.connect5_set(rows, columns)? })
            }
            Game::Gounki => Box::new(Gounki {
                set: self.set(game, "gounki", include_str!("../../../test-data/openings/gounki.txt"), "")?,
                timed: self.time.is_some(),
            }),
            Game::Othello => Box::new(Othello {
                set: self.set(
                    game,
                    "othello",
                    include_str!("../../../test-data/openings/othello.txt"),
                    "",
                )?,
                depth: self.depth,
                timed: self.time.is_some(),
                adjudicate: self.adjudicate,
                bridge: Bridge::default(),
            }),
            Game::Uttt => Box::new(Uttt {
                set: self.set(game, "uttt", include_str!("../../../test-data/openings/uttt.txt"), "")?,
                timed: self.time.is_some(),
            }),
            Game::Moules => {
                let (width, height) = self.size(25, 17)?;
                Box::new(Moules {
                    settings: Settings { width, height, dunes: self.dunes, ..Settings::default() },
                    turns: self.turns,
                    seats,
                    set: self.set(
                        game,
                        "moules",
                        include_str!("../../../test-data/openings/moules.txt"),
                        "maze 1 items 1",
                    )?,
                    time: self.time.map(Duration::from_millis),
                })
            }
        })
    }

    fn connect5_set(&self, rows: usize, columns: usize) -> Result<OpeningSet, Failure> {
        let own = connect5::openings(rows, columns);
        if own.is_none() && self.openings.openings.is_none() {
            return Ok(OpeningSet::new(
                "drawn near the middle",
                &connect5::drawn_openings(rows, columns, 200, self.seed),
                self.seed,
            ));
        }
        self.set(Game::Connect5, &format!("connect5 {rows}x{columns}"), own.unwrap_or_default(), "")
    }

    fn set(&self, game: Game, name: &str, own: &str, none: &str) -> Result<OpeningSet, Failure> {
        let OpeningOptions { openings, openings_order: order, openings_start: start, openings_plies: plies } =
            &self.openings;
        let file = openings.as_deref();
        let wrong = |error: String| Failure::input(format!("openings {}: {error}", file.unwrap_or(name)));
        let own = match file {
            Some("none") => return Ok(OpeningSet::single(none)),
            Some(path) => &read(path).map_err(|error| wrong(error.to_string()))?,
            None => own,
        };
        // Only connect5's openings depend on a size.
        let size = if game == Game::Connect5 { self.size(12, 12)? } else { (0, 0) };
        let Found { unit, mut lines } = openings::read(game, own, size, *plies).map_err(wrong)?;
        let skipped = *start as usize - 1;
        if skipped >= lines.len() {
            return Err(wrong(match lines.len() {
                0 => "no opening in it".to_owned(),
                count => format!("--openings-start {start} of {count}"),
            }));
        }
        lines.drain(..skipped);
        let plies = plies.map(|plies| format!(", {plies} plies")).unwrap_or_default();
        let start = if skipped > 0 { format!(", from {start}") } else { String::new() };
        let sequential = if *order == Order::Sequential { ", in order" } else { "" };
        let name = format!("{}{plies}{start}{sequential}", file.unwrap_or(name));
        Ok(OpeningSet::of(&name, unit, lines, *order, self.seed))
    }

    /// The two numbers of `--size`, or these.
    ///
    /// # Errors
    /// When it is no size.
    pub fn size(&self, first: usize, second: usize) -> Result<(usize, usize), Failure> {
        let Some(text) = &self.size else { return Ok((first, second)) };
        text.split_once('x').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?))).ok_or_else(|| {
            Failure::input(format!("--size \"{text}\": two numbers with an x between are expected"))
        })
    }

    /// The conditions of every game.
    ///
    /// # Errors
    /// When the referee does not know where it is itself.
    pub fn conditions(&self, game: Game) -> Result<Conditions, Failure> {
        let time = self.time.map(Duration::from_millis).or(match game {
            Game::Connect5 => Some(connect5::TIME),
            Game::Moules => Some(moules::TIME),
            Game::Gounki | Game::Othello | Game::Uttt => None,
        });
        let memory = self.memory.map(|megabytes| megabytes << 20);
        // The maze's server knows no grace.
        let grace = self.grace.unwrap_or(if game == Game::Moules { 0 } else { 50 });
        let seconds = |name: &str, seconds: f64| match seconds {
            0.001..=1e6 => Ok(Duration::from_secs_f64(seconds)),
            _ => Err(Failure::input(format!("--{name} {seconds}: seconds are expected"))),
        };
        Ok(Conditions {
            time,
            clock: None,
            adjudication: Adjudication::default(),
            grace: Duration::from_millis(grace),
            watchdog: seconds("watchdog", self.watchdog)?,
            start_up: seconds("start-up", self.start_up)?,
            memory: memory.or((game == Game::Connect5).then_some(connect5::MEMORY)),
            folder: self.folder()?,
            telling: Telling::Moves,
        })
    }

    /// Where programs of the project's own are looked for.
    ///
    /// # Errors
    /// When the referee does not know where it is itself.
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.bin_dir {
            return Ok(folder.clone());
        }
        let own = std::env::current_exe().map_err(Failure::run)?;
        Ok(own.parent().map(PathBuf::from).unwrap_or_default())
    }
}
