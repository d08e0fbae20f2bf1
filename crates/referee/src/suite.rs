//! Runs a suite of test positions: solutions, times and positions visited of each player.

use crate::run::{is_void, workers};
use courses::course::{Asked, Conditions, Course, GameSetup};
use courses::fault::Trouble;
use courses::peer::Supervisor;
use courses::player::Player;
use courses::seed::mix;
use courses::suite::Problem;
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

/// A player's answer to a problem.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Attempt {
    /// The move, or `None` after a fault.
    pub mv: Option<String>,
    /// True if the move solves the problem.
    pub solved: bool,
    /// Time in microseconds.
    pub micros: u64,
    /// Positions visited, if reported.
    pub nodes: Option<u64>,
    /// The depth reached, if reported.
    pub depth: Option<u32>,
    /// Time until the move was the best one for good, in microseconds, if reported.
    pub settled_micros: Option<u64>,
    /// Positions visited by then, if reported.
    pub settled_nodes: Option<u64>,
    /// The fault, in words.
    pub fault: Option<String>,
}

/// A suite with its players.
pub struct Suite<'a> {
    /// The assignment whose positions are asked.
    pub course: &'a dyn Course,
    /// The positions with their solutions.
    pub problems: &'a [Problem],
    /// The players that are asked.
    pub players: &'a [Player],
    /// The conditions of every question.
    pub conditions: &'a Conditions,
    /// The supervisor of all processes.
    pub supervisor: &'a Supervisor,
    /// Number of concurrent questions.
    pub concurrency: usize,
    /// The run's seed.
    pub seed: u64,
}

impl Suite<'_> {
    /// Returns every player's attempts, by player, then by problem. Calls `each` after every answer.
    ///
    /// # Errors
    /// [`Trouble::Interrupted`] and [`Trouble::Referee`].
    pub fn ask(&self, each: impl Fn() + Sync) -> Result<Vec<Vec<Attempt>>, Trouble> {
        let count = self.players.len() * self.problems.len();
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<Option<Result<Attempt, Trouble>>>> = Mutex::new(vec![None; count]);
        let work = || {
            loop {
                let nth = next.fetch_add(1, Ordering::Relaxed);
                if nth >= count {
                    return;
                }
                let attempt = self.attempt(nth);
                if attempt.is_err() {
                    next.store(count, Ordering::Relaxed);
                }
                each();
                found.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[nth] = Some(attempt);
            }
        };
        thread::scope(|scope| {
            workers(self.concurrency, |_| thread::Builder::new().spawn_scoped(scope, work))
        })?;
        let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(trouble) = found.iter().flatten().find_map(|of| of.as_ref().err()) {
            return Err(trouble.clone());
        }
        let all: Option<Vec<Attempt>> = found.into_iter().map(|of| of?.ok()).collect();
        let all = all.ok_or(Trouble::Interrupted)?;
        Ok(all.chunks(self.problems.len().max(1)).map(<[Attempt]>::to_vec).collect())
    }

    /// Asks question `nth`: all problems to the first player, then to the next.
    fn attempt(&self, nth: usize) -> Result<Attempt, Trouble> {
        let (player, number) = (&self.players[nth / self.problems.len()], nth % self.problems.len());
        let problem = &self.problems[number];
        let setup = GameSetup {
            players: vec![player, player],
            opening: &problem.opening,
            seed: mix(self.seed, number as u64),
            conditions: self.conditions,
            supervisor: self.supervisor,
            processor: None,
            observer: None,
        };
        let mut replays = 0;
        let asked = loop {
            let began = Instant::now();
            let asked = self.course.ask(&setup);
            let is_late = matches!(&asked, Err(Trouble::Fault(fault)) if fault.kind.is_of_time());
            if !is_late || !is_void(&format!("position {}", number + 1), began, true, &mut replays)? {
                break asked;
            }
        };
        let Asked { mv, time, thought, settled } = match asked {
            Ok(asked) => asked,
            Err(Trouble::Fault(fault)) => {
                let fault = Some(fault.to_string());
                return Ok(Attempt { fault, ..Attempt::default() });
            }
            Err(trouble) => return Err(trouble),
        };
        Ok(Attempt {
            solved: problem.best.contains(&mv),
            mv: Some(mv),
            micros: time.as_micros() as u64,
            nodes: thought.as_ref().and_then(|thought| thought.nodes),
            depth: thought.as_ref().and_then(|thought| thought.depth),
            settled_micros: settled.map(|settled| settled.after.as_micros() as u64),
            settled_nodes: settled.and_then(|settled| settled.nodes),
            fault: None,
        })
    }
}

/// The sums of a player's attempts.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Summary {
    /// Number of problems solved.
    pub solved: usize,
    /// Number of problems.
    pub problems: usize,
    /// Time of all solutions, in milliseconds.
    pub millis: f64,
    /// Time of the slowest solution, in milliseconds.
    pub slowest: f64,
    /// Positions visited for the solutions that report them.
    pub nodes: u64,
    /// Number of solutions that report positions.
    pub told: usize,
    /// Time until the right moves were the best ones for good, in milliseconds, where reported.
    pub settled_millis: f64,
    /// Number of solutions that report that time.
    pub settled: usize,
    /// Positions visited until then, where reported.
    pub settled_nodes: u64,
    /// Number of solutions that report those positions.
    pub settled_told: usize,
    /// Number of faults.
    pub faults: usize,
}

impl Summary {
    /// Sums up attempts.
    #[must_use]
    pub fn of(attempts: &[Attempt]) -> Self {
        let mut summary = Self { problems: attempts.len(), ..Self::default() };
        for attempt in attempts {
            summary.faults += usize::from(attempt.fault.is_some());
            if !attempt.solved {
                continue;
            }
            let millis = attempt.micros as f64 / 1000.0;
            summary.solved += 1;
            summary.millis += millis;
            summary.slowest = summary.slowest.max(millis);
            if let Some(nodes) = attempt.nodes {
                summary.nodes = summary.nodes.saturating_add(nodes);
                summary.told += 1;
            }
            if let Some(micros) = attempt.settled_micros {
                summary.settled_millis += micros as f64 / 1000.0;
                summary.settled += 1;
            }
            if let Some(nodes) = attempt.settled_nodes {
                summary.settled_nodes = summary.settled_nodes.saturating_add(nodes);
                summary.settled_told += 1;
            }
        }
        summary
    }
}
