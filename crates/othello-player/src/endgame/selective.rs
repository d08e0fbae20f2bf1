//! Selective passes: ProbCut at every node, by short searches with the evaluation.
//!
//! Before the solver proves anything it searches to the end while it trusts a short search wherever that is far enough
//! above or below the window: a wrong cut is rare, the tree is small, and what it leaves in the table is a good first
//! move nearly everywhere. The proof then trusts nothing.
//!
//! Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995; the static
//! check before the two searches: R. Delorme, Edax.

use super::near::{Child, pick};
use super::{Solver, odd_regions};
use crate::evaluation::Evaluate;
use crate::rules::{Move, Position, Squares};
use search_core::{Bound, Entry, MoveCode, Score, Searched};

/// The cut's distance from the window by selectivity level: standard deviations of the short search's error, in tenths.
/// A level is its place here plus one; 0 is the proof.
const CAUTION: [i32; 3] = [24, 16, 8];

/// The passes before the proof, most daring first, for a position with so many empty squares.
pub(super) fn passes(empties: u32) -> impl Iterator<Item = u8> {
    let count = match empties {
        ..14 => 0,
        14..21 => 1,
        21..24 => 2,
        _ => 3,
    };
    (0..count).map(|nth| (CAUTION.len() - nth) as u8)
}

/// Below so many empty squares a search to the end costs less than a short one.
pub(super) const FROM: u32 = 13;

/// The short search's depth in plies: of the same parity as the end's distance, about a quarter of it (a fifth, a third
/// and three eighths took more nodes).
const fn depth_of(empties: u32) -> i32 {
    (2 * (empties / 8) + (empties & 1)) as i32
}

/// The standard deviation, in points, between what a search of this depth says and how the game ends.
fn error(empties: u32, depth: i32) -> i32 {
    // Rough, for nothing is proven by it: at 24 empty squares 6.4 discs where 98 tournament positions gave 6.1 for six plies.
    Score::POINT * (40 + 2 * empties as i32 - 4 * depth) / 10
}

/// From this many plies on, short searches keep positions.
const TABLE_FROM: i32 = 3;

type Moves = smallvec::SmallVec<[Child<Position>; 24]>;

impl<V: Evaluate> Solver<'_, V> {
    /// The bound that the value most likely passes, alpha or alpha + 1, if a short search says so (ProbCut); only in a
    /// selective pass.
    pub(super) fn probcut(&mut self, position: &Position, empties: u32, alpha: i32) -> Searched<Option<i32>> {
        let depth = depth_of(empties);
        let caution = CAUTION[usize::from(self.selectivity - 1)];
        let margin = caution * error(empties, depth) / 10;
        // What the evaluation itself must say for a search to be worth while.
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

    /// Asks whether a search of `depth` plies gives more than `alpha` points: a score above it is a lower bound, any
    /// other an upper one.
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

    /// The moves, ranked by what they leave to the opponent, and by the evaluation where more than two plies are left.
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
