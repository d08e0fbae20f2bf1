//! Variations: lines that were left for others, as a visitor sees them and as files keep them.

use super::notes::places;
use super::{Browser, LONGEST, Refusal, Session, Timed};
use courses::play;
use courses::record::Variation;
use std::time::Duration;

/// Maximum number of variations. Their moves together are at most twice those of a game.
const VARIATIONS: usize = 20;

/// A variation in the list of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariationView<'a> {
    /// The number of its first move that the line shown does not have, from 1.
    pub number: usize,
    /// That move.
    pub first: &'a str,
    /// The number of all its moves.
    pub length: usize,
    /// True if the line shown goes on after all its moves.
    pub is_beginning: bool,
    /// The visitor's first label on a move of its own.
    pub label: Option<&'a str>,
}

/// Returns the number of moves with which a line begins as `moves` do.
fn common(line: &[Timed], moves: &[String]) -> usize {
    line.iter().zip(moves).take_while(|((text, _), other)| text == *other).count()
}

fn count(lines: &[Vec<Timed>]) -> usize {
    lines.iter().map(Vec::len).sum()
}

impl Session {
    /// Keeps the current line as a variation, with the moves that were taken back.
    pub(super) fn leave_line(&mut self) {
        let mut line = self.timed(0);
        line.extend(self.undone.drain(..).rev());
        self.variations.push(line);
        while self.variations.len() > VARIATIONS || count(&self.variations) > 2 * LONGEST {
            self.variations.remove(0);
        }
    }

    /// Drops the variations that are the current line. One that is its beginning stays: a line of the analysis may go on
    /// after the last move of a game.
    pub(super) fn drop_equals(&mut self) {
        let moves = self.play.moves();
        self.variations.retain(|line| line.len() != moves.len() || common(line, moves) < line.len());
    }

    /// Replaces the current line by a variation, and returns the number of moves that they share. Of a game that was
    /// played elsewhere, also returns the other moves, which go on from there in a game of its own.
    ///
    /// # Errors
    /// [`Refusal::NoVariation`].
    pub(super) fn choose(
        &mut self,
        nth: usize,
        now: Duration,
    ) -> Result<(usize, Option<Vec<String>>), Refusal> {
        let line = self.variations.get(nth).ok_or(Refusal::NoVariation)?;
        let after = common(line, self.play.moves());
        if self.is_replay() {
            return Ok((after, Some(line[after..].iter().map(|(text, _)| text.clone()).collect())));
        }
        let line = self.variations.remove(nth);
        self.leave_line();
        self.is_aside = false;
        self.replace(&line, now);
        Ok((after, None))
    }

    /// Returns true if a browser sees the variations.
    pub(super) fn shows_variations(&self, by: &Browser) -> bool {
        self.settings.takes_part(by) && !self.is_shared()
    }

    /// Returns the variations for a browser's list.
    pub(super) fn variations_of<'a>(&'a self, by: &Browser) -> Vec<VariationView<'a>> {
        let moves = self.play.moves();
        let view = |line: &'a Vec<Timed>| {
            let shared = common(line, moves);
            let after = shared.min(line.len().saturating_sub(1));
            VariationView {
                number: after + 1,
                first: line.get(after).map_or("", |(text, _)| text.as_str()),
                length: line.len(),
                is_beginning: shared == line.len(),
                label: self.label_of(line, by),
            }
        };
        self.variations.iter().map(view).collect()
    }

    /// Returns the variations for a file, with the notes that a browser sees.
    pub(super) fn variations_file(&self, by: &Browser) -> Vec<Variation> {
        self.variations.iter().map(|line| self.written(line, self.play.moves(), by)).collect()
    }

    /// Returns the lines beside `moves`: this game's own, and the variations that a browser sees.
    pub(super) fn beside(&self, moves: &[String], by: &Browser) -> Vec<Variation> {
        let shown = self.variations.iter().filter(|_| self.shows_variations(by)).cloned();
        let lines = shown.chain([self.timed(0)]).filter(|line| common(line, moves) < line.len());
        lines.map(|line| self.written(&line, moves, by)).collect()
    }

    /// Returns a line as a variation of `moves`.
    fn written(&self, line: &[Timed], moves: &[String], by: &Browser) -> Variation {
        let after = common(line, moves);
        let notes = self.notes_on(&places(line.iter().map(|(text, _)| text)), by);
        let notes = notes.into_iter().filter(|(nth, _)| *nth >= after);
        let (moves, micros) = line[after..].iter().cloned().unzip();
        Variation { after, moves, micros, notes: notes.map(|(nth, note)| (nth, note.clone())).collect() }
    }

    /// Adds the variations of a record, with their notes, as many as a session keeps. One ends before its first illegal
    /// move.
    pub(super) fn set_variations(&mut self, variations: &[Variation]) {
        let main = self.timed(0);
        for variation in variations.iter().take(VARIATIONS) {
            let game = self.play.as_ref();
            let Ok(mut play) = play::open(game.game(), game.opening(), game.seats()) else { return };
            let before = main.iter().take(variation.after).cloned();
            let micros = variation.micros.iter().copied().chain(std::iter::repeat(0));
            let moves = before.chain(variation.moves.iter().cloned().zip(micros)).take(LONGEST);
            let mut line: Vec<Timed> = Vec::new();
            for (text, micros) in moves {
                if play.play(&text).is_err() {
                    break;
                }
                // The game's own spelling.
                line.extend(play.moves().last().map(|text| (text.clone(), micros)));
            }
            if count(&self.variations) + line.len() > 2 * LONGEST {
                break;
            }
            self.add_notes(&places(line.iter().map(|(text, _)| text)), &variation.notes);
            self.variations.push(line);
        }
        let moves = self.play.moves();
        self.variations.retain(|line| common(line, moves) < line.len());
    }
}
