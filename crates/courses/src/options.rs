//! Command-line options of the programs that play games: settings and conditions.

mod help;

use crate::course::{Conditions, Course, OpeningSet};
use crate::limits::Adjudication;
use crate::notation;
use crate::openings::{self, Found, OpeningOptions, Order};
use crate::registry::{self, Game};
use clap::Args;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wire::{Failure, SearchLog, text};

/// Options of games.
#[derive(Debug, Clone, Args)]
pub struct GameOptions {
    /// Seed of all random choices: openings, players' seeds
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Milliseconds a move.
    #[arg(long, value_name = "MS", help = help::time())]
    pub time: Option<u64>,
    /// Milliseconds by which a move may exceed its time.
    #[arg(long, value_name = "MS", help = help::grace())]
    pub grace: Option<u64>,
    /// Without a time limit: seconds after which a silent player loses
    #[arg(long, value_name = "S", default_value_t = 60.0)]
    pub watchdog: f64,
    /// Seconds that a player may take to start
    #[arg(long, value_name = "S", default_value_t = 30.0)]
    pub start_up: f64,
    /// The choice of openings.
    #[command(flatten)]
    pub openings: OpeningOptions,
    /// Virtual memory of each player's process, in MB.
    #[arg(long, value_name = "MB", help = help::memory())]
    pub memory: Option<NonZeroU32>,
    /// Folder of the project's executables [default: the referee's folder]
    #[arg(long, value_name = "DIR")]
    pub bin_dir: Option<PathBuf>,
    /// Size of the board.
    #[arg(long, value_name = "AxB", help = help::of("size"))]
    pub size: Option<String>,
    /// Depth of both players, for games at equal depth.
    #[arg(long, default_value_t = 5, help = help::of("depth"))]
    pub depth: u16,
    /// Number of empty squares from which a game is scored by its exact solution. 0 plays all games out.
    #[arg(long, value_name = "N", default_value_t = 0, help = help::of("adjudicate"),
          value_parser = clap::value_parser!(u32).range(..=most_adjudicated()))]
    pub adjudicate: u32,
    /// Turns of each player.
    #[arg(long, default_value_t = 500, help = help::of("turns"))]
    pub turns: u64,
    /// Share of the dunes that remain, in percent.
    #[arg(long, default_value_t = 50, help = help::of("dunes"))]
    pub dunes: u32,
}

/// Returns the largest value of `--adjudicate` of any game.
fn most_adjudicated() -> i64 {
    registry::all().iter().map(|game| i64::from(game.most_adjudicated())).max().unwrap_or(0)
}

/// Parses a number of an option within a range.
///
/// # Errors
/// The expected range. `nan` and `inf` are not accepted.
pub fn number(text: &str, range: RangeInclusive<f64>) -> Result<f64, OutOfRange> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or(OutOfRange { range })
}

/// The value of an option is not a number within its range.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("expected a number from {} to {}", .range.start(), .range.end())]
pub struct OutOfRange {
    /// The accepted numbers.
    pub range: RangeInclusive<f64>,
}

impl Default for GameOptions {
    /// The default values.
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
    /// Returns the assignment with its settings.
    ///
    /// # Errors
    /// If an opening file cannot be read, or a size is not valid.
    pub fn course(&self, game: Game, seats: usize) -> Result<Box<dyn Course>, Failure> {
        let course = game.assignment().course(self, seats)?;
        // The project's own sets are checked by the tests.
        if self.openings.openings.is_some() {
            course.check_openings().map_err(Failure::input)?;
        }
        Ok(course)
    }

    /// Returns the openings that these options choose: those of their file, or else `own`, the text of the game's set
    /// `name`. `none` is the initial position.
    ///
    /// # Errors
    /// If the file cannot be read, or lacks the requested opening.
    pub fn openings_of(&self, game: Game, name: &str, own: &str, none: &str) -> Result<OpeningSet, Failure> {
        let OpeningOptions { openings, openings_order: order, openings_start: start, openings_plies: plies } =
            &self.openings;
        let file = openings.as_deref();
        let wrong =
            |error: &dyn Display| Failure::input(format!("openings {}: {error}", file.unwrap_or(name)));
        let own = match file {
            Some("none") => return Ok(OpeningSet::single(none)),
            // Known when it is compiled: a module for browsers has no character sets.
            Some(_) if cfg!(target_family = "wasm") => return Err(wrong(&"there are no files here")),
            Some(path) => {
                let bytes = text::read_bytes(Path::new(path), text::MAX_FILE);
                let bytes = bytes.map_err(|error| wrong(&error))?;
                &notation::decode(&bytes).map_err(|error| wrong(&error))?
            }
            None => own,
        };
        let size = self.size(12, 12)?;
        let found = openings::read(game, own, size, *plies);
        let Found { unit, mut lines } = found.map_err(|error| wrong(&error))?;
        let skipped = *start as usize - 1;
        if skipped >= lines.len() {
            return Err(match lines.len() {
                0 => wrong(&"the file has no openings"),
                count => wrong(&format_args!("--openings-start {start} of {count}")),
            });
        }
        lines.drain(..skipped);
        let plies = plies.map(|plies| format!(", {plies} plies")).unwrap_or_default();
        let start = if skipped > 0 { format!(", from {start}") } else { String::new() };
        let sequential = if *order == Order::Sequential { ", in order" } else { "" };
        let name = format!("{}{plies}{start}{sequential}", file.unwrap_or(name));
        Ok(OpeningSet::of(&name, unit, lines, *order, self.seed))
    }

    /// Returns the two numbers of `--size`, or these defaults.
    ///
    /// # Errors
    /// If the size is not valid.
    pub fn size(&self, first: usize, second: usize) -> Result<(usize, usize), Failure> {
        let Some(text) = &self.size else { return Ok((first, second)) };
        text.split_once('x').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?))).ok_or_else(|| {
            Failure::input(format!(
                "--size \"{text}\": expected two numbers with an x between, such as 12x12"
            ))
        })
    }

    /// Returns the conditions of every game.
    ///
    /// # Errors
    /// If the referee's own path is unknown.
    pub fn conditions(&self, game: Game) -> Result<Conditions, Failure> {
        let defaults = game.defaults();
        let memory = self.memory.map(|megabytes| u64::from(megabytes.get()) << 20);
        let seconds = |name: &str, seconds: f64| match seconds {
            0.001..=1e6 => Ok(Duration::from_secs_f64(seconds)),
            _ => Err(Failure::input(format!("--{name} {seconds}: expected a number of seconds"))),
        };
        Ok(Conditions {
            time: self.time.map(Duration::from_millis).or(defaults.time),
            clock: None,
            adjudication: Adjudication::default(),
            grace: self.grace.map_or(defaults.grace, Duration::from_millis),
            watchdog: seconds("watchdog", self.watchdog)?,
            start_up: seconds("start-up", self.start_up)?,
            memory: memory.or(defaults.memory),
            folder: self.folder()?,
            search_log: SearchLog::Moves,
            sandbox: None,
        })
    }

    /// Returns the folder of the project's own executables.
    ///
    /// # Errors
    /// If the referee's own path is unknown.
    pub fn folder(&self) -> Result<PathBuf, Failure> {
        if let Some(folder) = &self.bin_dir {
            return Ok(folder.clone());
        }
        let own = std::env::current_exe().map_err(Failure::run)?;
        Ok(own.parent().map(PathBuf::from).unwrap_or_default())
    }
}
