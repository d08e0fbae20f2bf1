//! The best root moves, each with its own score and line, for analysis (multi-PV).

use super::deepen::{aspire, decided_within};
use super::{Found, Heuristics, MAX_DEPTH, MoveOf, Root, Search};
use crate::limits::Searched;
use crate::position::Position;
use crate::report::Report;
use crate::score::Depth;
use std::cmp::Reverse;

/// Root moves with their scores and lines, best first.
pub type Lines<E> = [Report<MoveOf<E>>];

impl<E: Heuristics> Search<'_, E> {
    /// Searches for the `count` best root moves by iterative deepening until the control stops it.
    ///
    /// `inform` receives all of them whenever one changes: first those of the current depth, best first, then those of the
    /// previous depth. Depth 1 always completes. A position with fewer moves gives fewer reports.
    pub fn best_lines(&mut self, count: usize, inform: &mut dyn FnMut(&Lines<E>)) -> Vec<Report<MoveOf<E>>> {
        self.begin();
        let moves = self.position.move_list();
        let count = moves.iter().filter(|mv| !self.root_excluded.contains(mv)).count().min(count);
        let (control, step) = (self.control, self.options.step.max(1));
        let deepest = control.limits().depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH));
        let first = 1 + (deepest - 1) % step;
        let mut best = Vec::new();
        for depth in (first..=deepest).step_by(step as usize) {
            let complete = self.deepen_lines(depth, count, &mut best, inform);
            control.arm();
            let proven = best.iter().all(|report: &Report<_>| report.proven);
            if !complete || proven || !control.may_deepen() {
                break;
            }
        }
        best
    }

    /// Searches for each of the best moves to `depth`. Returns false if it was stopped.
    fn deepen_lines(
        &mut self,
        depth: Depth,
        count: usize,
        best: &mut Vec<Report<MoveOf<E>>>,
        inform: &mut dyn FnMut(&Lines<E>),
    ) -> bool {
        let before = std::mem::take(best);
        for nth in 0..count {
            let excluded = self.root_excluded.len();
            self.root_excluded.extend(best.iter().filter_map(|report| report.best));
            let searched = self.line_to(depth, before.get(nth));
            self.root_excluded.truncate(excluded);
            let Ok(report) = searched else {
                fill_up(best, &before);
                return false;
            };
            best.push(report);
            best.sort_by_key(|report| Reverse(report.score));
            let mut known = best.clone();
            fill_up(&mut known, &before);
            inform(&known);
        }
        true
    }

    /// Finds the best move that is not excluded, at `depth`; `before` is the report of the previous depth at this rank.
    fn line_to(&mut self, depth: Depth, before: Option<&Report<MoveOf<E>>>) -> Searched<Report<MoveOf<E>>> {
        let score = before.map(|report| report.score).unwrap_or_default();
        let around = self.options.aspiration.filter(|_| depth > 2 && !score.is_decided());
        self.root_first = before.and_then(|report| report.best);
        let found = aspire(score, around, |window| {
            self.clear_path();
            let score = self.node::<Root>(window, depth * E::ONE_PLY)?;
            let line = self.lines.first().cloned().unwrap_or_default();
            Ok(Found { score, line, complete: true, proven: !self.horizon })
        });
        self.root_first = None;
        let found = found?;
        Ok(Report {
            best: found.line.first().copied(),
            score: found.score,
            depth,
            nodes: self.control.nodes(),
            elapsed: self.control.elapsed(),
            principal_variation: found.line,
            proven: found.proven || decided_within(found.score, depth),
        })
    }
}

/// Appends the previous depth's reports of moves that `best` lacks, up to the previous number of reports.
fn fill_up<M: Copy + PartialEq>(best: &mut Vec<Report<M>>, before: &[Report<M>]) {
    for report in before {
        if best.len() < before.len() && best.iter().all(|known| known.best != report.best) {
            best.push(report.clone());
        }
    }
}
