//! Report cards of programs, by the marking schemes of their assignments.

pub mod autograder;
pub mod build;
pub mod class;
pub mod kept;
mod paths;
pub mod replay;

use crate::run::{Run, is_void};
use crate::schedule::{Job, Schedule};
use crate::standing::Standing;
use courses::fault::{Fault, Kind, Trouble};
use courses::marking::{Card, Games, Gauntlet, Marker, Patience, Results};
use courses::player::{Player, distinct_names};
use courses::record::{Played, Record};
use courses::store::Format;
use replay::Replay;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Minimum interval between lines of progress during the games of a criterion.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A program of a class with its card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marked {
    /// The program, as listed in the class's file.
    pub player: class::Entry,
    /// The program's marks and remarks.
    pub card: Card,
    /// The number of its processes that crashed.
    pub crashes: u64,
    /// Its games, if they are kept for a page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<Replay>,
}

/// The referee's runs, for schemes.
#[derive(Debug, Default)]
pub struct Runs {
    /// The games so far, if they are kept.
    replays: Option<RefCell<Vec<Replay>>>,
}

impl Runs {
    /// Creates runs that keep the boards of all games.
    #[must_use]
    pub fn keeping() -> Self {
        Self { replays: Some(RefCell::default()) }
    }

    /// Returns the games that were kept.
    #[must_use]
    pub fn replays(self) -> Vec<Replay> {
        self.replays.map(RefCell::into_inner).unwrap_or_default()
    }
}

impl Games for Runs {
    fn is_void(&self, what: &str, began: Instant, replays: &mut u32) -> Result<bool, Trouble> {
        is_void(what, began, true, replays)
    }

    fn gauntlet(&self, marker: &Marker<'_>, gauntlet: &Gauntlet<'_>) -> Result<Results, Trouble> {
        let mut players = vec![marker.player.clone()];
        players.extend(gauntlet.opponents.iter().cloned());
        players.extend(marker.others.iter().cloned());
        distinct_names(&mut players);
        let seats = players.len().min(marker.seats);
        let schedule =
            Schedule::new(players.len(), seats, Format::Gauntlet, marker.seed).map_err(Trouble::referee)?;
        let run = Run {
            course: gauntlet.course,
            players: &players,
            schedule: &schedule,
            conditions: marker.conditions,
            supervisor: marker.supervisor,
            concurrency: gauntlet.at_once,
            live: None,
            processors: &[],
        };
        let games = gauntlet.openings * schedule.games_an_opening();
        let mut records: Vec<Record> = Vec::new();
        if !marker.patience.is_over() {
            // Games are processed in order, and those after the last one needed are not counted.
            let mut ended: BTreeMap<u64, Record> = BTreeMap::new();
            let mut told = Instant::now();
            run.play(0..games, &BTreeSet::new(), |record| {
                ended.insert(record.game, record);
                while let Some(record) = ended.remove(&(records.len() as u64)) {
                    if marker.patience.is_over() {
                        break;
                    }
                    marker.patience.hear(hung(&record).is_some());
                    records.push(record);
                }
                if told.elapsed() >= LINE_EVERY {
                    told = Instant::now();
                    (marker.told)(&format!("{}/{games} games", records.len()));
                }
                if marker.patience.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        if marker.supervisor.is_stopped() {
            return Err(Trouble::Interrupted);
        }
        if let Some(replays) = &self.replays {
            let of = |record: &Record| Replay::of(gauntlet.course, record);
            replays.borrow_mut().extend(records.iter().filter_map(of));
        }
        let played: BTreeSet<u64> = records.iter().map(|record| record.game).collect();
        let example = records.iter().rev().find(|record| hung(record).is_some()).cloned();
        let left = (0..games).filter(|game| !played.contains(game));
        records.extend(left.map(|game| not_played(&schedule.job(game), &players, example.as_ref())));
        let crashed = |record: &&Record| {
            let of = |(seat, fault): &(usize, Fault)| record.seats[*seat] == 0 && fault.kind == Kind::Crash;
            record.played.faults.iter().any(of)
        };
        marker.crashes.fetch_add(records.iter().filter(crashed).count() as u64, Ordering::Relaxed);
        let standing = Standing::of(players.len(), &records);
        let order = standing.order();
        let duels = standing.duels.into_iter().filter(|((first, _), _)| *first == 0);
        let duels = duels.map(|((_, other), tally)| (other, tally)).collect();
        Ok(Results { players, records, lines: standing.lines, duels, order })
    }

    fn games_an_opening(&self, players: usize, seats: usize) -> Result<u64, Trouble> {
        let schedule = Schedule::new(players, seats, Format::Gauntlet, 0).map_err(Trouble::referee)?;
        Ok(schedule.games_an_opening())
    }
}

/// Returns the seat of the marked player, if it hung in the game.
fn hung(record: &Record) -> Option<usize> {
    let seat = record.seats.iter().position(|&player| player == 0)?;
    let hangs = |(of, fault): &(usize, Fault)| *of == seat && Patience::is_tried_by(fault);
    record.played.faults.iter().any(hangs).then_some(seat)
}

/// Returns the record of a game that is counted as lost without being played, like `example`, in which the player hung.
fn not_played(job: &Job, players: &[Player], example: Option<&Record>) -> Record {
    let seat = job.seats.iter().position(|&player| player == 0).unwrap_or(0);
    let by_seat = |of: fn(&Played) -> &Vec<f64>, won: f64| {
        let mut lost = vec![won; job.seats.len()];
        lost[seat] = 0.0;
        if let Some((example, before)) = example.and_then(|example| Some((&example.played, hung(example)?))) {
            let mut values = of(example).clone();
            let own = values.remove(before);
            values.insert(seat, own);
            lost = values;
        }
        lost
    };
    let fault = Fault::new(Kind::Hang, "not asked: it hung before");
    Record {
        game: job.game,
        group: job.group,
        course: example.map(|example| example.course.clone()).unwrap_or_default(),
        seats: job.seats.clone(),
        names: job.seats.iter().map(|&player| players[player].name.clone()).collect(),
        opening: String::new(),
        seed: job.seed,
        played: Played {
            points: by_seat(|played| &played.points, 1.0),
            score: by_seat(|played| &played.score, 0.0),
            end: fault.to_string(),
            faults: vec![(seat, fault)],
            ..Played::default()
        },
    }
}
