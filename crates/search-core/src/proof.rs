//! Depth-first proof-number search (df-pn, Nagai 2002): can the mover win, can it hold a draw?
//!
//! A node's proof number is the least number of positions that still have to be settled to show that its mover
//! reaches its goal, its disproof number the same for the contrary; the search always works where the least is
//! missing. What it has found lies in a table of bounded size, so that it can be stopped and asked again at any time.
//!
//! A game may say which moves are worth a look and how hard a position looks at first (heuristic initialisation of the
//! proof numbers): see [`Estimate`]. Positions are played and taken back, never copied.
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
//! The positions of a game must not repeat: a position proven along one path must be proven along every other.
//!
//! Source: L. V. Allis et al., "Proof-number search", 1994; A. Nagai, "Df-pn algorithm for searching AND/OR trees and
//! its applications", 2002; J. Pawlewicz, Ł. Lew, "Improving depth-first PN-search: 1 + ε trick", 2007.

mod children;
mod estimate;
mod table;

pub use estimate::{Estimate, Mobility, Successor};

use crate::limits::{Control, Searched, Stop};
use crate::position::{MoveList, Outcome, Position};
use crate::report::Line;
use children::{Child, gather};
use std::fmt;
use table::{Numbers, Proofs};

/// The goal of the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// A win.
    Win,
    /// A draw or a win.
    Draw,
}

impl Goal {
    /// The opponent's goal, which denies this.
    const fn denied(self) -> Self {
        match self {
            Self::Win => Self::Draw,
            Self::Draw => Self::Win,
        }
    }

    /// Returns whether the game's end reaches it. A margin counts by its sign.
    fn is_reached_by(self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::Win => true,
            Outcome::Draw => self == Self::Draw,
            Outcome::Loss => false,
            Outcome::Margin(points) => points > 0 || points == 0 && self == Self::Draw,
        }
    }
}

/// The state of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It can be reached, whatever the opponent does.
    Yes,
    /// The opponent can deny it.
    No,
    /// Not settled within the limits.
    Unknown,
}

/// A prover and what it has proven so far, of any position of its game.
pub struct Prover<E = Mobility> {
    /// The game's estimate; whoever changes it answers for what is proven by the one before.
    pub estimate: E,
    proofs: Proofs,
    left: u64,
    /// The key of the last position that was proven, and the number of the candidate that proves it: the table may have
    /// lost it.
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
    /// A prover whose first numbers are those of `estimate`.
    pub fn with_estimate(estimate: E, bytes: usize) -> Self {
        Self { estimate, proofs: Proofs::with_bytes(bytes), left: 0, proven: None }
    }

    /// Forgets what is proven, at the cost of a comparison.
    pub fn forget(&mut self) {
        self.proofs.forget();
    }

    /// Returns whether the mover of `position` reaches `goal`: searches until that is settled, until `control` stops
    /// it, or for `most` positions. Asked again, it goes on where it was. The position is afterwards as it was.
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

    /// The outcome of `position` with best play, or as much as was settled: both goals are worked on in turn, each time
    /// twice as long.
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

    /// The first proof numbers: the game's estimate.
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

    /// The key of a position and a question.
    #[inline]
    fn key<P: Position>(&self, position: &P, goal: Goal) -> u64
    where
        E: Estimate<P>,
    {
        asked(self.estimate.key(position), goal)
    }

    /// The numbers of a position, as far as the table or one look tells.
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

    /// The table's answer for a position and a goal.
    pub fn known<P: Position>(&self, position: &P, goal: Goal) -> Verdict
    where
        E: Estimate<P>,
    {
        self.numbers(position, goal).verdict()
    }

    /// Plies to the end of the game, at most, where the goal is known to be reached or not to be: by the moves that were
    /// found, against the longest defence. It counts to the first position that the estimate settles, and what the
    /// estimate adds.
    pub fn plies<P: Position>(&self, position: &P, goal: Goal) -> u32
    where
        E: Estimate<P>,
    {
        self.numbers(position, goal).plies
    }

    /// The move that reaches a goal already proven, the one that does so soonest.
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

    /// A line that reaches a goal already proven, as far as the proof is still in the table: against each move that
    /// reaches it stands the reply that holds out longest, of those the one that took most work to refute.
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

    /// The move of a mover who is proven to fail against the opponent's `goal` that took most work to refute.
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

    /// Plays `mv`, lets `then` look, and takes it back: the only play and undo.
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

    /// Works on the position until its proof or its disproof number reaches its limit. `is_stored` tells whether it is
    /// likely to be in the table.
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
        if E::FORESEES {
            let numbers = match position.outcome() {
                Some(outcome) => Numbers::at_end(goal, outcome),
                None => self.first_numbers(position, goal),
            };
            if numbers.verdict() != Verdict::Unknown {
                self.proofs.store(key, numbers, 1);
                return Ok(numbers);
            }
        }
        let mut children = self.children(position, goal, key, is_stored);
        loop {
            let (mut numbers, best, second) = gather(&children);
            if numbers.proof >= limits[0] || numbers.disproof >= limits[1] {
                let plies = |child: &Child<P::Move>| child.numbers.plies + 1;
                if numbers.proof == 0 {
                    let winning = children.iter().filter(|child| child.numbers.disproof == 0);
                    numbers.plies = winning.map(plies).min().unwrap_or(0);
                    // The last one to be noted is the position that was asked for.
                    self.proven = Some((key, best));
                } else if numbers.disproof == 0 {
                    let left_out = self.estimate.plies_left_out(position, goal);
                    numbers.plies = children.iter().map(plies).fold(left_out, u32::max);
                }
                self.proofs.store(key, numbers, before - self.left + 1);
                return Ok(numbers);
            }
            // The child's roles are exchanged. It is left once another child is easier by more than the patience, or
            // once this node has become too hard to disprove.
            let child = children[best];
            let others = numbers.disproof.saturating_sub(child.numbers.proof);
            let easier = second.saturating_add(second * E::PATIENCE / 4).saturating_add(1);
            let child_limits =
                [limits[1].saturating_sub(others).min(Numbers::INFINITE), limits[0].min(easier)];
            let numbers = self.after(position, child.mv, |prover, next| {
                prover.search(next, goal.denied(), child_limits, child.is_stored, control)
            })?;
            children[best] = Child { is_stored: true, numbers, ..child };
        }
    }
}

/// The key of a question about a position.
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
    /// True if the mover can win.
    pub win: Verdict,
    /// True if the mover can draw or win.
    pub draw: Verdict,
}

impl Solution {
    /// The outcome for the mover, if it is settled.
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
