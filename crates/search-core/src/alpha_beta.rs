//! Alpha-beta: iterative deepening, null-window principal variation search (Marsland & Campbell 1982; Reinefeld 1983),
//! aspiration windows, transposition table, ordering by table move, killers, history and the game's own rank, and the
//! hooks through which a game adds what it knows.
//!
//! A game implements [`Heuristics`]; [`Search::think`] does the rest. Every part is public: a hook may search in turn, and
//! a private recursion (an endgame solver, a threat solver) can stand on the same [`Table`], [`Control`] and
//! [`deepen`].
//!
//! Source: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975; T. Marsland, M. Campbell, "Parallel search of
//! strongly ordered game trees", 1982; A. Reinefeld, "An improvement to the Scout tree-search algorithm", 1983.
//! The parts that a game may ask for: S. Akl, M. Newborn, "The principal continuation and the killer heuristic", 1977;
//! J. Schaeffer, "The history heuristic", 1983; J. Uiterwijk, "The countermove heuristic", 1992; T. Anantharaman,
//! M. Campbell, F. Hsu, "Singular extensions: adding selectivity to brute-force searching", 1990.
//!
//! # Selectivity
//!
//! A game leaves a hook or a constant at its default, and nothing of it is compiled into its search.
//!
//! | wanted | asked for by |
//! |---|---|
//! | depths in fractions of a ply | [`Heuristics::ONE_PLY`]: [`Node::depth`] and every depth of a hook are in its units |
//! | the last move, the static value, a part of the game's own for each ply | [`Heuristics::FRAMES`], [`Heuristics::Frame`], [`Search::frames`] |
//! | cuts before any move: static wins, futility, razoring, ProbCut | [`Heuristics::before_moves`], with [`Search::static_value`] and [`Search::node`] |
//! | internal iterative reduction | [`Heuristics::depth_at`] |
//! | extensions, late move reductions, moves left out | [`Heuristics::plan`] |
//! | singular extensions | [`Search::without`] in [`Heuristics::plan`] |
//! | order | [`Heuristics::candidates`], [`Heuristics::COUNTERMOVES`], [`Options::killers`], [`Options::history`] |
//! | every root move with its own score and line, for analysis | [`mod@crate::side_by_side`] |
//! | an observer of every step | [`Heuristics::observe`] |
//!
//! ```
//! use search_core::alpha_beta::NodeType;
//! use search_core::testing::{Heap, Take};
//! use search_core::{
//!     Control, Depth, Heuristics, Limits, Node, Options, Plan, Position, Score, Search, Searched, Stopwatch, Table,
//! };
//!
//! /// Heaps of four are bad to move from: an evaluation that guesses, and margins that trust it.
//! struct Guess;
//!
//! impl Heuristics for Guess {
//!     type Position = Heap;
//!     type Frame = (); // what it wants to remember of each ply
//!     const ONE_PLY: Depth = 16;
//!     const FRAMES: bool = true;
//!     const COUNTERMOVES: bool = true;
//!
//!     fn evaluate(&mut self, heap: &Heap) -> Score { Score::new(if heap.0 % 4 == 0 { -100 } else { 100 }) }
//!
//!     fn candidates(search: &mut Search<'_, Self>, _: &Node<Take>) {
//!         for take in search.position.move_list() {
//!             search.picker.add(take, take.0 as i32); // ranked; killers, history and countermoves add to it
//!         }
//!     }
//!
//!     // Reverse futility: so far above beta with so little depth left, the node fails high.
//!     fn before_moves<K: NodeType>(search: &mut Search<'_, Self>, node: &Node<Take>) -> Searched<Option<Score>> {
//!         let margin = 80 * node.depth / Self::ONE_PLY;
//!         let hopeful = !K::PV && search.static_value() - margin >= node.window.beta;
//!         Ok(hopeful.then_some(node.window.beta))
//!     }
//!
//!     // Late moves by a ply and a half less; the table's move by half a ply more where no other comes near it.
//!     fn plan<K: NodeType>(search: &mut Search<'_, Self>, node: &Node<Take>, mv: Take, nth: usize) -> Searched<Plan> {
//!         let depth = node.depth - Self::ONE_PLY;
//!         if let Some(entry) = node.entry
//!             && entry.best == Some(mv)
//!             && !K::VERIFIES
//!             && node.depth >= 6 * Self::ONE_PLY
//!         {
//!             let window = search_core::Window::below(entry.score - 50);
//!             let others = search.without(mv, node, window, node.depth / 2)?;
//!             return Ok(Plan::to(if others < window.beta { depth + Self::ONE_PLY / 2 } else { depth }));
//!         }
//!         let last = search.frames[search.ply].mv;
//!         let late = nth >= 2 && last != Some(Take(3));
//!         Ok(Plan::Search { depth, reduction: if late { Self::ONE_PLY * 3 / 2 } else { 0 } })
//!     }
//! }
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::depth(12), &clock);
//! let table = Table::with_bytes(1 << 20);
//! let report = Search::new(Guess, Heap(11), &table, &control, Options::STRONG).think(&mut |_| {});
//! assert_eq!(report.best, Some(Take(3)));
//! ```

