//! The short way to a search: an engine owns its table, its limits and its options, and answers one position after
//! another by alpha-beta.
//!
//! ```
//! use search_core::testing::{Heap, Take};
//! use search_core::{Engine, Limits, Score};
//!
//! let mut engine = Engine::evaluating(|_: &Heap| Score::DRAW).within(Limits::depth(12));
//! let report = engine.think(&Heap(11));
//! assert_eq!(report.best, Some(Take(3)));
//! assert!(report.score.is_win() && report.proven);
//! ```
//!
//! A game with hooks of its own writes [`Heuristics`] and gives [`Engine::new`] the function that makes one for a
//! position; a program that needs a stop flag, a clock of its own or the running search puts the parts together itself,
//! as [`Engine::think_aloud`] does.

use crate::alpha_beta::{Heuristics, MoveOf, Options, Search};
use crate::limits::{Control, Limits, Stopwatch};
use crate::position::Position;
use crate::report::Report;
use crate::score::Score;
use crate::table::Table;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

/// An alpha-beta player. Defaults: a second a move, a table of 16 MiB, [`Options::EXACT`].
pub struct Engine<E: Heuristics> {
    heuristics: MakeHeuristics<E>,
    table: Table<MoveOf<E>>,
    limits: Limits,
    options: Options,
}

/// A function that creates the heuristics for a root position.
type MakeHeuristics<E> = Box<dyn Fn(&<E as Heuristics>::Position) -> E + Send>;

/// The default table size in bytes.
const TABLE_BYTES: usize = 16 << 20;
/// The default time for a move.
const ALLOWANCE: Duration = Duration::from_secs(1);

impl<P, F> Engine<Evaluation<P, F>>
where
    P: Position,
    F: Fn(&P) -> Score + Clone + Send + 'static,
{
    /// Creates an engine with an evaluation function alone.
    pub fn evaluating(evaluate: F) -> Self {
        Self::new(move |_| Evaluation { evaluate: evaluate.clone(), game: PhantomData })
    }
}

impl<E: Heuristics> Engine<E> {
    /// Creates an engine with a game's own heuristics, created for each root position by `heuristics`.
    pub fn new(heuristics: impl Fn(&E::Position) -> E + Send + 'static) -> Self {
        Self {
            heuristics: Box::new(heuristics),
            table: Table::with_bytes(TABLE_BYTES),
            limits: Limits::time(ALLOWANCE),
            options: Options::default(),
        }
    }

    /// Sets the limits of every search.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Replaces the table by an empty one of at most `bytes`.
    #[must_use]
    pub fn table_bytes(mut self, bytes: usize) -> Self {
        self.table = Table::with_bytes(bytes);
        self
    }

    /// Sets the search options.
    #[must_use]
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Searches `position` and returns the report. The table is kept for the next position.
    pub fn think(&mut self, position: &E::Position) -> Report<MoveOf<E>> {
        self.think_aloud(position, &mut |_| {})
    }

    /// Like [`think`](Self::think), and calls `inform` after each finished iteration.
    pub fn think_aloud(
        &mut self,
        position: &E::Position,
        inform: &mut dyn FnMut(&Report<MoveOf<E>>),
    ) -> Report<MoveOf<E>> {
        self.search(position, |search| search.think(inform))
    }

    /// Returns the `count` best moves, best first, each with its score and line.
    pub fn best_lines(&mut self, position: &E::Position, count: usize) -> Vec<Report<MoveOf<E>>> {
        self.search(position, |search| search.best_lines(count, &mut |_| {}))
    }

    /// Empties the table, for a new game.
    pub fn forget(&mut self) {
        self.table.forget();
    }

    fn search<T>(&mut self, position: &E::Position, then: impl FnOnce(&mut Search<'_, E>) -> T) -> T {
        let clock = Stopwatch::start();
        let control = Control::new(self.limits, &clock);
        let heuristics = (self.heuristics)(position);
        then(&mut Search::new(heuristics, position.clone(), &mut self.table, &control, self.options))
    }
}

impl<E: Heuristics> fmt::Debug for Engine<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limits, options, .. } = self;
        f.debug_struct("Engine").field("limits", limits).field("options", options).finish_non_exhaustive()
    }
}

/// The heuristics of a game with an evaluation function alone.
#[derive(Debug, Clone)]
pub struct Evaluation<P, F> {
    evaluate: F,
    game: PhantomData<fn(&P)>,
}

impl<P: Position, F: Fn(&P) -> Score> Heuristics for Evaluation<P, F> {
    type Position = P;
    type Frame = ();

    fn evaluate(&mut self, position: &P) -> Score {
        (self.evaluate)(position)
    }
}
