//! Recognises boards that programs draw for people.
//!
//! The pieces may look like anything. The first board shows a known position, from which the look of each piece is
//! learned. A later board is recognised by the one legal move that explains all of its cells. If the first board can be
//! read in several ways, as one with several lines a rank, each way is kept until a board refutes it.

mod text;

#[cfg(feature = "marking")]
pub use text::{are_files, plain, rank};

use super::{Configuration, Move, Position};
use search_core::Position as _;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use text::{Cut, Glyph, Look, glyphs, letters};

/// Maximum number of looks: ten kinds of pieces in two colours on two shades of squares, marked or not.
const MOST_LOOKS: usize = 80;
/// Maximum number of lines between two ranks' that are read.
const MOST_MORE: usize = 5;

/// The counts of what speaks against a board showing a position, compared in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Doubts {
    /// The number of unknown looks that are unlikely for the piece.
    unlikely: usize,
    /// The number of unknown looks.
    unknown: usize,
}

/// The numbers of a rank's lines above and below the one with its number. Together they are as many as stand between two of
/// these, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct More {
    above: usize,
    below: usize,
}

impl More {
    const NONE: Self = Self { above: 0, below: 0 };
}

/// A rank of a board that is being read.
#[derive(Debug)]
struct Row {
    rank: usize,
    line: Vec<Glyph>,
    /// The lines up to the next rank's, at most [`MOST_MORE`].
    below: Vec<Vec<Glyph>>,
}

/// The position that a board shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// The position before the move that is looked for.
    Before,
    /// The position after this move.
    Move(Move),
}

/// A position that a board may show, with the assignment's codes of its pieces, a1 to h1 first.
struct Candidate {
    shown: Shown,
    position: Position,
    codes: String,
}

impl Candidate {
    fn new(shown: Shown, position: Position) -> Self {
        Self { shown, position, codes: Configuration::of(&position).to_string() }
    }

    fn after(before: &Position, mv: Move) -> Self {
        let mut position = *before;
        position.play(mv);
        Self::new(Shown::Move(mv), position)
    }
}

/// The boards of one program.
#[derive(Debug, Default)]
pub struct Boards {
    /// The ways to read them that no board has refuted.
    readings: Vec<Reading>,
    letters: Option<Vec<usize>>,
    /// The ranks read so far of the current board.
    rows: Vec<Row>,
    /// The last lines before its first rank.
    above: Vec<Vec<Glyph>>,
    /// The last lines since any rank.
    others: Vec<Vec<Glyph>>,
    /// The position that the current board shows, once a reading has told.
    shown: Option<Position>,
    /// True if the current board is the first that was read.
    is_first: bool,
}

impl Boards {
    /// Returns true if the program's boards are read.
    pub fn are_known(&self) -> bool {
        !self.readings.is_empty()
    }

    /// Adds a line. Once a board is complete, returns what it shows after `before`, one of the moves `written` if it can.
    /// The first board shows `before` or `start`, or one of the moves `written`.
    pub fn hear(
        &mut self,
        line: &str,
        start: &Position,
        before: &Position,
        written: &[Move],
    ) -> Option<Shown> {
        let below = self.add(glyphs(line))?;
        let written = written.iter().map(|mv| Candidate::after(before, *mv));
        let written: Vec<Candidate> = written.chain([Candidate::new(Shown::Before, *before)]).collect();
        if self.is_first || self.readings.is_empty() {
            let start = Candidate::new(Shown::Before, *start);
            return self.learn_first(below, written.iter().chain([&start]).collect());
        }
        self.recognise(below, before, &written)
    }

    /// Adds a line. If the board may be complete with it, returns the possible numbers of the last rank's lines below the
    /// one with its number.
    fn add(&mut self, line: Vec<Glyph>) -> Option<RangeInclusive<usize>> {
        let text: String = line.iter().map(|glyph| glyph.0).collect();
        if let Some(letters) = letters(&text) {
            self.letters = Some(letters);
            // Those below the board may be the first to show its columns, or its side.
            if let ([first, .., last], 8, None) = (&self.rows[..], self.rows.len(), self.shown) {
                return Some(0..=last.below.len().min(first.below.len()));
            }
            self.begin();
            return None;
        }
        if let Some(rank) = text::rank(&text) {
            return self.add_rank(rank, line).then_some(0..=0);
        }
        self.others.push(line.clone());
        self.others.drain(..self.others.len().saturating_sub(MOST_MORE));
        let last = self.rows.last_mut().filter(|last| last.below.len() < MOST_MORE)?;
        last.below.push(line);
        let count = last.below.len();
        (self.rows.len() == 8 && count <= self.rows[0].below.len()).then_some(count..=count)
    }

