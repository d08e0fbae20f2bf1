//! The last two plies before the horizon: nearly all nodes are here, so they are visited by hand. Leaves are evaluated
//! without being played, and what a move leaves to the opponent is found once.
//!
//! An evaluation errs, so of several moves that it finds nearly equal one is better than it says, and whoever is to
//! choose will see by then which. A node of these two plies is therefore worth its best move and something more for
//! every other within [`NearEquals::TOLERANCE`] of it, for evaluations that ask for it. Further up a value stands on
//! many leaves, and the best move alone counts. This is part of what a position is worth at the depth limit: no cut and
//! no order of moves changes it.
//!
//! Source: J. Slagle, J. Dixon, "Experiments with the M & N tree-searching program", 1970.

use super::heuristics::OthelloHeuristics;
use super::ordering::SQUARE_RANK;
use crate::evaluation::{Discs, Evaluate, Mobility, Patterns, Positional};
use crate::rules::{Move, Position, Square, Squares};
use search_core::alpha_beta::{NodeType, pick};
use search_core::{Bound, Depth, Entry, Node, Score, Search, Searched, Window};

/// The M & N backup of an evaluation function; by default near equals do not count.
pub trait NearEquals: Evaluate {
    /// The tolerance: so far below a node's best move another still adds to the node's value; 0: the best move alone
    /// counts.
    const TOLERANCE: i32 = 0;
    /// The bonus for near equals: a third of this where two moves are equally good, half where three are.
    const BONUS: i32 = 0;
}

impl NearEquals for Discs {}
impl NearEquals for Positional {}
impl NearEquals for Mobility {}
impl NearEquals for Patterns {
    const TOLERANCE: i32 = 5 * Score::POINT;
    const BONUS: i32 = 5 * Score::POINT / 2;
}

/// Nodes with more plies left are not searched here.
pub(super) const PLIES: Depth = 2;
/// The cost in rank of one reply more for the opponent, beside [`SQUARE_RANK`].
const REPLY_RANK: i32 = 1 << 12;
/// Nobody has more than all 64 discs.
const MOST: Score = Score::new(64 * Score::POINT);

type Running<'a, V, const PROBCUT: bool> = Search<'a, OthelloHeuristics<V, PROBCUT>>;

/// A node's value, or that of a move that leads to it, as far as it is known.
#[derive(Debug, Clone, Copy)]
struct Known {
    score: Score,
    /// True if the score is the value. Else the node's value may be higher, and the move's lower.
    exact: bool,
    /// True if an evaluation is behind it, or may be: what the end of the game says, no choice can mend.
    open: bool,
    /// The best answer.
    answer: Option<Move>,
}

/// A move of a node with two plies left.
#[derive(Debug, Clone, Copy)]
struct Tried {
    square: Square,
    next: Position,
    known: Known,
}

/// The value of a node with one or two plies left in which a disc can be put, or a bound of it outside its window.
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

/// The value with two plies left, and where it is more than alpha, the best move.
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
    // Moves that failed low are worth no more than was found: if even so a choice of them is not better than alpha, that is
    // all there is to know. Else those that may be near the best must be known.
    loop {
        let all = tried.iter().map(|one| one.known);
        let score = with_choice::<V>(all.clone());
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
                // The first among equals.
                let known = tried.iter().rev().filter(|one| one.known.exact);
                let first = known.max_by_key(|one| one.known.score);
                return Ok((score, first.copied().filter(|_| score > alpha)));
            }
        }
    }
}

/// The value of a move that leads to `next`, as far as it is more than `enough`.
#[inline]
fn try_move<V: NearEquals, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    next: &Position,
    enough: Score,
) -> Searched<Known> {
    search.control.tick()?;
    search.heuristics.evaluation.played(position, next);
    let reply = reply(search, next, -enough);
    search.heuristics.evaluation.undone();
    let reply = reply?;
    Ok(Known { score: -reply.score, ..reply })
}

/// The moves and where they lead: first `first`, then those that leave few replies.
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

/// The value with one ply left, whether a disc can be put or not; not exact where it is `beta` or more.
#[inline]
fn reply<V: NearEquals, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    beta: Score,
) -> Searched<Known> {
    if position.legal() != 0 {
        return last_ply(search, position, beta);
    }
    if position.opponent_legal() == 0 {
        return Ok(Known { score: end(position), exact: true, open: false, answer: None });
    }
    search.control.tick()?;
    search.met_horizon();
    let score = -search.heuristics.evaluation.evaluate_next(position, &position.after(Move::PASS), 0);
    Ok(Known { score, exact: true, open: true, answer: Some(Move::PASS) })
}

/// The value with one ply left and a disc to put; not exact where it is `beta` or more.
#[inline]
fn last_ply<V: NearEquals, const PROBCUT: bool>(
    search: &mut Running<'_, V, PROBCUT>,
    position: &Position,
    beta: Score,
) -> Searched<Known> {
    let mut leaves: smallvec::SmallVec<[Known; 24]> = smallvec::SmallVec::new();
    let (mut best, mut choice) = (-Score::INFINITY, None);
    let mut left = position.legal();
    let latest = search.heuristics.refutation;
    while left != 0 {
        // What refuted another node lately, then squares in the order of what they are worth for their own sake.
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
                    return Ok(Known { score: best, exact: false, open: true, answer: choice });
                }
            }
            leaves.push(Known { score, exact: true, open, answer: None });
        }
        left &= !class;
    }
    let open = leaves.iter().any(|leaf| leaf.open);
    Ok(Known { score: with_choice::<V>(leaves.iter().copied()), exact: true, open, answer: choice })
}

/// The value of a node by its moves' values (M & N backup): the best one, and where evaluations are behind them, more
/// for each other within reach of it, the less the worse it is.
#[inline]
fn with_choice<V: NearEquals>(moves: impl Iterator<Item = Known> + Clone) -> Score {
    /// The count of the best move itself.
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
/// The rest but the edges and the squares beside the middle of the edges.
const MIDDLE: u64 = 0x0000_3c3c_3c3c_0000;
