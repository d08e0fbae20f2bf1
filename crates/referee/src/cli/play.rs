//! Plays the games of a command, records them, and writes results.

use super::interrupt;
use super::language;
use super::options::PlayOptions;
use super::outputs::{Outputs, together};
use super::players::{self, Written};
use super::progress::Progress;
use super::sandbox;
use crate::live::{self, Live};
use crate::log::{Kept, Log};
use crate::report::{page, table};
use crate::run::Run;
use crate::schedule::Schedule;
use crate::standing::Standing;
use courses::course::{Conditions, Course};
use courses::drawing::Language;
use courses::french::say;
use courses::peer::Supervisor;
use courses::play;
use courses::player::Player;
use courses::record::Record;
use courses::registry::Game;
use courses::store::Format;
use courses::store::{Head, Store, StoreError};
use std::collections::BTreeSet;
use std::io;
use std::mem::ManuallyDrop;
use std::ops::ControlFlow;
use std::path::Path;
use wire::Failure;

/// The ratings of more players, with their errors, may take seconds.
const MANY: usize = 200;

/// Prints the results of a run in a language.
pub fn print_results(
    head: &Head,
    standing: &Standing,
    records: &[Record],
    language: Language,
) -> Result<(), Failure> {
    let of_the_course =
        table::of_the_course(head, records, language).map(|text| text + "\n").unwrap_or_default();
    let replays = match (records.len() - (standing.games + standing.unfinished) as usize, language) {
        (0, _) => String::new(),
        (count, Language::French) => format!(", et {count} pour rejouer des égalités"),
        (count, Language::English) => format!(", and {count} that replayed ties"),
    };
    let games = play::counted(standing.games as u32, language, ["partie", "parties"], ["game", "games"]);
    let text = format!(
        "{of_the_course}{}{}{games}{replays}, {} {}{} {}\n\n{}{}",
        head.course,
        language.colon(),
        language.choose("graine", "seed"),
        head.seed,
        language.choose(" ;", ";"),
        say(&head.setting, language),
        table::results(head, standing, language),
        table::faults(&head.names, records, language)
    );
    // Names and last words come from the players.
    wire::print(wire::printable(&text))
}

/// The notation of 99,000 games took 5 s of a processor in a debug build, all other results together less than one.
const QUICK_NOTATION: usize = 10_000;

/// Maximum number of games in a run, all of which stay in memory until the results are written: 1.4 GB.
const MOST_GAMES: u64 = 1_000_000;
/// The same where the moves or their times stay too.
const MOST_WITH_MOVES: u64 = 100_000;

/// Drops what the requested results do not need of a game: its text is in the record.
pub fn slim(Outputs { notation, html, .. }: &Outputs, head: &Head, record: &mut Record) {
    match (notation, html) {
        (Some(_), _) => {}
        (None, Some(_)) if record.game < page::BOARDS => {}
        (None, Some(_)) => record.forget_moves(),
        (None, None) => {
            record.forget_times();
            // Of a tuning each game has its own.
            if record.seats.iter().map(|&player| &head.names[player]).eq(&record.names) {
                record.names = Vec::new();
            }
        }
    }
}

/// Returns the failure of a file that cannot be written.
fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::input(format!("{}: {error}", path.display()))
}

/// A runner of games: the assignment, its conditions, the processes and the record file.
pub struct Hall<'a> {
    /// The options of playing and keeping games.
    pub options: &'a PlayOptions,
    /// The assignment whose games are played.
    pub course: Box<dyn Course>,
    /// The head of the run.
    pub head: Head,
    /// All games so far, including those of an earlier start. Neither they nor their sums are freed: the process ends
    /// with them, and an interrupt would wait for that.
    pub records: ManuallyDrop<Vec<Record>>,
    done: BTreeSet<u64>,
    standing: ManuallyDrop<Standing>,
    progress: Progress,
    total: u64,
    /// The running score last shown on the page.
    score: String,
    conditions: Conditions,
    supervisor: &'static Supervisor,
    live: Option<Live>,
    store: Option<Store>,
    log: Option<Log>,
    /// Why a game could not be kept; no other is played after it.
    broken: Option<String>,
    concurrency: usize,
    pins: Vec<usize>,
}

