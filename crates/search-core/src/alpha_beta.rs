//! Alpha-beta: iterative deepening, principal variation search, aspiration windows, transposition table, ordering by
//! table move, killers, history and the game's own rank, and the hooks through which a game adds what it knows.
//!
//! A game implements [`Expert`]; [`Search::think`] does the rest. Every part is public: a hook may search in turn, and
//! a private recursion (an endgame solver, a threat solver) can stand on the same [`Table`], [`Control`] and [`deepen`].
//!
//! Source: D. Knuth, R. Moore, "An analysis of alpha-beta pruning", 1975; T. Marsland, M. Campbell, "Parallel search of
//! strongly ordered game trees", 1982; A. Reinefeld, "An improvement to the Scout tree-search algorithm", 1983.

mod deepen;
mod expert;
mod kind;
mod node;
mod picker;

pub use deepen::{Found, deepen};
pub use expert::{Expert, MoveOf, Node, UndoOf};
pub use kind::{Kind, Pv, Root, Scout};
pub use picker::{Picker, pick};

use crate::limits::{Control, Searched};
use crate::position::Position;
use crate::report::{Line, Report};
use crate::score::{Depth, Score};
use crate::table::Table;

/// Which entries of the table may replace a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableCut {
    /// None: the table only orders moves.
    Never,
    /// Those of exactly the depth asked for: the value stays that of a plain search to this depth.
    SameDepth,
    /// Those at least as deep: the value may know more than this depth does.
    AtLeast,
}

/// How to search. None of these changes the value that is found, but for `table_cut: AtLeast` and `reductions`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Later moves are first asked with an empty window whether they are better at all.
    pub scouting: bool,
    /// Half the first window around the previous iteration's score; `None`: always the full window.
    pub aspiration: Option<i32>,
    /// Which table entries cut.
    pub table_cut: TableCut,
    /// Moves that cut a sibling come early.
    pub killers: bool,
    /// Moves that cut anywhere come earlier.
    pub history: bool,
    /// Plies from one iteration to the next; the last is as deep as is asked for.
    pub step: Depth,
    /// Late moves are searched less deeply first (see [`Expert::depth_for`]).
    pub reductions: bool,
}

impl Options {
    /// All that keeps the value of a plain search.
    pub const EXACT: Self = Self {
        scouting: true,
        aspiration: None,
        table_cut: TableCut::SameDepth,
        killers: true,
        history: true,
        step: 1,
        reductions: false,
    };
    /// For play by the clock.
    pub const STRONG: Self = Self { table_cut: TableCut::AtLeast, reductions: true, ..Self::EXACT };
    /// Alpha-beta as a textbook has it.
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

/// The deepest iteration; the table keeps depths in eight bits.
pub const MAX_DEPTH: Depth = 120;
/// Extensions end here.
pub(crate) const MAX_PLY: usize = 240;

/// A running search: the position on the board, the game's expert, and what they share.
#[derive(Debug)]
pub struct Search<'a, E: Expert> {
    /// The game's own knowledge.
    pub expert: E,
    /// The position at this node.
    pub position: E::Position,
    /// The transposition table.
    pub table: &'a mut Table<MoveOf<E>>,
    /// The limits.
    pub control: &'a Control<'a>,
    /// The moves of the nodes on the path, and what ranks them.
    pub picker: Picker<MoveOf<E>>,
    /// Distance from the root.
    pub ply: usize,
    /// How to search.
    pub options: Options,
    /// The best line from each ply on the path.
    lines: Vec<Line<MoveOf<E>>>,
    /// Whether some line that matters ended at the depth limit rather than at the end of the game.
    horizon: bool,
    /// The best move of the root in this iteration, once it is better than alpha.
    best_at_root: Option<Score>,
}

impl<'a, E: Expert> Search<'a, E> {
    /// A search from `position`.
    pub fn new(
        expert: E,
        position: E::Position,
        table: &'a mut Table<MoveOf<E>>,
        control: &'a Control<'a>,
        options: Options,
    ) -> Self {
        Self {
            expert,
            position,
            table,
            control,
            picker: Picker::new(options.killers, options.history),
            ply: 0,
            options,
            lines: Vec::new(),
            horizon: false,
            best_at_root: None,
        }
    }

    /// Plays `mv`, lets `then` search, and takes `mv` back, whether or not `then` was stopped: the only play and undo.
    #[inline]
    pub fn after<T>(&mut self, mv: MoveOf<E>, then: impl FnOnce(&mut Self) -> T) -> T {
        let undo = self.position.play(mv);
        self.expert.played(mv, &undo, &self.position);
        self.ply += 1;
        let result = then(self);
        self.ply -= 1;
        self.expert.undone();
        self.position.undo(mv, undo);
        result
    }

    /// Notes that a line ended at the depth limit rather than at the end of the game: for hooks that search in their own way.
    #[inline]
    pub fn met_horizon(&mut self) {
        self.horizon = true;
    }

    /// The best line from this node, on the principal variation: for hooks that search in their own way.
    pub fn set_line(&mut self, moves: impl IntoIterator<Item = MoveOf<E>>) {
        if let Some(line) = self.lines.get_mut(self.ply) {
            line.clear();
            line.extend(moves);
        }
    }

    /// The best line of the last search, as far as it is known.
    pub fn line(&self) -> &[MoveOf<E>] {
        self.lines.first().map_or(&[], |line| line)
    }

    /// Searches deeper and deeper until a limit of the control, and tells `inform` of each finished iteration. The
    /// position is afterwards as it was; depth 1 always completes.
    pub fn think(&mut self, inform: &mut dyn FnMut(&Report<MoveOf<E>>)) -> Report<MoveOf<E>> {
        self.table.new_search();
        self.picker.new_search();
        if let Some(outcome) = self.position.outcome() {
            return Report { score: Score::of_outcome(outcome, 0), proven: true, ..Report::empty() };
        }
        let control = self.control;
        let Options { aspiration, step, .. } = self.options;
        deepen(control, MAX_DEPTH, step, aspiration, inform, |depth, window| {
            self.picker.clear();
            self.horizon = false;
            self.best_at_root = None;
            let searched = self.node::<Root>(window, depth);
            let line = self.lines.first().cloned().unwrap_or_default();
            match (searched, self.best_at_root) {
                (Ok(score), _) => Ok(Found { score, line, complete: true, proven: !self.horizon }),
                // The first move searched was the last iteration's best: what beat alpha since is better.
                (Err(_), Some(score)) => Ok(Found { score, line, complete: false, proven: false }),
                (Err(stop), None) => Err(stop),
            }
        })
    }

    /// The position's value within `window`, `depth` plies deep: one fixed search, no deepening.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop) when the control says so.
    pub fn value(&mut self, window: crate::Window, depth: Depth) -> Searched {
        self.node::<Pv>(window, depth)
    }
}
