//! `referee check`: a program against its course's protocol, step by step.

use super::interrupt;
use super::language::LanguageOption;
use super::players;
use super::sandbox::{self, SandboxOptions};
use crate::run::is_void;
use clap::{Args, value_parser};
use courses::compliance::Examiner;
use courses::course::Conditions;
use courses::french::say;
use courses::options::GameOptions;
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
    #[command(flatten)]
    language: LanguageOption,
    /// Folder of the project's executables [default: the referee's folder]
    #[arg(long, value_name = "DIR")]
    bin_dir: Option<PathBuf>,
    /// Seconds that the check may take; a slow machine needs more
    #[arg(long, value_name = "S", default_value_t = Examiner::WHOLE.as_secs(), value_parser = value_parser!(u64).range(9..=600))]
    seconds: u64,
    #[command(flatten)]
    sandbox: SandboxOptions,
}

impl Check {
    /// Prints the steps.
    ///
    /// # Errors
    /// A message on one line and an exit code, 1 if a step is wrong.
    pub fn run(&self) -> Result<(), Failure> {
        let language = self.language.language();
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
            // The clock may have decided any step that is not right.
            let is_flawed = !examiner.steps.are_right();
            if !is_void("the check", began, is_flawed, &mut replays).map_err(interrupt::failure)? {
                break examiner;
            }
        };
        let mut text = examiner.steps.words(language);
        for (fault, _) in supervisor.take_refusals(&player.name) {
            let refused = language.choose("refusé par le bac à sable", "refused by the sandbox");
            text.push_str(&format!("{refused}{}{}\n", language.colon(), say(&fault.to_string(), language)));
        }
        let named = language.choose("bac à sable", "sandbox");
        text.push_str(&format!("{named}{}{}\n", language.colon(), say(&sandbox, language)));
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
