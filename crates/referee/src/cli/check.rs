//! `referee check`: a program against its course's protocol, step by step.

use super::interrupt;
use super::players;
use super::sandbox::{self, SandboxOptions};
use crate::run::{LONG, void};
use clap::{Args, ValueEnum, value_parser};
use courses::compliance::Examiner;
use courses::course::Conditions;
use courses::drawing::Language;
use courses::options::GameOptions;
use courses::peer::{Stopped, stopped_since};
use courses::registry::Game;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use wire::{Failure, SearchLog};

/// The time in which a program must be ready.
const START_UP: Duration = Duration::from_secs(5);
/// The time of a move that its course does not limit.
const SILENCE: Duration = Duration::from_secs(3);

/// Each step of the protocol: asked, expected, got, and the sentence of the assignment.
#[derive(Debug, Args)]
pub struct Check {
    /// The assignment
    game: Game,
    /// The program, started as its course starts it; quote a command of several words
    #[arg(value_name = "COMMAND", required = true)]
    command: String,
    /// The language of the report: fr or en [default: that of the environment]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "LANGUAGE")]
    language: Option<Tongue>,
    /// Folder of the project's executables [default: the referee's folder]
    #[arg(long, value_name = "DIR")]
    bin_dir: Option<PathBuf>,
    /// Seconds that the check may take; a slow machine needs more
    #[arg(long, value_name = "S", default_value_t = Examiner::WHOLE.as_secs(), value_parser = value_parser!(u64).range(9..=600))]
    seconds: u64,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tongue {
    Fr,
    En,
}

/// Returns the language of the environment: French where its name begins with `fr`.
fn of_environment() -> Language {
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| {
        let value = std::env::var(name).ok()?;
        (!value.is_empty()).then_some(value)
    });
    if name.is_some_and(|name| name.starts_with("fr")) { Language::French } else { Language::English }
}

impl Check {
    /// Prints the steps.
    ///
    /// # Errors
    /// A message on one line and an exit code, 1 if a step is wrong.
    pub fn run(&self) -> Result<(), Failure> {
        let language = match self.language {
            Some(Tongue::Fr) => Language::French,
            Some(Tongue::En) => Language::English,
            None => of_environment(),
        };
        let options = GameOptions { bin_dir: self.bin_dir.clone(), depth: 2, ..GameOptions::default() };
        let compliance = self
            .game
            .compliance()
            .ok_or_else(|| Failure::input(format!("{} has no protocol to check", self.game.name())))?;
        let course = options.course(self.game, 2)?;
        let player = players::player(course.as_ref(), &self.command)?;
        let whole = Duration::from_secs(self.seconds);
        let scale = whole.as_secs_f64() / Examiner::WHOLE.as_secs_f64();
        let conditions = Conditions {
            start_up: START_UP.mul_f64(scale),
            watchdog: SILENCE.mul_f64(scale),
            search_log: SearchLog::Nothing,
            sandbox: self.sandbox.sandbox()?,
            ..options.conditions(self.game)?
        };
        let sandbox = sandbox::words(conditions.sandbox_of(&player));
        let supervisor = interrupt::supervisor()?;
        interrupt::has_no_results();
        let mut replays = 0;
        let examiner = loop {
            let began = Instant::now();
            supervisor.take_refusals(&player.name);
            let mut examiner = Examiner::new(&player, &conditions, supervisor, whole);
            compliance.check(&mut examiner).map_err(interrupt::failure)?;
            let stopped = stopped_since(began).filter(|stopped| stopped.time >= LONG);
            let Some(Stopped { time, meddler }) = stopped else { break examiner };
            void("the check", time, meddler, &mut replays).map_err(interrupt::failure)?;
        };
        let mut text = examiner.steps.words(language);
        for (fault, _) in supervisor.take_refusals(&player.name) {
            let fault = fault.to_string();
            let french = format!("refusé par le bac à sable : {}\n", courses::french::french(&fault));
            text.push_str(language.choose(&french, &format!("refused by the sandbox: {fault}\n")));
        }
        text.push_str(&format!("{}: {sandbox}\n", language.choose("bac à sable", "sandbox")));
        wire::print(wire::printable(&text))?;
        match examiner.steps.violations() {
            0 => Ok(()),
            count => {
                let ending = if count == 1 { "" } else { "s" };
                let french = format!("le programme enfreint le protocole à {count} étape{ending}");
                let english = format!("the program violates the protocol in {count} step{ending}");
                Err(Failure::run(language.choose(&french, &english)))
            }
        }
    }
}
