//! Robots: find a move for a position within limits, with a report of the search.

mod board;
mod level;
mod race;
mod robot;
mod search;

pub use board::Board;
pub use level::LEVELS;
pub use robot::{Robot, UnknownRobot};
pub use search::Exact;

use crate::evaluation::Evaluation;
use crate::rules::{Game, Move, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{
    Clock, Control, Crew, Depth, Limits, Options, Position as _, Report, Score, Search, Table, memory,
    negamax,
};
use std::time::Duration;

/// The settings of a robot. The default is the best robot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The kind of robot.
    pub robot: Robot,
    /// The evaluation function of the leaves.
    pub evaluation: Evaluation,
    /// Moves within this many hundredths of a man of the best count as equal, and one of them is drawn.
    pub margin: i32,
    /// The size of the transposition table, in bytes.
    pub table_bytes: usize,
    /// The seed of all random draws.
    pub seed: u64,
    /// The number of threads of the best robot. With more than one, node counts and the choice among equal moves vary.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            robot: Robot::Best,
            evaluation: Evaluation::default(),
            margin: 0,
            table_bytes: 64 << 20,
            seed: 0,
            threads: 1,
        }
    }
}

/// A callback for every finished iteration.
pub type Inform<'a> = &'a mut dyn FnMut(&Report<Move>);

/// A robot that keeps its table and its random generator from move to move.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    /// Allocated by the first search.
    table: Option<Table<Move>>,
    random: Xoshiro256PlusPlus,
}

impl Player {
    /// A new robot.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, table: None, random: Xoshiro256PlusPlus::seed_from_u64(settings.seed) }
    }

    /// The settings it was made with.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Finds a move; the report has none if the game is over.
    pub fn think(&mut self, position: &Position, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        self.choose(position, &[], limits, clock, &mut |_| {})
    }

    /// As [`think`](Self::think), with the game so far: avoids a third repetition of a position if another move exists.
    pub fn think_in(&mut self, game: &Game, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        self.think_aloud(game, limits, clock, &mut |_| {})
    }

    /// As [`think_in`](Self::think_in), with a callback for every finished iteration.
    pub fn think_aloud(
        &mut self,
        game: &Game,
        limits: Limits,
        clock: &dyn Clock,
        inform: Inform<'_>,
    ) -> Report<Move> {
        let mut avoided = game.third_repetitions();
        let considered = Board(*game.position()).move_list();
        if considered.iter().all(|mv| avoided.contains(mv)) {
            avoided.clear();
        }
        self.choose(game.position(), &avoided, limits, clock, inform)
    }

    fn choose(
        &mut self,
        position: &Position,
        avoided: &[Move],
        limits: Limits,
        clock: &dyn Clock,
        inform: Inform<'_>,
    ) -> Report<Move> {
        let board = Board(*position);
        let mut moves = board.move_list();
        moves.retain(|mv| !avoided.contains(mv));
        if moves.is_empty() {
            return Report { score: Score::loss_in(0), proven: true, ..Report::empty() };
        }
        match self.settings.robot {
            Robot::Random => {
                let best = moves[self.random.random_range(0..moves.len())];
                Report { best: Some(best), nodes: 1, elapsed: clock.elapsed(), ..Report::empty() }
            }
            Robot::Greedy => self.minimax(board, &moves, 1, clock),
            Robot::Minimax(depth) => self.minimax(board, &moves, depth, clock),
            Robot::AlphaBeta(depth) => {
                let limits = Limits::depth(depth);
                self.alpha_beta(board, avoided, limits, Options::EXACT, clock, inform)
            }
            Robot::Best => self.alpha_beta(board, avoided, limits, Options::STRONG, clock, inform),
            Robot::Level(level) => self.play_level(level, board, avoided, &moves, clock),
        }
    }

    /// Plain min-max, as the assignment describes it, with a random draw among the nearly best moves.
    fn minimax(&mut self, board: Board, moves: &[Move], depth: Depth, clock: &dyn Clock) -> Report<Move> {
        let control = Control::new(Limits::default(), clock);
        let evaluation = self.settings.evaluation;
        let mut evaluate = |board: &Board| evaluation.evaluate(&board.0);
        let mut scored = Vec::with_capacity(moves.len());
        for &mv in moves {
            let mut next = board;
            next.play(mv);
            let searched = negamax(&mut next, depth - 1, 1, &control, &mut evaluate);
            let Ok((score, _)) = searched else { unreachable!("nothing limits this search") };
            scored.push((-score, mv));
        }
        let (score, best) = self.draw(&scored);
        Report {
            best: Some(best),
            score,
            depth,
            nodes: control.nodes(),
            elapsed: clock.elapsed(),
            principal_variation: [best].into_iter().collect(),
            proven: score.is_decided(),
        }
    }

    /// Draws one of the moves within the margin of the best.
    fn draw(&mut self, scored: &[(Score, Move)]) -> (Score, Move) {
        let best = scored.iter().map(|&(score, _)| score).max().expect("there is a move");
        let near = best - self.settings.margin;
        let good: Vec<_> = scored
            .iter()
            .filter(|(score, _)| *score >= near && score.is_decided() == best.is_decided())
            .collect();
        *good[self.random.random_range(0..good.len())]
    }

    fn alpha_beta(
        &mut self,
        board: Board,
        avoided: &[Move],
        limits: Limits,
        options: Options,
        clock: &dyn Clock,
        inform: Inform<'_>,
    ) -> Report<Move> {
        let table = Table::grown(&mut self.table, memory::bytes_for(limits, self.settings.table_bytes));
        let crew = Crew::new(self.settings.threads);
        let control = Control::new(limits, clock);
        let evaluation = self.settings.evaluation;
        match self.settings.robot {
            Robot::AlphaBeta(_) => {
                let mut search = Search::new(Exact::new(evaluation), board, table, &control, options);
                search.root_excluded.extend_from_slice(avoided);
                search.think(inform)
            }
            _ => {
                let heuristics = || search::Strong::new(evaluation);
                let mut search = Search::new(heuristics(), board, table, &control, options);
                search.root_excluded.extend_from_slice(avoided);
                search.think_with(&crew, heuristics, inform)
            }
        }
    }
}

/// The limits of a move for a time of `millis` milliseconds.
#[must_use]
pub fn allowance(millis: u64) -> Limits {
    Limits::time(Duration::from_millis(millis))
}
