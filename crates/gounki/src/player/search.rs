//! The heuristics of the alpha-beta robots.
//!
//! The rules know no draw by repetition, so a position's value does not depend on the path that led to it: any entry of
//! the table may cut anywhere. One thing does depend on the game so far: the moves that a robot leaves out at the root
//! because they would bring a position about for the third time. Where some are left out, the root's value is no
//! longer that of its position, and nothing may be read from the table for it.

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
    root: Root,
}

impl Exact {
    /// For a search from `board`, at which the moves `avoided` are not played.
    #[must_use]
    pub fn new(evaluation: Evaluation, board: &Board, avoided: &[Move]) -> Self {
        Self { evaluation, root: Root::new(board, avoided) }
    }
}

/// The moves excluded at the root, and the root's key where there are any.
#[derive(Debug, Clone)]
struct Root {
    avoided: Vec<Move>,
    key: Option<u64>,
}

impl Root {
    fn new(board: &Board, avoided: &[Move]) -> Self {
        Self { avoided: avoided.to_vec(), key: (!avoided.is_empty()).then(|| board.key()) }
    }

    fn trusts(&self, key: u64) -> bool {
        self.key != Some(key)
    }

    #[inline]
    fn leaves_out<K: NodeType>(&self, mv: Move) -> bool {
        K::ROOT && self.avoided.contains(&mv)
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

    fn trusts_table(search: &Search<'_, Self>, node: &Node<Move>) -> bool {
        search.heuristics.root.trusts(node.key)
    }

    /// A man that can leave the board does: no generation is needed to see it.
    #[inline]
    fn before_moves<K: NodeType>(search: &mut Search<'_, Self>, _: &Node<Move>) -> Searched<Option<Score>> {
        Ok(search.position.0.can_exit().then(|| Score::win_in(search.ply + 1)))
    }

    #[inline]
    fn plan<K: NodeType>(
        search: &mut Search<'_, Self>,
        node: &Node<Move>,
        mv: Move,
        _: usize,
    ) -> Searched<Plan> {
        let left_out = search.heuristics.root.leaves_out::<K>(mv);
        Ok(if left_out { Plan::Skip } else { Plan::to(node.depth - 1) })
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
