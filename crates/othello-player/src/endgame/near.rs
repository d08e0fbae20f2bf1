//! The solver near the end: with the shared table, then with the local one, then by parity without a table.
//!
//! Source: J. Schaeffer, A. Plaat, "New advances in alpha-beta searching", 1996 (enhanced transposition cutoff); layers
//! by the number of empty squares: T. Okuhara, documentation of Edax-AVX; R. Delorme, Edax.

use super::{CORNERS, Discs, INFINITY, Solver, best_of, last, odd_regions, settled, stability_cut};
use crate::evaluation::Evaluate;
use crate::rules::{Move, Squares};
use search_core::{Bound, MoveCode, Searched, memory};

/// The smallest number of empty squares whose positions go into the shared table.
pub(super) const TABLE_FROM: u32 = 10;
/// The smallest number of empty squares whose moves are ordered by the opponent's replies.
const ORDER_FROM: u32 = 7;
/// The smallest number of empty squares whose children are all probed before the first is searched.
const ETC_FROM: u32 = TABLE_FROM + 1;

/// A move and the position after it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child<P> {
    /// The sort key: lower is tried earlier.
    pub rank: i32,
    pub square: u8,
    pub position: P,
}

/// A node: its discs, the mover's legal moves, and its hash key (0 in layers without a table).
#[derive(Debug, Clone, Copy)]
pub(super) struct NearNode {
    pub discs: Discs,
    pub legal: u64,
    pub key: u64,
}

type Moves = smallvec::SmallVec<[Child<NearNode>; 16]>;

/// Moves the best-ranked of the moves from `nth` on to `nth`, and returns it.
#[inline]
pub(super) fn pick<P: Copy>(moves: &mut [Child<P>], nth: usize) -> Child<P> {
    let rest = &mut moves[nth..];
    let (mut best, mut least) = (0, rest[0].rank);
    for (index, child) in rest.iter().enumerate().skip(1) {
        if child.rank < least {
            (best, least) = (index, child.rank);
        }
    }
    rest.swap(0, best);
    rest[0]
}

/// Ranks a move; lower is better. Few replies come first, because fewer have to be refuted, and replies in corners
/// count more. The mover's stable discs and parity count in its favour. The weights were tuned for few nodes: see
/// EXPERIMENTS.tsv.
#[inline]
pub(super) fn rank(next: Discs, replies: u64, square: u64, odd: u64) -> i32 {
    const REPLY: i32 = 600;
    const CORNER_REPLY: i32 = 350;
    const CORNER: i32 = 200;
    const ANCHORED: i32 = 120;
    const ODD: i32 = 60;
    let count = |squares: u64| squares.count_ones() as i32;
    let firm = anchored(next.opponent);
    let given = REPLY * count(replies) + CORNER_REPLY * count(replies & CORNERS);
    let held = CORNER * count(firm & CORNERS) + ANCHORED * count(firm & !CORNERS);
    given - held - if square & odd != 0 { ODD } else { 0 }
}

