//! Opponents: processes that speak their course's protocol, each with a thread and a supervisor.
//!
//! An engine lives while the game only goes forward. Where moves are taken back it ends, and another one begins from
//! there; it also ends with its room, and, by its guard, with the arena.

mod places;

pub use places::{BUSY, Place, Places};

pub use courses::assignment::Strength;
use courses::fault::Trouble;
use courses::peer::Supervisor;
pub use courses::play::engine::{Answered, Conversation, MEMORY, OnAnswer, Spec};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};

/// An engine that runs.
#[derive(Debug)]
pub struct Engine {
    asks: mpsc::Sender<Vec<String>>,
    supervisor: Arc<Supervisor>,
    /// The number of moves that were played when it began.
    began: usize,
    /// Its place among all engines, as long as it lives.
    place: Option<Place>,
    /// True where there was no thread for it.
    has_failed: bool,
}

impl Engine {
    /// Counts it among the engines at work.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// True where there was no thread for it: it will never answer.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.has_failed
    }

    /// Requests the next move after these.
    pub fn ask(&self, moves: &[String]) {
        // An engine that is gone has said so.
        let _ = self.asks.send(moves[self.began..].to_vec());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.supervisor.stop();
    }
}

/// A supervisor whose guard outlives this process, where this is a program that knows how to be one.
#[must_use]
pub fn supervisor() -> Supervisor {
    let own = std::env::current_exe().ok();
    let name = own.as_ref().and_then(|path| path.file_stem()).and_then(|name| name.to_str());
    match name {
        Some("arena" | "referee") => Supervisor::guarded().unwrap_or_default(),
        _ => Supervisor::new(),
    }
}

impl Engine {
    /// Starts the engine of a conversation; `told` hears its answers.
    #[must_use]
    pub fn begin(conversation: Conversation, mut told: OnAnswer) -> Self {
        let Conversation { began, body } = conversation;
        let (asks, heard) = mpsc::channel();
        let supervisor = Arc::new(supervisor());
        let own = Arc::clone(&supervisor);
        let started = std::thread::Builder::new().name("engine".into()).spawn(move || {
            match body(&own, heard, &mut told) {
                Ok(()) | Err(Trouble::Interrupted) => {}
                Err(trouble) => told(Err(trouble)),
            }
        });
        Self { asks, supervisor, began, place: None, has_failed: started.is_err() }
    }
}

/// Returns the folder of the project's own executables: this one's, unless it was set.
pub fn own_folder() -> PathBuf {
    FOLDER.get().cloned().unwrap_or_else(|| {
        let own = std::env::current_exe().ok();
        own.and_then(|path| path.parent().map(PathBuf::from)).unwrap_or_default()
    })
}

/// Sets the folder that [`own_folder`] names; the first call counts.
pub fn set_folder(folder: PathBuf) {
    let _ = FOLDER.set(folder);
}

static FOLDER: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
