//! VCT (victory by continuous threats): every move of the attacker makes a four or threatens an open four, so that the
//! defender has few replies, until the attacker wins.
//!
//! This is search-core's proof-number search over those moves only. The attacker's moves may be incomplete. The
//! defender's may not: they include every four of its own and every stone that stops the threat, and any other stone
//! loses to the open four. So a win found is proven against every defence, but not every win is found.
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
    /// Maximum number of plies to the five, included.
    pub plies: usize,
    /// The first moves of both sides against the longest defence, at least one.
    pub line: Line<Cell>,
}

/// A VCT search with its memory of all positions searched so far. A repeated call continues where the last one stopped.
#[derive(Debug)]
pub struct VctSearch(Prover<Threats>);

impl VctSearch {
    /// Creates a search at the position of `patterns`, with at most `bytes` of memory.
    #[must_use]
    pub fn new(patterns: Patterns, bytes: usize) -> Self {
        Self(Prover::with_estimate(Threats(patterns), bytes))
    }

    /// Replaces the patterns by those of another position.
    pub fn set(&mut self, patterns: Patterns) {
        self.0.estimate = Threats(patterns);
    }

    /// Empties the memory in constant time.
    pub fn forget(&mut self) {
        self.0.forget();
    }

    /// Searches `nodes` more positions for a win of the mover by continuous threats. `position` must correspond to the
    /// patterns, and is restored.
    ///
    /// # Errors
    /// [`Stop`] if the control stops the search.
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

    /// Like [`prove`](Self::prove), for the other side after the move `cell`.
    ///
    /// # Errors
    /// [`Stop`] if the control stops the search.
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

/// The moves and estimates of the proof-number search. The attacker's goal is to win, the defender's not to lose to
/// threats.
#[derive(Debug)]
struct Threats(Patterns);

/// Initial proof numbers of the attacker's win after its own stone: least after a four with an open three or two open threes,
/// most after a lone four, because its reply may defend as well.
const AFTER_TWO_THREATS: u32 = 1;
const AFTER_THREE: u32 = 5;
const AFTER_FOUR: u32 = 6;
/// The initial proof number of the attacker's win after a reply of the defender.
const AFTER_REPLY: u32 = 2;

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
        // Of equally hard children the search takes the first.
        cells.sort_by_key(|&(score, _)| Reverse(score));
        sink.push_all(cells.into_iter().map(|(_, cell)| cell));
    }

    fn estimate(&self, position: &Position, goal: Goal) -> (u32, u32) {
        let attacker = attacker(position, goal);
        match StaticResult::at(&self.0, position.mover()) {
            StaticResult::Win(..) => (0, 1),
            StaticResult::Lost(_) => (1, 0),
            // The attacker has no threat left.
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
            Goal::Draw => (AFTER_REPLY, 1),
            Goal::Win => (
                1,
                match self.0.class(cell, position.mover()) {
                    Class::Three => AFTER_THREE,
                    Class::Four => AFTER_FOUR,
                    _ => AFTER_TWO_THREATS,
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

    /// The plies of the win against a reply that does not defend. After an open three: that reply, the open four, any
    /// other, the five. After a four with an open three: the reply, the four, its reply, the open four, any other, the
    /// five.
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
