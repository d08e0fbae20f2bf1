//! Depth-first proof-number search (df-pn, Nagai 2002): proves whether the side to move wins or draws.
//!
//! A node's proof number is the least number of positions that must still be settled to prove that its side to move
//! reaches its goal; the disproof number is the same for the opposite. The search always expands where the smallest
//! number remains. Results are stored in a table of bounded size, so a search can be stopped and resumed at any time.
//!
//! A game may restrict the moves that are tried and initialise proof numbers by heuristics: see [`Estimate`]. Positions
//! are played and taken back, never copied.
//!
//! ```
//! use search_core::proof::{Goal, Prover, Verdict};
//! use search_core::testing::{Heap, Take};
//! use search_core::{Control, Limits, Stopwatch};
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::default(), &clock);
//! let mut prover = Prover::new(1 << 16);
//! let mut heap = Heap(21);
//! assert_eq!(prover.prove(&mut heap, Goal::Win, 100_000, &control), Verdict::Yes);
//! assert_eq!(prover.winning_move(&mut heap, Goal::Win), Some(Take(1)));
//! // The line: the winner's proven moves, and the replies that were hardest to refute.
//! assert_eq!(prover.line(&mut heap, Goal::Win).first(), Some(&Take(1)));
//! ```
//!
//! Positions of the game must not repeat: a position proven along one path must be proven along every other. Games that
//! can run in circles need [`Repeating`](crate::repetition::Repeating).
//!
//! Source: L. V. Allis et al., "Proof-number search", 1994; A. Nagai, "Df-pn algorithm for searching AND/OR trees and
//! its applications", 2002; J. Pawlewicz, Ł. Lew, "Improving depth-first PN-search: 1 + ε trick", 2007.

mod children;
mod estimate;
mod observe;
mod table;
#[cfg(feature = "threads")]
mod threads;

pub use estimate::{Estimate, Mobility, Successor};
pub use observe::{INFINITE, Step};

use crate::limits::{Control, Searched, Stop};
use crate::position::{MoveList, Outcome, Position};
use crate::report::Line;
use children::{Child, gather};
use std::fmt;
use table::{Numbers, Proofs};

/// The goal of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// To win the game.
    Win,
    /// To draw or win the game.
    Draw,
}

impl Goal {
    /// The opponent's goal, which denies this one.
    const fn denied(self) -> Self {
        match self {
            Self::Win => Self::Draw,
            Self::Draw => Self::Win,
        }
    }

    /// Returns whether this outcome reaches the goal. Only the sign of a margin counts.
    fn is_reached_by(self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Win => true,
            Outcome::Draw => self == Self::Draw,
            Outcome::Loss => false,
            Outcome::Margin(points) => points > 0 || points == 0 && self == Self::Draw,
        }
    }
}

/// The result of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The goal can be reached, whatever the opponent does.
    Yes,
    /// The opponent can deny the goal.
    No,
    /// Not settled within the limits.
    Unknown,
}

/// A prover and its proofs, which may concern any positions of its game.
pub struct Prover<E = Mobility> {
    /// The game's estimate. If the caller replaces it, earlier proofs stay in the table, so they must hold for the new
    /// one.
    pub estimate: E,
    proofs: Proofs,
    left: u64,
    /// The key of the last position that was proven, and the index of its winning candidate, in case the table has lost
    /// it.
    proven: Option<(u64, usize)>,
}

impl Prover {
    /// A prover with a table of at most `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self::with_estimate(Mobility, bytes)
    }
}

impl<E> Prover<E> {
    /// A prover that initialises proof numbers by `estimate`.
    pub fn with_estimate(estimate: E, bytes: usize) -> Self {
        Self { estimate, proofs: Proofs::with_bytes(bytes), left: 0, proven: None }
    }

    /// Another prover with the same table of proofs, for another thread or another question.
    #[must_use]
    pub fn sharing(&self) -> Self
    where
        E: Clone,
    {
        let (estimate, proofs) = (self.estimate.clone(), self.proofs.clone());
        Self { estimate, proofs, left: 0, proven: None }
    }

