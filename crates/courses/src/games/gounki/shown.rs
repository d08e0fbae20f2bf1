//! Recognises boards that programs draw for people.
//!
//! The pieces may look like anything. The first board shows a known position, from which the look of each piece is
//! learned. A later board is recognised by the one legal move that explains all of its cells.

use super::{Configuration, Move, Position};
use search_core::Position as _;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of looks: ten kinds of pieces in two colours on two shades of squares.
const MOST_LOOKS: usize = 40;
/// Minimum length of a line with a rank's eight cells and its number.
const SHORTEST: usize = 10;
/// Maximum number of lines between two ranks' that are read.
const MOST_MORE: usize = 3;

/// A character with its terminal colours.
type Glyph = (char, Style);

/// The text of a cell, by which its piece is recognised.
#[derive(Debug, Clone, Default)]
struct Look {
    /// The characters with their colours.
    whole: String,
    /// The characters without colours and without the signs that mark a cell, as of a last move.
    plain: String,
}

/// The counts of what speaks against a board showing a position, compared in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Doubts {
    /// The number of unknown looks that are a known piece's of another kind, but for colours and marks.
    unlikely: usize,
    /// The number of unknown looks.
    unknown: usize,
}

/// The way to split a line into cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    /// Split the line at vertical bars.
    Bars,
    /// Split the line at blanks.
    Words,
    /// Take the columns of the file letters above or below the board.
    Columns,
}

/// The lines of a rank that show its pieces, beside the one with its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum More {
    Nothing,
    /// The lines above.
    Above,
    /// The lines below.
    Below,
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

/// The boards of one program.
#[derive(Debug, Default)]
pub struct Boards {
    cut: Option<(Cut, More)>,
    /// The assignment's code of a piece, by its whole look.
    looks: BTreeMap<String, String>,
    /// The same by its plain look: `None` for one that pieces of several kinds have.
    plain: BTreeMap<String, Option<String>>,
    letters: Option<Vec<usize>>,
    /// The ranks read so far of the current board.
    rows: Vec<Row>,
    /// The last lines before its first rank.
    above: Vec<Vec<Glyph>>,
    /// The last lines since any rank.
    others: Vec<Vec<Glyph>>,
}

impl Boards {
    /// Returns true if the program's boards are read.
    pub fn are_known(&self) -> bool {
        self.cut.is_some()
    }

    /// Adds a line. Once a board is complete, returns what it shows after `before`, one of the moves `written` if it can.
    /// The first board shows `before` or `start`.
    pub fn hear(
        &mut self,
        line: &str,
        start: &Position,
        before: &Position,
        written: &[Move],
    ) -> Option<Shown> {
        let mores = self.add(glyphs(line))?;
        let Some(cut) = self.cut else {
            // Marks on a last move that led to the second fit the first too.
            self.learn_first(mores, &[before, start]);
            // A program may show its first board only after its first move.
            return self.are_known().then_some(Shown::Before);
        };
        // A known board is complete with its last line, and is read once.
        if mores.contains(&cut.1) { self.recognise(&self.cells(cut)?, before, written) } else { None }
    }

