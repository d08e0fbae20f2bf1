//! The part of each saved game that lists of games show, kept in memory: a file is read once for all lists.

use super::store::Store;
use crate::session::{Settings, read};
use courses::registry::{self, Game};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// The part of a saved game that lists show.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) game: Game,
    pub(super) settings: Settings,
    /// The number of moves.
    pub(super) length: usize,
    /// The points of each seat, if the game is over.
    pub(super) points: Option<Vec<f64>>,
}

impl Summary {
    fn of(text: &str) -> Option<Self> {
        let (saved, records) = read(text).ok()?;
        let record = records.into_iter().next()?;
        Some(Self {
            game: registry::find(&record.course)?,
            settings: saved?.settings,
            length: record.played.moves.len(),
            points: (!record.played.end.is_empty()).then_some(record.played.points),
        })
    }
}

/// A summary, with the time at which its file was written. `None` for a file that is no game.
type Dated = (SystemTime, Option<Arc<Summary>>);

/// The summaries of saved games by name.
#[derive(Debug, Default)]
pub(super) struct Summaries(Mutex<HashMap<String, Dated>>);

impl Summaries {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Dated>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the summary of a game that was saved at this time, if its file is one.
    pub(super) fn of(&self, store: &Store, id: &str, written: SystemTime) -> Option<Arc<Summary>> {
        if let Some((at, summary)) = self.all().get(id)
            && *at == written
        {
            return summary.clone();
        }
        let summary = Summary::of(&store.read(id)?).map(Arc::new);
        // A game that is saved meanwhile has another time.
        self.all().insert(id.to_owned(), (written, summary.clone()));
        summary
    }

    /// Forgets the games that are saved no more. `names` are all that are.
    pub(super) fn keep(&self, names: &[(String, SystemTime)]) {
        let mut all = self.all();
        if all.len() > names.len() {
            let names: HashSet<&str> = names.iter().map(|(id, _)| id.as_str()).collect();
            all.retain(|id, _| names.contains(id.as_str()));
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;
    use crate::session::{Reader, games_of, open, record_file, replayed};

    #[test]
    fn a_saved_game_is_read_once_until_it_is_saved_again() {
        let record = games_of("(;GM[4]SZ[9]B[ee];W[dd])").unwrap().remove(0);
        let (game, settings) = replayed(&record).unwrap();
        let session = open(game, &record.opening, &record.played, settings).unwrap();
        let text = record_file(&session, Reader::Arena);
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_owned()).unwrap();
        let summaries = Summaries::default();
        let length = |id: &str| Some(summaries.of(&store, id, store.written(id)?)?.length);
        store.write("a", &text, false).unwrap();
        assert_eq!(length("a"), Some(2));
        // It is not read again.
        std::fs::write(folder.path().join("a.jsonl"), "x").unwrap();
        assert_eq!(length("a"), Some(2));
        store.write("a", "no game", false).unwrap();
        assert_eq!(length("a"), None);
        std::fs::write(folder.path().join("a.jsonl"), &text).unwrap();
        assert_eq!(length("a"), None);
        store.remove("a").unwrap();
        summaries.keep(&store.names());
        assert!(summaries.all().is_empty());
    }
}
