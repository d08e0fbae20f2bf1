//! VCT, the search for a victory by continuous threats: every move of the attacker makes a four or threatens an open four, so
//! that the defender has a few replies each time, until nothing answers any more.
//!
//! It is search-core's proof-number search over those moves only. The attacker may leave out what it likes; the defender
//! may not: it is given every four of its own and every stone that stops the threat, and any other stone loses to the open
//! four. So a win that is found is one against every defence, while a win that is not found may still exist.
//!
//! Source: L. V. Allis, J. van den Herik, M. Huntjens, "Go-moku and threat-space search", 1993.

use super::candidates::candidates;
use super::static_result::StaticResult;
use crate::patterns::{Class, Patterns};
use crate::rules::{Cell, Color, Position};
use search_core::proof::{Estimate, Goal, Prover, Verdict};
use search_core::{Control, Line, Searched, Sink, Stop};

/// A win by continuous threats (VCT).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VctWin {
    /// Plies to the five at most, the five included.
    pub plies: usize,
    /// The first moves of both sides against the longest defence, at least one.
    pub line: Line<Cell>,
}

/// The search and what it has found so far, of any position: it can be asked again, and goes on where it was.
#[derive(Debug)]
pub struct VctSearch(Prover<Threats>);

impl VctSearch {
    /// A search from the position of these patterns that remembers nothing yet, and never more than fits into `bytes`.
    #[must_use]
    pub fn new(patterns: Patterns, bytes: usize) -> Self {
        Self(Prover::with_estimate(Threats(patterns), bytes))
    }

    /// The patterns are those of another position from here on.
    pub fn set(&mut self, patterns: Patterns) {
        self.0.estimate = Threats(patterns);
    }

    /// Forgets everything, at no cost.
    pub fn forget(&mut self) {
        self.0.forget();
    }

    /// A win of the mover by continuous threats, if `nodes` more positions show one. `position` is that of the patterns,
    /// and is so afterwards.
    ///
    /// # Errors
    /// [`Stop`] when the control says so.
    pub fn prove(
        &mut self,
        position: &mut Position,
        control: &Control<'_>,
        nodes: u64,
    ) -> Searched<Option<VctWin>> {
        match self.0.prove(position, Goal::Win, nodes, control) {
            Verdict::Yes => {
                let plies = self.0.plies(position, Goal::Win) as usize;
                let line = self.0.line(position, Goal::Win);
                Ok((!line.is_empty()).then_some(VctWin { plies, line }))
            }
            Verdict::Unknown if control.is_stopped() => Err(Stop),
            Verdict::Unknown | Verdict::No => Ok(None),
        }
    }

    /// As [`prove`](Self::prove), for the other side behind `cell`.
    ///
    /// # Errors
    /// [`Stop`] when the control says so.
    pub fn prove_after(
        &mut self,
        cell: Cell,
        position: &mut Position,
        control: &Control<'_>,
        nodes: u64,
    ) -> Searched<Option<usize>> {
        let verdict = self.0.after(position, cell, |prover, position| {
            let verdict = prover.prove(position, Goal::Win, nodes, control);
            (verdict == Verdict::Yes).then(|| prover.plies(position, Goal::Win) as usize)
        });
        if verdict.is_none() && control.is_stopped() { Err(Stop) } else { Ok(verdict) }
    }
}

/// The attacker's goal is to win, the defender's not to lose to threats.
#[derive(Debug)]
struct Threats(Patterns);

impl Estimate<Position> for Threats {
    const FORESEES: bool = true;

    #[inline]
    fn played(&mut self, cell: Cell, (): &(), now: &Position) {
        self.0.played(cell, now);
    }

    #[inline]
    fn undone(&mut self) {
        self.0.undone();
    }

    fn candidates<S: Sink<Cell>>(&self, position: &Position, goal: Goal, sink: &mut S) {
        let mover = position.mover();
        if let StaticResult::Win(cell, _) = StaticResult::at(&self.0, mover) {
            return sink.push(cell);
        }
        let any = goal == Goal::Draw || !self.0.fives(mover.other()).is_empty();
        candidates(position, &self.0, |cell| {
            if any || self.0.class(cell, mover) >= Class::Three {
                sink.push(cell);
            }
        });
    }

    fn estimate(&self, position: &Position, goal: Goal) -> (u32, u32) {
        let attacker = attacker(position, goal);
        match StaticResult::at(&self.0, position.mover()) {
            StaticResult::Win(..) => (0, 1),
            StaticResult::Lost(_) => (1, 0),
            // Nothing is threatened any more.
            _ if goal == Goal::Draw
                && self.0.fives(attacker).is_empty()
                && self.0.open_fours(attacker).is_empty() =>
            {
                (0, 1)
            }
            _ => (1, 1),
        }
    }

    /// A four has one answer, a three about as many as three.
    fn foresee(&self, position: &Position, goal: Goal, cell: Cell) -> (u64, (u32, u32)) {
        let is_three = goal == Goal::Win && self.0.class(cell, position.mover()) < Class::Four;
        (position.key_after(cell), (1, if is_three { 3 } else { 1 }))
    }

    fn plies(&self, position: &Position, _: Goal) -> u32 {
        match StaticResult::at(&self.0, position.mover()) {
            StaticResult::Win(_, plies) => plies as u32,
            _ => 2,
        }
    }

    /// Against a stone that does not stop the threat: that stone, the open four, any other, the five.
    fn plies_left_out(&self, position: &Position, goal: Goal) -> u32 {
        if self.0.fives(attacker(position, goal)).is_empty() { 4 } else { 0 }
    }
}

fn attacker(position: &Position, goal: Goal) -> Color {
    if goal == Goal::Win { position.mover() } else { position.mover().other() }
}
