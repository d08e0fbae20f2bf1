//! Notes on the moves of the tree of variations. Each is seen by the browser that wrote it, as an analysis is; those of an
//! opened file by everybody.

use super::{Browser, Refusal, Session, Timed};
use courses::note::{LABEL, MOST, Note, Notes, Symbol, TEXT};
use serde::{Deserialize, Serialize};

/// A note on the last of some moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Noted {
    /// The browser that wrote it; empty for a note of everybody.
    by: Browser,
    at: Place,
    note: Note,
}

/// The last of some moves: its index, and a hash of all of them.
pub(super) type Place = (usize, u64);

/// Returns the place of each move of a line.
pub(super) fn places<'a>(line: impl IntoIterator<Item = &'a String>) -> Vec<Place> {
    // FNV-1a: the hash is kept in files.
    let mut hash = 0xcbf2_9ce4_8422_2325;
    let place = |(nth, text): (usize, &String)| {
        for byte in text.bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        (nth, hash)
    };
    line.into_iter().enumerate().map(place).collect()
}

fn places_of(line: &[Timed]) -> Vec<Place> {
    places(line.iter().map(|(text, _)| text))
}

impl Noted {
    /// Returns its memory in bytes.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + self.by.0.len() + self.note.label().len() + self.note.text().len()
    }

    fn is_of(&self, by: &Browser) -> bool {
        self.by == *by || self.by.0.is_empty()
    }

    fn is_on(&self, line: &[Place]) -> bool {
        line.get(self.at.0) == Some(&self.at)
    }
}

impl Session {
    /// Adds the notes of a record on the moves of a line. They belong to the browser that holds the seats, if one does.
    pub(super) fn add_notes(&mut self, line: &[Place], notes: &Notes) {
        let by = self.settings.holders.first().map(|holder| holder.browser.clone()).unwrap_or_default();
        let notes = notes.iter().filter(|(_, note)| !note.is_empty()).filter_map(|(nth, note)| {
            Some(Noted { by: by.clone(), at: *line.get(*nth)?, note: note.clone() })
        });
        self.notes.extend(notes.take(MOST.saturating_sub(self.notes.len())));
    }

    /// Writes a browser's note on the move before ply `at`; an empty one deletes it.
    pub(super) fn annotate(
        &mut self,
        at: usize,
        by: &Browser,
        (symbol, label, text): (&str, &str, &str),
    ) -> Result<(), Refusal> {
        if label.chars().count() > LABEL || text.chars().count() > TEXT {
            return Err(Refusal::TooLong);
        }
        let symbol = Symbol::of(symbol);
        let at = *places(&self.play.moves()[..at]).last().ok_or(Refusal::NothingToNote)?;
        self.prune();
        let others = |noted: &Noted| noted.by != *by || noted.at != at;
        if self.notes.iter().filter(|noted| others(noted)).count() >= MOST {
            return Err(Refusal::TooManyNotes);
        }
        let note = Note::new(symbol, label, text);
        self.notes.retain(others);
        // An empty one hides a note of everybody.
        let is_hidden = self.notes.iter().any(|noted| noted.by.0.is_empty() && noted.at == at);
        if !note.is_empty() || is_hidden {
            self.notes.push(Noted { by: by.clone(), at, note });
        }
        Ok(())
    }

    /// Drops the notes on moves that no line has any more.
    fn prune(&mut self) {
        let Self { notes, play, undone, variations, .. } = self;
        let main = places(play.moves().iter().chain(undone.iter().rev().map(|(text, _)| text)));
        let lines: Vec<Vec<Place>> =
            std::iter::once(main).chain(variations.iter().map(|line| places_of(line))).collect();
        notes.retain(|noted| lines.iter().any(|line| noted.is_on(line)));
    }

    /// Returns the notes that a browser sees on the moves so far, by index of the move.
    pub(super) fn notes_of(&self, by: &Browser) -> Vec<(usize, &Note)> {
        if self.notes.is_empty() {
            return Vec::new();
        }
        self.notes_on(&places(self.play.moves()), by)
    }

    /// Returns the notes that a browser sees on the moves of a line, by index of the move.
    pub(super) fn notes_on(&self, line: &[Place], by: &Browser) -> Vec<(usize, &Note)> {
        let mut seen: Vec<&Noted> =
            self.notes.iter().filter(|noted| noted.is_of(by) && noted.is_on(line)).collect();
        // The browser's own stands before that of everybody.
        seen.sort_by_key(|noted| (noted.at.0, noted.by.0.is_empty()));
        seen.dedup_by_key(|noted| noted.at.0);
        let shown = seen.into_iter().filter(|noted| !noted.note.is_empty());
        shown.map(|noted| (noted.at.0, &noted.note)).collect()
    }

    /// Returns a browser's first label in a variation that the moves so far do not have.
    pub(super) fn label_of(&self, variation: &[Timed], by: &Browser) -> Option<&str> {
        let named = |noted: &&Noted| noted.is_of(by) && !noted.note.label().is_empty();
        // Most games have no labels.
        self.notes.iter().find(named)?;
        let (line, main) = (places_of(variation), places(self.play.moves()));
        let labels =
            self.notes.iter().filter(named).filter(|noted| noted.is_on(&line) && !noted.is_on(&main));
        labels.min_by_key(|noted| noted.at.0).map(|noted| noted.note.label())
    }

    /// Returns true if a browser sees a note that others do not see.
    pub(super) fn has_notes(&self, by: &Browser) -> bool {
        self.notes.iter().any(|noted| !noted.by.0.is_empty() && noted.by == *by)
    }
}
