//! Rules, evaluation and search-core joined.

use crate::evaluation::Evaluation;
use crate::rules::{Cell, State};
use search_core::{
    Clock, Control, Expert, Limits, MoveOf, Node, Options, Position, Report, Score, Search, Table,
};

/// How to play. The default is what the course gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What judges a position in which the game goes on.
    pub evaluation: Evaluation,
    /// The transposition table's memory.
    pub table_bytes: usize,
    /// Where there is chance, it starts here.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { evaluation: Evaluation::default(), table_bytes: 64 << 20, seed: 1 }
    }
}

/// A player: it keeps its table from one move to the next.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    table: Table<Cell>,
}

impl Player {
    /// A player that has seen nothing yet.
    pub fn new(settings: Settings) -> Self {
        Self { settings, table: Table::with_bytes(settings.table_bytes) }
    }

    /// The best move that the limits let it find, and why; no move where the game is over.
    pub fn think(&mut self, state: &State, limits: Limits, clock: &dyn Clock) -> Report<Cell> {
        let control = Control::new(limits, clock);
        let expert = Judge { evaluation: self.settings.evaluation };
        Search::new(expert, *state, &mut self.table, &control, Options::STRONG).think(&mut |_| {})
    }
}

/// Alpha-beta's expert: an evaluation, and moves that win a board first.
#[derive(Debug, Clone, Copy)]
pub struct Judge {
    /// The evaluation.
    pub evaluation: Evaluation,
}

impl Expert for Judge {
    type Position = State;

    #[inline]
    fn evaluate(&mut self, state: &State) -> Score {
        self.evaluation.evaluate(state)
    }

    fn candidates(search: &mut Search<'_, Self>, _: &Node<MoveOf<Self>>) {
        let state = search.position;
        let side = state.mover();
        state.moves(&mut search_core::Visit(|cell: Cell| {
            let own = state.cells(side, cell.board()) | 1 << cell.within();
            let wins_board = crate::rules::has_line(own);
            let gives_choice = state.closed() >> cell.within() & 1 == 1;
            search.picker.add(cell, 1000 * i32::from(wins_board) - 500 * i32::from(gives_choice));
        }));
    }
}