    /// Adds the line of a rank. Returns true if it is the last one's.
    fn add_rank(&mut self, rank: usize, line: Vec<Glyph>) -> bool {
        let is_next = self.rows.first().is_some_and(|first| first.rank.abs_diff(rank) == self.rows.len());
        let others = std::mem::take(&mut self.others);
        if !is_next {
            self.begin();
            self.above = others;
            // Another line with a number, as of moves, begins no board.
            if ![1, 8].contains(&rank) {
                return false;
            }
        }
        self.rows.push(Row { rank, line, below: Vec::new() });
        self.rows.len() == 8
    }

    /// Leaves the current board for the next.
    fn begin(&mut self) {
        self.rows.clear();
        self.shown = None;
        self.is_first = false;
    }

    /// Learns the looks from the first board, in every way in which it shows one of these positions.
    fn learn_first(
        &mut self,
        below: RangeInclusive<usize>,
        mut candidates: Vec<&Candidate>,
    ) -> Option<Shown> {
        let height = self.rows[0].below.len();
        let every = below.map(|below| More { above: height - below, below });
        let plain = Some(More::NONE).filter(|_| height > 0 && every.clone().any(|more| more.below == 0));
        let mut told = None;
        for more in plain.into_iter().chain(every) {
            // What one way shows, the others show too.
            candidates.retain(|candidate| self.shown.is_none_or(|shown| shown == candidate.position));
            let found = Cut::ALL.into_iter().find_map(|cut| {
                let mut reading = Reading::new(cut, more);
                let cells = self.cells(&reading)?;
                let candidate =
                    candidates.iter().find(|candidate| reading.begins(&cells, &candidate.codes))?;
                reading.learn(&cells, &candidate.codes);
                Some((reading, *candidate))
            });
            let Some((reading, candidate)) = found else { continue };
            self.readings.push(reading);
            if self.shown.replace(candidate.position).is_none() {
                told = Some(candidate.shown);
            }
            self.is_first = true;
        }
        told
    }

    /// Returns what a later board shows, if this was not known before. Learns its looks, and drops the readings that it
    /// refutes.
    fn recognise(
        &mut self,
        below: RangeInclusive<usize>,
        before: &Position,
        written: &[Candidate],
    ) -> Option<Shown> {
        let complete = (0..self.readings.len()).filter(|&at| below.contains(&self.readings[at].more.below));
        let read: Vec<(usize, Vec<Look>)> =
            complete.filter_map(|at| Some((at, self.cells(&self.readings[at])?))).collect();
        let mut told = None;
        if self.shown.is_none() {
            let after = |mv: &Move| Candidate::after(before, *mv);
            let all: Vec<Candidate> = before.move_list().iter().map(after).collect();
            let explained =
                read.iter().filter_map(|(at, cells)| self.readings[*at].explain(cells, written, &all));
            let (_, found) = explained.min_by_key(|&(doubts, _)| doubts)?;
            (self.shown, told) = (Some(found.position), Some(found.shown));
        }
        let codes = Configuration::of(&self.shown?).to_string();
        for (at, cells) in read.iter().rev() {
            if self.readings[*at].doubts(cells, &codes).is_some() {
                self.readings[*at].learn(cells, &codes);
            } else {
                self.readings.remove(*at);
            }
        }
        told
    }

    /// Returns the looks of the 64 cells, a1 to h1 first, or `None` if the ranks differ in which of their lines have cells.
    fn cells(&self, &Reading { cut, more, .. }: &Reading) -> Option<Vec<Look>> {
        let mut cells = vec![Look::default(); 64];
        let mut above = &self.above;
        let mut shape: Option<Vec<bool>> = None;
        for Row { rank, line, below } in &self.rows {
            let parts = |line: Option<&Vec<Glyph>>| cut.cells(line?, *rank, self.letters.as_deref());
            let above_it = (0..more.above).map(|nth| above.get((above.len() + nth).checked_sub(more.above)?));
            let others = above_it.chain((0..more.below).map(|nth| below.get(nth)));
            let others: Vec<Option<Vec<Look>>> = others.map(parts).collect();
            let has_cells: Vec<bool> = others.iter().map(Option::is_some).collect();
            if *shape.get_or_insert_with(|| has_cells.clone()) != has_cells {
                return None;
            }
            for parts in [parts(Some(line))?].into_iter().chain(others.into_iter().flatten()) {
                for (cell, part) in cells[8 * (rank - 1)..].iter_mut().zip(parts) {
                    cell.append(&part);
                }
            }
            above = below;
        }
        Some(cells)
    }
}

