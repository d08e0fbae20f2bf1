//! `referee mark`: a course's marking scheme as a report card, for one program or a class.

use super::gradebook::Gradebooks;
use super::interrupt;
use super::language::{self, LanguageOption};
use super::outputs::{together, writable};
use super::players;
use super::progress::Progress;
use super::sandbox::{self, SandboxOptions};
use super::works::{self, Work};
use crate::mark::class::{self, Entry};
use crate::mark::kept::{Kept, Marking};
use crate::mark::{Marked, Runs, autograder};
use crate::report::cards::Gradebook;
use crate::run::is_void;
use clap::Args;
use courses::archive::Form;
use courses::course::Conditions;
use courses::fault::Trouble;
use courses::french::say;
use courses::marking::{BUILD, Card, Item, Marker, Patience};
use courses::options::GameOptions;
use courses::peer::Supervisor;
use courses::player::{Player, clean_name, is_one_at_a_time};
use courses::registry::Game;
use courses::sandbox::Sandbox;
use std::cell::Cell;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use wire::{Failure, SearchLog};

/// The course's marking scheme, as a report card.
#[derive(Debug, Args)]
#[command(
    override_usage = "referee mark [OPTIONS] <--player COMMAND|--class PATH|--folder PATH|--autograder FILE> GAME"
)]
#[group(required = true, multiple = false, args = ["player", "class", "folder", "autograder"])]
pub struct Mark {
    /// The assignment
    game: Game,
    /// The program to mark, started as its course starts it
    #[arg(long, value_name = "COMMAND")]
    player: Option<String>,
    /// Several programs: a folder with the work of each student, as Moodle exports it, in folders or archives; or a
    /// players file, TOML or CSV, with name and command or folder, and a program's own options, time (ms), depth and
    /// memory (MB) if it has any
    #[arg(long, value_name = "PATH")]
    class: Option<PathBuf>,
    /// One student's work: a folder, an archive or a source file, built as its course does
    #[arg(long, value_name = "PATH")]
    folder: Option<PathBuf>,
    /// Mark nothing, and write an autograder.zip for Gradescope to this file, which marks each submission by the other
    /// options
    #[arg(long, value_name = "FILE", conflicts_with_all = ["record", "csv", "json", "html", "moodle", "gradescope",
        "junit", "github"])]
    autograder: Option<PathBuf>,
    /// Another program for the tournament; give the option once for each
    #[arg(long = "against", value_name = "PLAYER")]
    others: Vec<String>,
    /// Use fewer tests and games, for a quick result
    #[arg(long)]
    quick: bool,
    /// Games at once in criteria without a clock [default: the number of processors]; the marks do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Append each card to this file. Programs with a card in it are not marked again. A file of another marking, or of
    /// programs that have changed, is refused
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    language: LanguageOption,
    #[command(flatten)]
    outputs: Gradebooks,
    #[command(flatten)]
    sandbox: SandboxOptions,
    #[command(flatten)]
    options: GameOptions,
}

impl Mark {
    /// Prints the cards.
    ///
    /// # Errors
    /// A message on one line and an exit code, 1 if a program crashed.
    pub fn run(&self) -> Result<(), Failure> {
        if let Some(path) = &self.autograder {
            return write_autograder(path);
        }
        let language = self.language.language();
        let entries = self.entries()?;
        self.outputs.check(&entries, language, self.record.as_deref())?;
        let supervisor = interrupt::supervisor()?;
        interrupt::has_no_results();
        let works = match self.class.as_ref().or(self.folder.as_ref()) {
            Some(path) => works::built(path, entries, self.game, &self.sandbox, supervisor, self.quiet)?,
            None => entries.into_iter().map(|entry| Work { entry, built: None }).collect(),
        };
        let folder = self.options.folder()?;
        let with_program = |work: &Work| {
            let built = work.built.as_ref().map_or("", |built| &built.checksum);
            let program = self.player(work)?.fingerprint(&folder);
            Ok::<_, Failure>((work.entry.clone(), program + built))
        };
        let entries = works.iter().map(with_program).collect::<Result<Vec<_>, _>>()?;
        let marking = self.marking()?;
        // Before the file is read, so that nobody is marked twice.
        let mut record = self.record.as_deref().map(Kept::open).transpose()?;
        let earlier = record.as_mut().map(|record| record.load(&marking, &entries));
        let mut marked = earlier.transpose()?.unwrap_or_default();
        let sandbox = self.sandbox.sandbox()?;
        let is_quiet = self.quiet || works.len() == 1;
        let mut progress = Progress::new(works.len() as u64, marked.len() as u64, "programs", is_quiet);
        let (mut kept, mut told) = (Ok(()), Ok(()));
        for (work, (entry, program)) in works.iter().zip(&entries) {
            if !marked.iter().any(|earlier| earlier.player == *entry) {
                let card = match self.mark_undisturbed(work, supervisor, sandbox.as_ref()) {
                    Ok(card) => card,
                    // The files of those marked before are written all the same, but where a signal ends the run.
                    Err(failure) if failure.code() < 128 && !marked.is_empty() => {
                        kept = Err(failure);
                        break;
                    }
                    Err(failure) => return Err(failure),
                };
                if let Some(record) = &mut record {
                    kept = record.append(&marking, program, &card);
                }
                marked.push(card);
                progress.step(|| entry.name.clone());
            }
            let of = marked.iter().find(|of| of.player == *entry);
            let card = of.map(|of| of.card.text(language)).unwrap_or_default();
            if told.is_ok() {
                told = progress.suspend(|| self.show(&card));
            }
            let is_lost = told.is_err() && !self.outputs.is_any();
            if kept.is_err() || is_lost {
                break;
            }
        }
        progress.finish();
        // In the order of the class, whatever was marked first.
        let place = |of: &Marked| entries.iter().position(|(entry, _)| *entry == of.player);
        marked.sort_by_key(place);
        let title = self.game.assignment().title(language);
        let written = self.outputs.write(&Gradebook { title, marked: &marked, language });
        let kept = kept.and_then(|()| record.as_ref().map_or(Ok(()), Kept::check));
        together([written, kept, told])?;
        let crashed: Vec<&str> =
            marked.iter().filter(|of| of.crashes > 0).map(|of| of.player.name.as_str()).collect();
        if crashed.is_empty() {
            Ok(())
        } else {
            let told = language.choose("arrêts : ", "crashed: ");
            Err(Failure::run(format!("{told}{}", crashed.join(", "))))
        }
    }

