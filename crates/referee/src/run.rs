//! Plays a schedule's games concurrently, and returns the records as games end.

use crate::cli::language;
use crate::live::{Live, Scene};
use crate::schedule::{Job, Schedule};
use courses::course::{Conditions, Course, Event, GameSetup};
use courses::fault::Trouble;
use courses::peer::{Stopped, Supervisor, stopped_since};
use courses::player::Player;
use courses::record::Record;
use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// The replays of a void game, before the run ends with an error.
const REPLAYS: u32 = 2;
/// The shortest stop of the referee that voids what the clock did not decide.
const LONG: Duration = Duration::from_millis(500);

/// Starts `count` threads, or as many as the system allows, but at least one.
///
/// # Errors
/// [`Trouble::Referee`] when there is none.
pub(crate) fn workers<T>(count: usize, mut start: impl FnMut(usize) -> io::Result<T>) -> Result<(), Trouble> {
    for worker in 0..count.max(1) {
        match start(worker) {
            Ok(_) => {}
            Err(error) if worker == 0 => {
                return Err(Trouble::Referee(format!("no thread can be started: {error}")));
            }
            Err(error) => {
                wire::note(format_args!(
                    "referee: {worker} games at once instead of {count}: no more threads could be started ({error})"
                ));
                break;
            }
        }
    }
    Ok(())
}

/// Returns true if `what` is void and will be repeated, because the referee was stopped since it began. Any stop counts
/// if the clock decided it, otherwise only a long one.
///
/// # Errors
/// [`Trouble::Referee`] after too many repetitions, or if a player's process let the referee continue: a player must not
/// gain a replay or a win that way.
pub(crate) fn is_void(
    what: &str,
    began: Instant,
    is_by_the_clock: bool,
    replays: &mut u32,
) -> Result<bool, Trouble> {
    let least = if is_by_the_clock { Duration::ZERO } else { LONG };
    let stopped = stopped_since(began).filter(|stopped| stopped.time >= least);
    let Some(Stopped { time, meddler }) = stopped else { return Ok(false) };
    let what = format!("{what}: the referee was stopped for {:.1} s", time.as_secs_f64());
    if let Some(meddler) = meddler {
        return Err(Trouble::Referee(format!("{what}, and {meddler} let it go on")));
    }
    if *replays == REPLAYS {
        return Err(Trouble::Referee(format!("{what}, in each of {} attempts", REPLAYS + 1)));
    }
    *replays += 1;
    language::note(format_args!("referee: {what}: it is void and is done again"));
    Ok(true)
}

/// A run's parameters.
pub struct Run<'a> {
    /// The assignment whose games are played.
    pub course: &'a dyn Course,
    /// The players, by number.
    pub players: &'a [Player],
    /// The pairings and openings of the games.
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
    /// [`Trouble::Argument`] or [`Trouble::Referee`] if a game cannot be played. An interrupt is not an error, but ends the
    /// run early.
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
            // Of a resumed run there may be a million to skip.
            let is_next = |number: &u64| self.supervisor.is_stopped() || !done.contains(number);
            numbers.find(is_next).filter(|_| !self.supervisor.is_stopped())
        };
        // Bounded: games wait where `each` is slower than they are.
        let (sender, records) = mpsc::sync_channel::<Result<Record, Trouble>>(self.concurrency);
        let mut failure = None;
        std::thread::scope(|scope| {
            let started = workers(self.concurrency, |worker| {
                let (sender, next, finish) = (sender.clone(), &next, &finish);
                thread::Builder::new().spawn_scoped(scope, move || {
                    while let Some(number) = next() {
                        let result = self.game(&self.schedule.job(number), worker);
                        let failed = matches!(
                            result,
                            Err(Trouble::Argument(_) | Trouble::NoProgram(_) | Trouble::Referee(_))
                        );
                        if failed {
                            finish.store(true, Ordering::Relaxed);
                        }
                        if sender.send(result).is_err() || failed {
                            return;
                        }
                    }
                })
            });
            failure = started.err();
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

    /// Plays a game; one that the clock decided while the referee itself was stopped is void, and is played again.
    fn game(&self, job: &Job, worker: usize) -> Result<Record, Trouble> {
        let mut replays = 0;
        loop {
            let began = Instant::now();
            let record = self.attempt(job, worker)?;
            let what = || format!("game {}", job.game + 1);
            if !record.played.is_judged_by_the_clock() || !is_void(&what(), began, true, &mut replays)? {
                return Ok(record);
            }
        }
    }

    fn attempt(&self, job: &Job, worker: usize) -> Result<Record, Trouble> {
        let opening = self.course.opening(job.opening);
        let names: Vec<String> = job.seats.iter().map(|&player| self.players[player].name.clone()).collect();
        let mut moves = 0;
        let mut watch = |event: &Event<'_>| {
            let Some(live) = self.live else { return };
            moves += u64::from(event.seat.is_some());
            let scene = Scene { game: job.game, names: &names, opening: &opening, moves, event };
            live.show(worker, &scene, self.supervisor);
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

#[cfg(test)]
mod tests {
    use super::*;
    use courses::options::GameOptions;
    use courses::registry;
    use courses::store::Format;

    #[test]
    fn quick_games_wait_for_whoever_takes_their_records() {
        let game = registry::find("uttt").unwrap();
        let course = GameOptions::default().course(game, 2).unwrap();
        let players: [Player; 2] = [(); 2].map(|()| "builtin:random".parse().unwrap());
        let run = Run {
            course: course.as_ref(),
            players: &players,
            schedule: &Schedule::new(2, 2, Format::RoundRobin, 1).unwrap(),
            conditions: &Conditions::default(),
            supervisor: &Supervisor::new(),
            concurrency: 2,
            live: None,
            processors: &[],
        };
        let mut played = 0;
        let done = run.play(0..u64::MAX, &BTreeSet::new(), |_| {
            if played == 0 {
                thread::sleep(Duration::from_secs(1));
            }
            played += 1;
            ControlFlow::Break(())
        });
        assert_eq!(done, Ok(()));
        // One at each thread, and as many before it.
        assert!((1..=6).contains(&played), "{played} games");
    }

    #[test]
    fn as_many_threads_work_as_are_to_be_had() {
        let mut started = 0;
        let mut some = |most: usize| {
            started = 0;
            workers(4, |worker| {
                if worker >= most {
                    return Err(io::ErrorKind::WouldBlock.into());
                }
                started += 1;
                Ok(())
            })
            .map(|()| started)
        };
        assert_eq!((some(9), some(2)), (Ok(4), Ok(2)));
        assert!(some(0).unwrap_err().to_string().starts_with("no thread can be started"));
    }
}
