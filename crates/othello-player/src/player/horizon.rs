//! The last two plies before the horizon, searched by code of their own because nearly all nodes are here. Leaves are
//! evaluated without being played, and the opponent's moves are generated once per leaf.
//!
//! For evaluations that ask for it, nodes of these two plies use the M & N backup. An evaluation errs, so of several
//! nearly equal moves one is better than its value says, and by then the mover will see which. The node is therefore
//! worth its best move plus a bonus for every other move within [`NearEquals::TOLERANCE`] of it. Nodes further up rest
//! on many leaves and use plain minimax. The backup defines the value at the depth limit: no cut and no move order
//! changes it.
//!
//! Source: J. Slagle, J. Dixon, "Experiments with the M & N tree-searching program", 1970.

use super::heuristics::{NearEquals, OthelloHeuristics};
use super::ordering::SQUARE_RANK;
use crate::rules::{Move, Position, Square, Squares};
use search_core::alpha_beta::{NodeType, pick};
use search_core::{Bound, Depth, Entry, Node, Score, Search, Searched, Window};

/// The largest number of plies before the horizon that is searched here.
pub(super) const PLIES: Depth = 2;
/// The penalty for each reply of the opponent, in the units of [`SQUARE_RANK`].
const REPLY_RANK: i32 = 1 << 12;
/// The largest score: all 64 discs.
const MOST: Score = Score::new(64 * Score::POINT);

type Running<'a, V, const PROBCUT: bool> = Search<'a, OthelloHeuristics<V, PROBCUT>>;

/// The score of a node, or of the move that leads to it; exact or a bound.
#[derive(Debug, Clone, Copy)]
struct SearchedScore {
    score: Score,
    /// True if the score is exact. Otherwise it is a lower bound of the node's value and an upper bound of the move's.
    exact: bool,
    /// True if the score may come from an evaluation. The M & N backup does not apply to scores of finished games.
    open: bool,
    /// The best reply.
    answer: Option<Move>,
}

/// A searched move of a node two plies before the horizon.
#[derive(Debug, Clone, Copy)]
struct Tried {
    square: Square,
    next: Position,
    known: SearchedScore,
}

/// Searches a node one or two plies before the horizon in which the mover has a move: its value, or a bound outside the
/// window.
pub(super) fn search<V: NearEquals, const PROBCUT: bool, K: NodeType>(
    search: &mut Running<'_, V, PROBCUT>,
    node: &Node<Move>,
) -> Searched {
    let position = search.position;
    if node.depth == 1 {
        let found = last_ply(search, &position, node.window.beta)?;
        if K::PV && found.score > node.window.alpha {
            search.set_line(found.answer);
        }
        return Ok(found.score);
    }
    let (score, choice) = last_two_plies(search, &position, node)?;
    let best = choice.map(|choice| Move::from(choice.square));
    if K::PV {
        search.set_line(best.into_iter().chain(choice.and_then(|choice| choice.known.answer)));
    }
    let bound = Bound::of(score, node.window);
    search.table.store(node.key, search.ply, Entry { best, score, depth: node.depth, bound });
    Ok(score)
}

/// The value two plies before the horizon, and the best move if the value is above alpha.
fn last_two_plies<V: NearEquals, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    node: &Node<Move>,
) -> Searched<(Score, Option<Tried>)> {
    let Window { alpha, beta } = node.window;
    let mut moves = ranked(position, node.entry.and_then(|entry| entry.best));
    let mut tried: smallvec::SmallVec<[Tried; 24]> = smallvec::SmallVec::new();
    let mut best = alpha;
    for nth in 0..moves.len() {
        let (square, next) = pick(&mut moves[nth..]);
        let known = try_move(search, position, &next, best)?;
        let one = Tried { square, next, known };
        if known.score >= beta {
            return Ok((known.score, Some(one)));
        }
        tried.push(one);
        best = best.max(known.score);
    }
    // Moves that failed low are upper bounds. If the backup of these bounds does not exceed alpha, the node fails low.
    // Otherwise the moves that may be close to the best are searched again for their exact scores.
    loop {
        let all = tried.iter().map(|one| one.known);
        let score = m_and_n_backup::<V>(all.clone());
        let surest = all.clone().filter(|known| known.exact).map(|known| known.score).max();
        let surest = surest.unwrap_or(-Score::INFINITY);
        let in_doubt = (0..tried.len()).filter(|&nth| !tried[nth].known.exact);
        let doubtful = in_doubt.max_by_key(|&nth| tried[nth].known.score);
        match doubtful {
            Some(nth) if score > alpha && tried[nth].known.score > surest - V::TOLERANCE => {
                let next = tried[nth].next;
                tried[nth].known = try_move(search, position, &next, surest - V::TOLERANCE)?;
            }
            _ => {
                // `rev` because `max_by_key` returns the last maximum: the first of equal moves wins.
                let known = tried.iter().rev().filter(|one| one.known.exact);
                let first = known.max_by_key(|one| one.known.score);
                return Ok((score, first.copied().filter(|_| score > alpha)));
            }
        }
    }
}