    /// Adds a line. Once the current board may be complete, returns where its ranks' other lines may be.
    fn add(&mut self, line: Vec<Glyph>) -> Option<&'static [More]> {
        let text: String = line.iter().map(|glyph| glyph.0).collect();
        if let Some(letters) = letters(&text) {
            self.letters = Some(letters);
            // File letters below the board may be the first to show its columns.
            if self.rows.len() == 8 && self.cut.is_none() {
                return Some(&[More::Nothing]);
            }
            self.rows.clear();
            None
        } else if let Some(rank) = rank(&text) {
            self.add_rank(rank, line)
        } else {
            let last = self.rows.last_mut().filter(|last| last.below.len() < MOST_MORE);
            last.into_iter().for_each(|last| last.below.push(line.clone()));
            self.others.push(line);
            self.others.drain(..self.others.len().saturating_sub(MOST_MORE));
            let is_complete = self.rows.len() == 8 && self.rows[7].below.len() == self.rows[0].below.len();
            match self.cut {
                _ if !is_complete => None,
                None => Some(&[More::Below, More::Nothing]),
                Some(_) => Some(&[More::Below]),
            }
        }
    }

    /// Adds the line of a rank, as [`Boards::add`] does.
    fn add_rank(&mut self, rank: usize, line: Vec<Glyph>) -> Option<&'static [More]> {
        let is_next = self.rows.first().is_some_and(|first| first.rank.abs_diff(rank) == self.rows.len());
        let others = std::mem::take(&mut self.others);
        if !is_next {
            self.rows.clear();
            self.above = others;
            // Another line with a number, as of moves, begins no board.
            if ![1, 8].contains(&rank) {
                return None;
            }
        }
        self.rows.push(Row { rank, line, below: Vec::new() });
        if self.rows.len() < 8 {
            return None;
        }
        // Lines between the ranks that are all the same separate them.
        let are_same = self.rows[..7].iter().all(|row| row.below == self.rows[0].below);
        match self.cut {
            Some(_) => Some(&[More::Nothing, More::Above]),
            None if are_same => Some(&[More::Nothing]),
            None => Some(&[More::Above]),
        }
    }

    /// Returns the position that a board shows, and learns its looks.
    fn recognise(&mut self, cells: &[Look], before: &Position, written: &[Move]) -> Option<Shown> {
        let after = |mv: Move| {
            let mut next = *before;
            next.play(mv);
            next
        };
        let explained = |mv: &Move| Some((self.doubts(cells, &after(*mv))?, *mv));
        let of_written = written.iter().find_map(explained);
        let of_before = self.doubts(cells, before);
        let all = || before.move_list().iter().filter_map(explained).min_by_key(|&(doubts, _)| doubts);
        let best = of_written.or_else(all);
        // Looks that are not known yet, as of the marks on a last move, fit both.
        let is_before = |before| match (of_written, best) {
            (Some((written, _)), _) => before < written,
            (None, best) => best.is_none_or(|(drawn, _)| before <= drawn),
        };
        if of_before.is_some_and(is_before) {
            self.learn(cells, before);
            return Some(Shown::Before);
        }
        let (doubts, mv) = best?;
        // A word counts for more than a board that is not certain.
        if of_written.is_none() && !written.is_empty() && doubts.unknown > 0 {
            return None;
        }
        self.learn(cells, &after(mv));
        Some(Shown::Move(mv))
    }

    /// Learns the looks from the first board, which shows one of these positions.
    fn learn_first(&mut self, mores: &[More], positions: &[&Position]) {
        let cuts = [Cut::Bars, Cut::Words, Cut::Columns];
        for cut in mores.iter().flat_map(|more| cuts.map(|cut| (cut, *more))) {
            let Some(cells) = self.cells(cut) else { continue };
            let shows = |position: &&&Position| {
                self.doubts(&cells, position).is_some()
                    && (cut.1 == More::Nothing || has_few_looks(&cells, position))
            };
            if let Some(position) = positions.iter().find(shows) {
                self.cut = Some(cut);
                self.learn(&cells, position);
                return;
            }
        }
    }

    /// Returns the looks of the 64 cells, a1 to h1 first.
    fn cells(&self, (cut, more): (Cut, More)) -> Option<Vec<Look>> {
        let mut cells = vec![Look::default(); 64];
        let height = self.rows.first()?.below.len();
        let mut above = &self.above[self.above.len().saturating_sub(height)..];
        for Row { rank, line, below } in &self.rows {
            let parts = |line: &[Glyph]| match cut {
                Cut::Bars => bars(line),
                Cut::Words => words(line, *rank),
                Cut::Columns => columns(line, self.letters.as_ref()?),
            };
            let others = match more {
                More::Nothing => &[],
                More::Above => above,
                More::Below => &below[..],
            };
            let others = others.iter().filter_map(|line| parts(line));
            for parts in std::iter::once(parts(line)?).chain(others) {
                for (cell, Look { whole, plain }) in cells[8 * (rank - 1)..].iter_mut().zip(parts) {
                    cell.whole += &whole;
                    cell.whole.push('\n');
                    cell.plain += &plain;
                    cell.plain.push('\n');
                }
            }
            above = below;
        }
        Some(cells)
    }

    /// Returns how well a board fits this position, or `None` if it cannot show it.
    fn doubts(&self, cells: &[Look], position: &Position) -> Option<Doubts> {
        let mut found: BTreeMap<&str, &str> = BTreeMap::new();
        let mut unlikely = 0;
        let codes = Configuration::of(position).to_string();
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
            let likely = self.plain.get(&cell.plain).and_then(Option::as_deref);
            unlikely += usize::from(is_new && likely.is_some_and(|likely| likely != code));
        }
        let unknown = found.len();
        (self.looks.len() + unknown <= MOST_LOOKS).then_some(Doubts { unlikely, unknown })
    }

    fn learn(&mut self, cells: &[Look], position: &Position) {
        let codes = Configuration::of(position).to_string();
        for (cell, code) in cells.iter().zip(codes.split_whitespace()) {
            self.looks.entry(cell.whole.clone()).or_insert_with(|| code.to_owned());
            let plain = self.plain.entry(cell.plain.clone()).or_insert_with(|| Some(code.to_owned()));
            plain.take_if(|known| known != code);
        }
    }
}

