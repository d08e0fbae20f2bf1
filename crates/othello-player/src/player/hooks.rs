//! Othello's hooks for the search: evaluation, move order, the last two plies, ProbCut.

use super::heuristics::{NearEquals, OthelloHeuristics};
use super::{horizon, ordering, probcut};
use crate::rules::{Move, Position, Squares};
use search_core::alpha_beta::NodeType;
use search_core::{Depth, Heuristics, Node, Score, Search, Searched};

impl<V: NearEquals, const PROBCUT: bool> Heuristics for OthelloHeuristics<V, PROBCUT> {
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
    fn evaluate(&mut self, position: &Position) -> Score {
        self.evaluation.evaluate(position)
    }

    #[inline]
    fn before_moves<K: NodeType>(
        search: &mut Search<'_, Self>,
        node: &Node<Move>,
    ) -> Searched<Option<Score>> {
        if node.depth <= horizon::PLIES && search.position.legal() != 0 {
            return horizon::search::<V, PROBCUT, K>(search, node).map(Some);
        }
        if PROBCUT { probcut::probcut::<V, PROBCUT, K>(search, node) } else { Ok(None) }
    }

    #[inline]
    fn candidates(search: &mut Search<'_, Self>, node: &Node<Move>) {
        let position = search.position;
        if position.legal() == 0 {
            // The search has checked for the end of the game, so this is a pass.
            search.picker.add(Move::PASS, 0);
        }
        for square in Squares(position.legal()) {
            let order = ordering::rank(&mut search.heuristics.evaluation, &position, square, node.depth);
            search.picker.add(square.into(), order);
        }
    }
}
