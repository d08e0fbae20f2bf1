//! Joins rules, evaluation and search: a position and limits in, a move and the reasons for it out.

mod horizon;
mod probcut;

use crate::endgame::{Goal, Solver};
use crate::evaluation::{Evaluate, Evaluation, WithEvaluate};
use crate::memory;
use crate::rules::{Move, Position, Square, Squares};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::alpha_beta::Kind;
use search_core::{
    Clock, Control, Depth, Expert, Limits, Node, Options, Position as _, Report, Score, Search, Searched,
    Table, TableCut, Window,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What a player is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What a position is worth at the depth limit.
    pub evaluation: Evaluation,
    /// Memory for the transposition table; taken from the system as it is used.
    pub table_bytes: usize,
    /// Which table entries cut. At the same depth only, a search never knows more than its depth allows.
    pub table_cut: TableCut,
    /// Whether shallow searches cut deep ones: stronger by the clock, and no longer the value of a plain search. `None`: where
    /// there is a clock, and no depth that would have to be strict.
    pub probcut: Option<bool>,
    /// With so many empty squares or fewer the game is solved to its end, whatever the depth; 0: never.
    pub solve_from: u32,
    /// So many plies from the start are played at random: games that differ.
    pub random_plies: u32,
    /// The seed of those.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            evaluation: Evaluation::default(),
            table_bytes: 64 << 20,
            table_cut: TableCut::SameDepth,
            probcut: None,
            solve_from: 0,
            random_plies: 0,
            seed: 0,
        }
    }
}

/// How to search: moves that were good elsewhere say less than mobility and the evaluation.
pub const OPTIONS: Options = Options { killers: false, history: false, ..Options::EXACT };

/// The depth that the course's menu begins with.
pub const DEFAULT_DEPTH: Depth = 5;

/// Plays: keeps its table from move to move.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    table: Option<Table<Move>>,
    random: Xoshiro256PlusPlus,
}

/// Told of every finished iteration.
pub type Inform<'a> = &'a mut dyn FnMut(&Report<Move>);

impl Player {
    /// A player; its table is taken when it first thinks.
    pub fn new(settings: Settings) -> Self {
        Self { settings, table: None, random: Xoshiro256PlusPlus::seed_from_u64(settings.seed) }
    }

