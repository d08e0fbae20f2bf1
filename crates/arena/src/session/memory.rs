//! An estimate of a session's memory, from the numbers of its moves, notes and findings.

use super::{Review, Session, Study, Timed};
use wire::analysis::Info;

/// Memory of a move in a list: its text and its time.
pub(super) const MOVE: usize = size_of::<Timed>() + 32;

/// Returns the memory of the lines of an analysis in bytes, roughly.
pub(super) fn of_lines<'a>(lines: impl IntoIterator<Item = &'a Info>) -> usize {
    lines.into_iter().map(|info| size_of::<Info>() + info.line.len() * MOVE).sum()
}

impl Session {
    /// Returns the memory of the game and of all that is kept with it in bytes, roughly.
    #[must_use]
    pub fn memory(&self) -> usize {
        let beside: usize = self.variations.iter().map(Vec::len).sum();
        let moves = self.play.moves().len() + self.undone.len() + beside;
        let notes: usize = self.notes.iter().map(super::Noted::memory).sum();
        let reviews: usize = self.reviews.iter().chain(&self.review).map(Review::memory).sum();
        let studies: usize = self.own.values().filter_map(|own| own.study.as_ref()).map(Study::memory).sum();
        let texts = self.play.opening().len() + self.about.comment.len();
        self.play.memory() + moves * MOVE + notes + reviews + studies + texts
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests {
    use crate::session::{LONGEST, Seat, Session, Settings, open};
    use courses::note::{MOST, Note, TEXT};
    use courses::play;
    use courses::record::{Played, Variation};
    use courses::registry;
    use courses::seated::Seated;

    fn opened(played: &Played) -> Session {
        let game = registry::find("moules").unwrap();
        let (seats, names) = (vec![Seat::Person; 2], vec![Seated::Person {}; 2]);
        let settings = Settings { seats, names, ..Settings::default() };
        open(game, &play::start(game, "", 2).unwrap(), played, settings).unwrap()
    }

    fn moves(count: usize) -> Vec<String> {
        ["E", "O"].iter().cycle().take(count).map(|text| (*text).to_owned()).collect()
    }

    /// Four hundred small files of long lines and notes kept 700 MB, of which 2 MB were counted.
    #[test]
    fn lines_notes_undone_moves_and_reviews_count() {
        const A_MOVE: usize = size_of::<(String, u64)>();
        let bare = opened(&Played::default()).memory();
        let variation = Variation { moves: moves(LONGEST / 10), ..Variation::default() };
        let lines = opened(&Played { variations: vec![variation; 20], ..Played::default() });
        assert!(lines.memory() - bare >= 2 * LONGEST * A_MOVE);

        let mut undone = opened(&Played::default());
        undone.undone = vec![(String::from("E"), 0); LONGEST];
        assert!(undone.memory() - bare >= LONGEST * A_MOVE);

        let played = Played { moves: moves(MOST), ..Played::default() };
        let mut reviewed = opened(&played);
        let bare = reviewed.memory();
        let note = Note::new(None, "", &"🦀".repeat(TEXT));
        let notes = (0..MOST).map(|nth| (nth, note.clone())).collect();
        assert!(opened(&Played { notes, ..played }).memory() - bare >= MOST * 4 * TEXT);

        let line = "info rank 1 depth 1 score points 0 nodes 9000 time 1 line E O";
        reviewed.restore_review((MOST / 2..MOST).map(|at| (at, vec![line.to_owned()])).collect());
        assert!(reviewed.is_reviewed());
        assert!(reviewed.memory() - bare >= MOST * size_of::<String>());
    }
}