    /// Prints a card, with an empty line after each card of a class.
    fn show(&self, card: &str) -> Result<(), Failure> {
        let text = format!("{}\n", wire::printable(card.trim_end_matches('\n')));
        let text = if self.outputs.is_read_for_commands() { Gradebooks::quoted(&text) } else { text };
        wire::print(text + if self.class.is_some() { "\n" } else { "" })
    }

    /// Returns the programs to mark.
    fn entries(&self) -> Result<Vec<Entry>, Failure> {
        match (&self.class, &self.player) {
            (Some(path), _) => {
                let entries = class::load(path)?;
                match entries.iter().find(|entry| entry.tc.is_some()) {
                    Some(entry) => Err(Failure::input(format!("{}: tc is for tournaments", entry.name))),
                    None => Ok(entries),
                }
            }
            (None, Some(command)) => Ok(vec![Entry::new(command, command)]),
            (None, None) => {
                let folder =
                    self.folder.clone().ok_or_else(|| Failure::input("expected --player or --class"))?;
                let whole = folder.canonicalize().unwrap_or_else(|_| folder.clone());
                let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy();
                Ok(vec![Entry { folder: Some(folder), ..Entry::new(&clean_name(&name), "") }])
            }
        }
    }

    /// Returns the player of an entry. Work that could not be built has a built-in one, which is not asked.
    fn player(&self, Work { entry, built }: &Work) -> Result<Player, Failure> {
        let course = self.options.course(self.game, 2)?;
        let command = if entry.command.is_empty() { "builtin:first" } else { &entry.command };
        let text = format!("{command} {}", entry.options);
        let mut player = players::player_of(course.as_ref(), text.trim_end(), built.as_ref())?;
        if self.player.is_none() {
            player.name.clone_from(&entry.name);
            player.text.clone_from(&entry.name);
        }
        Ok(player)
    }

    /// Returns the part common to all cards of this marking.
    fn marking(&self) -> Result<Marking, Failure> {
        let conditions = self.options.conditions(self.game)?;
        let time = conditions
            .time
            .map_or("no time limit".to_owned(), |time| format!("{} ms a move", time.as_millis()));
        let course = self.options.course(self.game, 2)?;
        let fingerprint = |text: &String| {
            let player = players::player(course.as_ref(), text)?;
            Ok(player.fingerprint(&conditions.folder))
        };
        Ok(Marking {
            course: self.game.name().to_owned(),
            quick: self.quick,
            seed: self.options.seed,
            limits: format!("{time}, depth {}, {}", self.options.depth, conditions.limits()),
            against: self.others.clone(),
            programs: self.others.iter().map(fingerprint).collect::<Result<_, Failure>>()?,
        })
    }

    /// Marks a program, again where the referee itself was stopped meanwhile.
    fn mark_undisturbed(
        &self,
        work: &Work,
        supervisor: &Supervisor,
        sandbox: Option<&Sandbox>,
    ) -> Result<Marked, Failure> {
        let mut replays = 0;
        loop {
            let began = Instant::now();
            let card = self.mark(work, supervisor, sandbox)?;
            // What the clock decides is repeated alone, by its criterion or its game.
            if !is_void(&work.entry.name, began, false, &mut replays).map_err(interrupt::failure)? {
                return Ok(card);
            }
        }
    }

