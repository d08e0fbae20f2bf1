//! Engines that are processes: each has a thread, which speaks its course's protocol, and a supervisor.
//!
//! An engine lives while the game only goes forward. When moves are taken back it ends, and another one continues from
//! there. It also ends with its room, and, by its guard, with the arena.

use super::places::{Guest, Place};
use crate::session::{Conversation, Engine};
use courses::peer::Supervisor;
use courses::play::engine::OnAnswer;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc};

/// A running engine.
#[derive(Debug)]
pub struct Process {
    running: Arc<Running>,
    /// The number of moves when it began.
    began: usize,
    _place: Place,
}

/// The part of an engine by which others may end it.
#[derive(Debug)]
struct Running {
    turn: Mutex<Turn>,
    /// Lives as long as the engine's thread, and with it the guard.
    supervisor: Weak<Supervisor>,
}

#[derive(Debug)]
struct Turn {
    /// Receives the questions. `None` after its end.
    asks: Option<mpsc::Sender<Vec<String>>>,
    /// True while its room waits for an answer.
    is_thinking: bool,
}

impl Running {
    fn turn(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self, turn: &mut Turn) {
        turn.asks = None;
        if let Some(supervisor) = self.supervisor.upgrade() {
            supervisor.stop();
        }
    }
}

impl Guest for Running {
    fn end(&self, if_idle: bool) -> bool {
        let mut turn = self.turn();
        let may_end = !(if_idle && turn.is_thinking);
        if may_end {
            self.stop(&mut turn);
        }
        may_end
    }
}

impl Engine for Process {
    fn ask(&self, moves: &[String]) -> bool {
        let mut turn = self.running.turn();
        let Some(asks) = &turn.asks else { return false };
        // An engine that ended by itself has reported it.
        let _ = asks.send(moves[self.began..].to_vec());
        turn.is_thinking = true;
        true
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let mut turn = self.running.turn();
        turn.is_thinking = false;
        self.running.stop(&mut turn);
    }
}

/// Creates a supervisor, with a guard that outlives this process if this program can be one.
#[must_use]
pub fn supervisor() -> Supervisor {
    let own = std::env::current_exe().ok();
    let name = own.as_ref().and_then(|path| path.file_stem()).and_then(|name| name.to_str());
    match name {
        Some("arena" | "referee") => Supervisor::guarded().unwrap_or_default(),
        _ => Supervisor::new(),
    }
}

impl Process {
    /// Starts the engine of a conversation; `told` receives its answers, and an interruption if it makes room while it
    /// thinks. Returns `None` if no thread can be started.
    #[must_use]
    pub fn begin(conversation: Conversation, place: Place, mut told: OnAnswer) -> Option<Self> {
        let Conversation { began, body } = conversation;
        let (asks, heard) = mpsc::channel();
        let supervisor = Arc::new(supervisor());
        let turn = Mutex::new(Turn { asks: Some(asks), is_thinking: false });
        let running = Arc::new(Running { turn, supervisor: Arc::downgrade(&supervisor) });
        let known: Arc<dyn Guest> = running.clone();
        place.is_of(Arc::downgrade(&known));
        let own = Arc::downgrade(&running);
        let mut told: OnAnswer = Box::new(move |answered| {
            let Some(running) = own.upgrade() else { return };
            // After its end another one answers the same questions.
            let is_awaited = std::mem::take(&mut running.turn().is_thinking);
            if is_awaited {
                told(answered);
            }
        });
        let started = std::thread::Builder::new().name("engine".into()).spawn(move || {
            if let Err(trouble) = body(&supervisor, heard, &mut told) {
                told(Err(trouble));
            }
        });
        started.is_ok().then_some(Self { running, began, _place: place })
    }
}

/// Returns the folder of the project's own executables: this one's, unless it was set.
pub fn own_folder() -> PathBuf {
    FOLDER.get().cloned().unwrap_or_else(|| {
        let own = std::env::current_exe().ok();
        own.and_then(|path| path.parent().map(PathBuf::from)).unwrap_or_default()
    })
}

/// Sets the folder that [`own_folder`] returns. Only the first call has an effect.
pub fn set_folder(folder: PathBuf) {
    let _ = FOLDER.set(folder);
}

static FOLDER: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
