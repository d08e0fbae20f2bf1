//! The report of a search.
//!
//! ```
//! use search_core::testing::{Heap, Take};
//! use search_core::{Control, Evaluation, Limits, Options, Score, Search, Stopwatch, Table};
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::depth(5), &clock);
//! let table = Table::with_bytes(1 << 20);
//! let heuristics = Evaluation::new(|_: &Heap| Score::DRAW);
//! let report = Search::new(heuristics, Heap(5), &table, &control, Options::EXACT).think(&mut |_| {});
//! assert_eq!(report.principal_variation.len(), 3, "one, any, the rest");
//! assert_eq!((report.best, report.score), (Some(Take(1)), Score::win_in(3)));
//! println!("depth {}, {} nodes, {:.0} a second", report.depth, report.nodes, report.speed());
//! ```

use crate::score::{Depth, Score};
use smallvec::SmallVec;
use std::time::Duration;

/// A line of play, in order.
pub type Line<M> = SmallVec<[M; 16]>;

/// The report of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<M> {
    /// The move to play; `None` when the game is over.
    pub best: Option<M>,
    /// The mover's score.
    pub score: Score,
    /// The depth in plies of the iteration that gave the answer.
    pub depth: Depth,
    /// The number of positions visited.
    pub nodes: u64,
    /// The time used.
    pub elapsed: Duration,
    /// The principal variation.
    pub principal_variation: Line<M>,
    /// True if `score` is proven: every relevant line reached the end of the game. A search whose table cuts proves only
    /// wins and losses, because the table does not tell a draw or a margin at the end of the game from an estimate. Such
    /// a search goes on to its depth limit: set one where the rest of the game is short.
    pub proven: bool,
}

impl<M> Report<M> {
    /// Returns a report without a result.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            best: None,
            score: Score::DRAW,
            depth: 0,
            nodes: 0,
            elapsed: Duration::ZERO,
            principal_variation: Line::new(),
            proven: false,
        }
    }

    /// Returns the nodes a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

impl<M: PartialEq> Report<M> {
    /// Returns true if both are equal but for their times.
    pub fn agrees_with(&self, other: &Self) -> bool {
        self.best == other.best
            && self.score == other.score
            && self.depth == other.depth
            && self.nodes == other.nodes
            && self.principal_variation == other.principal_variation
            && self.proven == other.proven
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_speed_is_positions_by_seconds() {
        let report = Report::<u32> { nodes: 300, elapsed: Duration::from_millis(1500), ..Report::empty() };
        assert_eq!(report.speed(), 200.0);
        assert!(
            Report::<u32> { nodes: 5, ..Report::empty() }.speed().is_finite(),
            "no time is no division by zero"
        );
    }

    #[test]
    fn reports_agree_that_differ_in_time_alone() {
        let report = Report {
            best: Some(1),
            depth: 3,
            nodes: 9,
            principal_variation: Line::from_iter([1, 2]),
            ..Report::empty()
        };
        assert!(report.agrees_with(&Report { elapsed: Duration::from_secs(1), ..report.clone() }));
        let others = [
            Report { best: Some(2), ..report.clone() },
            Report { score: Score::new(1), ..report.clone() },
            Report { depth: 4, ..report.clone() },
            Report { nodes: 8, ..report.clone() },
            Report { principal_variation: Line::from_iter([1]), ..report.clone() },
            Report { proven: true, ..report.clone() },
        ];
        assert!(others.iter().all(|other| !report.agrees_with(other)));
    }
}