    /// Marks a program under its own limits. A program that cannot be started gets a card without points.
    fn mark(
        &self,
        work: &Work,
        supervisor: &Supervisor,
        sandbox: Option<&Sandbox>,
    ) -> Result<Marked, Failure> {
        let Work { entry, built } = work;
        let options = GameOptions {
            time: entry.time.or(self.options.time),
            memory: entry.memory.or(self.options.memory),
            depth: entry.depth.unwrap_or(self.options.depth),
            ..self.options.clone()
        };
        // A terminal shows a class as a bar.
        let is_told = !(self.quiet || self.class.is_some() && std::io::stderr().is_terminal());
        let spoken = language::of_notes();
        let told = |line: &str| match (is_told, self.class.is_some()) {
            (false, _) => {}
            (true, true) => wire::note(format_args!("{}{}{}", entry.name, spoken.colon(), say(line, spoken))),
            (true, false) => language::note(line),
        };
        // As in the course, programs are not asked to log their searches.
        let conditions = Conditions {
            search_log: SearchLog::Nothing,
            sandbox: sandbox.cloned(),
            ..options.conditions(self.game)?
        };
        let course = options.course(self.game, 2)?;
        let player = self.player(work)?;
        // Those of a marking that was begun anew.
        supervisor.take_refusals(&player.name);
        let others = self.others.iter().map(|text| players::player(course.as_ref(), text));
        let others = others.collect::<Result<Vec<_>, _>>()?;
        let one_at_a_time = others.iter().chain([&player]).any(is_one_at_a_time);
        let at_once = self.concurrency.map_or_else(processors, usize::from);
        let runs = if self.outputs.keeps_games() { Runs::keeping() } else { Runs::default() };
        let marker = Marker {
            player: &player,
            others: &others,
            conditions: &conditions,
            supervisor,
            games: &runs,
            seats: *self.game.seats().end(),
            depth: options.depth,
            seed: options.seed,
            concurrency: if one_at_a_time { 1 } else { at_once },
            quick: self.quick,
            crashes: AtomicU64::new(0),
            patience: Patience::default(),
            is_by_the_clock: Cell::new(false),
            told: &told,
        };
        let no_scheme = || Trouble::Referee(format!("{} has no marking scheme", self.game.name()));
        let scheme = self.game.marking().ok_or_else(no_scheme).map_err(interrupt::failure)?;
        let unbuilt = built.as_ref().and_then(|built| built.error.clone());
        let card = unbuilt.map_or_else(|| scheme.card(&marker), |error| Err(Trouble::NoProgram(error)));
        // Of a student's work, a program that cannot be started is a fault.
        let card = card.map_err(|trouble| match trouble {
            Trouble::Fault(fault) => Trouble::NoProgram(fault.detail),
            trouble => trouble,
        });
        let mut card = match card {
            Err(Trouble::Argument(error) | Trouble::NoProgram(error)) if self.player.is_none() => {
                let criteria = scheme.scheme(&marker).map_err(interrupt::failure)?;
                Card::of_nobody(&entry.name, &criteria, error)
            }
            card => card.map_err(interrupt::failure)?,
        };
        let refusals = supervisor.take_refusals(&player.name);
        let refusals = refusals.iter().map(|(fault, count)| format!("{count} × {fault}")).collect();
        let notes = built.as_ref().map(|built| built.notes()).filter(|notes| !notes.is_empty());
        card.items.extend(notes.map(|notes| Item { name: BUILD.to_owned(), points: None, of: 0.0, notes }));
        let by = self.by();
        // Work that could not be built has met the sandbox as well.
        let confined = if built.is_some() { sandbox } else { conditions.sandbox_of(&player) };
        let card = Card { by, sandbox: sandbox::words(confined), refusals, ..card };
        let crashes = marker.crashes.load(Ordering::Relaxed);
        Ok(Marked { player: entry.clone(), card, crashes, games: runs.replays() })
    }

    /// Returns the version, the seed and the machine, for a card.
    fn by(&self) -> String {
        let quick = if self.quick { ", quick" } else { "" };
        let information = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let named = information.lines().find(|line| line.starts_with("model name"));
        let model =
            named.and_then(|line| line.split_once(": ")).map_or(std::env::consts::ARCH, |(_, name)| name);
        let (version, seed) = (env!("CARGO_PKG_VERSION"), self.options.seed);
        format!(
            "referee {version}, seed {seed}{quick}, on {} × {}, {}",
            processors(),
            model.trim().replace('/', "-"),
            std::env::consts::OS
        )
    }
}

/// Writes an archive for Gradescope with this program and the options that it was started with.
fn write_autograder(path: &Path) -> Result<(), Failure> {
    interrupt::ends_at_once()?;
    writable(path)?;
    let failed = |error: &dyn std::fmt::Display| Failure::run(format!("{}: {error}", path.display()));
    let words = std::env::args_os().skip_while(|word| word != "mark").skip(1);
    let mut words = words.map(|word| word.to_string_lossy().into_owned());
    let mut options = Vec::new();
    while let Some(word) = words.next() {
        if word == "--autograder" {
            words.next();
        } else if !word.starts_with("--autograder=") {
            options.push(word);
        }
    }
    let program = std::env::current_exe().and_then(std::fs::read).map_err(|error| failed(&error))?;
    let bytes = Form::Zip.pack(&autograder::tree(&options, program)).map_err(|error| failed(&error))?;
    wire::file::write(path, bytes).map_err(|error| failed(&error))
}

/// Returns the number of processors that this process may use.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
