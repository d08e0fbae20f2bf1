//! The search hooks of the alpha-beta robots.
//!
//! The rules have no draw by repetition, so a position's value does not depend on the path to it, and any table entry
//! of sufficient depth may cut.

mod strong;

pub(super) use strong::Strong;

use super::Board;
use crate::evaluation::Evaluation;
use crate::rules::{Cell, Kind, Move};
use search_core::alpha_beta::{NodeType, Picker, Plan};
use search_core::{Heuristics, Node, Position, Score, Search, Searched, Visit};

/// Hooks that keep the value of plain min-max to the same depth.
#[derive(Debug, Clone)]
pub struct Exact {
    evaluation: Evaluation,
}

impl Exact {
    /// Hooks with this evaluation function.
    #[must_use]
    pub fn new(evaluation: Evaluation) -> Self {
        Self { evaluation }
    }
}

impl Heuristics for Exact {
    type Position = Board;
    type Frame = ();

    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        self.evaluation.evaluate(&board.0)
    }

    fn candidates(search: &mut Search<'_, Self>, _: &Node<Move>) {
        rank_all(&search.position, &mut search.picker);
    }

    /// Scores a win if a man can leave the board, without generating moves.
    #[inline]
    fn before_moves<K: NodeType>(search: &mut Search<'_, Self>, _: &Node<Move>) -> Searched<Option<Score>> {
        Ok(search.position.0.can_exit().then(|| Score::win_in(search.ply + 1)))
    }

    #[inline]
    fn plan<K: NodeType>(_: &mut Search<'_, Self>, node: &Node<Move>, _: Move, _: usize) -> Searched<Plan> {
        Ok(Plan::to(node.depth - 1))
    }
}

/// Adds every move with its rank: captures by the captured stack, then moves by how far they advance.
#[inline]
fn rank_all(board: &Board, picker: &mut Picker<Move>) {
    let enemy = board.0.enemy();
    let [low, high] = enemy.heights();
    board.moves(&mut Visit(|mv: Move| {
        let rank = match mv.kind() {
            Kind::Exit => Picker::<Move>::FIRST,
            Kind::Step(to) => {
                let taken = height(low, high, to);
                let forward = i32::from(to.rank()) - i32::from(mv.from().rank());
                if taken > 0 { CAPTURE * taken + 8 * i32::from(to.rank()) } else { 64 * forward }
            }
            Kind::Deploy => 0,
        };
        picker.add(mv, rank);
    }));
}

/// Ranks captures of stacks of two or more above killers.
const CAPTURE: i32 = 20_000;

#[inline]
fn height(low: u64, high: u64, cell: Cell) -> i32 {
    (low >> cell.index() & 1) as i32 + 2 * (high >> cell.index() & 1) as i32
}
