//! A game that is saved when a signal ends the program.

use super::file;
use crate::protocol::french;
use crate::rules::Game;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wire::Failure;

/// The game so far, for the thread that waits for signals.
#[derive(Debug, Clone)]
pub struct Rescue(Arc<Mutex<Kept>>);

#[derive(Debug)]
struct Kept {
    game: Game,
    players: [String; 2],
}

impl Rescue {
    /// From now on Ctrl-C and a request to end save the game in `path`, say so and end the program.
    ///
    /// # Errors
    /// When signals cannot be waited for.
    pub fn start(path: PathBuf, game: &Game, players: [&str; 2]) -> Result<Self, Failure> {
        let kept = Kept { game: game.clone(), players: players.map(str::to_owned) };
        let rescue = Self(Arc::new(Mutex::new(kept)));
        wait(path, rescue.clone())?;
        Ok(rescue)
    }

    /// The game has come to this.
    pub fn keep(&self, game: &Game) {
        self.kept().game.clone_from(game);
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(unix)]
    fn save(&self, path: &Path) -> Result<String, Failure> {
        let kept = self.kept();
        saved(path, &kept.game, [&kept.players[0], &kept.players[1]])
    }
}

/// Saves the game; the words that say so, for the end of a message.
///
/// # Errors
/// When it cannot be saved.
pub fn saved(path: &Path, game: &Game, players: [&str; 2]) -> Result<String, Failure> {
    match file::save(path, game, players) {
        Ok(()) => Ok(format!(" ; partie sauvée dans {}", path.display())),
        Err(error) => Err(Failure::run(format!(
            "la partie n'a pas pu être sauvée dans {} : {}",
            path.display(),
            french::system(&error)
        ))),
    }
}

#[cfg(unix)]
fn wait(path: PathBuf, rescue: Rescue) -> Result<(), Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]).map_err(Failure::run)?;
    let wait = move || {
        let Some(signal) = signals.forever().next() else { return };
        let what = if signal == SIGINT { "partie interrompue (Ctrl-C)" } else { "partie interrompue" };
        match rescue.save(&path) {
            Ok(saved) => wire::note(format!("gounki: {what}{saved}")),
            Err(failure) => wire::note(format!("gounki: {what} ; {failure}")),
        }
        // At the prompt Ctrl-C is the end of input in the middle of the game.
        std::process::exit(if signal == SIGINT { 1 } else { 128 + signal });
    };
    std::thread::Builder::new().spawn(wait).map(drop).map_err(Failure::run)
}

#[cfg(not(unix))]
fn wait(_: PathBuf, _: Rescue) -> Result<(), Failure> {
    Ok(())
}
