//! Beam search: plans for one player, keeping only the best states of each turn.
//!
//! The layers are turns. Of the states with the same key, the one that has secured the most survives, within a layer
//! and across layers, so no plan runs in circles.
//!
//! Source: B. Lowerre, "The Harpy speech recognition system", 1976.
//!
//! ```
//! use search_core::beam::{Beam, Configuration, Plan};
//! use search_core::{Control, Limits, Sink, Stopwatch};
//!
//! /// Steps of one or two along a road; each place pays what stands there.
//! struct Road([i64; 8]);
//!
//! impl Plan for Road {
//!     type State = (usize, i64); // the place, and what was earned
//!     type Action = usize;
//!     fn successors<S: Sink<(usize, (usize, i64))>>(&mut self, state: &(usize, i64), _: usize, sink: &mut S) {
//!         for step in 1..=2 {
//!             if let Some(pay) = self.0.get(state.0 + step) {
//!                 sink.push((step, (state.0 + step, state.1 + pay)));
//!             }
//!         }
//!     }
//!     fn key(&self, state: &(usize, i64)) -> u64 { state.0 as u64 }
//!     fn secured(&self, state: &(usize, i64)) -> i64 { state.1 }
//!     fn estimate(&mut self, state: &(usize, i64), _: usize) -> i64 { state.1 }
//!     fn is_complete(&self, state: &(usize, i64)) -> bool { state.0 == 7 }
//! }
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::default(), &clock);
//! let configuration = Configuration { width: 10, turns: 8, first_complete: false };
//! let found = Beam::default().search(&mut Road([0, -5, 3, 4, -9, 2, -1, 6]), (0, 0), configuration, &control);
//! assert_eq!((found.actions, found.value), (vec![2, 1, 2, 2], 15));
//! ```

mod keys;
#[cfg(test)]
mod tests;

use crate::limits::{Control, Stop};
use crate::position::Sink;
use keys::Keys;

/// A planning problem of one player with limited time.
pub trait Plan {
    /// A state after some turns. It should be small, as a layer holds many.
    type State: Copy;
    /// An action of one turn.
    type Action: Copy;

    /// Pushes every action worth trying from `state`, reached after `turn` turns, with the state that it leads to.
    fn successors<S: Sink<(Self::Action, Self::State)>>(
        &mut self,
        state: &Self::State,
        turn: usize,
        sink: &mut S,
    );

    /// A hash of all that matters for the future: states with equal keys have equal futures.
    fn key(&self, state: &Self::State) -> u64;

    /// The value secured so far (g). Of states with equal keys in one turn, the one with the larger value survives. A
    /// state of a later turn survives only if it has secured more than those of earlier turns.
    fn secured(&self, state: &Self::State) -> i64;

    /// The estimated value of the whole plan through `state`; exact once the plan [is complete](Self::is_complete).
    fn estimate(&mut self, state: &Self::State, turn: usize) -> i64;

    /// An upper bound on the value of any plan through `state`. States that cannot beat a complete plan are dropped.
    fn bound(&self, state: &Self::State, turn: usize) -> i64 {
        let _ = (state, turn);
        i64::MAX
    }

    /// Returns whether the plan is complete.
    fn is_complete(&self, state: &Self::State) -> bool;
}

/// The plan that a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<A> {
    /// The actions in order.
    pub actions: Vec<A>,
    /// The plan's value by [`Plan::estimate`].
    pub value: i64,
    /// True if the plan is complete.
    pub complete: bool,
}

/// The width and length of a beam search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configuration {
    /// The number of states kept in each layer.
    pub width: usize,
    /// The largest number of turns.
    pub turns: usize,
    /// Stops at the first layer with a complete plan; right if plans that end sooner are better.
    pub first_complete: bool,
}

/// The parent of states reached from the root.
const ROOT: u32 = u32::MAX;

struct Candidate<S, A> {
    state: S,
    action: A,
    parent: u32,
    key: u64,
    rank: i64,
}

/// The memory of a search, reused by the next.
pub struct Beam<S, A> {
    candidates: Vec<Candidate<S, A>>,
    frontier: Vec<S>,
    /// For each state kept, layer by layer: the index of its parent and the action that led to it.
    history: Vec<(u32, A)>,
    /// The secured value by key, for the states kept.
    kept: Keys,
    /// The index by key, for this layer's candidates.
    layer: Keys,
}

impl<S, A> Default for Beam<S, A> {
    fn default() -> Self {
        Self {
            candidates: Vec::new(),
            frontier: Vec::new(),
            history: Vec::new(),
            kept: Keys::default(),
            layer: Keys::default(),
        }
    }
}

