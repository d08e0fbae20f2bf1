//! The means of marking a program: single runs of its command, and games.

use super::{Games, Item, Patience, Results};
use crate::course::{Conditions, Course, GameSetup};
use crate::fault::{Trouble, excerpt, last_words};
use crate::peer::{Command, Ended, Peer, Supervisor, is_busy};
use crate::player::{Player, Reach};
use std::cell::Cell;
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
    /// True once the clock decided something in the current criterion, outside its games.
    pub is_by_the_clock: Cell<bool>,
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
            _ => Err(Trouble::Argument(format!("\"{}\": only a command can be marked so", self.player.text))),
        }
    }

    /// Marks a criterion. Notes it if not all questions were asked. If the clock decided something while this program
    /// was stopped, the criterion is marked again.
    ///
    /// # Errors
    /// Those of the criterion.
    pub fn judge(&self, criterion: impl Fn(&Self) -> Result<Item, Trouble>) -> Result<Item, Trouble> {
        let (patience, crashes) = (self.patience.clone(), self.crashes.load(Ordering::Relaxed));
        let mut replays = 0;
        let mut item = loop {
            let began = Instant::now();
            self.patience.begin();
            self.is_by_the_clock.set(false);
            let item = criterion(self)?;
            let what = format!("{}: {}", self.player.name, item.name);
            if !self.is_by_the_clock.get() || !self.games.is_void(&what, began, &mut replays)? {
                break item;
            }
            self.patience.restore(&patience);
            self.crashes.store(crashes, Ordering::Relaxed);
        };
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
        let Ended { status, errors, cpu, waited, .. } = peer.close(b"");
        if status.as_deref().is_some_and(|status| status.starts_with("signal")) {
            self.crashes.fetch_add(1, Ordering::Relaxed);
        }
        if status.is_none() {
            self.is_by_the_clock.set(true);
        }
        self.patience.hear(status.is_none());
        let output = String::from_utf8_lossy(&output).into_owned();
        Ok(Once { asked: true, output, status, errors, time, cpu, waited })
    }

    /// Runs the player's command as [`once`](Self::once), and again, at most twice, while `is_worse` finds that a better
    /// result is possible and others had the processor for most of its time: the machine is still busy without it. Returns
    /// every run. It is for criteria for which the course sets no clock: a busy machine costs no points there.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn undisturbed(
        &self,
        arguments: &[&str],
        limit: Duration,
        is_worse: impl Fn(&Once) -> bool,
    ) -> Result<Vec<Once>, Trouble> {
        let mut runs = Vec::new();
        loop {
            let once = self.once(arguments, b"", limit)?;
            let is_void = once.has_ended() && once.has_waited() && is_worse(&once) && is_busy();
            runs.push(once);
            if !is_void || runs.len() == 3 {
                return Ok(runs);
            }
        }
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
    /// The processor time of it and of its other processes, as of [`Ended::cpu`].
    pub cpu: Duration,
    /// The time that its first thread waited for a processor.
    pub waited: Duration,
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
            .map(|status| format!("right, but it ended with {}", explained(&status)))
    }

    /// Returns true if it ended by itself with a nonzero exit code, and did not crash.
    #[must_use]
    pub fn refused(&self) -> bool {
        self.status
            .as_deref()
            .is_some_and(|status| status.starts_with("exit code") && status != "exit code 0")
    }

    /// Returns true if it waited for a processor for most of its time, as on a busy machine.
    #[must_use]
    pub fn has_waited(&self) -> bool {
        2 * self.waited > self.time
    }

    /// Returns the time without its waits, for a run on a busy machine. It is at least its processor time: its own
    /// processes may have made it wait.
    #[must_use]
    pub fn work(&self) -> Duration {
        self.time.saturating_sub(self.waited).max(self.cpu).min(self.time)
    }

    /// Returns the exit status, for a note.
    #[must_use]
    pub fn ending(&self) -> String {
        match &self.status {
            Some(status) => explained(status),
            None if self.asked => "killed by the watchdog".to_owned(),
            None => "not asked: it hung before".to_owned(),
        }
    }

    /// Returns the exit status, and the last line of the standard error of a command that failed, as the end of a note's
    /// line.
    #[must_use]
    pub fn last_words(&self) -> String {
        match last_words(&self.errors).trim() {
            words if words.is_empty() || self.succeeded() => self.ending(),
            words => format!("{}; it said: {}", self.ending(), excerpt(words)),
        }
    }
}

/// Returns an exit status with a word on its code.
fn explained(status: &str) -> String {
    match status.strip_prefix("exit code ") {
        Some("0") => format!("{status}, no error"),
        Some(_) => format!("{status}, an error"),
        None => status.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_ends_with_the_last_words_of_a_command_that_failed() {
        let once = |status: &str, errors: &str| Once {
            asked: true,
            status: Some(status.to_owned()),
            errors: errors.to_owned(),
            ..Once::default()
        };
        let traceback = "Traceback:\n  File\nValueError: \u{1b}[1mp\n";
        let died = once("exit code 1", traceback).last_words();
        assert_eq!(died, "exit code 1, an error; it said: ValueError: \u{fffd}[1mp");
        assert_eq!(once("signal 11", "\n").last_words(), "signal 11");
        assert_eq!(once("exit code 0", "a warning\n").last_words(), "exit code 0, no error");
        let long = once("exit code 1", &"x".repeat(10_000)).last_words();
        assert!(long.chars().count() < 250, "{long}");
    }

    #[test]
    fn a_command_has_waited_if_it_was_kept_from_a_processor() {
        let millis = Duration::from_millis;
        let once = |waited| Once { time: millis(1000), waited: millis(waited), ..Once::default() };
        assert!(once(900).has_waited() && !once(0).has_waited(), "who sleeps does not wait");
        assert_eq!([900, 0].map(|waited| once(waited).work()), [100, 1000].map(millis));
        let computed = |cpu| Once { cpu: millis(cpu), ..once(900) };
        assert_eq!([50, 700, 1900].map(|cpu| computed(cpu).work()), [100, 700, 1000].map(millis));
    }
}
