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
use smallvec::SmallVec;
use std::cmp::Reverse;

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

/// Positions that the proof behind a stone of the attacker's will take, at first: behind a four that opens a three, and two
/// threes, least; behind a lone four most, for the reply to it may defend as well.
const BEHIND_TWO_THREATS: u32 = 1;
const BEHIND_THREE: u32 = 5;
const BEHIND_FOUR: u32 = 6;
/// The same behind a reply of the defender's.
const BEHIND_REPLY: u32 = 2;

impl Estimate<Position> for Threats {
    const FORESEES: bool = true;
    const PATIENCE: u32 = 4;

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
        let mut cells = SmallVec::<[(i32, Cell); 32]>::new();
        candidates(position, &self.0, |cell| {
            if any || self.0.class(cell, mover) >= Class::Three {
                cells.push((self.0.move_score(cell, mover), cell));
            }
        });
        // Of children equally hard the first is taken.
        cells.sort_by_key(|&(score, _)| Reverse(score));
        sink.push_all(cells.into_iter().map(|(_, cell)| cell));
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

    fn foresee(&self, position: &Position, goal: Goal, cell: Cell) -> (u64, (u32, u32)) {
        let numbers = match goal {
            Goal::Draw => (BEHIND_REPLY, 1),
            Goal::Win => (
                1,
                match self.0.class(cell, position.mover()) {
                    Class::Three => BEHIND_THREE,
                    Class::Four => BEHIND_FOUR,
                    _ => BEHIND_TWO_THREATS,
                },
            ),
        };
        (position.key_after(cell), numbers)
    }

    fn plies(&self, position: &Position, _: Goal) -> u32 {
        match StaticResult::at(&self.0, position.mover()) {
            StaticResult::Win(_, plies) => plies as u32,
            _ => 2,
        }
    }

    /// Against a stone that leaves the open four: that stone, the open four, any other, the five. Against one that leaves a
    /// four with an open three: it, the four, its reply, the open four, any other, the five.
    fn plies_left_out(&self, position: &Position, goal: Goal) -> u32 {
        let attacker = attacker(position, goal);
        match self.0.fives(attacker).is_empty() {
            true if self.0.count(attacker, Class::FourThree) > 0 => 6,
            true => 4,
            false => 0,
        }
    }
}

fn attacker(position: &Position, goal: Goal) -> Color {
    if goal == Goal::Win { position.mover() } else { position.mover().other() }
}
