//! `referee match`, `tournament`, `sprt`, `merge` and `report`: runs of games and their judgement.

use super::progress::Progress;
use super::setup::{self, Game, GameOptions};
use crate::course::Course;
use crate::player::{Player, distinct_names};
use crate::record::Record;
use crate::report::table;
use crate::run::Run;
use crate::schedule::{Format, Schedule};
use crate::standing::Standing;
use crate::stats::sprt::{Scale, Sprt, Verdict};
use crate::stats::tally::Tally;
use crate::store::{self, Head, Store};
use clap::{Args, ValueEnum};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::PathBuf;
use wire::Failure;

/// Two players.
#[derive(Debug, Args)]
pub struct Match {
    /// The assignment
    game: Game,
    /// One player
    #[arg(long, value_name = "PLAYER")]
    a: String,
    /// The other
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Games; an odd one more makes a whole pair
    #[arg(long, default_value_t = 100)]
    games: u64,
    #[command(flatten)]
    play: PlayOptions,
}

/// Any number of players.
#[derive(Debug, Args)]
pub struct Tournament {
    /// The assignment
    game: Game,
    /// A player; give the option once for each
    #[arg(long = "player", value_name = "PLAYER", required = true)]
    players: Vec<String>,
    /// Who meets whom
    #[arg(long, value_enum, default_value_t = FormatName::RoundRobin)]
    format: FormatName,
    /// Openings (mazes): each gives every meeting once from every seat
    #[arg(long, default_value_t = 4)]
    rounds: u64,
    /// moules: players a game, 1 to 4 [default: 4, or as many as there are]
    #[arg(long)]
    seats: Option<usize>,
    #[command(flatten)]
    play: PlayOptions,
}

/// Two players, until it is decided.
#[derive(Debug, Args)]
pub struct Sequential {
    /// The assignment
    game: Game,
    /// The player that should be better
    #[arg(long, value_name = "PLAYER")]
    a: String,
    /// The one it is compared with
    #[arg(long, value_name = "PLAYER")]
    b: String,
    /// Elo difference that is not worth having
    #[arg(long, default_value_t = 0.0, allow_hyphen_values = true)]
    elo0: f64,
    /// Elo difference that is
    #[arg(long, default_value_t = 10.0, allow_hyphen_values = true)]
    elo1: f64,
    /// Measure the bounds in logistic Elo instead of normalised Elo
    #[arg(long)]
    logistic: bool,
    /// How often a difference of elo0 may pass
    #[arg(long, default_value_t = 0.05)]
    alpha: f64,
    /// How often a difference of elo1 may fail
    #[arg(long, default_value_t = 0.05)]
    beta: f64,
    /// Games at most
    #[arg(long, default_value_t = 100_000)]
    games: u64,
    #[command(flatten)]
    play: PlayOptions,
}

/// Files to join.
#[derive(Debug, Args)]
pub struct Merge {
    /// Record files of one run's shards
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The joined file
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    outputs: Outputs,
}

/// A file to judge again.
#[derive(Debug, Args)]
pub struct Report {
    /// The record file
    file: PathBuf,
    #[command(flatten)]
    outputs: Outputs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FormatName {
    RoundRobin,
    Gauntlet,
}

impl From<FormatName> for Format {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::RoundRobin => Self::RoundRobin,
            FormatName::Gauntlet => Self::Gauntlet,
        }
    }
}

/// How games are played and kept.
#[derive(Debug, Args)]
struct PlayOptions {
    #[command(flatten)]
    games: GameOptions,
    /// Games at once [default: the number of processors]
    #[arg(long, value_name = "N")]
    concurrency: Option<usize>,
    /// Timed games even where there are not enough processors for them
    #[arg(long)]
    force: bool,
    /// Bind the players of each of the games at once to a processor of their own
    #[arg(long)]
    pin: bool,
    /// Append a line a game to this file; games that it holds already are not played again
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Only every N-th game, beginning with the I-th (from 1)
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u64, u64)>,
    /// No progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    outputs: Outputs,
}

