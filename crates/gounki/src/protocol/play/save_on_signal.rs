//! Saves the game if a signal ends the program.

use super::file;
use crate::protocol::french;
use crate::rules::Game;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use wire::Failure;

/// The game in progress, shared with the thread that waits for signals.
#[derive(Debug, Clone)]
pub struct SaveOnSignal(Arc<Mutex<SharedGame>>);

#[derive(Debug)]
struct SharedGame {
    game: Game,
    players: [String; 2],
}

impl SaveOnSignal {
    /// Starts to wait for Ctrl-C, SIGTERM and the end of the terminal, which save the game in `path`, print so and end the
    /// program.
    ///
    /// # Errors
    /// The signal handlers cannot be installed.
    pub fn start(path: PathBuf, game: &Game, players: [&str; 2]) -> Result<Self, Failure> {
        let shared = SharedGame { game: game.clone(), players: players.map(str::to_owned) };
        let save_on_signal = Self(Arc::new(Mutex::new(shared)));
        wait(path, save_on_signal.clone())?;
        Ok(save_on_signal)
    }

    /// Updates the game.
    pub fn update(&self, game: &Game) {
        self.game().game.clone_from(game);
    }

    fn game(&self) -> MutexGuard<'_, SharedGame> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(unix)]
    fn save(&self, path: &Path) -> Result<String, Failure> {
        let shared = self.game();
        saved(path, &shared.game, [&shared.players[0], &shared.players[1]])
    }
}

/// Saves the game, and returns a French clause about it for the end of a message.
///
/// # Errors
/// The game cannot be saved.
pub fn saved(path: &Path, game: &Game, players: [&str; 2]) -> Result<String, Failure> {
    match file::save(path, game, players) {
        Ok(()) => Ok(format!(" ; partie sauvegardée dans {}", path.display())),
        Err(error) => Err(Failure::run(format!(
            "la partie n'a pas pu être sauvegardée dans {} : {}",
            path.display(),
            french::system(&error)
        ))),
    }
}

#[cfg(unix)]
fn wait(path: PathBuf, save_on_signal: SaveOnSignal) -> Result<(), Failure> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    // A script's shell ignores SIGINT for what it starts with `&`, but whoever sends it to a game means it.
    let closes = (!wire::signals::is_ignored(SIGHUP)).then_some(SIGHUP);
    let heard = [SIGINT, SIGTERM].into_iter().chain(closes);
    let mut signals = signal_hook::iterator::Signals::new(heard).map_err(Failure::run)?;
    let wait = move || {
        let Some(signal) = signals.forever().next() else { return };
        let what = if signal == SIGINT { "partie interrompue (Ctrl-C)" } else { "partie interrompue" };
        match save_on_signal.save(&path) {
            Ok(saved) => wire::note(format!("gounki: {what}{saved}")),
            Err(failure) => wire::note(format!("gounki: {what} ; {failure}")),
        }
        wire::file::remove_unfinished();
        // Exit code 1, as for the end of input during a game; Ctrl-C at the prompt gives the same.
        std::process::exit(if signal == SIGINT { 1 } else { 128 + signal });
    };
    let failed = |error| Failure::run(format!("aucun fil d'exécution ne peut être lancé : {error}"));
    std::thread::Builder::new().spawn(wait).map(drop).map_err(failed)
}

#[cfg(not(unix))]
fn wait(_: PathBuf, _: SaveOnSignal) -> Result<(), Failure> {
    Ok(())
}
