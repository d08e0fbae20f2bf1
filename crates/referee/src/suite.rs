//! A suite of positions: who solves how many, how fast, with how many positions visited.

use courses::course::{Asked, Conditions, Course, GameSetup};
use courses::fault::Trouble;
use courses::peer::Supervisor;
use courses::player::Player;
use courses::seed::mix;
use courses::suite::Problem;
use serde::Serialize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A player's answer to a problem.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Attempt {
    /// Its move; nothing where it made a fault.
    pub mv: Option<String>,
    /// True where that solves the problem.
    pub solved: bool,
    /// Microseconds it took.
    pub micros: u64,
    /// Positions it visited, where it tells.
    pub nodes: Option<u64>,
    /// The depth it reached, where it tells.
    pub depth: Option<u32>,
    /// Microseconds until it held its move for the best for good, where it tells.
    pub settled_micros: Option<u64>,
    /// Positions visited by then, where it tells.
    pub settled_nodes: Option<u64>,
    /// Its fault, in words.
    pub fault: Option<String>,
}

/// A suite to be asked: its problems and its players.
pub struct Suite<'a> {
    /// The assignment.
    pub course: &'a dyn Course,
    /// The problems.
    pub problems: &'a [Problem],
    /// The players.
    pub players: &'a [Player],
    /// The conditions of every question.
    pub conditions: &'a Conditions,
    /// The supervisor of all processes.
    pub supervisor: &'a Supervisor,
    /// Questions at once.
    pub concurrency: usize,
    /// The run's seed.
    pub seed: u64,
}

impl Suite<'_> {
    /// Every player's attempts, by player, then by problem; `each` hears of every answer.
    ///
    /// # Errors
    /// [`Trouble::Interrupted`] and [`Trouble::Referee`].
    pub fn ask(&self, each: impl Fn() + Sync) -> Result<Vec<Vec<Attempt>>, Trouble> {
        let count = self.players.len() * self.problems.len();
        let next = AtomicUsize::new(0);
        let found: Mutex<Vec<Option<Result<Attempt, Trouble>>>> = Mutex::new(vec![None; count]);
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                scope.spawn(|| {
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
                });
            }
        });
        let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(trouble) = found.iter().flatten().find_map(|of| of.as_ref().err()) {
            return Err(trouble.clone());
        }
        let all: Option<Vec<Attempt>> = found.into_iter().map(|of| of?.ok()).collect();
        let all = all.ok_or(Trouble::Interrupted)?;
        Ok(all.chunks(self.problems.len().max(1)).map(<[Attempt]>::to_vec).collect())
    }

    /// The `nth` question: all problems to the first player, then to the next.
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
        let Asked { mv, time, thought, settled } = match self.course.ask(&setup) {
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

/// A player's attempts, together.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Summary {
    /// Problems solved.
    pub solved: usize,
    /// Problems.
    pub problems: usize,
    /// Milliseconds to all solutions, and to the slowest.
    pub millis: f64,
    /// The slowest solution's.
    pub slowest: f64,
    /// Positions visited for the solutions that were told with them.
    pub nodes: u64,
    /// Solutions told with the positions visited for them.
    pub told: usize,
    /// Milliseconds to the moments from which the right moves stood, where those were told.
    pub settled_millis: f64,
    /// Solutions told with that moment.
    pub settled: usize,
    /// Positions visited by those moments, where they were told.
    pub settled_nodes: u64,
    /// Solutions told with the positions visited by then.
    pub settled_told: usize,
    /// Faults.
    pub faults: usize,
}

impl Summary {
    /// Adds attempts up.
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
