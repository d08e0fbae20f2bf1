//! The steps of a proof search, for an observer.

use super::Goal;

/// A step of the search at a node, told to [`Estimate::observe`](super::Estimate::observe).
///
/// A node begins with `Entered` and ends with `Left`, unless the search is stopped in it. Between them the children are
/// `Compared` before each move that the search follows, and before it leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a, M> {
    /// The search enters a node.
    Entered {
        /// The goal of the node's side to move.
        goal: Goal,
        /// The proof and disproof numbers at which the search leaves the node.
        limits: [u32; 2],
    },
    /// The children, each with its move and its proof and disproof numbers for the opponent.
    Compared {
        /// The children in the order of their moves.
        children: &'a [(M, [u32; 2])],
        /// The node's numbers, from those of the children.
        numbers: [u32; 2],
        /// The index of the easiest child.
        best: usize,
    },
    /// The search leaves a node.
    Left {
        /// The node's proof and disproof numbers. A proof number of 0 proves the goal, a disproof number of 0 disproves
        /// it.
        numbers: [u32; 2],
    },
}

/// The number of a goal that cannot be reached, or not be denied.
pub const INFINITE: u32 = super::Numbers::INFINITE;
