//! The courses' marking schemes as report cards.
//!
//! Criteria that a course marks by reading (clarity, comments, a report) are listed and left to their reader.

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

/// One criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Its name on the card.
    pub name: String,
    /// Points earned; `None` where a person has to look.
    pub points: Option<f64>,
    /// Points that can be earned; 0 where the course gives no figure.
    pub of: f64,
    /// Observations, faults first.
    pub notes: Vec<String>,
}

/// A criterion of a course's scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criterion {
    /// Its name on the card.
    pub name: &'static str,
    /// Points that can be earned; 0 where the course gives no figure.
    pub of: f64,
    /// True where a program earns them; false where a person has to look.
    pub is_marked: bool,
}

impl Criterion {
    /// A criterion that a program earns points by.
    const fn marked(name: &'static str, of: f64) -> Self {
        Self { name, of, is_marked: true }
    }

    /// A criterion for a person.
    const fn by_hand(name: &'static str, of: f64) -> Self {
        Self { name, of, is_marked: false }
    }

    /// The share of `passed` in `tests`.
    fn share(self, passed: usize, tests: usize, mut notes: Vec<String>) -> Item {
        notes.truncate(5);
        notes.insert(0, format!("{passed} of {tests} right"));
        let points = self.of * passed as f64 / tests.max(1) as f64;
        self.earned((10.0 * points).floor() / 10.0, notes)
    }

    /// So many points.
    fn earned(self, points: f64, notes: Vec<String>) -> Item {
        let Self { name, of, is_marked } = self;
        Item { name: name.to_owned(), points: Some(points).filter(|_| is_marked), of, notes }
    }

    /// No points of its own: a note for who looks.
    fn noted(self, notes: Vec<String>) -> Item {
        self.earned(0.0, notes)
    }
}

impl Item {
    /// The same with what is off the assignment's letter and costs nothing.
    fn with(mut self, remarks: Remarks) -> Self {
        let times = |count| if count == 1 { String::new() } else { format!(" ({count} times)") };
        let lines = remarks.0.into_iter().map(|(text, count)| format!("remark: {text}{}", times(count)));
        self.notes.extend(lines);
        self
    }
}

/// Observations that cost no points, each with the number of times that it was made.
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

/// A line with its blanks and control characters as Unicode's pictures of them, cut to a sane length.
fn visible(line: &str) -> String {
    let picture = |c: char| match c {
        '\0'..=' ' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(c),
        c => c,
    };
    excerpt(&line.chars().map(picture).collect::<String>())
}

/// A whole report card.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// The assignment and the player.
    pub title: String,
    /// Its criteria.
    pub items: Vec<Item>,
    /// What marked it: version, seed, machine.
    #[serde(default)]
    pub by: String,
}

/// One game at a time: for criteria that depend on time.
const ALONE: usize = 1;

impl Card {
    /// A card that does not tell yet what marked it.
    #[must_use]
    pub fn new(title: String, items: Vec<Item>) -> Self {
        Self { title, items, by: String::new() }
    }

    /// The card of a program that cannot be started: nothing of all that a program can earn.
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

/// The means of marking: the player, its opponents, its conditions.
pub struct Marker<'a> {
    /// The player to be marked.
    pub player: &'a Player,
    /// Others that it plays against, beside the built-in ones.
    pub others: &'a [Player],
    /// The conditions of its course.
    pub conditions: &'a Conditions,
    /// The supervisor of all processes.
    pub supervisor: &'a Supervisor,
    /// The seed of what is drawn.
    pub seed: u64,
    /// Games at once.
    pub concurrency: usize,
    /// Fewer games and tests: for a quick look.
    pub quick: bool,
    /// The number of the player's processes that crashed so far.
    pub crashes: AtomicU64,
    /// What is left of the patience with its hangs.
    pub patience: Patience,
}

impl Marker<'_> {
    /// The player's command, if it is a process.
    pub fn command(&self) -> Result<&Command, Trouble> {
        match &self.player.reach {
            Reach::Process { command, .. } => Ok(command),
            _ => Err(Trouble::Referee(format!("\"{}\": only a command can be marked so", self.player.text))),
        }
    }

    /// A criterion's points, and why not all of it was asked where it was not.
    fn judge(&self, criterion: impl FnOnce(&Self) -> Result<Item, Trouble>) -> Result<Item, Trouble> {
        self.patience.begin();
        let mut item = criterion(self)?;
        if self.patience.is_over() {
            item.notes.push("the rest was not asked: it hangs".to_owned());
        }
        Ok(item)
    }

    /// Runs the player's command once with more arguments and an input, unless it hung too often; what it printed, and
    /// how it ended.
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
        // A program that does not read its input may end before all of it is written: how it ends is what counts.
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

    /// Games at once where no clock runs, else one: what else runs on the machine would be marked, too.
    #[must_use]
    pub fn at_once(&self) -> usize {
        if self.conditions.time.is_some() { ALONE } else { self.concurrency }
    }

    /// The player against each of `opponents` on the same openings, both sides, so many games at once. The records are
    /// the same whatever ends first.
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
            // Games are heard of in their order, and what was played after the last one is not counted.
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

/// The seat of the player that is marked, where it hung in the game.
fn hung(record: &Record) -> Option<usize> {
    let seat = record.seats.iter().position(|&player| player == 0)?;
    let hangs = |(of, fault): &(usize, Fault)| *of == seat && Patience::is_tried_by(fault);
    record.played.faults.iter().any(hangs).then_some(seat)
}

/// A game that is lost like `example`, one of the same course in which the player hung, without being played.
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
    /// False where it was not run: it had hung too often.
    pub asked: bool,
    /// Its standard output.
    pub output: String,
    /// The end of the process, in words; `None` when it had to be killed.
    pub status: Option<String>,
    /// The end of its standard error.
    pub errors: String,
    /// From its start to the end of its output.
    pub time: Duration,
}

impl Once {
    /// Returns true for exit code 0.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.status.as_deref() == Some("exit code 0")
    }

    /// Returns true where it ended by itself, with whatever code.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.status.is_some()
    }

    /// A remark on an end that is not exit code 0, where the assignment asks for none.
    fn exit_remark(&self) -> Option<String> {
        self.status
            .clone()
            .filter(|_| !self.succeeded())
            .map(|status| format!("right, but it ended with {status}"))
    }

    /// Returns true where it ended by itself with another exit code than 0; a crash is no answer.
    #[must_use]
    pub fn refused(&self) -> bool {
        self.status
            .as_deref()
            .is_some_and(|status| status.starts_with("exit code") && status != "exit code 0")
    }

    /// The end of the process, for a note.
    #[must_use]
    pub fn ending(&self) -> &str {
        match &self.status {
            Some(status) => status,
            None if self.asked => "killed by the watchdog",
            None => "not asked: it hung before",
        }
    }
}

/// A built-in opponent.
fn builtin(name: &str) -> Player {
    format!("builtin:{name}").parse().expect("a built-in player")
}

/// Each fault of the player once, with the game where it was seen first; those that differ in their figures only, such as
/// the time of a late move, are one.
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

/// Sums the player's games up: its share of the points, a line against each opponent, its faults.
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
