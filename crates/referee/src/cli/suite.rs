//! `referee suite`: test suites of positions with known solutions.

use super::interrupt;
use super::options::PlayOptions;
use super::outputs::{put, together};
use super::players::{self, Written};
use super::progress::Progress;
use crate::report::table;
use crate::suite::{Suite, Summary};
use clap::Args;
use courses::course::Conditions;
use courses::registry::Game;
use courses::suite;
use serde_json::json;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Mutex;
use wire::{Failure, SearchLog, text};

/// Tests players on positions with known solutions. Counts the positions solved, the time and nodes of the searches, and,
/// if a player reports them, the time and nodes from which the right move remained the best.
#[derive(Debug, Args)]
pub struct Positions {
    /// The assignment
    game: Game,
    /// The positions: OBF, JSON lines of wins, or lines of a position or opening with "; bm MOVE …"
    file: PathBuf,
    /// A player; give the option once for each
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// Use only the first N positions
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    #[command(flatten)]
    play: PlayOptions,
}

impl Positions {
    /// Asks all players and prints their solutions.
    ///
    /// # Errors
    /// A message on one line, and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let options = &self.play;
        options.outputs.check()?;
        let path = self.file.to_string_lossy();
        let wrong = |error: &dyn Display| Failure::input(format!("{path}: {error}"));
        let text = text::read_file(&self.file, text::MAX_FILE).map_err(|error| wrong(&error))?;
        let mut problems = suite::read(self.game, &text).map_err(|error| wrong(&error))?;
        problems.truncate(self.first.unwrap_or(usize::MAX));
        let course = options.course(self.game, 2)?;
        for problem in &problems {
            course
                .check_moves(&problem.opening, &problem.best)
                .map_err(|error| wrong(&format_args!("{}: {error}", problem.name)))?;
        }
        if problems.is_empty() {
            return Err(wrong(&"the file has no positions"));
        }
        // Our own executables accept any position through one of their protocols.
        let written =
            |text: &String| Written::from(players::own_of_positions(course.as_ref(), text).as_str());
        let written: Vec<Written> = self.players.iter().map(written).collect();
        let players = players::players(options, self.game, course.as_ref(), 2, &written)?;
        // Every iteration is logged, because the solution time is when the right move became the best one for good.
        let conditions = Conditions { search_log: SearchLog::Depths, ..options.conditions(self.game)? };
        let supervisor = interrupt::supervisor()?;
        interrupt::has_no_results();
        let total = (players.len() * problems.len()) as u64;
        let progress = Mutex::new(Progress::new(total, 0, "games", options.quiet));
        let asked = Suite {
            course: course.as_ref(),
            problems: &problems,
            players: &players,
            conditions: &conditions,
            supervisor,
            concurrency: options.at_once(&*course, &players)?,
            seed: options.games.seed,
        };
        let attempts = asked.ask(|| {
            let mut progress = progress.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            progress.step(String::new);
        });
        supervisor.sweep();
        let attempts = attempts.map_err(interrupt::failure)?;
        let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
        let title =
            format!("{}: {} positions of {path}; {}", course.name(), problems.len(), course.setting());
        let text = format!("{title}\n\n{}", table::suite(&names, &problems, &attempts));
        let told = wire::print(wire::printable(&text));
        let written = put(&options.outputs.json, || {
            let of = |(name, attempts): (&String, &Vec<_>)| json!({ "name": name, "summary": Summary::of(attempts), "attempts": attempts });
            let players: Vec<_> = names.iter().zip(&attempts).map(of).collect();
            let positions: Vec<_> = problems
                .iter()
                .map(|of| json!({ "name": of.name, "position": of.opening, "best": of.best }))
                .collect();
            format!("{:#}\n", json!({ "suite": title, "positions": positions, "players": players }))
        });
        together([told, written])
    }
}