mod countermoves;
mod deepen;
mod evaluation;
mod frame;
mod heuristics;
mod node;
mod node_type;
mod observe;
mod picker;
mod selective;
#[cfg(feature = "threads")]
mod threads;

pub use deepen::{Found, deepen};
pub use evaluation::Evaluation;
pub use frame::{Frame, Killers};
pub use heuristics::{Heuristics, MoveOf, Node, Plan, UndoOf};
pub use node_type::{NodeType, NullWindow, Pv, Root, Verification};
pub use observe::{NodeKind, Order, Origin, Step};
pub use picker::{Picker, pick};

use crate::limits::{Control, Searched};
use crate::position::Position;
use crate::report::{Line, Report};
use crate::score::{Depth, Score};
use crate::table::Table;
use countermoves::Countermoves;

/// The table entries that may replace a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableCut {
    /// None: the table only orders moves.
    Never,
    /// Those of exactly the depth asked for: the value stays that of a plain search to this depth.
    SameDepth,
    /// Those at least as deep: the value may know more than this depth does.
    AtLeast,
}

/// The options of a search. None of these changes the value that is found, but for `table_cut: AtLeast` and
/// `reductions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Later moves are first asked with an empty window whether they are better at all.
    pub scouting: bool,
    /// Half the first window around the previous iteration's score; `None`: always the full window.
    pub aspiration: Option<i32>,
    /// The table entries that cut.
    pub table_cut: TableCut,
    /// Killer heuristic: moves that refuted a sibling come early.
    pub killers: bool,
    /// History heuristic: moves that refuted nodes elsewhere come earlier.
    pub history: bool,
    /// Plies from one iteration to the next. The last iteration has the requested depth.
    pub step: Depth,
    /// Allows late move reductions, if the game asks for them ([`Heuristics::plan`], [`Heuristics::REDUCES`]).
    pub reductions: bool,
}

impl Options {
    /// Everything that keeps the value of plain negamax: `scouting`, `killers`, `history`, and entries of the same depth cut.
    pub const EXACT: Self = Self {
        scouting: true,
        aspiration: None,
        table_cut: TableCut::SameDepth,
        killers: true,
        history: true,
        step: 1,
        reductions: false,
    };
    /// For play by the clock: as [`EXACT`](Self::EXACT), but deeper entries cut too, and `reductions` are allowed.
    pub const STRONG: Self = Self { table_cut: TableCut::AtLeast, reductions: true, ..Self::EXACT };
    /// Textbook alpha-beta: none of these.
    pub const PLAIN: Self = Self {
        scouting: false,
        aspiration: None,
        table_cut: TableCut::Never,
        killers: false,
        history: false,
        step: 1,
        reductions: false,
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::EXACT
    }
}

/// The deepest iteration. The table stores depths in eight bits.
pub const MAX_DEPTH: Depth = 120;
/// The greatest distance from the root: extensions end here, and a game's own hooks should too.
pub const MAX_PLY: usize = 240;

/// A running search: the current position, the game's heuristics, and their shared state.
#[derive(Debug)]
pub struct Search<'a, E: Heuristics> {
    /// The game's heuristics.
    pub heuristics: E,
    /// The position at the current node.
    pub position: E::Position,
    /// The transposition table.
    pub table: &'a Table<MoveOf<E>>,
    /// The limits of the search, and its node counter.
    pub control: &'a Control<'a>,
    /// The move lists of the nodes on the path, and move ordering.
    pub picker: Picker<MoveOf<E>>,
    /// The distance from the root in plies.
    pub ply: usize,
    /// The frames of the path; those of deeper plies hold what earlier nodes stored.
    pub frames: Vec<Frame<MoveOf<E>, E::Frame>>,
    /// Root moves that are not searched. With any, the root's value is not stored in the table.
    pub root_excluded: Vec<MoveOf<E>>,
    /// The options of the search.
    pub options: Options,
    /// The threads that search with this one.
    #[cfg(feature = "threads")]
    team: Option<threads::Team<'a>>,
    countermoves: Countermoves,
    /// The principal variation from each ply of the path.
    lines: Vec<Line<MoveOf<E>>>,
    /// True if a relevant line ended at the depth limit and not at the end of the game.
    horizon: bool,
    /// The score of the best root move in this iteration, once it exceeds alpha.
    best_at_root: Option<Score>,
    /// The first move of the search from the root.
    begun_with: Option<MoveOf<E>>,
}

