//! Near the end: the shared table, then the local one, then no table and parity alone.
//!
//! Source: J. Schaeffer, A. Plaat, "New advances in alpha-beta searching", 1996 (enhanced transposition cutoff);
//! layers by the number of empty squares: T. Okuhara, documentation of Edax-AVX; R. Delorme, Edax.

use super::{CORNERS, Discs, INFINITY, Solver, best_of, last, odd_regions, settled, stability_cut};
use crate::evaluation::Evaluate;
use crate::rules::{Move, Squares};
use search_core::{Bound, MoveCode, Searched, memory};

/// From this many empty squares on, positions are kept in the table.
pub(super) const TABLE_FROM: u32 = 10;
/// From this many on, moves are ordered by what they leave to the opponent.
const ORDER_FROM: u32 = 7;
/// From this many on, children are looked up in the table before any is searched.
const ETC_FROM: u32 = TABLE_FROM + 1;

/// A move and where it leads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Child<P> {
    /// The lower, the more promising.
    pub rank: i32,
    pub square: u8,
    pub position: P,
}

/// Discs, what the mover may do, and the key under which they may be known; none where positions are not kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reply {
    pub discs: Discs,
    pub legal: u64,
    pub key: u64,
}

type Moves = smallvec::SmallVec<[Child<Reply>; 16]>;

/// The most promising of the moves from `nth` on, moved there.
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

/// A move's rank, lower first. Fastest first (the fewer replies, the fewer must be refuted), and of the replies corners
/// weigh more; against it what the mover holds for good, and parity. Fitted to nodes: see EXPERIMENTS.tsv.
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

/// Own corners, and the own discs that join them along the edge up to two squares away: they are never turned.
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

/// A store's answer for a position.
enum Known {
    /// A score that settles the window.
    Settled(i32),
    /// At most the move to try first.
    Move(Option<Move>),
}

/// Where the positions of a storey are kept.
trait Store {
    /// Looks a position up.
    fn probe<V: Evaluate>(solver: &Solver<'_, V>, key: u64, alpha: i32) -> Known;

    /// A score above `alpha` that a known child gives (enhanced transposition cutoff).
    #[inline]
    fn cut_by_child<V: Evaluate>(_: &Solver<'_, V>, _: &Moves, _empties: u32, _alpha: i32) -> Option<i32> {
        None
    }

    /// Keeps what the null window above `alpha` gave.
    fn keep<V: Evaluate>(
        solver: &mut Solver<'_, V>,
        position: &Reply,
        empties: u32,
        alpha: i32,
        best: i32,
        choice: Option<u8>,
    );
}

/// The table that all searches share: scores and moves.
struct Shared;

impl Store for Shared {
    #[inline]
    fn probe<V: Evaluate>(solver: &Solver<'_, V>, key: u64, alpha: i32) -> Known {
        let known = solver.table.probe(key, 0);
        match known.and_then(|entry| settled(&entry, alpha, 0)) {
            Some(score) => Known::Settled(score),
            None => Known::Move(known.as_ref().and_then(best_of)),
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
        position: &Reply,
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

/// The small table of bounds: a position is met again soon or never.
struct Local;

impl Store for Local {
    #[inline]
    fn probe<V: Evaluate>(solver: &Solver<'_, V>, key: u64, alpha: i32) -> Known {
        let (lower, upper) = solver.local.bounds(key);
        if lower > alpha {
            Known::Settled(lower)
        } else if upper <= alpha {
            Known::Settled(upper)
        } else {
            Known::Move(None)
        }
    }

    #[inline]
    fn keep<V: Evaluate>(
        solver: &mut Solver<'_, V>,
        position: &Reply,
        _empties: u32,
        alpha: i32,
        best: i32,
        _choice: Option<u8>,
    ) {
        solver.local.keep(position.key, alpha, best);
    }
}

impl<V: Evaluate> Solver<'_, V> {
    /// Asks whether the value is more than `alpha`, with fewer empty squares than [`super::deep`] begins at and more
    /// than [`last`] ends at.
    #[inline]
    pub(super) fn near(&mut self, position: Reply, empties: u32, alpha: i32) -> Searched<i32> {
        if empties < ORDER_FROM {
            self.parity(position.discs, position.legal, empties, alpha)
        } else if empties < TABLE_FROM {
            self.stored::<Local>(position, empties, alpha)
        } else {
            self.stored::<Shared>(position, empties, alpha)
        }
    }

    /// Adds the moves of a position with so many empty squares, ranked; what is kept of the children is fetched meanwhile.
    fn rank_moves(&self, position: &Reply, empties: u32, first: Option<Move>, moves: &mut Moves) {
        let Reply { discs, legal, .. } = *position;
        let odd = odd_regions(discs.empty());
        let first = first.map_or(64, |mv| mv.to_code());
        for square in Squares(legal) {
            let index = square.index();
            let next = discs.after(index, discs.flips(index));
            let key = self.fetched(next, empties - 1);
            let replies = next.legal();
            let rank =
                if u32::from(index) == first { i32::MIN } else { rank(next, replies, square.bit(), odd) };
            moves.push(Child { rank, square: index, position: Reply { discs: next, legal: replies, key } });
        }
    }

    /// The key of a position, with what is kept of it on its way to the cache.
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

    /// Asks whether the value is more than `alpha`: positions are kept in `T`.
    fn stored<T: Store>(&mut self, position: Reply, empties: u32, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        let Reply { discs, legal, key } = position;
        if legal == 0 {
            let passed = discs.passed();
            let replies = passed.legal();
            if replies == 0 {
                return Ok(discs.margin());
            }
            let passed = Reply { discs: passed, legal: replies, key: passed.key() };
            return Ok(-self.stored::<T>(passed, empties, -alpha - 1)?);
        }
        if let Some(score) = stability_cut(discs.own, discs.opponent, alpha) {
            return Ok(score);
        }
        let first = match T::probe(self, key, alpha) {
            Known::Settled(score) => return Ok(score),
            Known::Move(first) => first,
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

    /// Too near the end for an order to pay, but that of parity.
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
