//! The heuristics of the alpha-beta robots.
//!
//! The rules know no draw by repetition, so a position's value does not depend on the path that led to it: any entry of
//! the table may cut anywhere.

mod strong;

pub(super) use strong::Strong;

use super::Board;
use crate::evaluation::Evaluation;
use crate::rules::{Cell, Kind, Move};
use search_core::alpha_beta::{NodeType, Picker, Plan};
use search_core::{Heuristics, Node, Position, Score, Search, Searched, Visit};

/// Keeps the value of a plain min-max of the same depth.
#[derive(Debug, Clone)]
pub struct Exact {
    evaluation: Evaluation,
}

impl Exact {
    /// With this evaluation function.
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

    /// A man that can leave the board does: no generation is needed to see it.
    #[inline]
    fn before_moves<K: NodeType>(search: &mut Search<'_, Self>, _: &Node<Move>) -> Searched<Option<Score>> {
        Ok(search.position.0.can_exit().then(|| Score::win_in(search.ply + 1)))
    }

    #[inline]
    fn plan<K: NodeType>(_: &mut Search<'_, Self>, node: &Node<Move>, _: Move, _: usize) -> Searched<Plan> {
        Ok(Plan::to(node.depth - 1))
    }
}

/// Adds every move with its rank: captures by what they take, then what comes forward most.
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

/// Above killers for stacks of two and more.
const CAPTURE: i32 = 20_000;

#[inline]
fn height(low: u64, high: u64, cell: Cell) -> i32 {
    (low >> cell.index() & 1) as i32 + 2 * (high >> cell.index() & 1) as i32
}
