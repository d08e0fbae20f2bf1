//! Selective passes: ProbCut at every node, by short searches with the evaluation.
//!
//! Before the proof, the solver searches to the end of the game and cuts wherever a short search is far enough above or
//! below the window. Wrong cuts are rare, the tree is small, and its table entries give a good first move nearly
//! everywhere. The proof then makes no such cuts.
//!
//! Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995; the static check
//! before the two searches: R. Delorme, Edax.

use super::near::{Child, pick};
use super::{Solver, odd_regions};
use crate::evaluation::Evaluate;
use crate::rules::{Move, Position, Squares};
use search_core::{Bound, Entry, MoveCode, Score, Searched};

/// The margin of a cut by selectivity level, in tenths of the short search's standard error. Level 1 is the first
/// entry; level 0 is the proof.
const MARGIN: [i32; 3] = [24, 16, 8];

/// The selectivity levels of the passes before the proof, most selective first.
pub(super) fn passes(empties: u32) -> impl Iterator<Item = u8> {
    let count = match empties {
        ..14 => 0,
        14..21 => 1,
        21..24 => 2,
        _ => 3,
    };
    (0..count).map(|nth| (MARGIN.len() - nth) as u8)
}

/// The smallest number of empty squares at which a short search costs less than a search to the end.
pub(super) const FROM: u32 = 13;

/// The depth of the short search in plies: about a quarter of the distance to the end, with the same parity. A fifth, a
/// third and three eighths took more nodes.
const fn depth_of(empties: u32) -> i32 {
    (2 * (empties / 8) + (empties & 1)) as i32
}

/// The standard deviation, in points, between a search of this depth and the result of the game.
fn error(empties: u32, depth: i32) -> i32 {
    // A rough fit is enough, since nothing is proven by it: at 24 empty squares it gives 6.4 discs where 98 tournament
    // positions gave 6.1 for six plies.
    Score::POINT * (40 + 2 * empties as i32 - 4 * depth) / 10
}

/// The smallest depth in plies at which short searches use their table.
const TABLE_FROM: i32 = 3;

type Moves = smallvec::SmallVec<[Child<Position>; 24]>;

impl<V: Evaluate> Solver<'_, V> {
    /// ProbCut, in selective passes only: returns `alpha` or `alpha + 1` if a short search says that the value is most
    /// likely at or beyond that bound.
    pub(super) fn probcut(&mut self, position: &Position, empties: u32, alpha: i32) -> Searched<Option<i32>> {
        let depth = depth_of(empties);
        let caution = MARGIN[usize::from(self.selectivity - 1)];
        let margin = caution * error(empties, depth) / 10;
        // The margin by which the static evaluation must exceed the bound before a short search is tried.
        let hint = margin / 2;
        let at_once = self.evaluation.evaluate(position).value();
        let (low, high) = (alpha * Score::POINT - margin, (alpha + 1) * Score::POINT + margin);
        if at_once >= high - margin - hint
            && high < 64 * Score::POINT
            && self.shallow_search(position, depth, high - 1)? >= high
        {
            return Ok(Some(alpha + 1));
        }
        if at_once <= low + margin + hint
            && low > -64 * Score::POINT
            && self.shallow_search(position, depth, low)? <= low
        {
            return Ok(Some(alpha));
        }
        Ok(None)
    }

    /// Tests whether a search of `depth` plies gives more than `alpha` points. A score above it is a lower bound, any
    /// other an upper bound.
    fn shallow_search(&mut self, position: &Position, depth: i32, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        if position.legal() == 0 {
            let next = position.after(Move::PASS);
            if next.legal() == 0 {
                return Ok(i32::from(position.margin()) * Score::POINT);
            }
            self.evaluation.played(position, &next);
            let score = -self.shallow_search(&next, depth, -alpha - 1)?;
            self.evaluation.undone();
            return Ok(score);
        }
        if depth <= 0 {
            return Ok(self.evaluation.evaluate(position).value());
        }
        let key = position.hash_of();
        let known = if depth >= TABLE_FROM { self.shallow.probe(key, 0) } else { None };
        if let Some(entry) = known
            && entry.depth >= depth
        {
            let score = entry.score.value();
            match entry.bound {
                Bound::Lower if score <= alpha => {}
                Bound::Upper if score > alpha => {}
                _ => return Ok(score),
            }
        }
        let mut moves = self.promising(position, depth, known.and_then(|entry| entry.best));
        let (mut best, mut choice) = (-64 * Score::POINT - 1, None);
        for nth in 0..moves.len() {
            let child = pick(&mut moves, nth);
            self.evaluation.played(position, &child.position);
            let score = -self.shallow_search(&child.position, depth - 1, -alpha - 1)?;
            self.evaluation.undone();
            if score > best {
                best = score;
                choice = Some(Move::from_code(child.square.into()));
                if best > alpha {
                    break;
                }
            }
        }
        if depth >= TABLE_FROM {
            let bound = if best > alpha { Bound::Lower } else { Bound::Upper };
            self.shallow.store(key, 0, Entry { best: choice, score: Score::new(best), depth, bound });
        }
        Ok(best)
    }

    /// The moves, ranked by the opponent's replies; by the evaluation too if more than two plies are left.
    fn promising(&mut self, position: &Position, depth: i32, first: Option<Move>) -> Moves {
        let odd = odd_regions(position.empty());
        let mut moves = Moves::new();
        for square in Squares(position.legal()) {
            let next = position.after(square.into());
            let rank = if first == Some(square.into()) {
                i32::MIN
            } else if depth > 2 {
                self.evaluation.played(position, &next);
                let score = self.evaluation.evaluate(&next).value();
                self.evaluation.undone();
                4 * score + 512 * next.legal().count_ones() as i32
            } else if depth == 2 {
                next.legal().count_ones() as i32 - i32::from(square.bit() & odd != 0)
            } else {
                0
            };
            moves.push(Child { rank, square: square.index(), position: next });
        }
        moves
    }
}