/// Where results go, beside the terminal.
#[derive(Debug, Clone, Args)]
struct Outputs {
    /// Results as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Results as one self-contained page with charts
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The games in a notation that other programs read: SGF (connect5), GGF (othello), PGN
    #[arg(long, value_name = "FILE")]
    notation: Option<PathBuf>,
}

impl Outputs {
    fn write(&self, head: &Head, records: &[Record]) -> Result<(), Failure> {
        let put = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
            None => Ok(()),
            Some(path) => std::fs::write(path, text())
                .map_err(|error| Failure::run(format!("{}: {error}", path.display()))),
        };
        put(&self.json, &|| {
            let standing = Standing::of(head.names.len(), records);
            format!("{:#}\n", crate::report::json(head, &standing))
        })?;
        put(&self.html, &|| crate::report::page::page(head, records))?;
        put(&self.notation, &|| crate::report::games::all(records))
    }
}

fn shard(text: &str) -> Result<(u64, u64), String> {
    text.split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)))
        .filter(|&(i, n)| i >= 1 && i <= n)
        .ok_or_else(|| "I/N with 1 ≤ I ≤ N is expected".to_owned())
}

impl Match {
    /// Plays it and prints the result.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let games = self.games.div_ceil(2) * 2;
        let mut prepared = Prepared::new(self.game, &[&self.a, &self.b], 2, Format::RoundRobin, &self.play)?;
        prepared.play(games, None)?;
        prepared.finish()
    }
}

impl Tournament {
    /// Plays it and prints the result.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let players: Vec<&str> = self.players.iter().map(String::as_str).collect();
        let most = if self.game == Game::Moules { 4 } else { 2 };
        let seats = self.seats.unwrap_or(most.min(players.len()));
        let mut prepared = Prepared::new(self.game, &players, seats, self.format.into(), &self.play)?;
        let games = self.rounds * prepared.schedule.games_an_opening();
        prepared.play(games, None)?;
        prepared.finish()
    }
}

impl Sequential {
    /// Plays until it is decided.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        if self.elo0 >= self.elo1 || ![self.alpha, self.beta].iter().all(|p| (0.0001..0.5).contains(p)) {
            return Err(Failure::input("elo0 must be less than elo1, alpha and beta between 0.0001 and 0.5"));
        }
        if self.play.shard.is_some() {
            return Err(Failure::input("a sequential test cannot be split: --shard"));
        }
        let scale = if self.logistic { Scale::Logistic } else { Scale::Normalised };
        let sprt = Sprt { elo0: self.elo0, elo1: self.elo1, scale, alpha: self.alpha, beta: self.beta };
        let mut prepared = Prepared::new(self.game, &[&self.a, &self.b], 2, Format::RoundRobin, &self.play)?;
        let verdict = prepared.play(self.games.div_ceil(2) * 2, Some(&sprt))?;
        prepared.finish()?;
        let (low, high) = sprt.bounds();
        let (ratio, pairs, verdict) = verdict.unwrap_or((0.0, 0, Verdict::Undecided));
        println!(
            "sprt [{}, {}] {}: {} after {pairs} pairs, LLR {ratio:.2} in [{low:.2}, {high:.2}]",
            self.elo0,
            self.elo1,
            if self.logistic { "logistic" } else { "normalised" },
            match verdict {
                Verdict::Passed => "passed",
                Verdict::Failed => "failed",
                Verdict::Undecided => "undecided",
            }
        );
        Ok(())
    }
}

impl Merge {
    /// Joins them and prints the result.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let (head, records) = store::merge(&self.files, &self.output).map_err(Failure::input)?;
        print_results(&head, &records);
        self.outputs.write(&head, &records)
    }
}