impl<'a, E: Heuristics> Search<'a, E> {
    /// Creates a search from `position`.
    pub fn new(
        heuristics: E,
        position: E::Position,
        table: &'a Table<MoveOf<E>>,
        control: &'a Control<'a>,
        options: Options,
    ) -> Self {
        Self {
            heuristics,
            position,
            table,
            control,
            picker: Picker::new(options.history),
            ply: 0,
            frames: (0..MAX_PLY + 2).map(|_| Frame::default()).collect(),
            root_excluded: Vec::new(),
            options,
            #[cfg(feature = "threads")]
            team: None,
            countermoves: Countermoves::new(E::COUNTERMOVES),
            lines: Vec::new(),
            horizon: false,
            best_at_root: None,
            begun_with: None,
        }
    }

    /// Plays `mv`, calls `then`, and takes `mv` back even if `then` was stopped. Nothing else plays or takes back moves.
    #[inline]
    pub fn after<T>(&mut self, mv: MoveOf<E>, then: impl FnOnce(&mut Self) -> T) -> T {
        let undo = self.position.play(mv);
        self.heuristics.played(mv, &undo, &self.position);
        self.ply += 1;
        if E::FRAMES
            && let Some(frame) = self.frames.get_mut(self.ply)
        {
            (frame.mv, frame.static_value) = (Some(mv), None);
        }
        let result = then(self);
        self.ply -= 1;
        self.heuristics.undone();
        self.position.undo(mv, undo);
        result
    }

    /// Records that a line ended at the depth limit and not at the end of the game. For hooks with their own search.
    #[inline]
    pub fn met_horizon(&mut self) {
        self.horizon = true;
    }

    /// Sets the principal variation from this node. For hooks with their own search.
    pub fn set_line(&mut self, moves: impl IntoIterator<Item = MoveOf<E>>) {
        if let Some(line) = self.lines.get_mut(self.ply) {
            line.clear();
            line.extend(moves);
        }
    }

    /// Returns the principal variation of the last search, as far as it is known.
    pub fn line(&self) -> &[MoveOf<E>] {
        self.lines.first().map_or(&[], |line| line)
    }

    /// Searches by iterative deepening until the control stops it, and calls `inform` after each finished iteration. Depth 1
    /// always completes. The position is unchanged afterwards.
    pub fn think(&mut self, inform: &mut dyn FnMut(&Report<MoveOf<E>>)) -> Report<MoveOf<E>> {
        self.table.new_search();
        self.deepen(inform)
    }

    fn deepen(&mut self, inform: &mut dyn FnMut(&Report<MoveOf<E>>)) -> Report<MoveOf<E>> {
        self.begin();
        if let Some(outcome) = self.position.outcome() {
            return Report { score: Score::of_outcome(outcome, 0), proven: true, ..Report::empty() };
        }
        let control = self.control;
        let Options { aspiration, step, .. } = self.options;
        let mut best = None;
        deepen(control, MAX_DEPTH, step, aspiration, inform, |depth, window| {
            self.clear_path();
            let searched = self.node::<Root>(window, depth * E::ONE_PLY);
            let line = self.lines.first().cloned().unwrap_or_default();
            match (searched, self.best_at_root) {
                (Ok(score), _) => {
                    best = line.first().copied().or(best);
                    Ok(Found { score, line, complete: true, proven: !self.horizon })
                }
                // A move that beat the previous best is better, if the previous best was searched first.
                (Err(_), Some(score)) if best.is_none() || self.begun_with == best => {
                    Ok(Found { score, line, complete: false, proven: false })
                }
                (Err(stop), _) => Err(stop),
            }
        })
    }

    /// Starts a new search: clears killers and static values, keeps the table, history and countermoves.
    fn begin(&mut self) {
        const { assert!(E::FRAMES || !E::COUNTERMOVES, "countermoves need the frames: set FRAMES") };
        for frame in &mut self.frames {
            (frame.static_value, frame.killers) = (None, Killers::NONE);
        }
        self.picker.clear();
    }

    /// Clears the state of the previous search from the root.
    fn clear_path(&mut self) {
        self.picker.clear();
        self.horizon = false;
        (self.best_at_root, self.begun_with) = (None, None);
    }

    /// Searches the position within `window` to the fixed `depth`, in units of [`Heuristics::ONE_PLY`], without iterative
    /// deepening.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop) when the control says so, once it is [armed](Control::arm).
    pub fn value(&mut self, window: crate::Window, depth: Depth) -> Searched {
        self.node::<Pv>(window, depth)
    }
}
