//! The last two plies before the horizon, off the principal variation: nearly all nodes are here, so they are visited by
//! hand. Leaves are evaluated without being played, and what a move leaves to the opponent is found once.

use super::{OthelloExpert, SQUARE_RANK};
use crate::evaluation::Evaluate;
use crate::rules::{Move, Position, Square, Squares};
use search_core::alpha_beta::pick;
use search_core::{Bound, Depth, Entry, Node, Score, Search, Searched};

/// Nodes with more plies left are not searched here.
pub(super) const PLIES: Depth = 2;
/// What one reply more for the opponent costs in rank, beside [`SQUARE_RANK`].
const REPLY_RANK: i32 = 1 << 12;

type Running<'a, V, const PROBCUT: bool> = Search<'a, OthelloExpert<V, PROBCUT>>;
type Moves = smallvec::SmallVec<[(i32, (Square, Position)); 24]>;

/// The value of a node with one or two plies left in which a disc can be put, or a bound of it outside its null window.
pub(super) fn search<V: Evaluate, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    node: &Node<Move>,
) -> Searched {
    let position = search.position;
    let alpha = node.window.alpha;
    if node.depth == 1 {
        return last_ply(search, &position, alpha);
    }
    let mut moves = ranked(&position, node.entry.and_then(|entry| entry.best));
    let (mut best, mut choice) = (-Score::INFINITY, None);
    for nth in 0..moves.len() {
        let (square, next) = pick(&mut moves[nth..]);
        search.control.tick()?;
        search.expert.evaluation.played(&position, &next);
        let score = reply(search, &next, -alpha - 1);
        search.expert.evaluation.undone();
        best = best.max(-score?);
        if best > alpha {
            choice = Some(Move::from(square));
            break;
        }
    }
    let bound = Bound::of(best, node.window);
    search.table.store(node.key, search.ply, Entry { best: choice, score: best, depth: node.depth, bound });
    Ok(best)
}

/// The moves and where they lead: first `first`, then those that leave few replies.
fn ranked(position: &Position, first: Option<Move>) -> Moves {
    let rank = |square: Square, next: &Position| {
        if first == Some(square.into()) {
            return i32::MAX;
        }
        SQUARE_RANK[usize::from(square.index())] - REPLY_RANK * next.legal().count_ones() as i32
    };
    let children = Squares(position.legal()).map(|square| {
        let next = position.after(square.into());
        (rank(square, &next), (square, next))
    });
    children.collect()
}

/// The value with one ply left, whether a disc can be put or not.
#[inline]
fn reply<V: Evaluate, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    alpha: Score,
) -> Searched {
    if position.legal() != 0 {
        return last_ply(search, position, alpha);
    }
    if position.opponent_legal() == 0 {
        return Ok(end(position));
    }
    search.control.tick()?;
    search.met_horizon();
    Ok(-search.expert.evaluation.evaluate_next(position, &position.after(Move::PASS), 0))
}

/// The value with one ply left and a disc to put.
#[inline]
fn last_ply<V: Evaluate, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    alpha: Score,
) -> Searched {
    let mut best = -Score::INFINITY;
    let mut left = position.legal();
    let latest = search.expert.refutation;
    while left != 0 {
        // What refuted another node lately, then squares in the order of what they are worth for their own sake.
        let classes = [latest, CORNERS, MIDDLE, !BESIDE_CORNERS];
        let class = classes.into_iter().find(|class| class & left != 0).unwrap_or(left);
        for square in Squares(class & left) {
            search.control.tick()?;
            let (next, theirs) = position.after_with_both(square);
            let score = if next.legal() | theirs == 0 {
                end(&next)
            } else {
                search.met_horizon();
                search.expert.evaluation.evaluate_next(position, &next, theirs)
            };
            best = best.max(-score);
            if best > alpha {
                search.expert.refutation = square.bit();
                return Ok(best);
            }
        }
        left &= !class;
    }
    Ok(best)
}

#[inline]
fn end(position: &Position) -> Score {
    Score::new(i32::from(position.margin()) * Score::POINT)
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
const BESIDE_CORNERS: u64 = 0x42c3_0000_0000_c342;
/// The rest but the edges and the squares beside the middle of the edges.
const MIDDLE: u64 = 0x0000_3c3c_3c3c_0000;
