//! Engines that are processes: each has a thread, which speaks its course's protocol, and a supervisor.
//!
//! An engine lives while the game only goes forward. When moves are taken back it ends, and another one continues from
//! there. It also ends with its room, and, by its guard, with the arena.

use super::places::{Guest, Place};
use crate::session::{Conversation, Engine};
use courses::peer::Supervisor;
use courses::play::engine::OnAnswer;
use std::fmt::Debug;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc};

/// A running engine.
#[derive(Debug)]
pub struct Process {
    running: Arc<Running<Vec<String>>>,
    /// The number of moves when it began.
    began: usize,
    _place: Place,
}

/// The part of an engine by which its room asks it, and others may end it.
#[derive(Debug)]
pub(super) struct Running<Question> {
    turn: Mutex<Turn<Question>>,
    /// Lives as long as the engine's thread, and with it the guard.
    supervisor: Weak<Supervisor>,
}

#[derive(Debug)]
struct Turn<Question> {
    /// Receives the questions. `None` after its end.
    asks: Option<mpsc::Sender<Question>>,
    /// True while its room waits for an answer.
    is_thinking: bool,
    /// True once its room has dismissed it.
    is_dismissed: bool,
}

impl<Question: Debug + Send + 'static> Running<Question> {
    /// Creates the part of an engine that has this place, and the receiver of its questions.
    pub(super) fn new(place: &Place, supervisor: &Arc<Supervisor>) -> (Arc<Self>, mpsc::Receiver<Question>) {
        let (asks, heard) = mpsc::channel();
        let turn = Mutex::new(Turn { asks: Some(asks), is_thinking: false, is_dismissed: false });
        let running = Arc::new(Self { turn, supervisor: Arc::downgrade(supervisor) });
        let known: Arc<dyn Guest> = running.clone();
        place.is_of(Arc::downgrade(&known));
        (running, heard)
    }

    fn turn(&self) -> MutexGuard<'_, Turn<Question>> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks a question, about which it `thinks`. Returns false if it was ended.
    pub(super) fn ask(&self, question: Question, thinks: bool) -> bool {
        let mut turn = self.turn();
        let Some(asks) = &turn.asks else { return false };
        // An engine that ended by itself has reported it.
        let _ = asks.send(question);
        turn.is_thinking = thinks;
        true
    }

    /// Ends it for its room, which hears no more of it.
    pub(super) fn dismiss(&self) {
        let mut turn = self.turn();
        (turn.is_thinking, turn.is_dismissed) = (false, true);
        self.stop(&mut turn);
    }

    /// Returns true until its room has dismissed it.
    pub(super) fn is_wanted(&self) -> bool {
        !self.turn().is_dismissed
    }

    fn stop(&self, turn: &mut Turn<Question>) {
        turn.asks = None;
        if let Some(supervisor) = self.supervisor.upgrade() {
            supervisor.stop();
        }
    }
}

impl<Question: Debug + Send + 'static> Guest for Running<Question> {
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
        self.running.ask(moves[self.began..].to_vec(), true)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.running.dismiss();
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
        let supervisor = Arc::new(supervisor());
        let (running, heard) = Running::new(&place, &supervisor);
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