impl<'a> Hall<'a> {
    /// Opens a runner for these players. Completes `head` by the options, and loads the games of the record file.
    pub fn open(
        options: &'a PlayOptions,
        game: Game,
        course: Box<dyn Course>,
        players: &[Player],
        head: impl FnOnce(Head) -> Head,
    ) -> Result<Self, Failure> {
        let concurrency = options.at_once(&*course, players)?;
        options.outputs.check()?;
        let conditions = options.conditions(game)?;
        let clock = conditions.clock.map(|clock| format!("; clock {clock}")).unwrap_or_default();
        let head = head(Head {
            course: course.name().to_owned(),
            setting: format!("{}{clock}{}", course.setting(), conditions.adjudication.words()),
            conditions: format!("{}, openings {:016x}", conditions.limits(), course.set().checksum()),
            players: Vec::new(),
            names: Vec::new(),
            seats: 2,
            format: Format::RoundRobin,
            seed: options.games.seed,
            time: conditions.time.map(|time| time.as_millis() as u64),
            programs: Vec::new(),
            ranking: None,
            sandbox: sandbox::words(players.iter().find_map(|player| conditions.sandbox_of(player))),
        });
        let supervisor = interrupt::supervisor()?;
        interrupt::prepares();
        let opened = options
            .record
            .as_ref()
            .map(|path| Store::prepare(path, &head, |head, record| slim(&options.outputs, head, record)));
        let (store, records) = opened.transpose().map_err(Failure::input)?.unzip();
        let log = options.log.as_ref().map(|path| {
            supervisor.keep_dialogues();
            let kept = if options.log_faults { Kept::Faulty } else { Kept::All };
            let log = interrupt::at_once(|| {
                Log::open(path, kept, records.as_ref().is_some_and(|held| !held.is_empty()))
            });
            log.map_err(|error| unwritable(path, &error))
        });
        let log = log.transpose()?;
        let live = options.live.map(|address| live::open(address, options.pace, concurrency, &head));
        let live = live.transpose().map_err(Failure::run)?;
        if let Some(live) = &live {
            let at = language::of_notes().choose("en direct sur", "live at");
            wire::note(format_args!("referee: {at} http://{}/", live.address()));
        }
        let pins = if options.pin { courses::peer::processors() } else { Vec::new() };
        let records: Vec<Record> = records.unwrap_or_default();
        let mut standing = Standing::of_run(&head, &records);
        // Until the end only the live page asks for ratings, and no game waits for them.
        standing.hurry(head.names.len() > MANY);
        Ok(Self {
            options,
            done: records.iter().map(|record| record.game).collect(),
            standing: ManuallyDrop::new(standing),
            progress: Progress::new(0, 0, "games", true),
            total: 0,
            score: String::new(),
            course,
            head,
            records: ManuallyDrop::new(records),
            conditions,
            supervisor,
            live,
            store,
            log,
            broken: None,
            concurrency,
            pins,
        })
    }

    /// Announces the total number of games, including earlier ones. Until the first game the record and the log are as
    /// they were.
    ///
    /// # Errors
    /// More games than fit in memory.
    pub fn begin(&mut self, total: u64) -> Result<(), Failure> {
        let Outputs { notation, html, .. } = &self.options.outputs;
        let (limit, with) = match (notation, html) {
            (None, None) => (MOST_GAMES, ""),
            _ => (MOST_WITH_MOVES, " with --html or --notation"),
        };
        if total > limit {
            let text = format!("{total} games are more than a run{with} can hold in memory ({limit})");
            return Err(Failure::input(text));
        }
        self.progress = Progress::new(total, self.records.len() as u64, "games", self.options.quiet);
        if let Some(live) = &self.live {
            live.tell(&self.head.names, &self.standing, total, "", false);
        }
        self.total = total;
        Ok(())
    }

    /// Calls these functions of the record and the log between games.
    fn on_files(
        &mut self,
        of_store: impl FnOnce(&mut Store) -> Result<(), StoreError>,
        of_log: impl FnOnce(&mut Log) -> io::Result<()>,
    ) {
        let stored =
            self.store.as_mut().map_or(Ok(()), |store| of_store(store).map_err(|error| error.to_string()));
        let log = self.log.as_mut().zip(self.options.log.as_ref());
        let logged = log.map_or(Ok(()), |(log, path)| {
            of_log(log).map_err(|error| format!("{}: {error}", path.display()))
        });
        if let Err(error) = stored.and(logged) {
            self.broken.get_or_insert(error);
        }
    }

