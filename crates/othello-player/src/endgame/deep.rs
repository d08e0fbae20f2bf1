//! The solver far from the end, where a good move order is worth a short search with the evaluation.
//!
//! Source: J. Schaeffer, A. Plaat, "New advances in alpha-beta searching", 1996 (enhanced transposition cutoff).

use super::near::{Child, pick, rank};
use super::{Discs, INFINITY, PUT_OFF, Solver, best_of, odd_regions, selective, settled, stability_cut};
use crate::evaluation::Evaluate;
use crate::rules::{Move, Position, Square, Squares};
use search_core::{Bound, MoveCode, Score, Searched, memory};

/// The smallest number of empty squares of this layer.
pub(super) const FROM: u32 = 13;
/// The depth of the search that orders moves, from a number of empty squares on.
const ORDERING_DEPTHS: [(u32, i32); 4] = [(24, 3), (20, 2), (18, 1), (FROM, 0)];
/// If the evaluation is this many discs below the bound, no move is likely to reach it, and ordering is skipped.
const HOPELESS: i32 = 12;

pub(super) type Moves = smallvec::SmallVec<[Child<Position>; 24]>;

impl<V: Evaluate> Solver<'_, V> {
    /// Tests whether the value is greater than `alpha`, with at least [`FROM`] empty squares.
    pub(super) fn deep(&mut self, position: &Position, empties: u32, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        if position.legal() == 0 {
            let next = position.after(Move::PASS);
            if next.legal() == 0 {
                return Ok(position.margin().into());
            }
            self.evaluation.played(position, &next);
            let score = -self.deep(&next, empties, -alpha - 1)?;
            self.evaluation.undone();
            return Ok(score);
        }
        if let Some(score) = stability_cut(position.own(), position.opponent(), alpha) {
            return Ok(score);
        }
        let key = position.hash_of();
        let known = self.table.probe(key, 0);
        if let Some(score) = known.and_then(|entry| settled(&entry, alpha, self.selectivity)) {
            return Ok(score);
        }
        if self.selectivity > 0
            && empties >= selective::FROM
            && let Some(score) = self.probcut(position, empties, alpha)?
        {
            return Ok(score);
        }
        // Enhanced transposition cut-off: looks for a child in the table that settles the node.
        let discs = Discs { own: position.own(), opponent: position.opponent() };
        let fetched = Squares(position.legal()).map(|square| {
            let key = discs.after(square.index(), position.flips(square.index())).key();
            memory::fetch(self.table.line(key));
            (square, key)
        });
        let fetched: smallvec::SmallVec<[(Square, u64); 24]> = fetched.collect();
        for (square, key_of_child) in fetched {
            let known = self.table.probe(key_of_child, 0);
            if let Some(score) = known.and_then(|entry| settled(&entry, -alpha - 1, self.selectivity))
                && -score > alpha
            {
                self.keep(key, empties, -score, Bound::Lower, Some(square.into()));
                return Ok(-score);
            }
        }
        let (mut best, mut choice) = (-INFINITY, None);
        // The move of the table nearly always cuts, so the others are ranked only after it.
        let first = known.as_ref().and_then(best_of);
        if let Some(first) = first {
            let next = position.after(first);
            self.evaluation.played(position, &next);
            best = -self.null_window(&next, -alpha - 1)?;
            self.evaluation.undone();
            choice = Some(first);
        }
        if best <= alpha {
            let mut moves = Moves::new();
            self.rank_children(position, empties, first, alpha, &mut moves);
            let mut nth = 0;
            while nth < moves.len() {
                let child = pick(&mut moves, nth);
                let turn = self.turn(key, empties, Move::from_code(child.square.into()));
                if (nth > 0 || first.is_some()) && self.puts_off(turn, &mut moves[nth]) {
                    continue;
                }
                // Another thread may have finished this node while its move was put off.
                if child.rank == PUT_OFF
                    && let Some(score) =
                        self.table.probe(key, 0).and_then(|entry| settled(&entry, alpha, self.selectivity))
                {
                    return Ok(score);
                }
                nth += 1;
                self.evaluation.played(position, &child.position);
                let score = -self.in_turn(turn, |solver| solver.null_window(&child.position, -alpha - 1))?;
                self.evaluation.undone();
                if score > best {
                    best = score;
                    choice = Some(Move::from_code(child.square.into()));
                    if best > alpha {
                        break;
                    }
                }
            }
        }
        let bound = if best > alpha { Bound::Lower } else { Bound::Upper };
        self.keep(key, empties, best, bound, choice);
        Ok(best)
    }

    /// Adds the moves except `known`, ranked by the opponent's replies; also by a short search if one of them may be
    /// worth more than `alpha`.
    pub(super) fn rank_children(
        &mut self,
        position: &Position,
        empties: u32,
        known: Option<Move>,
        alpha: i32,
        moves: &mut Moves,
    ) {
        let mut look = ORDERING_DEPTHS.iter().find(|&&(from, _)| empties >= from).map(|&(_, look)| look);
        if look == Some(0) && self.evaluation.evaluate(position).value() < (alpha - HOPELESS) * Score::POINT {
            look = None;
        }
        let odd = odd_regions(position.empty());
        for square in Squares(position.legal()) {
            if known == Some(square.into()) {
                continue;
            }
            let next = position.after(square.into());
            let discs = Discs { own: next.own(), opponent: next.opponent() };
            let mut order = rank(discs, next.legal(), square.bit(), odd);
            if let Some(look) = look {
                self.evaluation.played(position, &next);
                order += match look {
                    0 if next.legal() != 0 => self.evaluation.estimate(&next).value(),
                    _ => self.short(&next, look, -Score::INFINITY, Score::INFINITY).value(),
                };
                self.evaluation.undone();
            }
            moves.push(Child { rank: order, square: square.index(), position: next });
        }
    }

    /// A short search with the evaluation, in a window.
    fn short(&mut self, position: &Position, depth: i32, alpha: Score, beta: Score) -> Score {
        if position.legal() == 0 {
            let next = position.after(Move::PASS);
            if next.legal() == 0 {
                return Score::new(i32::from(position.margin()) * Score::POINT);
            }
            self.evaluation.played(position, &next);
            let score = -self.short(&next, depth, -beta, -alpha);
            self.evaluation.undone();
            return score;
        }
        if depth <= 0 {
            return self.evaluation.evaluate(position);
        }
        let mut best = -Score::INFINITY;
        for square in Squares(position.legal()) {
            let next = position.after(square.into());
            self.evaluation.played(position, &next);
            let score = -self.short(&next, depth - 1, -beta, -alpha.max(best));
            self.evaluation.undone();
            best = best.max(score);
            if best >= beta {
                break;
            }
        }
        best
    }
}
