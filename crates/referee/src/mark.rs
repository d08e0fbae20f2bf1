//! The courses' marking schemes as report cards.
//!
//! Criteria that a course marks by reading (clarity, comments, a report) are listed without points.

pub mod class;
pub mod connect5;
pub mod gounki;
pub mod kept;
pub mod moules;
pub mod othello;
mod patience;
pub mod uttt;

pub use patience::Patience;

use crate::run::Run;
use crate::schedule::{Job, Schedule};
use courses::course::{Conditions, Course, GameSetup};
use courses::fault::{Fault, Kind, Trouble, excerpt};
use courses::peer::{Command, Ended, Peer, Supervisor};
use courses::player::{Player, Reach};
use courses::record::{Played, Record};
use courses::store::Format;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A marked criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// The name on the card.
    pub name: String,
    /// Points earned, or `None` if a person must mark the criterion.
    pub points: Option<f64>,
    /// Maximum points, or 0 if the course gives no figure.
    pub of: f64,
    /// Observations, faults first.
    pub notes: Vec<String>,
}

/// A criterion of a course's scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criterion {
    /// The name on the card.
    pub name: &'static str,
    /// Maximum points, or 0 if the course gives no figure.
    pub of: f64,
    /// True if the criterion is marked by a program, false if by a person.
    pub is_marked: bool,
}

impl Criterion {
    /// Creates a criterion marked by a program.
    const fn marked(name: &'static str, of: f64) -> Self {
        Self { name, of, is_marked: true }
    }

    /// Creates a criterion marked by a person.
    const fn by_hand(name: &'static str, of: f64) -> Self {
        Self { name, of, is_marked: false }
    }

    /// Marks the criterion by the share of `passed` in `tests`.
    fn share(self, passed: usize, tests: usize, mut notes: Vec<String>) -> Item {
        notes.truncate(5);
        notes.insert(0, format!("{passed} of {tests} right"));
        let points = self.of * passed as f64 / tests.max(1) as f64;
        self.earned((10.0 * points).floor() / 10.0, notes)
    }

    /// Marks the criterion with `points`.
    fn earned(self, points: f64, notes: Vec<String>) -> Item {
        let Self { name, of, is_marked } = self;
        Item { name: name.to_owned(), points: Some(points).filter(|_| is_marked), of, notes }
    }

    /// Leaves the criterion to a person, with notes.
    fn noted(self, notes: Vec<String>) -> Item {
        self.earned(0.0, notes)
    }
}

impl Item {
    /// Adds remarks on deviations from the assignment's text that cost no points.
    fn with(mut self, remarks: Remarks) -> Self {
        let times = |count| if count == 1 { String::new() } else { format!(" ({count} times)") };
        let lines = remarks.0.into_iter().map(|(text, count)| format!("remark: {text}{}", times(count)));
        self.notes.extend(lines);
        self
    }
}

/// Remarks that cost no points, each with its number of occurrences.
#[derive(Debug, Default)]
struct Remarks(Vec<(String, usize)>);

impl Extend<String> for Remarks {
    fn extend<T: IntoIterator<Item = String>>(&mut self, texts: T) {
        for text in texts {
            match self.0.iter_mut().find(|(of, _)| *of == text) {
                Some((_, count)) => *count += 1,
                None => self.0.push((text, 1)),
            }
        }
    }
}

/// Shows blanks and control characters of a line by Unicode's control pictures, and truncates it.
fn visible(line: &str) -> String {
    let picture = |c: char| match c {
        '\0'..=' ' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(c),
        c => c,
    };
    excerpt(&line.chars().map(picture).collect::<String>())
}

/// A report card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The assignment and the player.
    pub title: String,
    /// Its criteria.
    pub items: Vec<Item>,
    /// The marker: version, seed, machine.
    #[serde(default)]
    pub by: String,
}

/// One game at a time, for criteria that depend on time.
const ALONE: usize = 1;

impl Card {
    /// Creates a card without a marker.
    #[must_use]
    pub fn new(title: String, items: Vec<Item>) -> Self {
        Self { title, items, by: String::new() }
    }

    /// Returns the card of a program that cannot be started: no points for any criterion marked by a program.
    #[must_use]
    pub fn of_nobody(title: &str, scheme: &[Criterion], error: String) -> Self {
        let mut notes = Some(format!("it could not be marked: {error}"));
        let mut note = |criterion: &Criterion| notes.take_if(|_| criterion.is_marked).into_iter().collect();
        let items = scheme.iter().map(|criterion| criterion.noted(note(criterion)));
        Self::new(title.to_owned(), items.collect())
    }
}

/// A program of a class with its card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marked {
    /// The program.
    pub player: class::Entry,
    /// Its card.
    pub card: Card,
    /// The number of its processes that crashed.
    pub crashes: u64,
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n", self.title)?;
        for item in &self.items {
            let points = match item.points {
                None if item.of == 0.0 => "no points".to_owned(),
                None => format!("  by hand / {:.0}", item.of),
                Some(points) => format!("{points:>6.1} / {:.0}", item.of),
            };
            writeln!(f, "{:<62} {points:>14}", item.name)?;
            for note in &item.notes {
                writeln!(f, "    {note}")?;
            }
        }
        let earned: f64 = self.items.iter().filter_map(|item| item.points).sum();
        let of: f64 = self.items.iter().filter(|item| item.points.is_some()).map(|item| item.of).sum();
        writeln!(
            f,
            "\n{:<62} {:>14}",
            "together, what a program can mark",
            format!("{earned:.1} / {of:.0}")
        )?;
        if self.by.is_empty() { Ok(()) } else { writeln!(f, "marked by {}", self.by) }
    }
}

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
    /// The seed of all random choices.
    pub seed: u64,
    /// Number of concurrent games.
    pub concurrency: usize,
    /// True for fewer games and tests.
    pub quick: bool,
    /// The number of the player's crashes so far.
    pub crashes: AtomicU64,
    /// The patience with the player's hangs.
    pub patience: Patience,
}