    /// Plays the games of these numbers except those already recorded. Records each. `judge` sees each and may end the
    /// run.
    pub fn play(
        &mut self,
        players: &[Player],
        schedule: &Schedule,
        numbers: impl Iterator<Item = u64> + Send,
        judge: &mut dyn Judge,
    ) -> Result<(), Failure> {
        interrupt::plays();
        if self.broken.is_some() {
            return Ok(());
        }
        let run = Run {
            course: self.course.as_ref(),
            players,
            schedule,
            conditions: &self.conditions,
            supervisor: self.supervisor,
            concurrency: self.concurrency,
            live: self.live.as_ref(),
            processors: &self.pins,
        };
        let (store, log, broken) = (&mut self.store, &mut self.log, &mut self.broken);
        let (records, standing) = (&mut self.records, &mut self.standing);
        let before = records.len();
        let outcome = run.play(numbers, &self.done, |mut record| {
            // A game that cannot be kept was played all the same: the results tell of it, and then the run fails.
            if let Some(Err(error)) = store.as_mut().map(|store| store.push(&record)) {
                broken.get_or_insert(error.to_string());
            }
            if let Some(Err(error)) = log.as_mut().map(|log| log.write(&record)) {
                let path = self.options.log.as_ref().map(|path| path.display().to_string());
                broken.get_or_insert(format!("{}: {error}", path.unwrap_or_default()));
            }
            record.played.dialogues = Vec::new();
            if let Some(live) = &self.live {
                if let Some(error) = broken.as_ref() {
                    live.unkept(error);
                }
                live.finish(&record);
            }
            if self.head.counts(record.game) {
                standing.add(&record);
            }
            let decided = judge.add(&record);
            self.progress.step_with_score(|| judge.running_score(standing));
            if let Some(live) = &self.live {
                self.score = judge.running_score(standing);
                live.tell(&self.head.names, standing, self.total, &self.score, false);
            }
            slim(&self.options.outputs, &self.head, &mut record);
            records.push(record);
            if decided || broken.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.done.extend(self.records[before..].iter().map(|record| record.game));
        if outcome.is_ok() && !self.supervisor.is_stopped() {
            // For a run without a new game.
            self.on_files(Store::begin, Log::begin);
        }
        outcome.map_err(interrupt::failure)
    }

    /// Returns the verdict on the run after its results. An interrupt is a failure, and so is a game that was not kept.
    pub fn verdict(&self) -> Result<(), Failure> {
        if let Some(error) = &self.broken {
            let played = format!(" after {} of {} games", self.records.len(), self.total);
            return Err(Failure::run(error).followed_by(played));
        }
        if !self.supervisor.is_stopped() {
            return Ok(());
        }
        let left =
            if self.leaves_notation() { "; `referee report` writes the notation of a record" } else { "" };
        Err(interrupt::interrupted(&format!(" after {} of {} games{left}", self.records.len(), self.total)))
    }

    /// Returns true if an interrupted run would take seconds to write a notation that `referee report` can write later.
    fn leaves_notation(&self) -> bool {
        let PlayOptions { outputs, record, .. } = self.options;
        let is_kept = record.is_some() && self.records.len() > QUICK_NOTATION;
        self.supervisor.is_stopped() && is_kept && outputs.notation.is_some()
    }

    /// Returns the output files of the results: none for a run that was interrupted before its first game.
    pub fn outputs(&self) -> Outputs {
        let mut outputs = self.options.outputs.clone();
        if self.supervisor.is_stopped() && self.records.is_empty() {
            return Outputs { json: None, html: None, notation: None };
        }
        if self.leaves_notation() {
            outputs.notation = None;
        }
        outputs
    }

    /// Returns true if an interrupted run would take seconds to compute all of its results.
    fn is_hurried(&self) -> bool {
        self.supervisor.is_stopped() && self.head.names.len() > MANY
    }

    /// Ends all processes of the games.
    pub fn close(&mut self) {
        self.on_files(Store::sync, |log| log.sync());
        if let (Some(live), Some(error)) = (&self.live, &self.broken) {
            live.unkept(error);
        }
        self.progress.finish();
        interrupt::conclude();
        let is_whole = !self.supervisor.is_stopped();
        // The games in the order of their numbers, not in that of their ends: the page tells what the results tell.
        let Outputs { notation, html, .. } = self.outputs();
        if is_whole || notation.is_some() || html.is_some() {
            self.records.sort_by_key(|record| record.game);
        }
        // An interrupted run ends sooner without: its sums were added in another order.
        if is_whole {
            *self.standing = Standing::of_run(&self.head, &self.records);
        }
        let is_hurried = self.is_hurried();
        self.standing.hurry(is_hurried);
        if let Some(live) = &self.live {
            live.tell(&self.head.names, &self.standing, self.total, &self.score, true);
            live.close();
        }
        self.supervisor.sweep();
    }

    /// Returns the outcome of a run whose results are `told`. Unless it was interrupted, first serves the page as long as
    /// somebody watches; a failure is told before.
    pub fn end(&self, told: Result<(), Failure>) -> Result<(), Failure> {
        let outcome = together([told, self.verdict()]);
        let Some(live) = self.live.as_ref().filter(|_| !self.supervisor.is_stopped()) else { return outcome };
        let outcome = outcome.map_err(|failure| failure.told("referee"));
        live.stay();
        outcome
    }
}

/// A run with the same players in all games.
pub struct Prepared<'a> {
    /// The runner of the games.
    pub hall: Hall<'a>,
    /// The pairings and openings of the games.
    pub schedule: Schedule,
    /// The players, in the order of the schedule's numbers.
    pub players: Vec<Player>,
    /// The language of the results.
    pub language: Language,
}

impl<'a> Prepared<'a> {
    /// Prepares a run. All errors in its options are found here, before the first game.
    pub fn new(
        game: Game,
        players: &[Written],
        seats: usize,
        format: Format,
        options: &'a PlayOptions,
    ) -> Result<Self, Failure> {
        Self::with(game, players, seats, format, options, |head| head)
    }