/// Own corners, and own discs connected to them along the edge up to two squares away: all of them are stable.
#[inline]
fn anchored(own: u64) -> u64 {
    const EDGE: u64 = 0xff81_8181_8181_81ff;
    let edge = own & EDGE;
    let mut firm = own & CORNERS;
    for _ in 0..2 {
        firm |= edge & ((firm << 1) & NOT_A | (firm >> 1) & NOT_H | firm << 8 | firm >> 8);
    }
    firm
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// The result of a table probe.
enum Probe {
    /// A score that settles the null window.
    Settled(i32),
    /// No cut-off; the move to try first, if the table has one.
    Move(Option<Move>),
}

/// The table of a layer.
trait Store {
    /// Looks a position up.
    fn probe<V: Evaluate>(solver: &Solver<'_, V>, key: u64, alpha: i32) -> Probe;

    /// A score above `alpha` that follows from a child in the table (enhanced transposition cut-off).
    #[inline]
    fn cut_by_child<V: Evaluate>(_: &Solver<'_, V>, _: &Moves, _empties: u32, _alpha: i32) -> Option<i32> {
        None
    }

    /// Stores the result of the null window above `alpha`.
    fn keep<V: Evaluate>(
        solver: &mut Solver<'_, V>,
        position: &NearNode,
        empties: u32,
        alpha: i32,
        best: i32,
        choice: Option<u8>,
    );
}

/// The table shared by all searches, with scores and moves.
struct Shared;

impl Store for Shared {
    #[inline]
    fn probe<V: Evaluate>(solver: &Solver<'_, V>, key: u64, alpha: i32) -> Probe {
        let known = solver.table.probe(key, 0);
        match known.and_then(|entry| settled(&entry, alpha, 0)) {
            Some(score) => Probe::Settled(score),
            None => Probe::Move(known.as_ref().and_then(best_of)),
        }
    }

    #[inline]
    fn cut_by_child<V: Evaluate>(
        solver: &Solver<'_, V>,
        moves: &Moves,
        empties: u32,
        alpha: i32,
    ) -> Option<i32> {
        if empties < ETC_FROM {
            return None;
        }
        moves.iter().find_map(|child| {
            let known = solver.table.probe(child.position.key, 0);
            known
                .and_then(|entry| settled(&entry, -alpha - 1, 0))
                .map(|score| -score)
                .filter(|&score| score > alpha)
        })
    }

    #[inline]
    fn keep<V: Evaluate>(
        solver: &mut Solver<'_, V>,
        position: &NearNode,
        empties: u32,
        alpha: i32,
        best: i32,
        choice: Option<u8>,
    ) {
        let bound = if best > alpha { Bound::Lower } else { Bound::Upper };
        let choice = choice.map(|square| Move::from_code(square.into()));
        solver.keep(position.key, empties, best, bound, choice);
    }
}

/// The local table of bounds, for positions that recur soon or never.
struct Local;

impl Store for Local {
    #[inline]
    fn probe<V: Evaluate>(solver: &Solver<'_, V>, key: u64, alpha: i32) -> Probe {
        let (lower, upper) = solver.local.bounds(key);
        if lower > alpha {
            Probe::Settled(lower)
        } else if upper <= alpha {
            Probe::Settled(upper)
        } else {
            Probe::Move(None)
        }
    }

    #[inline]
    fn keep<V: Evaluate>(
        solver: &mut Solver<'_, V>,
        position: &NearNode,
        _empties: u32,
        alpha: i32,
        best: i32,
        _choice: Option<u8>,
    ) {
        solver.local.keep(position.key, alpha, best);
    }
}

impl<V: Evaluate> Solver<'_, V> {
    /// Tests whether the value is greater than `alpha`, for numbers of empty squares between [`last`] and
    /// [`super::deep`].
    #[inline]
    pub(super) fn near(&mut self, position: NearNode, empties: u32, alpha: i32) -> Searched<i32> {
        if empties < ORDER_FROM {
            self.parity(position.discs, position.legal, empties, alpha)
        } else if empties < TABLE_FROM {
            self.stored::<Local>(position, empties, alpha)
        } else {
            self.stored::<Shared>(position, empties, alpha)
        }
    }

    /// Adds the ranked moves, and prefetches the table entries of the children.
    fn rank_moves(&self, position: &NearNode, empties: u32, first: Option<Move>, moves: &mut Moves) {
        let NearNode { discs, legal, .. } = *position;
        let odd = odd_regions(discs.empty());
        let first = first.map_or(64, |mv| mv.to_code());
        for square in Squares(legal) {
            let index = square.index();
            let next = discs.after(index, discs.flips(index));
            let key = self.fetched(next, empties - 1);
            let replies = next.legal();
            let rank =
                if u32::from(index) == first { i32::MIN } else { rank(next, replies, square.bit(), odd) };
            moves.push(Child {
                rank,
                square: index,
                position: NearNode { discs: next, legal: replies, key },
            });
        }
    }

    /// Returns the key of a position, and prefetches its table entry.
    #[inline]
    fn fetched(&self, discs: Discs, empties: u32) -> u64 {
        if empties < ORDER_FROM {
            return 0;
        }
        let key = discs.key();
        if empties < TABLE_FROM {
            self.local.fetch(key);
        } else {
            memory::fetch(self.table.line(key));
        }
        key
    }

    /// Tests whether the value is greater than `alpha`, with `T` as the table.
    fn stored<T: Store>(&mut self, position: NearNode, empties: u32, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        let NearNode { discs, legal, key } = position;
        if legal == 0 {
            let passed = discs.passed();
            let replies = passed.legal();
            if replies == 0 {
                return Ok(discs.margin());
            }
            let passed = NearNode { discs: passed, legal: replies, key: passed.key() };
            return Ok(-self.stored::<T>(passed, empties, -alpha - 1)?);
        }
        if let Some(score) = stability_cut(discs.own, discs.opponent, alpha) {
            return Ok(score);
        }
        let first = match T::probe(self, key, alpha) {
            Probe::Settled(score) => return Ok(score),
            Probe::Move(first) => first,
        };
        let mut moves = Moves::new();
        self.rank_moves(&position, empties, first, &mut moves);
        if let Some(score) = T::cut_by_child(self, &moves, empties, alpha) {
            return Ok(score);
        }
        let (mut best, mut choice) = (-INFINITY, None);
        for nth in 0..moves.len() {
            let child = pick(&mut moves, nth);
            let score = -self.near(child.position, empties - 1, -alpha - 1)?;
            if score > best {
                best = score;
                choice = Some(child.square);
                if best > alpha {
                    break;
                }
            }
        }
        T::keep(self, &position, empties, alpha, best, choice);
        Ok(best)
    }

    /// The same with parity as the only order: any other costs more than it saves here.
    fn parity(&mut self, discs: Discs, legal: u64, empties: u32, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        if legal == 0 {
            let passed = discs.passed();
            let replies = passed.legal();
            if replies == 0 {
                return Ok(discs.margin());
            }
            return Ok(-self.parity(passed, replies, empties, -alpha - 1)?);
        }
        if let Some(score) = stability_cut(discs.own, discs.opponent, alpha) {
            return Ok(score);
        }
        let odd = odd_regions(discs.empty());
        let mut best = -INFINITY;
        for part in [legal & odd, legal & !odd] {
            for square in Squares(part) {
                let next = discs.after(square.index(), discs.flips(square.index()));
                let score = if empties - 1 <= last::SQUARES {
                    self.last_four(next, -alpha - 1)?
                } else {
                    self.parity(next, next.legal(), empties - 1, -alpha - 1)?
                };
                best = best.max(-score);
                if best > alpha {
                    return Ok(best);
                }
            }
        }
        Ok(best)
    }

    #[inline]
    pub(super) fn last_four(&mut self, discs: Discs, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        Ok(last::null_window(discs.own, discs.opponent, alpha))
    }
}
