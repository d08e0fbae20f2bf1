//! What a position is worth: exactly near the end, by a search on later stages' weights before.

use othello_player::endgame::{Goal, Solver};
use othello_player::evaluation::Mobility;
use othello_player::evaluation::patterns::{Features, STAGES, mobility_index, stage_of};
use othello_player::rules::{Move, Position, Squares};
use search_core::{Control, Limits, Position as _, Score, Stopwatch, Table};
use std::cell::RefCell;

/// The worth of every pattern state in discs, for each stage.
pub type Tables = [Vec<f32>; STAGES];

/// Teaches one stage.
#[derive(Debug)]
pub struct Teacher<'a> {
    /// The weights of the stages that are fitted already.
    pub tables: &'a Tables,
    /// The stage that is to be taught.
    pub stage: usize,
    /// How deep to search: deep enough to leave the stage.
    pub depth: u32,
    /// Positions with at most so many empty squares are solved.
    pub exact: u32,
}

/// More than any difference of discs.
const INFINITY: f32 = 99.0;
/// Half the first window of a search, in discs.
const HALF_WINDOW: f32 = 6.0;

thread_local! {
    static TABLE: RefCell<Table<Move>> = RefCell::new(Table::with_bytes(2 << 20));
}

impl Teacher<'_> {
    /// The worth of a position to its mover, in discs.
    pub fn worth(&self, position: &Position) -> f32 {
        if position.empties() <= self.exact {
            return solved(position);
        }
        // A position that a random move carried into the next stage needs one ply less to be out of this one.
        let beyond = stage_of(position.empties()) > self.stage;
        self.search(position, self.depth - u32::from(beyond && self.depth > 0))
    }

    /// The worth of a position by a search of this depth on the tables, in discs.
    pub fn search(&self, position: &Position, depth: u32) -> f32 {
        let features = Features::of(position.own(), position.opponent());
        // The value is seldom far from what the evaluation says at once.
        let guess = self.evaluate(position, &features);
        let (mut alpha, mut beta) = (guess - HALF_WINDOW, guess + HALF_WINDOW);
        loop {
            let value = self.negamax(position, &features, depth, alpha, beta);
            if value <= alpha && alpha > -INFINITY {
                (alpha, beta) = (-INFINITY, value + f32::EPSILON * INFINITY);
            } else if value >= beta && beta < INFINITY {
                (alpha, beta) = (value - f32::EPSILON * INFINITY, INFINITY);
            } else {
                return value;
            }
        }
    }

    fn evaluate(&self, position: &Position, features: &Features) -> f32 {
        let table = &self.tables[stage_of(position.empties())];
        let mobility = mobility_index(position.legal().count_ones(), position.opponent_legal().count_ones());
        let patterns: f32 = features.indices().map(|index| table[index]).sum();
        (patterns + table[mobility]).clamp(-64.0, 64.0)
    }

    fn negamax(
        &self,
        position: &Position,
        features: &Features,
        depth: u32,
        mut alpha: f32,
        beta: f32,
    ) -> f32 {
        if position.legal() == 0 {
            if position.outcome().is_some() {
                return position.margin().into();
            }
            return -self.negamax(&position.after(Move::PASS), &features.after_pass(), depth, -beta, -alpha);
        }
        if depth == 0 {
            return self.evaluate(position, features);
        }
        let mut children: Vec<_> = Squares(position.legal())
            .map(|square| {
                let child = position.after(square.into());
                let features = features.after(square.index(), position.flips(square.index()));
                // In 1/16 disc; shallow nodes are ordered by the replies they leave.
                let rank = if depth >= 3 {
                    (16.0 * self.evaluate(&child, &features)) as i32
                } else {
                    child.legal().count_ones() as i32
                };
                (rank, child, features)
            })
            .collect();
        children.sort_by_key(|&(rank, ..)| rank);
        let mut best = -INFINITY;
        for (_, child, features) in &children {
            best = best.max(-self.negamax(child, features, depth - 1, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

fn solved(position: &Position) -> f32 {
    TABLE.with(|table| {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let mut table = table.borrow_mut();
        table.new_search();
        // Which evaluation orders the solver's moves makes no difference to what it finds.
        let mut solver = Solver::<Mobility>::new(position, &mut table, &control);
        let report = solver.solve(position, Goal::Score, None).expect("nothing stops it");
        report.score.value() as f32 / Score::POINT as f32
    })
}
