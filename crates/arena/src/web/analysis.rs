//! Analyses by a process: the game's own player, by its analysis dialogue.

use super::places::Place;
use super::process::{own_folder, supervisor};
use crate::session::{Analysis, Finding, Question};
use courses::assignment::AnalysisProgram;
use courses::fault::{Fault, Kind, Trouble, excerpt};
use courses::peer::{Command, Peer, Supervisor};
use courses::play::engine::MEMORY;
use courses::registry::Game;
use std::path::Path;
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
    asks: mpsc::Sender<Option<Question>>,
    supervisor: Arc<Supervisor>,
    _place: Place,
}

impl Analysis for Analyst {
    fn ask(&self, question: Option<Question>) {
        // An analysis that ended has reported it.
        let _ = self.asks.send(question);
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.supervisor.stop();
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
    /// Starts the game's own player, without a position. Returns `None` if no thread can be started.
    #[must_use]
    pub fn begin(game: Game, place: Place, mut told: OnFinding) -> Option<Self> {
        let (asks, heard) = mpsc::channel();
        let supervisor = Arc::new(supervisor());
        let (own, places) = (Arc::clone(&supervisor), place.places());
        let started = std::thread::Builder::new().name("study".into()).spawn(move || {
            let conversed = match game.analysis() {
                Some(program) => {
                    // The programs take at most 64.
                    let most = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(64));
                    let threads = || if program.threads { places.threads(most) } else { 1 };
                    converse(&own, program, &threads, &heard, &mut told)
                }
                None => Err(Trouble::Referee(format!("nobody analyses {}", game.name()))),
            };
            match conversed {
                Ok(()) | Err(Trouble::Interrupted) => {}
                Err(trouble) => told(Err(trouble), 0),
            }
        });
        started.is_ok().then_some(Self { asks, supervisor, _place: place })
    }
}

/// Starts the program anew where it may use more `threads` for another question, or must use fewer.
fn converse(
    supervisor: &Supervisor,
    program: AnalysisProgram,
    threads: &dyn Fn() -> usize,
    asks: &mpsc::Receiver<Option<Question>>,
    told: &mut OnFinding,
) -> Result<(), Trouble> {
    let spawn = |threads| Peer::spawn(supervisor, &command(program, &own_folder(), threads));
    let mut used = threads();
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
        let may = threads();
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