/// Searches a move: its score, exact if it is above `enough`.
#[inline]
fn try_move<V: NearEquals, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    next: &Position,
    enough: Score,
) -> Searched<SearchedScore> {
    search.control.tick()?;
    search.heuristics.evaluation.played(position, next);
    let reply = reply(search, next, -enough);
    search.heuristics.evaluation.undone();
    let reply = reply?;
    Ok(SearchedScore { score: -reply.score, ..reply })
}

/// The moves with the positions after them: `first` first, then those that leave the opponent few replies.
fn ranked(position: &Position, first: Option<Move>) -> smallvec::SmallVec<[(i32, (Square, Position)); 24]> {
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

/// The value one ply before the horizon, also if the mover must pass; a lower bound if it is `beta` or more.
#[inline]
fn reply<V: NearEquals, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    beta: Score,
) -> Searched<SearchedScore> {
    if position.legal() != 0 {
        return last_ply(search, position, beta);
    }
    if position.opponent_legal() == 0 {
        return Ok(SearchedScore { score: end(position), exact: true, open: false, answer: None });
    }
    search.control.tick()?;
    search.met_horizon();
    let score = -search.heuristics.evaluation.evaluate_next(position, &position.after(Move::PASS), 0);
    Ok(SearchedScore { score, exact: true, open: true, answer: Some(Move::PASS) })
}

/// The value one ply before the horizon if the mover has a move; a lower bound if it is `beta` or more.
#[inline]
fn last_ply<V: NearEquals, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    beta: Score,
) -> Searched<SearchedScore> {
    let mut leaves: smallvec::SmallVec<[SearchedScore; 24]> = smallvec::SmallVec::new();
    let (mut best, mut choice) = (-Score::INFINITY, None);
    let mut left = position.legal();
    let latest = search.heuristics.refutation;
    while left != 0 {
        // The latest refutation first, then squares by their static value.
        let classes = [latest, CORNERS, MIDDLE, !BESIDE_CORNERS];
        let class = classes.into_iter().find(|class| class & left != 0).unwrap_or(left);
        for square in Squares(class & left) {
            search.control.tick()?;
            let (next, theirs) = position.after_with_both(square);
            let open = next.legal() | theirs != 0;
            let score = if open {
                search.met_horizon();
                -search.heuristics.evaluation.evaluate_next(position, &next, theirs)
            } else {
                -end(&next)
            };
            if score > best {
                (best, choice) = (score, Some(Move::from(square)));
                if best >= beta {
                    search.heuristics.refutation = square.bit();
                    return Ok(SearchedScore { score: best, exact: false, open: true, answer: choice });
                }
            }
            leaves.push(SearchedScore { score, exact: true, open, answer: None });
        }
        left &= !class;
    }
    let open = leaves.iter().any(|leaf| leaf.open);
    Ok(SearchedScore {
        score: m_and_n_backup::<V>(leaves.iter().copied()),
        exact: true,
        open,
        answer: choice,
    })
}

/// The M & N backup of a node's moves: the best score, plus a bonus for each other evaluated move within the tolerance.
/// The bonus shrinks with the distance from the best.
#[inline]
fn m_and_n_backup<V: NearEquals>(moves: impl Iterator<Item = SearchedScore> + Clone) -> Score {
    /// The contribution of the best move.
    const ONE: i32 = 256;
    let (mut best, mut best_open) = (-Score::INFINITY, -Score::INFINITY);
    for known in moves.clone() {
        best = best.max(known.score);
        if known.open {
            best_open = best_open.max(known.score);
        }
    }
    if V::TOLERANCE == 0 || best_open == -Score::INFINITY {
        return best;
    }
    let mut near = 0;
    for known in moves.filter(|known| known.open) {
        let within = (known.score.value() - best_open.value() + V::TOLERANCE).max(0);
        near += within * within * ONE / (V::TOLERANCE * V::TOLERANCE);
    }
    best.max((best_open + V::BONUS * (near - ONE) / (near + ONE)).min(MOST))
}

#[inline]
fn end(position: &Position) -> Score {
    Score::new(i32::from(position.margin()) * Score::POINT)
}

const CORNERS: u64 = 0x8100_0000_0000_0081;
const BESIDE_CORNERS: u64 = 0x42c3_0000_0000_c342;
/// The centre: no edges, and no squares next to an edge.
const MIDDLE: u64 = 0x0000_3c3c_3c3c_0000;