/// True if no piece has more looks than shades of squares. Otherwise the lines are of other ranks.
fn has_few_looks(cells: &[Look], position: &Position) -> bool {
    let codes = Configuration::of(position).to_string();
    let looks: BTreeSet<(&str, &str)> =
        codes.split_whitespace().zip(cells.iter().map(|cell| &*cell.whole)).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    looks.iter().for_each(|(code, _)| *counts.entry(code).or_default() += 1);
    counts.values().all(|&count| count <= 2)
}

/// The colours and marks of a character in a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Style {
    /// The codes of the colours, 0 for the usual ones.
    letters: u32,
    background: u32,
    /// A bit for each of bold, dim, italic, underlined, blinking and reversed.
    marks: u32,
}

impl Style {
    /// Takes the codes of an escape sequence (ECMA-48, SGR).
    fn set(&mut self, codes: &str) {
        let mut codes =
            codes.split([';', ':']).map(|code| if code.is_empty() { Some(0) } else { code.parse().ok() });
        while let Some(code) = codes.next() {
            match code.unwrap_or(u32::MAX) {
                0 => *self = Self::default(),
                code @ 1..=7 => self.marks |= 1 << code,
                21 | 22 => self.marks &= !0b110,
                code @ 23..=27 => self.marks &= !(1 << (code - 20)),
                code @ (30..=37 | 90..=97) => self.letters = code,
                code @ (40..=47 | 100..=107) => self.background = code,
                // A colour of 256 or of three parts.
                code @ (38 | 48) => {
                    let long = if codes.next().flatten() == Some(5) { 1 } else { 3 };
                    let parts = codes.by_ref().take(long);
                    let colour = parts.fold(1, |sum, part| sum << 8 | part.unwrap_or(0) & 0xff) + 1000;
                    *(if code == 38 { &mut self.letters } else { &mut self.background }) = colour;
                }
                39 => self.letters = 0,
                49 => self.background = 0,
                _ => {}
            }
        }
    }
}

impl std::fmt::Display for Style {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if *self == Self::default() {
            return Ok(());
        }
        write!(f, "{};{};{};", self.letters, self.background, self.marks)
    }
}

/// Returns the characters of a line, each with its terminal colours.
fn glyphs(line: &str) -> Vec<Glyph> {
    /// Most bytes of a line that are read: a cell has a few characters and colours.
    const MOST: usize = 1 << 14;
    let (mut glyphs, mut style) = (Vec::new(), Style::default());
    let mut rest = line[..line.floor_char_boundary(MOST)].chars();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            glyphs.push((c, style));
            continue;
        }
        let mut code = String::new();
        for c in rest.by_ref() {
            if c == '[' && code.is_empty() {
                continue;
            }
            if c.is_ascii_alphabetic() {
                if c == 'm' {
                    style.set(&code);
                }
                break;
            }
            code.push(c);
        }
    }
    glyphs
}

