use super::order;
use crate::evaluation::Evaluation;
use crate::rules::State;
use search_core::{Heuristics, MoveOf, Node, Position, Score, Search, Visit};

/// Alpha-beta's heuristics: the evaluation function and the move order.
#[derive(Debug, Clone, Copy)]
pub struct UtttHeuristics {
    /// The evaluation function at the leaves.
    pub evaluation: Evaluation,
}

impl Heuristics for UtttHeuristics {
    type Position = State;
    type Frame = ();
    const REDUCES: bool = true;

    #[inline]
    fn evaluate(&mut self, state: &State) -> Score {
        self.evaluation.evaluate(state)
    }

    fn candidates(search: &mut Search<'_, Self>, _: &Node<MoveOf<Self>>) {
        let state = search.position;
        state.moves(&mut Visit(|cell| search.picker.add(cell, order::rank(&state, cell))));
    }
}