    /// What it is made of.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Forgets the game it played. The table's memory stays, for fresh memory is paid for page by page.
    pub fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.forget();
        }
    }

    /// A move, and why. With a depth limit it looks so many plies ahead, passes counted, and never further.
    pub fn think(&mut self, position: &Position, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        self.think_until(position, limits, clock, None, &mut |_| {})
    }

    /// As [`think`](Self::think), telling of every iteration, until `stop` is set.
    pub fn think_until(
        &mut self,
        position: &Position,
        limits: Limits,
        clock: &dyn Clock,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        if 60_u32.saturating_sub(position.empties()) < self.settings.random_plies {
            return self.random_move(position);
        }
        self.search(position, limits, clock, stop, inform)
    }

    fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        clock: &dyn Clock,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        let mut control = Control::new(limits, clock);
        if let Some(flag) = stop {
            control = control.with_stop_flag(flag);
        }
        if position.empties() <= self.settings.solve_from && position.outcome().is_none() {
            return self.finish(position, &control, inform);
        }
        let bytes = self.table_bytes_for(limits);
        let table = table_of(&mut self.table, bytes);
        // To a given depth, only depths of its own parity are searched: the evaluation sways with whose move is last, and
        // so does the order of moves. By the clock an answer is wanted of every depth.
        let by_depth = limits.depth.is_some() && limits.nodes.is_none() && limits.hard.is_none();
        let step = if by_depth { 2 } else { 1 };
        let options = Options { table_cut: self.settings.table_cut, step, ..OPTIONS };
        let by_clock = limits.depth.is_none() && limits.hard.is_some();
        let probcut = self.settings.probcut.unwrap_or(by_clock);
        let task = Task { position: *position, table, control: &control, options, probcut, inform };
        self.settings.evaluation.dispatch(task)
    }

    /// Memory for a search: what a shallow one can fill is enough, and stays in the processor's caches.
    fn table_bytes_for(&self, limits: Limits) -> usize {
        const AT_DEPTH_ZERO: usize = 1 << 12;
        let depth = limits.depth.unwrap_or(Depth::MAX).clamp(0, 16);
        self.settings.table_bytes.min(AT_DEPTH_ZERO << depth)
    }

    /// The exact end of the game; where a limit comes first, what a short search says.
    fn finish(&mut self, position: &Position, control: &Control<'_>, inform: Inform<'_>) -> Report<Move> {
        let bytes = self.settings.table_bytes;
        let table = table_of(&mut self.table, bytes);
        let options = Options { table_cut: TableCut::AtLeast, ..OPTIONS };
        let limits = Limits { depth: Some(FALLBACK_DEPTH), ..control.limits() };
        let clock = ControlClock(control);
        let short = Control::new(limits, &clock);
        let probcut = false;
        let task =
            Task { position: *position, table, control: &short, options, probcut, inform: &mut *inform };
        let report = self.settings.evaluation.dispatch(task);
        control.arm();
        let Ok(solved) = self.solve(position, Goal::Score, control) else { return report };
        let solved = Report { nodes: solved.nodes + report.nodes, ..solved };
        inform(&solved);
        solved
    }

    /// The exact value of the end of the game, the table as it is.
    ///
    /// # Errors
    /// [`Stop`](search_core::Stop) when a limit is reached first.
    pub fn solve(
        &mut self,
        position: &Position,
        goal: Goal,
        control: &Control<'_>,
    ) -> Searched<Report<Move>> {
        let bytes = self.settings.table_bytes;
        let table = table_of(&mut self.table, bytes);
        self.settings.evaluation.dispatch(Solve { position, goal, table, control })
    }

    /// Every move with its own score and line, best first. Limits of time are shared out evenly.
    pub fn rank_moves(
        &mut self,
        position: &Position,
        limits: Limits,
        clock: &dyn Clock,
        stop: Option<&AtomicBool>,
    ) -> Vec<Report<Move>> {
        let moves = position.move_list();
        let mut ranked = Vec::with_capacity(moves.len());
        for (nth, &mv) in moves.iter().enumerate() {
            let next = position.after(mv);
            let until = |limit: Duration| limit * (nth as u32 + 1) / moves.len() as u32;
            let limits = Limits {
                depth: limits.depth.map(|depth| depth - 1),
                soft: limits.soft.map(until),
                hard: limits.hard.map(until),
                ..limits
            };
            let mut report = match limits.depth {
                Some(0) if next.outcome().is_none() => {
                    Report { score: self.settings.evaluation.evaluate(&next), nodes: 1, ..Report::empty() }
                }
                // A root is not worth more for a choice: it is there to make it. What it leads to is.
                Some(depth) if depth <= horizon::PLIES && next.outcome().is_none() => {
                    self.value(&next, depth, limits, clock)
                }
                _ => self.search(&next, limits, clock, stop, &mut |_| {}),
            };
            report.score = -report.score;
            report.depth += 1;
            report.best = Some(mv);
            report.principal_variation.insert(0, mv);
            ranked.push(report);
        }
        ranked.sort_by_key(|report| std::cmp::Reverse(report.score));
        ranked
    }

    /// What a search says of a position that it comes to with so many plies left.
    fn value(
        &mut self,
        position: &Position,
        depth: Depth,
        limits: Limits,
        clock: &dyn Clock,
    ) -> Report<Move> {
        // So few plies end at once.
        let control = Control::new(Limits::default(), clock);
        let bytes = self.table_bytes_for(limits);
        let table = table_of(&mut self.table, bytes);
        self.settings.evaluation.dispatch(Value { position, depth, table, control: &control })
    }

    fn random_move(&mut self, position: &Position) -> Report<Move> {
        let moves = position.move_list();
        let best = (!moves.is_empty()).then(|| moves[self.random.random_range(0..moves.len())]);
        Report { best, ..Report::empty() }
    }
}