/// Returns a line without terminal colours.
#[cfg(feature = "marking")]
pub fn plain(line: &str) -> String {
    glyphs(line).iter().map(|glyph| glyph.0).collect()
}

/// Returns the columns of the letters a to h, if a line contains only these.
fn letters(text: &str) -> Option<Vec<usize>> {
    let found = || text.chars().enumerate().filter(|(_, c)| c.is_alphabetic());
    let word: String = found().map(|(_, c)| c.to_ascii_lowercase()).collect();
    (word == "abcdefgh").then(|| found().map(|(at, _)| at).collect())
}

/// Returns the rank number at the beginning or the end of a line, outside its bars.
fn rank(text: &str) -> Option<usize> {
    if text.chars().count() < SHORTEST {
        return None;
    }
    let is_around = |c: char| !c.is_alphanumeric();
    let alone = |mut chars: Box<dyn Iterator<Item = char> + '_>| {
        let rank = chars.next()?.to_digit(10).filter(|rank| (1..=8).contains(rank))?;
        chars.next().is_none_or(|c| !c.is_alphanumeric()).then_some(rank as usize)
    };
    let first = text.split(is_bar).next()?.trim_start_matches(is_around);
    let last = text.rsplit(is_bar).next()?.trim_end_matches(is_around);
    alone(Box::new(first.chars())).or_else(|| alone(Box::new(last.chars().rev())))
}

fn is_bar(c: char) -> bool {
    "|│┃║¦".contains(c)
}

/// Returns a cell's look, without surrounding blanks.
fn look(glyphs: &[Glyph]) -> Look {
    /// Signs around a piece, or beside it.
    const MARKS: &str = "[](){}<>*!'\"=_~^";
    let is_blank = |glyph: &Glyph| glyph.0.is_whitespace() || is_bar(glyph.0);
    let start = glyphs.iter().position(|glyph| !is_blank(glyph)).unwrap_or(glyphs.len());
    let end = glyphs.iter().rposition(|glyph| !is_blank(glyph)).map_or(start, |last| last + 1);
    let plain = glyphs.iter().filter(|glyph| !is_blank(glyph) && !MARKS.contains(glyph.0));
    Look {
        whole: glyphs[start..end].iter().map(|(c, style)| format!("{style}{c}")).collect(),
        plain: plain.map(|(c, _)| c).collect(),
    }
}

fn bars(row: &[Glyph]) -> Option<Vec<Look>> {
    let parts: Vec<&[Glyph]> = row.split(|glyph| is_bar(glyph.0)).collect();
    (parts.len() == 10).then(|| parts[1..9].iter().map(|part| look(part)).collect())
}

fn words(row: &[Glyph], rank: usize) -> Option<Vec<Look>> {
    let words = row.split(|glyph| glyph.0.is_whitespace() || is_bar(glyph.0)).filter(|word| !word.is_empty());
    let mut words: Vec<&[Glyph]> = words.collect();
    let rank = rank.to_string();
    // A piece's code has a letter before its figure.
    let is_rank = |word: &[Glyph]| {
        let text: String = word.iter().map(|glyph| glyph.0).collect();
        text.trim_matches(|sign: char| !sign.is_alphanumeric()) == rank
    };
    if words.len() > 8 && is_rank(words[0]) {
        words.remove(0);
    }
    if words.len() > 8 && words.last().is_some_and(|word| is_rank(word)) {
        words.pop();
    }
    (words.len() == 8).then(|| words.into_iter().map(look).collect())
}

fn columns(row: &[Glyph], letters: &[usize]) -> Option<Vec<Look>> {
    let wide = letters.windows(2).map(|pair| pair[1] - pair[0]).min().filter(|&wide| wide > 0)?;
    let part = |&at: &usize| {
        let from = (at + 1).saturating_sub(wide.div_ceil(2)).min(row.len());
        look(&row[from..(from + wide).min(row.len())])
    };
    Some(letters.iter().map(part).collect())
}

#[cfg(test)]
mod tests;
