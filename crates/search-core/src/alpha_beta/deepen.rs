//! Iterative deepening with aspiration windows, for this search and for a game's private ones.
//!
//! Source: D. Slate, L. Atkin, "CHESS 4.5: the Northwestern University chess program", 1977.

use crate::limits::{Control, Searched};
use crate::report::{Line, Report};
use crate::score::{Depth, Score, Window};

/// The result of one iteration.
#[derive(Debug, Clone)]
pub struct Found<M> {
    /// The root's score within the window.
    pub score: Score,
    /// The principal variation, beginning with the move to play.
    pub line: Line<M>,
    /// False if a limit stopped the iteration after it had found a better move.
    pub complete: bool,
    /// True if no relevant line ended at the depth limit.
    pub proven: bool,
}

/// Calls `search` with increasing depths until a limit, a proof or `deepest`. Depths grow by `step` and end at `deepest`.
/// The control is armed after the first iteration.
///
/// `aspiration` is half the width of the first window around the previous score. A side that fails is widened fourfold,
/// and finally opened.
pub fn deepen<M: Copy>(
    control: &Control<'_>,
    deepest: Depth,
    step: Depth,
    aspiration: Option<i32>,
    inform: &mut dyn FnMut(&Report<M>),
    mut search: impl FnMut(Depth, Window) -> Searched<Found<M>>,
) -> Report<M> {
    let mut report = Report::empty();
    let deepest = control.limits().depth.map_or(deepest, |depth| depth.clamp(1, deepest));
    let step = step.max(1);
    let first = 1 + (deepest - 1) % step;
    for depth in (first..=deepest).step_by(step as usize) {
        let around = aspiration.filter(|_| depth > 2 && !report.score.is_decided());
        let Ok(found) = aspire(report.score, around, |window| search(depth, window)) else { break };
        if let Some(&best) = found.line.first() {
            report.best = Some(best);
            report.principal_variation = found.line;
        }
        report.score = found.score;
        report.nodes = control.nodes();
        report.elapsed = control.elapsed();
        if !found.complete {
            break;
        }
        report.depth = depth;
        report.proven = found.proven || decided_within(found.score, depth);
        inform(&report);
        control.arm();
        if report.proven || !control.may_deepen() {
            break;
        }
    }
    report.nodes = control.nodes();
    report.elapsed = control.elapsed();
    report
}

/// Returns true for a win or loss within the searched depth, which deeper searches cannot change.
fn decided_within(score: Score, depth: Depth) -> bool {
    score.plies_to_end().is_some_and(|plies| plies <= depth as usize)
}

/// Searches with an aspiration window around `previous`, widening the side that fails until the score lies inside.
fn aspire<M>(
    previous: Score,
    half: Option<i32>,
    mut step: impl FnMut(Window) -> Searched<Found<M>>,
) -> Searched<Found<M>> {
    let Some(half) = half else { return step(Window::FULL) };
    let mut window = Window::new(previous - half, previous + half);
    let mut width = half;
    loop {
        let found = step(window)?;
        width = width.saturating_mul(4);
        let far = width > Score::LIMIT.value() / 64;
        if !found.complete {
            return Ok(found);
        } else if found.score <= window.alpha && window.alpha > Window::FULL.alpha {
            window.alpha = if far { Window::FULL.alpha } else { previous - width };
        } else if found.score >= window.beta && window.beta < Window::FULL.beta {
            window.beta = if far { Window::FULL.beta } else { previous + width };
        } else {
            return Ok(found);
        }
    }
}
