//! VCF, the search for a victory by continuous fours: every move of the attacker makes a four, so that the defender has one
//! reply each time, until two fives are possible at once.
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
    /// Plies to the five, the five included.
    pub plies: usize,
    /// The moves of both sides up to where one look finds the rest.
    pub line: Line<Cell>,
}

/// What the search remembers: positions from which so many fours do not win.
#[derive(Debug, Clone, Default)]
pub struct VcfSearch {
    /// A key each, its low bits replaced by the fours that were tried.
    failed: Vec<u64>,
    /// The last node that may be visited.
    last_node: u64,
    /// A budget has cut something off: what failed then proves nothing.
    cut_off: bool,
    /// The winning moves, the last one first.
    line: Line<Cell>,
    /// The weakest shape that a four must make in another direction, too, to be played on from.
    chain: Option<Shape>,
}

/// Slots of the memory of failures.
const SLOTS: usize = 1 << 14;
/// Low bits of a key that hold the number of fours.
const FOURS: u64 = 0xff;
/// The most fours that the mover makes in a row.
const MOST_FOURS: u32 = 120;

impl VcfSearch {
    /// A search that remembers nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A search that plays on only from fours whose stone makes `chain` or more in another direction, too: fours that
    /// prepare no other are left out, and with them the wins that need two of them on one line.
    #[must_use]
    pub fn chained(chain: Shape) -> Self {
        Self { chain: Some(chain), ..Self::default() }
    }

    /// The shortest win by continuous fours that `nodes` positions show. The position is afterwards as it was.
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

    /// Plies to a win with at most `fours` fours before the last, if `nodes` positions show one.
    ///
    /// # Errors
    /// [`Stop`](search_core::Stop) when the control says so.
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

    /// Plies to the five where the mover wins with at most `fours` fours before the last. `deeper` is set where more
    /// fours might help.
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
            // Where no line was cut short, more fours do not help either.
            self.note_failure(key, if deeper_here { fours } else { MOST_FOURS });
        }
        self.cut_off |= cut_off_before;
        *deeper |= deeper_here;
        Ok(None)
    }

    /// The attacker plays `four`, the defender has one reply.
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

/// The mover's fours worth trying, the highest scored first; only the one that stops a five, if the other side threatens it.
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
