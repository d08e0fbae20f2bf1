//! Alpha-beta on several threads. All search the same tree to the same depths, and avoid each other's moves. The first
//! that has finished ends the search.
//!
//! A thread uses all that another has done: also the exact value of a PV node, and that of a node which both search to a
//! reduced depth.

use super::node::Tried;
use super::{Heuristics, MoveOf, Node, NodeType, Search};
use crate::limits::{Control, Limits, Searched, Stop, Stopwatch};
use crate::report::Report;
use crate::threads::Crew;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The threads of one search.
#[derive(Debug, Clone)]
pub(super) struct Team<'a> {
    crew: &'a Crew,
    /// True once a helper has finished, so that the others need not.
    finished: Arc<AtomicBool>,
}

impl<'a, E: Heuristics> Search<'a, E> {
    /// Like [`think`](Self::think), with the threads of `crew`. `heuristics` creates those of a helper, for this search's
    /// position. The limits apply to this thread, and the others stop with it; all stop once one has finished the last
    /// depth or has a proof. The report is that of the thread which got deepest, with the nodes of all.
    ///
    /// Values are as good as those of one thread: at a fixed depth without selectivity they are the same. Node counts, and
    /// the choice among moves of equal value, differ from run to run.
    pub fn think_with(
        &mut self,
        crew: &'a Crew,
        heuristics: impl Fn() -> E + Sync,
        inform: &mut dyn FnMut(&Report<MoveOf<E>>),
    ) -> Report<MoveOf<E>>
    where
        E::Position: Sync,
        MoveOf<E>: Send + Sync,
    {
        if crew.threads() == 1 {
            return self.think(inform);
        }
        let (start, table, options) = (self.position.clone(), self.table, self.options);
        let (start, excluded) = (&start, &self.root_excluded.clone());
        let limits = Limits { depth: self.control.limits().depth, ..Limits::default() };
        let helped = AtomicU64::new(0);
        let team = Team { crew, finished: Arc::default() };
        let help = |done: &_| {
            let clock = Stopwatch::start();
            let control = Control::new(limits, &clock).with_stop_flag(done);
            control.arm();
            let mut search = Search::new(heuristics(), start.clone(), table, &control, options);
            search.root_excluded.clone_from(excluded);
            search.team = Some(team.clone());
            let mut told = 0;
            let mut tell = |report: &Report<_>| {
                helped.fetch_add(report.nodes - told, Relaxed);
                told = report.nodes;
            };
            let report = search.deepen(&mut tell);
            team.finished.fetch_or(!control.is_stopped(), Relaxed);
            report
        };
        self.team = Some(team.clone());
        let lead = || {
            self.think(&mut |report| {
                let nodes = report.nodes + helped.load(Relaxed);
                inform(&Report { nodes, ..report.clone() });
            })
        };
        let (led, others) = crew.run(help, lead);
        self.team = None;
        let (nodes, elapsed) =
            (led.nodes + others.iter().map(|report| report.nodes).sum::<u64>(), led.elapsed);
        let got_to = |report: &Report<_>| (report.proven, report.depth);
        let told = got_to(&led);
        let best = others.into_iter().fold(
            led,
            |best, report| {
                if got_to(&report) > got_to(&best) { report } else { best }
            },
        );
        let report = Report { nodes, elapsed, ..best };
        if got_to(&report) > told {
            inform(&report);
        }
        report
    }

    /// Returns true if other threads search with this one.
    #[inline(always)]
    pub(super) fn has_helpers(&self) -> bool {
        self.team.is_some()
    }

    /// Returns true if threads avoid each other's moves at this node.
    #[inline(always)]
    pub(super) fn is_shared(&self, node: &Node<MoveOf<E>>) -> bool {
        self.has_helpers() && node.depth >= E::SHARED_FROM.max(E::TABLE_FROM) * E::ONE_PLY
    }

    /// As [`moves`](Self::moves), but candidates that another thread searches come last. Every thread searches the first
    /// move of all.
    #[cold]
    pub(super) fn shared_moves<K: NodeType>(
        &mut self,
        node: &Node<MoveOf<E>>,
        first: usize,
        tried: &mut Tried<MoveOf<E>>,
    ) -> Searched<()> {
        let Team { crew, finished } = self.team.as_ref().expect("a shared node has a team");
        if finished.load(Relaxed) {
            return Err(Stop);
        }
        let crew = *crew;
        let known = self.known_move(node);
        if let Some(mv) = known
            && self.try_move::<K>(node, tried, mv)?
        {
            self.note_refutation(node, tried, mv, first..first);
            return Ok(());
        }
        self.generate(node, first);
        self.try_shared::<K>(crew, node, tried, first, known)?;
        self.or_leaf::<K>(node, tried)
    }

    /// Tries the candidates from `first` on, but for the move `known`, which was tried before.
    fn try_shared<K: NodeType>(
        &mut self,
        crew: &Crew,
        node: &Node<MoveOf<E>>,
        tried: &mut Tried<MoveOf<E>>,
        first: usize,
        known: Option<MoveOf<E>>,
    ) -> Searched<()> {
        let mut put_off = SmallVec::<[(MoveOf<E>, usize); 32]>::new();
        for index in first..self.picker.len() {
            // What another thread has finished meanwhile stands in the table, and may raise alpha or end the node.
            while let Some(at) = put_off.iter().position(|&(mv, _)| !crew.turn(node.key, mv).is_taken()) {
                let (mv, nth) = put_off.remove(at);
                if self.try_in_turn::<K>(crew, nth, node, tried, mv, first..first)? && !tried.ended {
                    return Ok(());
                }
                tried.ended = false;
            }
            let mv = self.picker.pick(index);
            if Some(mv) == known {
                continue;
            }
            let nth = tried.nth + put_off.len();
            if tried.nth > 0 && crew.turn(node.key, mv).is_taken() {
                put_off.push((mv, nth));
            } else if self.try_in_turn::<K>(crew, nth, node, tried, mv, first..index)? {
                if tried.ended {
                    break;
                }
                return Ok(());
            }
        }
        if put_off.is_empty() {
            return Ok(());
        }
        tried.ended = false;
        // Another thread may have finished this node.
        let entry = self.probe(node.key, self.ply);
        if !K::VERIFIES
            && let Some(score) = self.table_value::<K>(&Node { entry, ..*node })
        {
            tried.best = score;
            return Ok(());
        }
        for (mv, nth) in put_off {
            if self.try_in_turn::<K>(crew, nth, node, tried, mv, first..first)? && !tried.ended {
                return Ok(());
            }
            tried.ended = false;
        }
        Ok(())
    }

    /// As [`try_move`](Self::try_move), but other threads put the move off meanwhile, and a hook that treats late moves
    /// differently sees the move at its place among all: the `nth`, though fewer were searched. The candidates `failed`
    /// were tried before.
    fn try_in_turn<K: NodeType>(
        &mut self,
        crew: &Crew,
        nth: usize,
        node: &Node<MoveOf<E>>,
        tried: &mut Tried<MoveOf<E>>,
        mv: MoveOf<E>,
        failed: Range<usize>,
    ) -> Searched<bool> {
        let searched = std::mem::replace(&mut tried.nth, nth);
        let is_last = crew.turn(node.key, mv).take(|| self.try_move::<K>(node, tried, mv))?;
        tried.nth = searched + tried.nth - nth;
        if is_last {
            self.note_refutation(node, tried, mv, failed);
        }
        Ok(is_last)
    }
}