    /// Forgets all proofs. Takes constant time.
    ///
    /// # Panics
    /// If another prover [shares](Self::sharing) them.
    pub fn forget(&mut self) {
        self.proofs.forget();
    }

    /// Returns whether the side to move in `position` reaches `goal`. Stops when that is settled, when `control` says
    /// so, once it is [armed](Control::arm), or after `most` positions; a later call resumes the search. The position is
    /// unchanged afterwards.
    pub fn prove<P: Position>(
        &mut self,
        position: &mut P,
        goal: Goal,
        most: u64,
        control: &Control<'_>,
    ) -> Verdict
    where
        E: Estimate<P>,
    {
        let known = self.known(position, goal);
        if known != Verdict::Unknown {
            return known;
        }
        self.left = most;
        match self.search(position, goal, [Numbers::INFINITE; 2], true, control) {
            Ok(numbers) => numbers.verdict(),
            Err(Stop) => Verdict::Unknown,
        }
    }

    /// Returns the outcome of `position` with best play, or as much of it as was settled. The search alternates between
    /// both goals, each time with twice as many positions.
    pub fn solve<P: Position>(&mut self, position: &mut P, most: u64, control: &Control<'_>) -> Solution
    where
        E: Estimate<P>,
    {
        let mut solution = Solution { win: Verdict::Unknown, draw: Verdict::Unknown };
        let mut slice = 1_000;
        let mut left = most;
        while left > 0 && solution.outcome().is_none() && !control.is_stopped() {
            for goal in [Goal::Win, Goal::Draw] {
                let known = if goal == Goal::Win { &mut solution.win } else { &mut solution.draw };
                if *known == Verdict::Unknown {
                    *known = self.prove(position, goal, slice.min(left), control);
                }
                if solution.outcome().is_some() {
                    break;
                }
            }
            left = left.saturating_sub(slice);
            slice *= 2;
        }
        solution
    }

    /// The initial proof numbers: the game's estimate.
    #[inline]
    fn first_numbers<P: Position>(&self, position: &P, goal: Goal) -> Numbers
    where
        E: Estimate<P>,
    {
        let (proof, disproof) = self.estimate.estimate(position, goal);
        if proof == 0 || disproof == 0 {
            let plies = self.estimate.plies(position, goal);
            return if proof == 0 { Numbers::proved(plies) } else { Numbers::disproved(plies) };
        }
        Numbers { proof, disproof, plies: 0 }
    }

    /// The table key of a position and a goal.
    #[inline]
    fn key<P: Position>(&self, position: &P, goal: Goal) -> u64
    where
        E: Estimate<P>,
    {
        asked(self.estimate.key(position), goal)
    }

    /// The numbers of a position from the table or, if it lacks them, from the estimate.
    fn numbers<P: Position>(&self, position: &P, goal: Goal) -> Numbers
    where
        E: Estimate<P>,
    {
        match position.outcome() {
            Some(outcome) => Numbers::at_end(goal, outcome),
            None => {
                let stored = self.proofs.probe(self.key(position, goal));
                stored.unwrap_or_else(|| self.first_numbers(position, goal))
            }
        }
    }

    /// The verdict in the table for a position and a goal.
    pub fn known<P: Position>(&self, position: &P, goal: Goal) -> Verdict
    where
        E: Estimate<P>,
    {
        self.numbers(position, goal).verdict()
    }

    /// An upper bound on the plies to the end of the game, where the goal is known to be reached or denied: the found
    /// moves against the longest defence. Counts to the first position that the estimate settles, plus the plies that
    /// the estimate adds.
    pub fn plies<P: Position>(&self, position: &P, goal: Goal) -> u32
    where
        E: Estimate<P>,
    {
        self.numbers(position, goal).plies
    }

    /// The move that reaches a proven goal soonest.
    pub fn winning_move<P: Position>(&mut self, position: &mut P, goal: Goal) -> Option<P::Move>
    where
        E: Estimate<P>,
    {
        let mut moves = MoveList::new();
        self.estimate.candidates(position, goal, &mut moves);
        let mut soonest = None;
        for &mv in &moves {
            let numbers = self.after(position, mv, |prover, next| prover.numbers(next, goal.denied()));
            if numbers.disproof == 0 && soonest.is_none_or(|(plies, _)| numbers.plies < plies) {
                soonest = Some((numbers.plies, mv));
            }
        }
        let key = self.key(position, goal);
        let last = self.proven.filter(|&(proven, _)| proven == key);
        let last = last.and_then(|(_, number)| moves.get(number).copied());
        soonest.map(|(_, mv)| mv).or(last)
    }

    /// A line that reaches a proven goal, as far as the proof is still in the table. The defender's replies are those
    /// that hold out longest; among equals, the one that took most work to refute.
    pub fn line<P: Position>(&mut self, position: &mut P, goal: Goal) -> Line<P::Move>
    where
        E: Estimate<P>,
    {
        let mut line = Line::new();
        self.extend_line(position, goal, &mut line);
        line
    }

    fn extend_line<P: Position>(&mut self, position: &mut P, goal: Goal, line: &mut Line<P::Move>)
    where
        E: Estimate<P>,
    {
        if position.outcome().is_some() || self.known(position, goal) != Verdict::Yes {
            return;
        }
        let Some(mv) = self.winning_move(position, goal) else { return };
        line.push(mv);
        self.after(position, mv, |prover, next| {
            let Some(reply) = prover.hardest_reply(next, goal) else { return };
            line.push(reply);
            prover.after(next, reply, |prover, next| prover.extend_line(next, goal, line));
        });
    }

    /// The reply that took most work to refute, for a side that is proven to fail against the opponent's `goal`.
    fn hardest_reply<P: Position>(&mut self, position: &mut P, goal: Goal) -> Option<P::Move>
    where
        E: Estimate<P>,
    {
        if position.outcome().is_some() {
            return None;
        }
        let mut moves = MoveList::new();
        self.estimate.candidates(position, goal.denied(), &mut moves);
        let mut hardest = None;
        for mv in moves {
            let work = self.after(position, mv, |prover, next| {
                let over = next.outcome().is_some();
                let work = if over { 0 } else { prover.proofs.work(prover.key(next, goal)) };
                (prover.numbers(next, goal).plies, work)
            });
            if hardest.is_none_or(|(most, _)| work > most) {
                hardest = Some((work, mv));
            }
        }
        hardest.map(|(_, mv)| mv)
    }

    /// Plays `mv`, calls `then`, and takes `mv` back. Nothing else plays or takes back moves.
    #[inline]
    pub fn after<P: Position, T>(
        &mut self,
        position: &mut P,
        mv: P::Move,
        then: impl FnOnce(&mut Self, &mut P) -> T,
    ) -> T
    where
        E: Estimate<P>,
    {
        let undo = position.play(mv);
        self.estimate.played(mv, &undo, position);
        let result = then(self, position);
        self.estimate.undone();
        position.undo(mv, undo);
        result
    }

    /// Searches the position until its proof or disproof number reaches its limit. `is_stored` is true if the table is
    /// likely to hold the position.
    fn search<P: Position>(
        &mut self,
        position: &mut P,
        goal: Goal,
        limits: [u32; 2],
        is_stored: bool,
        control: &Control<'_>,
    ) -> Searched<Numbers>
    where
        E: Estimate<P>,
    {
        control.tick()?;
        self.left = self.left.checked_sub(1).ok_or(Stop)?;
        let before = self.left;
        let key = self.key(position, goal);
        if E::OBSERVES {
            self.estimate.observe(position, Step::Entered { goal, limits });
        }
        if let Some(numbers) = self.settled_at_once(position, goal, key) {
            self.tell_left(position, numbers);
            return Ok(numbers);
        }
        let mut children = self.children(position, goal, key, is_stored);
        loop {
            let (numbers, best, second) = gather(&children);
            if E::OBSERVES {
                let all: Vec<_> = children.iter().map(|child| (child.mv, child.numbers.pair())).collect();
                let step = Step::Compared { children: &all, numbers: numbers.pair(), best };
                self.estimate.observe(position, step);
            }
            if numbers.proof >= limits[0] || numbers.disproof >= limits[1] {
                let numbers = self.finish(position, goal, key, (&children, numbers, best), before);
                self.tell_left(position, numbers);
                return Ok(numbers);
            }
            let child = children[best];
            let child_limits = limits_of::<P, E>(limits, numbers, child.numbers, second);
            let numbers = self.after(position, child.mv, |prover, next| {
                prover.search(next, goal.denied(), child_limits, child.is_stored, control)
            })?;
            children[best] = Child { is_stored: true, numbers, ..child };
        }
    }

    /// Tells the observer that the search leaves a node. Without one, nothing is compiled.
    #[inline(always)]
    fn tell_left<P: Position>(&mut self, position: &P, numbers: Numbers)
    where
        E: Estimate<P>,
    {
        if E::OBSERVES {
            self.estimate.observe(position, Step::Left { numbers: numbers.pair() });
        }
    }

    /// Stores and returns the numbers of a position that the estimate settles when it is searched.
    #[inline(always)]
    fn settled_at_once<P: Position>(&self, position: &P, goal: Goal, key: u64) -> Option<Numbers>
    where
        E: Estimate<P>,
    {
        if !E::FORESEES {
            return None;
        }
        let numbers = match position.outcome() {
            Some(outcome) => Numbers::at_end(goal, outcome),
            None => self.first_numbers(position, goal),
        };
        (numbers.verdict() != Verdict::Unknown).then(|| {
            self.proofs.store(key, numbers, 1);
            numbers
        })
    }

    /// Stores and returns the numbers of a node that have reached their limits, from those of its children. `before` is the
    /// number of positions that were left when its search began.
    #[inline(always)]
    fn finish<P: Position>(
        &mut self,
        position: &P,
        goal: Goal,
        key: u64,
        (children, mut numbers, best): (&[Child<P::Move>], Numbers, usize),
        before: u64,
    ) -> Numbers
    where
        E: Estimate<P>,
    {
        let plies = |child: &Child<P::Move>| child.numbers.plies + 1;
        if numbers.proof == 0 {
            let winning = children.iter().filter(|child| child.numbers.disproof == 0);
            numbers.plies = winning.map(plies).min().unwrap_or(0);
            // The last position noted is the one that the caller asked for.
            self.proven = Some((key, best));
        } else if numbers.disproof == 0 {
            let left_out = self.estimate.plies_left_out(position, goal);
            numbers.plies = children.iter().map(plies).fold(left_out, u32::max);
        }
        self.proofs.store(key, numbers, before - self.left + 1);
        numbers
    }
}

/// The limits of a child's numbers. The roles are exchanged there. The search leaves it once another child is easier by
/// more than the patience, or once its parent has become too hard to disprove.
#[inline(always)]
fn limits_of<P: Position, E: Estimate<P>>(
    limits: [u32; 2],
    parent: Numbers,
    child: Numbers,
    second: u32,
) -> [u32; 2] {
    let others = parent.disproof.saturating_sub(child.proof);
    let easier = second.saturating_add(second * E::PATIENCE / 4).saturating_add(1);
    [limits[1].saturating_sub(others).min(Numbers::INFINITE), limits[0].min(easier)]
}

/// The table key of a goal at a position.
#[inline]
const fn asked(key: u64, goal: Goal) -> u64 {
    match goal {
        Goal::Win => key,
        Goal::Draw => !key.rotate_left(23),
    }
}

/// The solution of a position, as far as it was settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Solution {
    /// The verdict on a win for the side to move.
    pub win: Verdict,
    /// The verdict on at least a draw for the side to move.
    pub draw: Verdict,
}

impl Solution {
    /// The outcome for the side to move, if it is settled.
    #[must_use]
    pub fn outcome(self) -> Option<Outcome> {
        match (self.win, self.draw) {
            (Verdict::Yes, _) => Some(Outcome::Win),
            (_, Verdict::No) => Some(Outcome::Loss),
            (Verdict::No, Verdict::Yes) => Some(Outcome::Draw),
            _ => None,
        }
    }
}

impl<E> fmt::Debug for Prover<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prover").finish_non_exhaustive()
    }
}