impl Report {
    /// Prints the result.
    ///
    /// # Errors
    /// One line and an exit code.
    pub fn run(&self) -> Result<(), Failure> {
        let (head, mut records) = store::load(&self.file).map_err(Failure::input)?;
        records.sort_by_key(|record| record.game);
        print_results(&head, &records);
        self.outputs.write(&head, &records)
    }
}

fn print_results(head: &Head, records: &[Record]) {
    println!("{}: {} games, seed {}; {}\n", head.course, records.len(), head.seed, head.setting);
    let standing = Standing::of(head.names.len(), records);
    print!("{}", table::results(&head.names, &standing, head.seed));
}

/// A run about to be played.
struct Prepared<'a> {
    options: &'a PlayOptions,
    game: Game,
    course: Box<dyn Course>,
    players: Vec<Player>,
    schedule: Schedule,
    head: Head,
    records: Vec<Record>,
}

/// The log-likelihood ratio, the pairs it was taken from, and what it says.
type Decision = (f64, u64, Verdict);

impl<'a> Prepared<'a> {
    fn new(
        game: Game,
        players: &[&str],
        seats: usize,
        format: Format,
        options: &'a PlayOptions,
    ) -> Result<Self, Failure> {
        let course = options.games.course(game, seats)?;
        if !course.seats().contains(&seats) {
            return Err(Failure::input(format!("{} is not played by {seats}", course.name())));
        }
        let mut players = players
            .iter()
            .map(|text| {
                let own = own_player(course.as_ref(), text);
                let mut player: Player = own.as_deref().unwrap_or(text).parse().map_err(Failure::input)?;
                if own.is_some() && text.starts_with("own") {
                    player.name = text.replacen(':', " ", 1);
                }
                Ok::<_, Failure>(player)
            })
            .collect::<Result<Vec<_>, _>>()?;
        distinct_names(&mut players);
        let seed = options.games.seed;
        let schedule = Schedule::new(players.len(), seats, format, seed).map_err(Failure::input)?;
        let conditions = options.games.conditions(game)?;
        let head = Head {
            course: course.name().to_owned(),
            setting: course.setting(),
            players: players.iter().map(|player| player.text.clone()).collect(),
            names: players.iter().map(|player| player.name.clone()).collect(),
            seats,
            format,
            seed,
            time: conditions.time.map(|time| time.as_millis() as u64),
        };
        Ok(Self { options, game, course, players, schedule, head, records: Vec::new() })
    }