/// A way to read boards, with the looks of the pieces.
#[derive(Debug)]
struct Reading {
    cut: Cut,
    more: More,
    /// The assignment's code of a piece, by its whole look.
    looks: BTreeMap<String, String>,
    /// The codes of the pieces with a plain or tinted look.
    plain: BTreeMap<String, BTreeSet<String>>,
}

impl Reading {
    const fn new(cut: Cut, more: More) -> Self {
        Self { cut, more, looks: BTreeMap::new(), plain: BTreeMap::new() }
    }

    /// Returns true if a first board can show the pieces of these codes.
    fn begins(&self, cells: &[Look], codes: &str) -> bool {
        self.doubts(cells, codes).is_some() && (self.more == More::NONE || has_few_looks(cells, codes))
    }

    /// Returns what a board shows, with its doubts: the position before, one after a move that was `written`, or one of
    /// `all`. The last of `written` is the position before.
    fn explain<'a>(
        &self,
        cells: &[Look],
        written: &'a [Candidate],
        all: &'a [Candidate],
    ) -> Option<(Doubts, &'a Candidate)> {
        let explained = |candidate: &'a Candidate| Some((self.doubts(cells, &candidate.codes)?, candidate));
        let [written @ .., before] = written else { return None };
        let of_written = written.iter().find_map(explained);
        let best = of_written.or_else(|| all.iter().filter_map(explained).min_by_key(|&(doubts, _)| doubts));
        // Looks that are not known yet, as of the marks on a last move, fit both.
        let is_before = |&(before, _): &(Doubts, _)| match (of_written, best) {
            (Some((written, _)), _) => before < written,
            (None, best) => best.is_none_or(|(drawn, _)| before <= drawn),
        };
        // A word counts for more than a board that is not certain.
        let is_certain =
            |(doubts, _): &(Doubts, _)| of_written.is_some() || written.is_empty() || doubts.unknown == 0;
        explained(before).filter(is_before).or(best.filter(is_certain))
    }

    /// Returns how well a board fits the pieces of these codes, or `None` if it cannot show them.
    fn doubts(&self, cells: &[Look], codes: &str) -> Option<Doubts> {
        let mut found: BTreeMap<&str, &str> = BTreeMap::new();
        let mut unlikely = 0;
        for (cell, code) in cells.iter().zip(codes.split_whitespace()) {
            match self.looks.get(&cell.whole) {
                Some(known) if known != code => return None,
                Some(_) => continue,
                None => {}
            }
            let is_new = !found.contains_key(&*cell.whole);
            if *found.entry(&cell.whole).or_insert(code) != code {
                return None;
            }
            unlikely += usize::from(is_new && self.is_unlikely(cell, code));
        }
        let unknown = found.len();
        (self.looks.len() + unknown <= MOST_LOOKS).then_some(Doubts { unlikely, unknown })
    }

    /// True for an unknown look of a piece that is not its usual one, but for marks and colours. Where colours tell the sides,
    /// a piece may look like the other side's.
    fn is_unlikely(&self, cell: &Look, code: &str) -> bool {
        let is_of = |codes: &BTreeSet<String>| codes.contains(code);
        let is_kind = |codes: &BTreeSet<String>| codes.iter().any(|known| known[1..] == code[1..]);
        match (self.plain.get(&cell.tinted), self.plain.get(&cell.plain)) {
            (Some(codes), _) => !is_of(codes),
            (None, Some(codes)) if self.plain.values().any(|codes| codes.len() > 1) => !is_kind(codes),
            (None, Some(codes)) => !is_of(codes),
            (None, None) => self.looks.values().any(|known| known == code),
        }
    }

    fn learn(&mut self, cells: &[Look], codes: &str) {
        for (cell, code) in cells.iter().zip(codes.split_whitespace()) {
            self.looks.entry(cell.whole.clone()).or_insert_with(|| code.to_owned());
            for look in [&cell.plain, &cell.tinted] {
                self.plain.entry(look.clone()).or_default().insert(code.to_owned());
            }
        }
    }
}

/// True if no piece has more looks than shades of squares. Otherwise the lines are of other ranks.
fn has_few_looks(cells: &[Look], codes: &str) -> bool {
    let looks: BTreeSet<(&str, &str)> =
        codes.split_whitespace().zip(cells.iter().map(|cell| &*cell.whole)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    looks.iter().for_each(|(code, _)| *counts.entry(code).or_default() += 1);
    counts.values().all(|&count| count <= 2)
}

#[cfg(test)]
mod tests;