/// The table, at least of this size.
fn table_of(table: &mut Option<Table<Move>>, bytes: usize) -> &mut Table<Move> {
    // Tables come in powers of two.
    let bytes = 1 << bytes.max(1).ilog2();
    let table = table.get_or_insert_with(|| memory::table(bytes));
    if table.bytes() < bytes {
        *table = memory::table(bytes);
    }
    table
}

/// One search, before the evaluation's type is known.
struct Task<'a> {
    position: Position,
    table: &'a mut Table<Move>,
    control: &'a Control<'a>,
    options: Options,
    probcut: bool,
    inform: Inform<'a>,
}

impl WithEvaluate for Task<'_> {
    type Output = Report<Move>;

    fn with<V: Evaluate>(self) -> Report<Move> {
        if self.probcut { self.think::<V, true>() } else { self.think::<V, false>() }
    }
}

impl Task<'_> {
    fn think<V: Evaluate, const PROBCUT: bool>(self) -> Report<Move> {
        let expert = OthelloExpert::<V, PROBCUT>::new(&self.position);
        Search::new(expert, self.position, self.table, self.control, self.options).think(self.inform)
    }
}

/// The value of one position, before the evaluation's type is known.
struct Value<'a> {
    position: &'a Position,
    depth: Depth,
    table: &'a mut Table<Move>,
    control: &'a Control<'a>,
}

impl WithEvaluate for Value<'_> {
    type Output = Report<Move>;

    fn with<V: Evaluate>(self) -> Report<Move> {
        let Self { position, depth, table, control } = self;
        let expert = OthelloExpert::<V>::new(position);
        let mut search = Search::new(expert, *position, table, control, OPTIONS);
        let Ok(score) = search.value(Window::FULL, depth) else { return Report::empty() };
        let principal_variation = search.line().into();
        Report { score, depth, nodes: control.nodes(), principal_variation, ..Report::empty() }
    }
}

/// How deep the search looks whose move stands in where no solution comes in time.
const FALLBACK_DEPTH: Depth = 6;

/// The clock behind a control, for a second control of the same move.
struct ControlClock<'a>(&'a Control<'a>);

impl Clock for ControlClock<'_> {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// One solution, before the evaluation's type is known.
struct Solve<'a> {
    position: &'a Position,
    goal: Goal,
    table: &'a mut Table<Move>,
    control: &'a Control<'a>,
}

/// With fewer empty squares a guess costs more than it saves.
const GUESS_FROM: u32 = 14;
/// The search for a guess looks so many plies less far than the end, and no further than the second number.
const GUESS_SHORT_OF_END: Depth = 10;
const GUESS_DEEPEST: Depth = 10;

impl WithEvaluate for Solve<'_> {
    type Output = Searched<Report<Move>>;

    fn with<V: Evaluate>(self) -> Searched<Report<Move>> {
        let Self { position, goal, table, control } = self;
        table.new_search();
        let mut guess = None;
        if position.empties() >= GUESS_FROM && position.outcome().is_none() {
            let options = Options { table_cut: TableCut::AtLeast, ..OPTIONS };
            let expert = OthelloExpert::<V>::new(position);
            let mut search = Search::new(expert, *position, table, control, options);
            let deepest = (position.empties() as Depth - GUESS_SHORT_OF_END).clamp(1, GUESS_DEEPEST);
            for depth in 1..=deepest {
                guess = Some(search.value(Window::FULL, depth)?.value() / Score::POINT);
            }
        }
        Solver::<V>::new(position, table, control).solve(position, goal, guess)
    }
}

/// What the search is told of Othello: an evaluation, the order of moves, and with `PROBCUT` where a shallow search is
/// enough.
#[derive(Debug)]
pub struct OthelloExpert<V, const PROBCUT: bool = false> {
    evaluation: V,
    /// How many of the searches under way only ask for a cut.
    nested: u8,
    /// The square that refuted a node before the horizon last, as a set.
    refutation: u64,
}

