//! The means of marking a program: single runs of its command, and games.

use super::{Games, Item, Patience, Results};
use crate::course::{Conditions, Course, GameSetup};
use crate::fault::Trouble;
use crate::peer::{Command, Ended, Peer, Supervisor};
use crate::player::{Player, Reach};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// One game at a time, for criteria that depend on time.
pub const ALONE: usize = 1;

/// The resources for marking: the player, its opponents, its conditions.
pub struct Marker<'a> {
    /// The player to be marked.
    pub player: &'a Player,
    /// Opponents in addition to the built-in ones.
    pub others: &'a [Player],
    /// The conditions of its course.
    pub conditions: &'a Conditions,
    /// The supervisor of all processes.
    pub supervisor: &'a Supervisor,
    /// Plays the games of the criteria.
    pub games: &'a dyn Games,
    /// The most players that a game may have.
    pub seats: usize,
    /// The depth of searches, in games by depth.
    pub depth: u16,
    /// The seed of all random choices.
    pub seed: u64,
    /// Games at once.
    pub concurrency: usize,
    /// True for fewer games and tests.
    pub quick: bool,
    /// The number of the player's crashes so far.
    pub crashes: AtomicU64,
    /// The patience with the player's hangs.
    pub patience: Patience,
    /// Called with a line for each marked criterion, and during its games.
    pub told: &'a dyn Fn(&str),
}

impl Marker<'_> {
    /// Returns the player's command, if it is a process.
    ///
    /// # Errors
    /// Where it is none.
    pub fn command(&self) -> Result<&Command, Trouble> {
        match &self.player.reach {
            Reach::Process { command, .. } => Ok(command),
            _ => {
                Err(Trouble::NoProgram(format!("\"{}\": only a command can be marked so", self.player.text)))
            }
        }
    }

    /// Marks a criterion. Notes it if not all questions were asked.
    ///
    /// # Errors
    /// Those of the criterion.
    pub fn judge(&self, criterion: impl FnOnce(&Self) -> Result<Item, Trouble>) -> Result<Item, Trouble> {
        self.patience.begin();
        let mut item = criterion(self)?;
        if self.patience.is_over() {
            item.notes.push("the rest was not asked: it hangs".to_owned());
        }
        let points = item
            .points
            .map_or_else(|| "for a reader".to_owned(), |points| format!("{points} of {}", item.of));
        (self.told)(&format!("{}: {points}", item.name));
        Ok(item)
    }

    /// Runs the player's command once with more arguments and an input, unless it hung too often. Returns its output
    /// and exit status.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn once(&self, arguments: &[&str], input: &[u8], limit: Duration) -> Result<Once, Trouble> {
        let mut command = self.command()?.clone();
        if self.patience.is_over() {
            return Ok(Once::default());
        }
        command.words.extend(arguments.iter().map(|word| (*word).to_owned()));
        let players = vec![self.player];
        let setup = GameSetup {
            players,
            opening: "",
            seed: self.seed,
            conditions: self.conditions,
            supervisor: self.supervisor,
            processor: None,
            observer: None,
        };
        let began = Instant::now();
        let mut peer: Peer<'_> = setup.start(&command, 0)?;
        let deadline = began + limit;
        // A program that does not read its input may end before it is written. Its exit status decides.
        match peer.send(input, deadline) {
            Ok(()) | Err(Trouble::Fault(_)) => {}
            Err(trouble) => return Err(trouble),
        }
        let output = peer.whole_output(deadline)?;
        let time = began.elapsed();
        let Ended { status, errors, .. } = peer.close(b"");
        if status.as_deref().is_some_and(|status| status.starts_with("signal")) {
            self.crashes.fetch_add(1, Ordering::Relaxed);
        }
        self.patience.hear(status.is_none());
        Ok(Once { asked: true, output: String::from_utf8_lossy(&output).into_owned(), status, errors, time })
    }

    /// Returns the number of concurrent games, one if they are timed, because other load would affect the marks.
    #[must_use]
    pub fn at_once(&self) -> usize {
        if self.conditions.time.is_some() { ALONE } else { self.concurrency }
    }

    /// Plays the player against each of `opponents` on the same openings, from both sides. The records do not depend on
    /// the order in which games end.
    ///
    /// # Errors
    /// When no game can be held.
    pub fn gauntlet(
        &self,
        course: &dyn Course,
        opponents: &[Player],
        openings: u64,
        at_once: usize,
    ) -> Result<Results, Trouble> {
        self.games.gauntlet(self, &Gauntlet { course, opponents, openings, at_once })
    }
}

/// The games of a criterion.
pub struct Gauntlet<'a> {
    /// The assignment with the settings of the criterion.
    pub course: &'a dyn Course,
    /// The opponents, beside the [`Marker::others`].
    pub opponents: &'a [Player],
    /// The number of openings, each played from every seat.
    pub openings: u64,
    /// Games at once.
    pub at_once: usize,
}

/// The result of one run of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Once {
    /// False if the command was not run, because it had hung too often.
    pub asked: bool,
    /// The command's standard output.
    pub output: String,
    /// The exit status in words, or `None` if the process was killed.
    pub status: Option<String>,
    /// The end of its standard error.
    pub errors: String,
    /// The time from its start to the end of its output.
    pub time: Duration,
}

impl Once {
    /// Returns true for exit code 0.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.status.as_deref() == Some("exit code 0")
    }

    /// Returns true if it ended by itself, with any exit code.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.status.is_some()
    }

    /// Returns a remark on a nonzero exit code, where the assignment asks for none.
    #[must_use]
    pub fn exit_remark(&self) -> Option<String> {
        self.status
            .clone()
            .filter(|_| !self.succeeded())
            .map(|status| format!("right, but it ended with {status}"))
    }

    /// Returns true if it ended by itself with a nonzero exit code, and did not crash.
    #[must_use]
    pub fn refused(&self) -> bool {
        self.status
            .as_deref()
            .is_some_and(|status| status.starts_with("exit code") && status != "exit code 0")
    }

    /// Returns the exit status, for a note.
    #[must_use]
    pub fn ending(&self) -> &str {
        match &self.status {
            Some(status) => status,
            None if self.asked => "killed by the watchdog",
            None => "not asked: it hung before",
        }
    }
}
