//! The steps of a search, for an observer: a page that shows how the search thinks, a log, a test.

use super::NodeType;
use crate::score::{Depth, Score, Window};
use crate::table::Entry;

/// A step of the search at a node, told to [`Heuristics::observe`](super::Heuristics::observe).
///
/// ```
/// use search_core::alpha_beta::{Origin, Step};
/// use search_core::testing::{Heap, Take};
/// use search_core::{Control, Heuristics, Limits, Options, Score, Search, Stopwatch, Table};
///
/// /// Counts the nodes that the table has settled.
/// struct Counting(u32);
///
/// impl Heuristics for Counting {
///     type Position = Heap;
///     type Frame = ();
///     const OBSERVES: bool = true;
///     fn evaluate(&mut self, _: &Heap) -> Score { Score::DRAW }
///     fn observe(search: &mut Search<'_, Self>, step: Step<Take>) {
///         search.heuristics.0 += u32::from(matches!(step, Step::Left { by: Origin::Table, .. }));
///     }
/// }
///
/// let clock = Stopwatch::start();
/// let control = Control::new(Limits::depth(8), &clock);
/// let table = Table::with_bytes(1 << 16);
/// let mut search = Search::new(Counting(0), Heap(21), &table, &control, Options::EXACT);
/// search.think(&mut |_| {});
/// assert!(search.heuristics.0 > 10);
/// ```
///
/// Scores and windows are those of the node's side to move. A node begins with `Entered` and ends with `Left`, unless the
/// search is stopped in it. Between them each move is `Tried`, and the nodes after it follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<M> {
    /// The search enters a node. A root begins an iteration; a node that is entered again after the same move is searched
    /// again, with another window or depth.
    Entered {
        /// The node type.
        kind: NodeKind,
        /// The search window.
        window: Window,
        /// The remaining depth, in units of [`Heuristics::ONE_PLY`](super::Heuristics::ONE_PLY).
        depth: Depth,
    },
    /// The table has an entry for the node.
    Found(Entry<M>),
    /// A move is about to be played.
    Tried {
        /// The move that is played.
        mv: M,
        /// The number of moves searched before it at this node.
        nth: usize,
        /// The reason for its place in the order.
        order: Order,
        /// The late move reduction of its first search.
        reduction: Depth,
    },
    /// The value of the move just tried exceeds alpha. At beta or above it refutes the node.
    Raised {
        /// The better move.
        mv: M,
        /// Its value for the mover.
        score: Score,
    },
    /// The search leaves a node.
    Left {
        /// The node's value. At alpha or below it is an upper bound, at beta or above a lower bound.
        score: Score,
        /// The origin of the value.
        by: Origin,
    },
}

/// The type of a node, as a value (see [`NodeType`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// The root of the search.
    Root,
    /// A PV node.
    Pv,
    /// A null-window node.
    NullWindow,
}

impl NodeKind {
    /// Returns the kind of a node type.
    pub(super) const fn of<K: NodeType>() -> Self {
        match (K::ROOT, K::PV) {
            (true, _) => Self::Root,
            (_, true) => Self::Pv,
            _ => Self::NullWindow,
        }
    }
}

/// The reason for a move's place in the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The table's move.
    Table,
    /// A killer: it refuted a sibling.
    Killer,
    /// The rank and the history of the move.
    Rank,
}

/// The origin of a node's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The game is over.
    Outcome,
    /// The depth limit: the evaluation, or a search of the game's own.
    Leaf,
    /// The table's entry replaces the search.
    Table,
    /// A hook settles the node before any move.
    Hook,
    /// The moves were searched.
    Moves,
}