impl<S, A> std::fmt::Debug for Beam<S, A> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Beam").field("history", &self.history.len()).finish_non_exhaustive()
    }
}

impl<S: Copy, A: Copy> Beam<S, A> {
    /// Returns the best plan from `root` found by a beam of this configuration; if `control`, once
    /// [armed](Control::arm), stops the search, the best so far.
    ///
    /// Every generated state counts as a node. The result is deterministic: among equal ranks, smaller keys come first.
    pub fn search<P: Plan<State = S, Action = A>>(
        &mut self,
        plan: &mut P,
        root: S,
        configuration: Configuration,
        control: &Control<'_>,
    ) -> Found<A> {
        self.history.clear();
        self.kept.clear();
        self.kept.raise(plan.key(&root), plan.secured(&root));
        self.frontier.clear();
        self.frontier.push(root);
        let mut best = Best { value: plan.estimate(&root, 0), at: ROOT, complete: plan.is_complete(&root) };
        let mut open = best;
        // The index in the history of the frontier's first state; the root has none.
        let mut first = ROOT;
        for turn in 1..=configuration.turns {
            let floor = if best.complete { best.value } else { i64::MIN };
            let Ok(cut) = self.expand(plan, turn, first, floor, control) else { break };
            if self.candidates.is_empty() {
                if cut {
                    // All plans from there are known to be no better than the complete plan.
                    open.value = i64::MIN;
                }
                break;
            }
            self.select(configuration.width.max(1));
            first = self.history.len() as u32;
            self.frontier.clear();
            open.value = i64::MIN;
            let mut ended = false;
            for index in 0..self.candidates.len() {
                let Candidate { state, action, parent, key, rank } = self.candidates[index];
                let at = first + index as u32;
                self.history.push((parent, action));
                if plan.is_complete(&state) {
                    ended = true;
                    if !best.complete || rank > best.value {
                        best = Best { value: rank, at, complete: true };
                    }
                } else if rank > open.value {
                    open = Best { value: rank, at, complete: false };
                }
                self.kept.raise(key, plan.secured(&state));
                self.frontier.push(state);
            }
            if ended && configuration.first_complete {
                open.value = i64::MIN;
                break;
            }
        }
        if !best.complete || open.value > best.value {
            best = open;
        }
        Found { actions: self.line(best.at), value: best.value, complete: best.complete }
    }

    /// Fills the candidates with the distinct new states after `turn` turns. Returns true if the bound dropped any.
    fn expand<P: Plan<State = S, Action = A>>(
        &mut self,
        plan: &mut P,
        turn: usize,
        first: u32,
        floor: i64,
        control: &Control<'_>,
    ) -> Result<bool, Stop> {
        let mut cut = false;
        self.candidates.clear();
        self.layer.clear();
        let mut made: Vec<(A, S)> = Vec::with_capacity(64);
        for (index, state) in self.frontier.iter().enumerate() {
            if plan.is_complete(state) {
                continue;
            }
            let parent = if first == ROOT { ROOT } else { first + index as u32 };
            made.clear();
            plan.successors(state, turn - 1, &mut made);
            for &(action, state) in &made {
                control.tick()?;
                if floor > i64::MIN && plan.bound(&state, turn) <= floor {
                    cut = true;
                    continue;
                }
                let key = plan.key(&state);
                let secured = plan.secured(&state);
                if self.kept.get(key).is_some_and(|before| before >= secured) {
                    continue;
                }
                let number = self.candidates.len() as i64;
                let held = self.layer.insert_or_get(key, number);
                if held == number {
                    let rank = plan.estimate(&state, turn);
                    self.candidates.push(Candidate { state, action, parent, key, rank });
                } else {
                    let twin = &mut self.candidates[held as usize];
                    if secured > plan.secured(&twin.state) {
                        let rank = plan.estimate(&state, turn);
                        *twin = Candidate { state, action, parent, key, rank };
                    }
                }
            }
        }
        Ok(cut)
    }

    /// Keeps the `width` best candidates.
    fn select(&mut self, width: usize) {
        if self.candidates.len() > width {
            self.candidates.select_nth_unstable_by(width - 1, |a, b| (b.rank, a.key).cmp(&(a.rank, b.key)));
            self.candidates.truncate(width);
        }
    }

    fn line(&self, mut at: u32) -> Vec<A> {
        let mut actions = Vec::new();
        while at != ROOT {
            let (parent, action) = self.history[at as usize];
            actions.push(action);
            at = parent;
        }
        actions.reverse();
        actions
    }
}

#[derive(Clone, Copy)]
struct Best {
    value: i64,
    at: u32,
    complete: bool,
}
