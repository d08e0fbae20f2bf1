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

/// What a player made of a problem.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Attempt {
    /// Its move; nothing where it made a fault.
    pub mv: Option<String>,
    /// Whether that solves the problem.
    pub solved: bool,
    /// Microseconds it took.
    pub micros: u64,
    /// Positions it visited, where it tells.
    pub nodes: Option<u64>,
    /// The depth it reached, where it tells.
    pub depth: Option<u32>,
    /// Its fault, in words.
    pub fault: Option<String>,
}

/// What is asked, and whom.
pub struct Suite<'a> {
    /// The assignment.
    pub course: &'a dyn Course,
    /// The problems.
    pub problems: &'a [Problem],
    /// The players.
    pub players: &'a [Player],
    /// The conditions of every question.
    pub conditions: &'a Conditions,
    /// Where processes are started.
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
        let Asked { mv, time, thought } = match self.course.ask(&setup) {
            Ok(asked) => asked,
            Err(Trouble::Fault(fault)) => {
                let fault = Some(fault.to_string());
                return Ok(Attempt { mv: None, solved: false, micros: 0, nodes: None, depth: None, fault });
            }
            Err(trouble) => return Err(trouble),
        };
        Ok(Attempt {
            solved: problem.best.contains(&mv),
            mv: Some(mv),
            micros: time.as_micros() as u64,
            nodes: thought.as_ref().and_then(|thought| thought.nodes),
            depth: thought.as_ref().and_then(|thought| thought.depth),
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
    /// How many were.
    pub told: usize,
    /// Faults.
    pub faults: usize,
}

impl Summary {
    /// What they come to.
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
        }
        summary
    }
}
