//! VCF (victory by continuous fours): every move of the attacker makes a four, so that the defender has a single reply,
//! until the attacker threatens two fives at once.
//!
//! Source: L. V. Allis, J. van den Herik, M. Huntjens, "Go-moku and threat-space search", 1993.

use super::static_result::StaticResult;
use crate::patterns::{Class, Patterns, Shape};
use crate::rules::{Cell, DIRECTIONS, Position};
use search_core::{Control, Line, Position as _, Searched};
use smallvec::SmallVec;

/// A win by continuous fours (VCF).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VcfWin {
    /// Number of plies to the five, included.
    pub plies: usize,
    /// The moves of both sides up to the point where the static rules see the win.
    pub line: Line<Cell>,
}

/// The memory of a VCF search: positions where a number of fours does not win.
#[derive(Debug, Clone, Default)]
pub struct VcfSearch {
    /// Position keys, with the number of fours tried in the low bits.
    failed: Vec<u64>,
    /// The node count at which the search stops.
    last_node: u64,
    /// True if a budget cut the search off, so that a failure proves nothing.
    cut_off: bool,
    /// The winning moves, last first.
    line: Line<Cell>,
    /// The weakest shape that a four must also make in another direction to be continued from.
    chain: Option<Shape>,
}

/// Number of slots in the memory.
const SLOTS: usize = 1 << 14;
/// Low bits of a key that hold the number of fours.
const FOURS: u64 = 0xff;
/// Maximum number of fours in a row.
const MOST_FOURS: u32 = 120;

impl VcfSearch {
    /// Creates a search with an empty memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a search that continues only from fours whose stone makes `chain` or more in another direction. It
    /// misses wins that need two fours without such a shape in one line.
    #[must_use]
    pub fn chained(chain: Shape) -> Self {
        Self { chain: Some(chain), ..Self::default() }
    }

    /// Returns the shortest win by continuous fours found within `nodes` positions. Restores `position`.
    pub fn prove(
        &mut self,
        position: &mut Position,
        patterns: &mut Patterns,
        control: &Control<'_>,
        nodes: u64,
    ) -> Option<VcfWin> {
        self.last_node = control.nodes() + nodes;
        for fours in 0..=MOST_FOURS {
            self.cut_off = false;
            self.line.clear();
            let deeper = &mut false;
            let plies = self.attack(position, patterns, control, fours, deeper).ok()?;
            if let Some(plies) = plies {
                self.line.reverse();
                return Some(VcfWin { plies, line: self.line.clone() });
            }
            if self.cut_off || !*deeper {
                return None;
            }
        }
        None
    }

    /// Returns the plies to a win with at most `fours` fours before the last, if one is found within `nodes` positions.
    ///
    /// # Errors
    /// [`Stop`](search_core::Stop) if the control stops the search.
    pub fn wins(
        &mut self,
        position: &mut Position,
        patterns: &mut Patterns,
        control: &Control<'_>,
        fours: u32,
        nodes: u64,
    ) -> Searched<Option<usize>> {
        self.last_node = control.nodes() + nodes;
        self.cut_off = false;
        self.line.clear();
        self.attack(position, patterns, control, fours, &mut false)
    }

    /// Returns the plies to the five if the mover wins with at most `fours` fours before the last. Sets `deeper` if
    /// more fours might help.
    fn attack(
        &mut self,
        position: &mut Position,
        patterns: &mut Patterns,
        control: &Control<'_>,
        fours: u32,
        deeper: &mut bool,
    ) -> Searched<Option<usize>> {
        control.tick()?;
        let attacker = position.mover();
        match StaticResult::at(patterns, attacker) {
            StaticResult::Win(cell, plies) => {
                self.line.push(cell);
                return Ok(Some(plies));
            }
            StaticResult::Lost(_) => return Ok(None),
            StaticResult::Forced(_) | StaticResult::Open if patterns.fours(attacker).is_empty() => {
                return Ok(None);
            }
            StaticResult::Forced(_) | StaticResult::Open => {}
        }
        if fours == 0 {
            *deeper = true;
            return Ok(None);
        }
        if control.nodes() >= self.last_node {
            self.cut_off = true;
            return Ok(None);
        }
        let key = position.key();
        if self.has_failed(key, fours) {
            *deeper = true;
            return Ok(None);
        }
        let cut_off_before = std::mem::replace(&mut self.cut_off, false);
        let mut deeper_here = false;
        for four in moves(patterns, position, self.chain) {
            if let Some(plies) =
                self.after_four(position, patterns, control, four, fours, &mut deeper_here)?
            {
                self.line.push(four);
                return Ok(Some(plies + 2));
            }
        }
        if !self.cut_off {
            // If no line was cut short, more fours do not help either.
            self.note_failure(key, if deeper_here { fours } else { MOST_FOURS });
        }
        self.cut_off |= cut_off_before;
        *deeper |= deeper_here;
        Ok(None)
    }

    /// Plays the attacker's `four` and the defender's single reply.
    fn after_four(
        &mut self,
        position: &mut Position,
        patterns: &mut Patterns,
        control: &Control<'_>,
        four: Cell,
        fours: u32,
        deeper: &mut bool,
    ) -> Searched<Option<usize>> {
        let attacker = position.mover();
        position.play(four);
        patterns.played(four, position);
        let fives = patterns.fives(attacker);
        let result = match fives.first() {
            Some(_) if fives.len() > 1 => Ok(Some(1)),
            Some(reply) => {
                position.play(reply);
                patterns.played(reply, position);
                let result = if position.outcome().is_some() {
                    Ok(None)
                } else {
                    self.attack(position, patterns, control, fours - 1, deeper)
                };
                if let Ok(Some(_)) = result {
                    self.line.push(reply);
                }
                patterns.undone();
                position.undo(reply, ());
                result
            }
            None => Ok(None),
        };
        patterns.undone();
        position.undo(four, ());
        result
    }

    fn has_failed(&self, key: u64, fours: u32) -> bool {
        let entry = self.failed.get(slot(key)).copied().unwrap_or(0);
        entry & !FOURS == key & !FOURS && entry & FOURS >= u64::from(fours)
    }

    fn note_failure(&mut self, key: u64, fours: u32) {
        if self.failed.is_empty() {
            self.failed = vec![0; SLOTS];
        }
        self.failed[slot(key)] = key & !FOURS | u64::from(fours);
    }
}

#[inline]
fn slot(key: u64) -> usize {
    (key >> 50) as usize % SLOTS
}

/// Returns the mover's fours to try, highest scored first. If the opponent threatens five, only the four that stops it.
fn moves(patterns: &Patterns, position: &Position, chain: Option<Shape>) -> SmallVec<[Cell; 16]> {
    let attacker = position.mover();
    let fours = patterns.fours(attacker);
    if let Some(forced) = patterns.fives(attacker.other()).first() {
        return fours.contains(forced).then_some(forced).into_iter().collect();
    }
    let leads_on = |cell: Cell| {
        let shape = |direction| patterns.shape(position, cell, attacker, direction);
        let is_chain =
            |chain| (0..DIRECTIONS).any(|direction| (chain..Shape::Four).contains(&shape(direction)));
        chain.is_none_or(|chain| patterns.class(cell, attacker) > Class::Four || is_chain(chain))
    };
    let mut moves: SmallVec<[Cell; 16]> = fours.iter().filter(|&cell| leads_on(cell)).collect();
    moves.sort_by_key(|&cell| std::cmp::Reverse(patterns.class(cell, attacker)));
    moves
}