    fn play(&mut self, games: u64, sprt: Option<&Sprt>) -> Result<Option<Decision>, Failure> {
        let options = self.options;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let concurrency = options.concurrency.unwrap_or(processors);
        if self.course.is_timed() && concurrency > processors && !options.force {
            return Err(Failure::input(format!(
                "{concurrency} timed games at once on {processors} processors would measure their luck with the \
                 scheduler; --force plays them all the same"
            )));
        }
        let mut store = None;
        if let Some(path) = &options.record {
            let (opened, records) = Store::open(path, &self.head).map_err(Failure::input)?;
            store = Some(opened);
            self.records = records;
        }
        let conditions = options.games.conditions(self.game)?;
        let nursery = setup::nursery()?;
        let done: BTreeSet<u64> = self.records.iter().map(|record| record.game).collect();
        let (first, step) = options.shard.map_or((0, 1), |(i, n)| (i - 1, n));
        let total = games.saturating_sub(first).div_ceil(step);
        let mut progress = Progress::new(Some(total), done.len() as u64, options.quiet);
        let mut standing = Standing::of(self.players.len(), &self.records);
        let mut decider = sprt.map(|sprt| Decider::new(*sprt, &self.records));
        let mut failure = None;
        let records = &mut self.records;
        let pins: Vec<usize> = if options.pin { (0..processors).collect() } else { Vec::new() };
        let run = Run {
            course: self.course.as_ref(),
            players: &self.players,
            schedule: &self.schedule,
            conditions: &conditions,
            nursery,
            concurrency,
            processors: &pins,
        };
        let decided = decider.as_ref().is_some_and(|decider| decider.verdict != Verdict::Undecided);
        let numbers = (first..if decided { first } else { games }).step_by(step as usize);
        let keep_moves = options.outputs.notation.is_some();
        let outcome = run.play(numbers, &done, |mut record| {
            if let Some(Err(error)) = store.as_mut().map(|store| store.push(&record)) {
                failure = Some(error);
                return ControlFlow::Break(());
            }
            standing.add(&record);
            progress.step(|| running_score(&standing, decider.as_ref()));
            let decided = decider.as_mut().is_some_and(|decider| decider.add(&record));
            if !keep_moves {
                record.played.forget_moves();
            }
            records.push(record);
            if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        progress.finish();
        nursery.sweep();
        if nursery.is_stopped() {
            eprintln!("referee: interrupted after {} of {total} games", self.records.len());
        }
        if let Some(error) = failure {
            return Err(Failure::run(error));
        }
        outcome.map_err(Failure::run)?;
        Ok(decider.map(|decider| (decider.ratio, decider.pairs, decider.verdict)))
    }

    fn finish(&mut self) -> Result<(), Failure> {
        self.records.sort_by_key(|record| record.game);
        print_results(&self.head, &self.records);
        self.options.outputs.write(&self.head, &self.records)
    }
}

/// `own` and `own:ARGUMENTS` stand for the project's own executable of the game.
pub(super) fn own_player(course: &dyn Course, text: &str) -> Option<String> {
    let (name, rest) = match text.split_once('=') {
        Some((name, rest)) if rest == "own" || rest.starts_with("own:") => (Some(name), rest),
        _ => (None, text),
    };
    let arguments = match rest {
        "own" => "",
        rest => rest.strip_prefix("own:")?,
    };
    let command = course.own(arguments);
    Some(match name {
        Some(name) => format!("{name}={command}"),
        None => command,
    })
}

fn running_score(standing: &Standing, decider: Option<&Decider>) -> String {
    if let Some(decider) = decider {
        return format!("LLR {:.2}", decider.ratio);
    }
    let faults = standing.faults();
    let faults = if faults > 0 { format!(", {faults} faults") } else { String::new() };
    match standing.duels.get(&(0, 1)).filter(|_| standing.lines.len() == 2) {
        Some(tally) => format!("+{} ={} −{}{faults}", tally.wins, tally.draws, tally.losses),
        None => format!("{} games{faults}", standing.games),
    }
}

/// A sequential test over the pairs in their order, so that it decides alike however the games overtake each other.
struct Decider {
    sprt: Sprt,
    waiting: BTreeMap<u64, f64>,
    next: u64,
    tally: Tally,
    ratio: f64,
    pairs: u64,
    verdict: Verdict,
}

impl Decider {
    fn new(sprt: Sprt, records: &[Record]) -> Self {
        let mut decider = Self {
            sprt,
            waiting: BTreeMap::new(),
            next: 0,
            tally: Tally::default(),
            ratio: 0.0,
            pairs: 0,
            verdict: Verdict::Undecided,
        };
        for record in records {
            decider.add(record);
        }
        decider
    }

    /// Counts a game; true once the test is decided.
    fn add(&mut self, record: &Record) -> bool {
        let seat = record.seats.iter().position(|&player| player == 0).unwrap_or(0);
        self.waiting.insert(record.game, record.played.points[seat]);
        while self.verdict == Verdict::Undecided {
            let (Some(&first), Some(&second)) =
                (self.waiting.get(&self.next), self.waiting.get(&(self.next + 1)))
            else {
                break;
            };
            self.waiting.remove(&self.next);
            self.waiting.remove(&(self.next + 1));
            self.next += 2;
            self.pairs += 1;
            self.tally.add_pair(first, second);
            let sample = self.tally.sample();
            self.ratio = self.sprt.ratio(&sample);
            self.verdict = self.sprt.verdict(&sample);
        }
        self.verdict != Verdict::Undecided
    }
}
