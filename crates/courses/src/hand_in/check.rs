//! Checks an archive as the course does: unpacks it in an empty folder, builds it offline by the course's own command,
//! starts it in the course's way, and plays.

pub(crate) mod mark;
pub(crate) mod process;

use super::{submission, workspace};
use crate::archive::{Bounds, Form};
use crate::registry::Game;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Interval between two reports on a long task.
const TICK: Duration = Duration::from_secs(10);

/// Runs a task and reports its time so far at each interval.
fn timed<T>(show: fn(&str), name: &str, tick: Duration, task: impl FnOnce() -> T) -> T {
    let (over, is_over) = channel::<()>();
    let began = Instant::now();
    std::thread::scope(|scope| {
        let report = move || {
            while is_over.recv_timeout(tick) == Err(RecvTimeoutError::Timeout) {
                show(&format!("{name} : {} s", began.elapsed().as_secs()));
            }
        };
        // Without a thread, the task is done without reports.
        let _ = std::thread::Builder::new().spawn_scoped(scope, report);
        let done = task();
        drop(over);
        done
    })
}

/// The conditions of a check.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The listener to progress messages.
    pub show: Option<fn(&str)>,
    /// Environment variables for every command, for example for a faster build than the course's.
    pub environment: Vec<(String, String)>,
    /// The project's referee, which marks the build. Without it there is no marking.
    pub referee: Option<PathBuf>,
}

/// Checks an archive. Returns one line for each thing that worked or could not be checked.
///
/// # Errors
/// The first thing that does not work.
pub fn check(game: Game, archive: &Path, conditions: &Conditions) -> Result<Vec<String>> {
    let bytes = fs::read(archive).with_context(|| archive.display().to_string())?;
    let folder = workspace::folder("remise-essai-")?;
    let tree = Form::of(archive)?.unpack(&bytes, Bounds::OWN)?;
    tree.write(folder.path())?;
    let mut place = Place { folder: folder.path().to_owned(), conditions, seen: Vec::new() };
    submission(game)?.check(&mut place)?;
    if let Some(referee) = &conditions.referee {
        mark::card(&mut place, game, referee)?;
    }
    ensure!(!place.seen.is_empty(), "nothing was tried");
    Ok(place.seen)
}

/// An unpacked archive, and the results of its checks so far.
pub struct Place<'a> {
    /// The folder with the unpacked archive.
    pub folder: PathBuf,
    conditions: &'a Conditions,
    seen: Vec<String>,
}

impl Place<'_> {
    /// Reports progress.
    pub(crate) fn show(&self, line: &str) {
        if let Some(show) = self.conditions.show {
            show(line);
        }
    }

    /// Reports progress before a long task, and its time every ten seconds.
    pub(crate) fn show_during<T>(&self, name: &str, task: impl FnOnce() -> T) -> T {
        let Some(show) = self.conditions.show else { return task() };
        show(name);
        timed(show, name, TICK, task)
    }

    pub(crate) fn saw(&mut self, what: impl Into<String>) {
        self.seen.push(what.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn a_long_task_shows_that_it_goes_on() {
        static SHOWN: Mutex<Vec<String>> = Mutex::new(Vec::new());
        let show = |line: &str| SHOWN.lock().unwrap().push(line.to_owned());
        let tick = Duration::from_millis(5);
        let waits = || {
            let deadline = Instant::now() + Duration::from_secs(60);
            while SHOWN.lock().unwrap().len() < 2 && Instant::now() < deadline {
                std::thread::sleep(tick);
            }
            7
        };
        assert_eq!(timed(show, "make", tick, waits), 7);
        assert!(SHOWN.lock().unwrap().iter().all(|line| line == "make : 0 s"), "{SHOWN:?}");
        assert!(SHOWN.lock().unwrap().len() >= 2);
        SHOWN.lock().unwrap().clear();
        timed(show, "quick", Duration::from_secs(60), || ());
        assert!(SHOWN.lock().unwrap().is_empty());
    }
}