impl<V: Evaluate, const PROBCUT: bool> OthelloExpert<V, PROBCUT> {
    /// For searches from this position.
    pub fn new(position: &Position) -> Self {
        Self::with(V::new(position))
    }

    /// With an evaluation that is ready for searches from a position.
    pub fn with(evaluation: V) -> Self {
        Self { evaluation, nested: 0, refutation: 0 }
    }
}

/// What a square is worth trying for its own sake: corners first, their neighbours last.
const SQUARE_RANK: [i32; 64] = square_ranks();
/// From this many plies on, moves are ranked by what they leave to the opponent.
const MOBILITY_FROM: Depth = 3;

impl<V: Evaluate, const PROBCUT: bool> Expert for OthelloExpert<V, PROBCUT> {
    type Position = Position;
    type Frame = ();
    const TABLE_FROM: Depth = 2;

    #[inline]
    fn played(&mut self, _: Move, before: &Position, now: &Position) {
        self.evaluation.played(before, now);
    }

    #[inline]
    fn undone(&mut self) {
        self.evaluation.undone();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> search_core::Score {
        self.evaluation.evaluate(position)
    }

    #[inline]
    fn before_moves<K: Kind>(search: &mut Search<'_, Self>, node: &Node<Move>) -> Searched<Option<Score>> {
        if node.depth <= horizon::PLIES && search.position.legal() != 0 {
            return horizon::search::<V, PROBCUT, K>(search, node).map(Some);
        }
        if PROBCUT { probcut::probably::<V, PROBCUT, K>(search, node) } else { Ok(None) }
    }

    #[inline]
    fn candidates(search: &mut Search<'_, Self>, node: &Node<Move>) {
        let position = search.position;
        if position.legal() == 0 {
            // The search asked for the outcome before: the game goes on.
            search.picker.add(Move::PASS, 0);
        }
        for square in Squares(position.legal()) {
            let order = rank(&mut search.expert.evaluation, &position, square, node.depth);
            search.picker.add(square.into(), order);
        }
    }
}

/// How early a legal move is tried in a node with so many plies left: the higher, the earlier.
#[inline]
pub fn rank<V: Evaluate>(evaluation: &mut V, position: &Position, square: Square, depth: Depth) -> i32 {
    let rank = SQUARE_RANK[usize::from(square.index())];
    if depth < MOBILITY_FROM {
        return rank;
    }
    if depth < EVALUATE_FROM {
        return rank - MOBILITY_RANK * position.after(square.into()).legal().count_ones() as i32;
    }
    let (next, theirs) = position.after_with_both(square);
    let worth = evaluation.evaluate_next(position, &next, theirs).value();
    rank - MOBILITY_RANK * next.legal().count_ones() as i32 - EVALUATION_RANK * worth
}

/// From this many plies on, moves are ranked by what the evaluation says of them, too.
const EVALUATE_FROM: Depth = 4;
/// What a point of the evaluation is worth in rank: a disc as much as a move more or less.
const EVALUATION_RANK: i32 = 25;
/// What one move more for the opponent costs in rank.
const MOBILITY_RANK: i32 = 1 << 12;

const fn square_ranks() -> [i32; 64] {
    /// A quarter of the board, a1 to d4, in eighths of a reply. Fitted to nodes: see EXPERIMENTS.md.
    const QUARTER: [[i32; 4]; 4] = [[8, -1, 5, 2], [-1, -13, 8, 8], [5, 8, 8, 8], [2, 8, 8, 8]];
    let mut ranks = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8, square / 8);
        let column = if column < 4 { column } else { 7 - column };
        let row = if row < 4 { row } else { 7 - row };
        ranks[square] = QUARTER[row][column] * MOBILITY_RANK / 8;
        square += 1;
    }
    ranks
}