    /// Like [`new`](Self::new), with changes to the head.
    pub fn with(
        game: Game,
        players: &[Written],
        seats: usize,
        format: Format,
        options: &'a PlayOptions,
        more: impl FnOnce(Head) -> Head,
    ) -> Result<Self, Failure> {
        let course = options.course(game, seats)?;
        if !course.seats().contains(&seats) {
            return Err(Failure::input(format!("{} is not a game for {seats} players", course.name())));
        }
        let players = players::players(options, game, course.as_ref(), seats, players)?;
        let schedule =
            Schedule::new(players.len(), seats, format, options.games.seed).map_err(Failure::input)?;
        let folder = options.games.folder()?;
        let hall = Hall::open(options, game, course, &players, |head| {
            more(Head {
                players: players.iter().map(|player| player.text.clone()).collect(),
                names: players.iter().map(|player| player.name.clone()).collect(),
                programs: players.iter().map(|player| player.fingerprint(&folder)).collect(),
                seats,
                format,
                ..head
            })
        })?;
        Ok(Self { hall, schedule, players, language: Language::English })
    }

    /// Plays `games` games, or this shard's share of them. `judge` sees every record, returns the running score, and
    /// may end the run.
    pub fn play(&mut self, games: u64, judge: &mut dyn Judge) -> Result<(), Failure> {
        let options = self.hall.options;
        let (first, step) = options.shard.map_or((0, 1), |(i, n)| (i - 1, n));
        let decided = self.hall.records.iter().any(|record| judge.add(record));
        let numbers = (first..if decided { first } else { games }).step_by(step as usize);
        self.hall.begin(games.saturating_sub(first).div_ceil(step))?;
        let outcome = self.hall.play(&self.players, &self.schedule, numbers, judge);
        self.hall.close();
        outcome
    }

    /// Prints and writes the results.
    pub fn tell(&self) -> Result<(), Failure> {
        let Hall { head, records, standing, course, .. } = &self.hall;
        together([
            print_results(head, standing, records, self.language),
            self.hall.outputs().write(head, standing, records, Some(course.as_ref()), self.language),
        ])
    }

    /// Prints and writes the results, and ends the run.
    pub fn finish(&self) -> Result<(), Failure> {
        self.hall.end(self.tell())
    }
}

/// An observer of finished games, which may end the run.
pub trait Judge {
    /// Adds a game. Returns true if the run is decided.
    fn add(&mut self, record: &Record) -> bool;

    /// Returns the running score, for the progress display.
    fn running_score(&self, standing: &Standing) -> String;
}

/// A judge that never ends a run early.
pub struct ToTheEnd;

impl Judge for ToTheEnd {
    fn add(&mut self, _: &Record) -> bool {
        false
    }

    fn running_score(&self, standing: &Standing) -> String {
        let faults = standing.faults();
        let counted = if faults == 1 { "1 fault".to_owned() } else { format!("{faults} faults") };
        let told = if faults > 0 { format!(", {counted}") } else { String::new() };
        match standing.duels.get(&(0, 1)).filter(|_| standing.lines.len() == 2) {
            Some(tally) => {
                let elo = standing.estimate(0, 1);
                let elo = elo.map_or(String::new(), |elo| format!(", Elo {}", elo.text()));
                format!("+{} ={} −{}{elo}{told}", tally.wins, tally.draws, tally.losses)
            }
            None if faults > 0 => counted,
            None => "no faults".to_owned(),
        }
    }
}
