//! Analyses by a process: the game's own player, by its analysis dialogue.

use super::places::Place;
use super::process::{Running, own_folder, supervisor};
use crate::session::{Analysis, Finding, Question, Threads};
use courses::assignment::AnalysisProgram;
use courses::fault::{Fault, Kind, Trouble, excerpt};
use courses::peer::{Command, Peer, Supervisor};
use courses::play::engine::MEMORY;
use courses::registry::Game;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use wire::analysis::Request;

/// Maximum number of successive lines without a finding.
const IDLE: u32 = 10_000;

/// The listener to findings, each with the number of its question.
pub type OnFinding = Box<dyn FnMut(Finding, u64) + Send>;

/// A player that analyses.
#[derive(Debug)]
pub struct Analyst {
    running: Arc<Running<Option<Question>>>,
    threads: Arc<Shared>,
    _place: Place,
}

/// The threads of a player that analyses, shared with the thread that talks to it.
#[derive(Debug)]
struct Shared {
    used: AtomicUsize,
    chosen: AtomicUsize,
    most: usize,
}

impl Analysis for Analyst {
    fn ask(&self, question: Option<Question>) {
        let thinks = question.is_some();
        self.running.ask(question, thinks);
    }

    fn use_threads(&self, count: usize) {
        self.threads.chosen.store(count.clamp(1, self.threads.most), Relaxed);
    }

    fn threads(&self) -> Threads {
        let Shared { used, chosen, most } = &*self.threads;
        Threads { used: used.load(Relaxed), chosen: chosen.load(Relaxed), most: *most }
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.running.dismiss();
    }
}

/// Returns the command of a game's own player for its analysis, on several threads if it takes an option for them.
fn command(program: AnalysisProgram, folder: &Path, threads: usize) -> Command {
    /// Virtual memory of each further thread, for its stack and the blocks that its allocator reserves.
    const A_THREAD: u64 = 128 << 20;
    let mut words: Vec<String> = program.command.iter().map(|&word| word.to_owned()).collect();
    let own = folder.join(&words[0]);
    if own.is_file() {
        words[0] = own.to_string_lossy().into_owned();
    }
    if threads > 1 {
        words.extend(["--threads".to_owned(), threads.to_string()]);
    }
    Command { words, memory: Some(MEMORY + (threads as u64 - 1) * A_THREAD), ..Command::default() }
}

impl Analyst {
    /// Starts the game's own player, without a position; `told` receives its findings, and an interruption if it makes room.
    /// Returns `None` if no thread can be started.
    #[must_use]
    pub fn begin(game: Game, place: Place, mut told: OnFinding) -> Option<Self> {
        let supervisor = Arc::new(supervisor());
        let (running, heard) = Running::new(&place, &supervisor);
        let (own, places) = (Arc::downgrade(&running), place.places());
        let most =
            if game.analysis().is_some_and(|program| program.threads) { places.most_threads() } else { 1 };
        let threads = Arc::new(Shared { used: places.threads(most).into(), chosen: most.into(), most });
        let shared = Arc::clone(&threads);
        let started = std::thread::Builder::new().name("study".into()).spawn(move || {
            let conversed = match game.analysis() {
                Some(program) => {
                    let may = || places.threads(shared.chosen.load(Relaxed));
                    converse(&supervisor, program, (&may, &shared.used), &heard, &mut told)
                }
                None => Err(Trouble::Referee(format!("nobody analyses {}", game.name()))),
            };
            if own.upgrade().is_some_and(|running| running.is_wanted()) {
                told(Err(conversed.err().unwrap_or(Trouble::Interrupted)), 0);
            }
        });
        started.is_ok().then_some(Self { running, threads, _place: place })
    }
}

/// Starts the program anew where it `may` use more threads for another question, or must use fewer; tells the number
/// that it has used.
fn converse(
    supervisor: &Supervisor,
    program: AnalysisProgram,
    (may, told_used): (&dyn Fn() -> usize, &AtomicUsize),
    asks: &mpsc::Receiver<Option<Question>>,
    told: &mut OnFinding,
) -> Result<(), Trouble> {
    let spawn = |threads| {
        told_used.store(threads, Relaxed);
        Peer::spawn(supervisor, &command(program, &own_folder(), threads))
    };
    let mut used = may();
    let mut peer = spawn(used)?;
    let mut about: Option<Question> = None;
    let mut idle = 0;
    loop {
        // Only the latest question counts.
        let newer = match about {
            None => match asks.recv() {
                Ok(newer) => Some(newer),
                Err(_) => return Ok(()),
            },
            Some(_) => None,
        };
        let newer = asks.try_iter().last().or(newer);
        let may = may();
        if may < used || may > used && matches!(newer, Some(Some(_))) {
            drop(peer);
            peer = spawn(may)?;
            used = may;
            if newer.is_none() {
                put(&mut peer, about.as_ref(), program.moves)?;
            }
        }
        if let Some(newer) = newer {
            put(&mut peer, newer.as_ref(), program.moves)?;
            about = newer;
            idle = 0;
            continue;
        }
        let Some(Question { number, .. }) = about else { continue };
        match peer.line(Instant::now() + Duration::from_millis(50)) {
            Ok(line) => {
                idle += 1;
                if let Ok(info) = line.parse() {
                    idle = 0;
                    told(Ok(Some(info)), number);
                } else if idle >= IDLE {
                    let detail = format!("{IDLE} lines that are no analysis: \"{}\"", excerpt(&line));
                    return Err(Fault::new(Kind::OutputFlood, detail).into());
                }
            }
            Err(Trouble::Fault(fault)) if fault.kind == Kind::Hang => told(Ok(None), number),
            Err(trouble) => return Err(trouble),
        }
    }
}

/// Sends another position to the engine, or none, and skips what it still writes about the previous one.
fn put(peer: &mut Peer<'_>, question: Option<&Question>, moves: usize) -> Result<(), Trouble> {
    let mut lines = format!("{}\n", Request::Stop);
    if let Some(Question { position, .. }) = question {
        lines += &format!("{}\n{}\n", Request::Position(position.clone()), Request::Analyse(moves));
    }
    peer.send(lines.as_bytes(), Instant::now() + Duration::from_secs(5))?;
    if question.is_none() {
        return Ok(());
    }
    let read = |line: &str| match line.strip_prefix(wire::analysis::ERROR) {
        Some(error) => Some(Err(Trouble::Referee(error.to_owned()))),
        None => (line == wire::analysis::READY).then_some(Ok(())),
    };
    peer.find_line(Instant::now() + Duration::from_secs(20), read)?
}
