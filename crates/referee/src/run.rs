//! Plays a schedule's games concurrently, and returns the records as games end.

use crate::live::{Live, Scene};
use crate::schedule::{Job, Schedule};
use courses::course::{Conditions, Course, Event, GameSetup};
use courses::fault::Trouble;
use courses::peer::Supervisor;
use courses::player::Player;
use courses::record::Record;
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

/// A run's parameters.
pub struct Run<'a> {
    /// The assignment.
    pub course: &'a dyn Course,
    /// The players.
    pub players: &'a [Player],
    /// The schedule.
    pub schedule: &'a Schedule,
    /// The conditions of every game.
    pub conditions: &'a Conditions,
    /// The supervisor of all processes. Its stop flag ends the run.
    pub supervisor: &'a Supervisor,
    /// Number of concurrent games.
    pub concurrency: usize,
    /// The page for viewers, if there is one.
    pub live: Option<&'a Live>,
    /// The processors that players are bound to, one a concurrent game. Empty for no binding.
    pub processors: &'a [usize],
}

impl Run<'_> {
    /// Plays the games of these numbers, except those in `done`. `each` sees every record and may end the run.
    ///
    /// # Errors
    /// [`Trouble::Referee`] if a game cannot be played. An interrupt is not an error, but ends the run early.
    pub fn play(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        done: &BTreeSet<u64>,
        mut each: impl FnMut(Record) -> ControlFlow<()>,
    ) -> Result<(), Trouble> {
        let numbers = Mutex::new(numbers);
        let finish = AtomicBool::new(false);
        let next = || {
            if finish.load(Ordering::Relaxed) || self.supervisor.is_stopped() {
                return None;
            }
            let mut numbers = numbers.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            numbers.find(|number| !done.contains(number))
        };
        let (sender, records) = mpsc::channel::<Result<Record, Trouble>>();
        let mut failure = None;
        std::thread::scope(|scope| {
            for worker in 0..self.concurrency.max(1) {
                let (sender, next, finish) = (sender.clone(), &next, &finish);
                scope.spawn(move || {
                    while let Some(number) = next() {
                        let result = self.game(&self.schedule.job(number), worker);
                        let failed = matches!(result, Err(Trouble::Referee(_)));
                        if failed {
                            finish.store(true, Ordering::Relaxed);
                        }
                        if sender.send(result).is_err() || failed {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            for result in records {
                match result {
                    // Games that end after the run's decision are kept too.
                    Ok(record) => {
                        if each(record).is_break() {
                            finish.store(true, Ordering::Relaxed);
                        }
                    }
                    Err(Trouble::Interrupted) => {}
                    Err(trouble) => {
                        failure.get_or_insert(trouble);
                        finish.store(true, Ordering::Relaxed);
                    }
                }
            }
        });
        failure.map_or(Ok(()), Err)
    }

    fn game(&self, job: &Job, worker: usize) -> Result<Record, Trouble> {
        let opening = self.course.opening(job.opening);
        let names: Vec<String> = job.seats.iter().map(|&player| self.players[player].name.clone()).collect();
        let mut moves = 0;
        let mut watch = |event: &Event<'_>| {
            let Some(live) = self.live else { return };
            moves += u64::from(event.seat.is_some());
            live.show(worker, &Scene { game: job.game, names: &names, opening: &opening, moves, event });
        };
        let mut setup = GameSetup {
            players: job.seats.iter().map(|&player| &self.players[player]).collect(),
            opening: &opening,
            seed: job.seed,
            conditions: self.conditions,
            supervisor: self.supervisor,
            processor: (!self.processors.is_empty()).then(|| self.processors[worker % self.processors.len()]),
            observer: if self.live.is_some() { Some(&mut watch) } else { None },
        };
        let played = self.course.play(&mut setup)?;
        Ok(Record {
            game: job.game,
            group: job.group,
            course: self.course.name().to_owned(),
            seats: job.seats.clone(),
            names: names.clone(),
            opening: opening.clone(),
            seed: job.seed,
            played,
        })
    }
}
