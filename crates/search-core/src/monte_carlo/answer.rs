//! The answer of a tree: its best move, value and line.

use super::node::{Node, Place, Proof};
use super::{CERTAIN, Configuration};
use crate::position::MoveCode;
use crate::report::{Line, Report};
use crate::score::{Depth, Score};
use smallvec::SmallVec;
use std::time::Duration;

/// The report of a tree after some `visits`. Other threads may go on with it.
pub(super) fn report<M: MoveCode>(
    nodes: &[Place],
    configuration: &Configuration,
    visits: u64,
    elapsed: Duration,
) -> Report<M> {
    let best_line = configuration.best_line;
    let mut line = Line::new();
    let mut here = nodes[0].load();
    while here.is_expanded() {
        here = final_move(nodes, &here, best_line);
        line.push(M::from_code(here.word));
    }
    let root = nodes[0].load();
    // The root stores values for the player who does not move.
    let score = match root.proof {
        Some(proof) => -proof.score(),
        None => {
            let child = final_move(nodes, &root, best_line);
            Score::new((child.value(best_line) * CERTAIN as f32) as i32)
        }
    };
    Report {
        best: line.first().copied(),
        score,
        depth: line.len() as Depth,
        nodes: visits,
        elapsed,
        principal_variation: line,
        proven: root.proof.is_some(),
    }
}

/// Selects the child to play: the soonest proven win, otherwise the child with the most visits. A proven draw is
/// preferred to that child if it looks lost. Proven losses come last, the latest first.
fn final_move(nodes: &[Place], parent: &Node, best_line: f32) -> Node {
    let children: SmallVec<[Node; 32]> = nodes[parent.children()].iter().map(Place::load).collect();
    let rank = |child: &Node| match child.proof.map(Proof::score) {
        Some(score) if score.is_win() => (2, score, 0),
        Some(score) if score.is_loss() => (0, score, 0),
        Some(draw) => (1, draw, 0),
        None => (1, Score::DRAW, child.visits),
    };
    // The first of equals, so that the answer is well defined. A parent has children.
    let best = (0..children.len()).rev().max_by_key(|&nth| rank(&children[nth])).unwrap_or(0);
    let draw = children.iter().position(|child| child.proof.is_some_and(Proof::is_draw));
    let looks_lost = |child: &Node| child.proof.is_none() && child.value(best_line) < 0.0;
    children[draw.filter(|_| looks_lost(&children[best])).unwrap_or(best)]
}
