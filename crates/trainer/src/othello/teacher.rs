//! Target values: exact near the end, else from a search with the weights of later stages.

use othello_player::endgame::{Goal, Solver};
use othello_player::evaluation::patterns::{Pairs, STAGES, StateEntry, TABLE_LEN, Weights, pack};
use othello_player::evaluation::{Evaluate, Mobility, Patterns};
use othello_player::player::{NearEquals, OPTIONS, OthelloHeuristics};
use othello_player::rules::{Move, Position};
use search_core::{Control, Depth, Limits, Options, Report, Score, Search, Stopwatch, Table};
use std::cell::RefCell;

/// First-order weights of every pattern state in discs, by stage.
pub type Tables = [Vec<f32>; STAGES];

/// The contents of a weights file, in discs.
#[derive(Debug, Clone)]
pub struct Fitted {
    /// The first-order weights.
    pub tables: Tables,
    /// The second-order weights.
    pub pairs: Pairs,
}

impl Default for Fitted {
    /// All weights zero.
    fn default() -> Self {
        Self { tables: std::array::from_fn(|_| vec![0.0; TABLE_LEN]), pairs: Pairs::none() }
    }
}

impl Fitted {
    /// Returns a weights file, compressed at this zstd level.
    #[must_use]
    pub fn pack(&self, level: i32) -> Vec<u8> {
        let compress =
            |block: &[u8]| zstd::bulk::compress(block, level).expect("memory takes what is written to it");
        pack(&self.tables, &self.pairs, compress)
    }

    /// Converts loaded weights to discs.
    pub fn of(weights: &Weights) -> Self {
        let discs = |place: &StateEntry| place.worth() as f32 / 128.0;
        let table = |stage| weights.stage(stage).iter().map(discs).collect();
        Self { tables: std::array::from_fn(table), pairs: weights.pairs().clone() }
    }
}

/// Computes the target values of positions by search.
#[derive(Debug)]
pub struct Teacher {
    /// The weights used by the search.
    weights: &'static Weights,
    /// The stage to be taught.
    pub stage: usize,
    /// The search depth: deep enough for the leaves to lie in later stages.
    depth: Depth,
    /// Maximum number of empty squares at which positions are solved exactly.
    exact: u32,
    /// True if the teacher searches as the player does, false for the evaluation as fitted.
    plays: bool,
    /// True if ProbCut is used.
    probcut: bool,
}

/// The evaluation as fitted, without the player's output scale and without M & N backup, because a fit to scaled values
/// would be scaled again.
#[derive(Debug)]
struct AsFitted(Patterns);

impl Evaluate for AsFitted {
    fn new(position: &Position) -> Self {
        Self(Patterns::new(position))
    }

    fn played(&mut self, before: &Position, now: &Position) {
        self.0.played(before, now);
    }

    fn undone(&mut self) {
        self.0.undone();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        self.0.fitted(position)
    }

    fn evaluate_next(&mut self, before: &Position, now: &Position, opponent_legal: u64) -> Score {
        self.0.fitted_next(before, now, opponent_legal)
    }
}

impl NearEquals for AsFitted {}

thread_local! {
    static SOLVED: RefCell<Table<Move>> = RefCell::new(Table::with_bytes(2 << 20));
    static SEARCHED: RefCell<(usize, Table<Move>)> = RefCell::new((0, Table::with_bytes(1 << 16)));
}

impl Teacher {
    /// Creates a teacher for `stage` that searches `depth` plies with the weights fitted so far, and solves exactly
    /// with at most `exact` empty squares.
    #[must_use]
    pub fn new(fitted: &Fitted, stage: usize, depth: Depth, exact: u32) -> Self {
        // Leaked, because built-in weights have a static lifetime too.
        let weights = Weights::open(fitted.pack(1).leak()).expect("they were packed just now");
        Self { weights: Box::leak(Box::new(weights)), stage, depth, exact, plays: false, probcut: false }
    }

    /// Switches ProbCut on or off.
    #[must_use]
    pub fn with_probcut(self, probcut: bool) -> Self {
        Self { probcut, ..self }
    }

    /// Creates a teacher that searches as the player with these weights does.
    #[must_use]
    pub fn player(fitted: &Fitted) -> Self {
        Self { plays: true, ..Self::new(fitted, 0, 0, 0) }
    }

    /// Returns the value of a position for its mover, in discs.
    #[must_use]
    pub fn worth(&self, position: &Position) -> f32 {
        if position.empties() <= self.exact {
            return in_discs(solved(position));
        }
        self.search(position, self.depth)
    }

    /// Returns the value of a search of this depth, in discs.
    #[must_use]
    pub fn search(&self, position: &Position, depth: Depth) -> f32 {
        if depth > 0 {
            return in_discs(self.think(position, depth).score);
        }
        let mut patterns = Patterns::on(self.weights, position);
        in_discs(if self.plays { patterns.evaluate(position) } else { patterns.fitted(position) })
    }

    /// Returns the best move of a search of this depth, at least one ply.
    #[must_use]
    pub fn choice(&self, position: &Position, depth: Depth) -> Move {
        self.think(position, depth).best.unwrap_or(Move::PASS)
    }

    /// Returns the value of a position, in discs, and the best move, or `None` if the position is solved.
    #[must_use]
    pub fn worth_and_choice(&self, position: &Position) -> (f32, Option<Move>) {
        if position.empties() <= self.exact {
            return (in_discs(solved(position)), None);
        }
        let report = self.think(position, self.depth);
        (in_discs(report.score), report.best)
    }

    fn think(&self, position: &Position, depth: Depth) -> Report<Move> {
        let patterns = Patterns::on(self.weights, position);
        match (self.plays, self.probcut) {
            (true, false) => self.think_with::<_, false>(patterns, position, depth),
            (true, true) => self.think_with::<_, true>(patterns, position, depth),
            (false, false) => self.think_with::<_, false>(AsFitted(patterns), position, depth),
            (false, true) => self.think_with::<_, true>(AsFitted(patterns), position, depth),
        }
    }

    fn think_with<V: NearEquals, const PROBCUT: bool>(
        &self,
        evaluation: V,
        position: &Position,
        depth: Depth,
    ) -> Report<Move> {
        SEARCHED.with_borrow_mut(|(stage, table)| {
            // The table's values are those of another stage's weights.
            if *stage != self.stage {
                table.clear();
                *stage = self.stage;
            }
            let clock = Stopwatch::start();
            let control = Control::new(Limits::depth(depth), &clock);
            let options = Options { step: 2, ..OPTIONS };
            let heuristics = OthelloHeuristics::<V, PROBCUT>::with(evaluation);
            Search::new(heuristics, *position, table, &control, options).think(&mut |_| {})
        })
    }
}

fn in_discs(score: Score) -> f32 {
    score.value() as f32 / Score::POINT as f32
}

fn solved(position: &Position) -> Score {
    SOLVED.with_borrow_mut(|table| {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        table.new_search();
        // The evaluation only orders the solver's moves, and does not change its result.
        let mut solver = Solver::<Mobility>::new(position, table, &control);
        solver.solve(position, Goal::Score, None).expect("nothing stops it").score
    })
}