impl Marker<'_> {
    /// Returns the player's command, if it is a process.
    pub fn command(&self) -> Result<&Command, Trouble> {
        match &self.player.reach {
            Reach::Process { command, .. } => Ok(command),
            _ => Err(Trouble::Referee(format!("\"{}\": only a command can be marked so", self.player.text))),
        }
    }

    /// Marks a criterion. Notes it if not all questions were asked.
    fn judge(&self, criterion: impl FnOnce(&Self) -> Result<Item, Trouble>) -> Result<Item, Trouble> {
        self.patience.begin();
        let mut item = criterion(self)?;
        if self.patience.is_over() {
            item.notes.push("the rest was not asked: it hangs".to_owned());
        }
        Ok(item)
    }

    /// Runs the player's command once with more arguments and an input, unless it hung too often. Returns its output
    /// and exit status.
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
    pub fn gauntlet(
        &self,
        course: &dyn Course,
        opponents: &[Player],
        openings: u64,
        at_once: usize,
    ) -> Result<(Vec<Player>, Vec<Record>), Trouble> {
        let mut players = vec![self.player.clone()];
        players.extend(opponents.iter().cloned());
        players.extend(self.others.iter().cloned());
        courses::player::distinct_names(&mut players);
        let seats = if course.name() == "moules" { players.len().min(4) } else { 2 };
        let schedule =
            Schedule::new(players.len(), seats, Format::Gauntlet, self.seed).map_err(Trouble::Referee)?;
        let run = Run {
            course,
            players: &players,
            schedule: &schedule,
            conditions: self.conditions,
            supervisor: self.supervisor,
            concurrency: at_once,
            live: None,
            processors: &[],
        };
        let games = openings * schedule.games_an_opening();
        let mut records: Vec<Record> = Vec::new();
        if !self.patience.is_over() {
            // Games are processed in order, and those after the last one needed are not counted.
            let mut ended: BTreeMap<u64, Record> = BTreeMap::new();
            run.play(0..games, &BTreeSet::new(), |record| {
                ended.insert(record.game, record);
                while let Some(record) = ended.remove(&(records.len() as u64)) {
                    if self.patience.is_over() {
                        break;
                    }
                    self.patience.hear(hung(&record).is_some());
                    records.push(record);
                }
                if self.patience.is_over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })?;
        }
        if self.supervisor.is_stopped() {
            return Err(Trouble::Interrupted);
        }
        let played: BTreeSet<u64> = records.iter().map(|record| record.game).collect();
        let example = records.iter().rev().find(|record| hung(record).is_some()).cloned();
        let left = (0..games).filter(|game| !played.contains(game));
        records.extend(left.map(|game| not_played(&schedule.job(game), &players, example.as_ref())));
        let crashed = |record: &&Record| {
            let of = |(seat, fault): &(usize, Fault)| record.seats[*seat] == 0 && fault.kind == Kind::Crash;
            record.played.faults.iter().any(of)
        };
        self.crashes.fetch_add(records.iter().filter(crashed).count() as u64, Ordering::Relaxed);
        Ok((players, records))
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

/// The result of one run of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Once {
    /// False if it was not run, because it had hung too often.
    pub asked: bool,
    /// Its standard output.
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
    fn exit_remark(&self) -> Option<String> {
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

/// Returns a built-in opponent.
fn builtin(name: &str) -> Player {
    format!("builtin:{name}").parse().expect("a built-in player")
}

/// Returns each fault of the player once, with the first game where it occurred. Faults that differ only in their
/// figures, such as the time of a late move, are one.
fn complaints(records: &[Record]) -> Vec<String> {
    let mut seen: Vec<(String, String, u64, u64)> = Vec::new();
    for record in records {
        for (_, fault) in record.played.complaints().filter(|(seat, _)| record.seats[*seat] == 0) {
            let text = fault.to_string();
            let key: String = text.chars().filter(|c| !c.is_ascii_digit()).collect();
            match seen.iter_mut().find(|(of, ..)| *of == key) {
                Some((.., count)) => *count += 1,
                None => seen.push((key, text, record.game, 1)),
            }
        }
    }
    const MOST: usize = 12;
    let more = seen.len().checked_sub(MOST + 1).map(|more| format!("{} more faults", more + 1));
    let shown = seen.into_iter().take(MOST);
    shown.map(|(_, text, game, count)| format!("{count} × {text} (game {game})")).chain(more).collect()
}

/// Sums up the player's games: its share of the points, one line an opponent, its faults.
fn results(players: &[Player], records: &[Record]) -> (f64, Vec<String>) {
    let standing = crate::standing::Standing::of(players.len(), records);
    let mut notes = Vec::new();
    for (other, player) in players.iter().enumerate().skip(1) {
        if let Some(tally) = standing.duels.get(&(0, other)) {
            notes.push(format!(
                "against {}: {} won, {} drawn, {} lost",
                player.name, tally.wins, tally.draws, tally.losses
            ));
        }
    }
    let line = &standing.lines[0];
    notes.extend(complaints(records));
    (line.points / line.games.max(1) as f64, notes)
}
