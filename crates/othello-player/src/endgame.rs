//! The end of the game, solved exactly: disc differences with the empty squares to the winner.
//!
//! Its own recursion on the shared [`Table`] and [`Control`], in three storeys by the number of empty squares:
//! - many: the table, enhanced transposition cut-off, stability, moves ordered by what they leave to the opponent;
//! - few: no table, moves ordered by parity and mobility;
//! - [`last`]: the last four squares by hand.
//!
//! Scores inside are plain disc differences for the mover, and windows are null (is it more than `alpha`?) but on the
//! principal variation.

mod last;
mod stability;

use crate::rules::{Move, Position, Squares, bitboard};
use search_core::{Bound, Control, Entry, Line, Report, Score, Searched, Table, Word};
use std::cmp::Ordering;

/// From this many empty squares on, positions are kept in the table.
const TABLE_FROM: u32 = 10;
/// From this many on, moves are ordered by what they leave to the opponent.
const ORDER_FROM: u32 = 6;
/// From this many on, children are looked up in the table before any is searched.
const ETC_FROM: u32 = TABLE_FROM + 1;
/// More than any difference.
const INFINITY: i32 = 65;

/// What is wanted of a solved position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The exact difference.
    Score,
    /// Only who wins.
    Winner,
}

/// Solves positions to the end of the game.
#[derive(Debug)]
pub struct Solver<'a> {
    table: &'a mut Table<Move>,
    control: &'a Control<'a>,
}

/// The position inside the recursion: the mover's discs and the opponent's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Discs {
    own: u64,
    opponent: u64,
}

impl Discs {
    #[inline]
    fn empty(self) -> u64 {
        !(self.own | self.opponent)
    }

    #[inline]
    fn passed(self) -> Self {
        Self { own: self.opponent, opponent: self.own }
    }

    #[inline]
    fn flips(self, square: u8) -> u64 {
        bitboard::flips(square, self.own, self.opponent)
    }

    #[inline]
    fn after(self, square: u8, flips: u64) -> Self {
        Self { own: self.opponent ^ flips, opponent: self.own ^ flips ^ 1 << square }
    }

    #[inline]
    fn legal(self) -> u64 {
        bitboard::moves(self.own, self.opponent)
    }

    /// The difference when nobody can move any more.
    #[inline]
    fn margin(self) -> i32 {
        let difference = self.own.count_ones() as i32 - self.opponent.count_ones() as i32;
        let empty = self.empty().count_ones() as i32;
        match difference.cmp(&0) {
            Ordering::Less => difference - empty,
            Ordering::Equal => 0,
            Ordering::Greater => difference + empty,
        }
    }

    #[inline]
    fn key(self) -> u64 {
        Position::hash(self.own, self.opponent)
    }
}

/// The four quarters of the board: who moves into one with an odd number of empty squares tends to move last there.
const QUARTERS: [u64; 4] = [0x0f0f_0f0f, 0xf0f0_f0f0, 0x0f0f_0f0f << 32, 0xf0f0_f0f0 << 32];
const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The empty squares that stand in quarters with an odd number of them.
#[inline]
fn odd_quarters(empty: u64) -> u64 {
    QUARTERS
        .iter()
        .filter(|&quarter| (empty & quarter).count_ones() & 1 == 1)
        .fold(0, |odd, quarter| odd | quarter)
}

impl<'a> Solver<'a> {
    /// A solver on a table and within a control's limits, which must be armed by the caller where an answer already
    /// stands.
    pub fn new(table: &'a mut Table<Move>, control: &'a Control<'a>) -> Self {
        Self { table, control }
    }

    /// Solves `position`: its best move, line and score, proven.
    ///
    /// # Errors
    /// [`Stop`](search_core::Stop) when the control says so.
    pub fn solve(&mut self, position: &Position, goal: Goal) -> Searched<Report<Move>> {
        let discs = Discs { own: position.own(), opponent: position.opponent() };
        let (alpha, beta) = match goal {
            Goal::Score => (-64, 64),
            Goal::Winner => (-1, 1),
        };
        let (score, line) = self.root(discs, alpha, beta)?;
        let score = if goal == Goal::Winner { score.signum() } else { score };
        Ok(Report {
            best: line.first().copied(),
            score: Score::new(score * Score::POINT),
            depth: position.empties() as i32,
            nodes: self.control.nodes(),
            elapsed: self.control.elapsed(),
            principal_variation: line,
            proven: true,
        })
    }

    /// The exact difference, searched around an estimate first.
    ///
    /// # Errors
    /// [`Stop`](search_core::Stop) when the control says so.
    pub fn difference(&mut self, position: &Position) -> Searched<i32> {
        let discs = Discs { own: position.own(), opponent: position.opponent() };
        self.principal(discs, -64, 64, false)
    }

    fn root(&mut self, discs: Discs, alpha: i32, beta: i32) -> Searched<(i32, Line<Move>)> {
        let mut line = Line::new();
        let score = self.principal(discs, alpha, beta, false)?;
        // The line is read off the table while it lasts, then found again by testing which move keeps the score.
        let (mut at, mut left) = (discs, score);
        while let Some((mv, next)) = self.keeps(at, left)? {
            line.push(mv);
            (at, left) = (next, -left);
            if line.len() >= 60 {
                break;
            }
        }
        Ok((score, line))
    }

    /// A move after which the opponent cannot do better than the mover's `score`; `None` when the game is over.
    fn keeps(&mut self, discs: Discs, score: i32) -> Searched<Option<(Move, Discs)>> {
        let legal = discs.legal();
        if legal == 0 {
            let passed = discs.passed();
            return Ok((passed.legal() != 0).then_some((Move::PASS, passed)));
        }
        for square in self.ordered(discs, legal, None) {
            if -self.test(square.discs, -score)? >= score {
                return Ok(Some((Move::from_word(square.square.into()), square.discs)));
            }
        }
        // Beaten only when `score` was a bound of a window; then any first choice stands.
        Ok(self
            .ordered(discs, legal, None)
            .first()
            .map(|child| (Move::from_word(child.square.into()), child.discs)))
    }

    /// The value within `alpha` and `beta` on the principal variation.
    fn principal(&mut self, discs: Discs, mut alpha: i32, beta: i32, passed: bool) -> Searched<i32> {
        self.control.tick()?;
        let legal = discs.legal();
        if legal == 0 {
            return if passed {
                Ok(discs.margin())
            } else {
                Ok(-self.principal(discs.passed(), -beta, -alpha, true)?)
            };
        }
        let empties = discs.empty().count_ones();
        let key = discs.key();
        let known = if empties >= TABLE_FROM { self.table.probe(key, 0) } else { None };
        let first = known.and_then(|entry| entry.best);
        let (mut best, mut choice) = (-INFINITY, None);
        let lower = alpha;
        for Child { square, discs: next, .. } in self.ordered(discs, legal, first) {
            let mut score = if choice.is_none() {
                -self.principal(next, -beta, -alpha, false)?
            } else {
                -self.test(next, -alpha - 1)?
            };
            if choice.is_some() && score > alpha && score < beta {
                score = -self.principal(next, -beta, -score.max(alpha), false)?;
            }
            if score > best {
                best = score;
                choice = Some(square);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        if empties >= TABLE_FROM {
            let bound = if best >= beta {
                Bound::Lower
            } else if best <= lower {
                Bound::Upper
            } else {
                Bound::Exact
            };
            self.keep(key, empties, best, bound, choice);
        }
        Ok(best)
    }

    /// Whether the value is more than `alpha`: a score above `alpha` is a lower bound, any other an upper one.
    fn test(&mut self, discs: Discs, alpha: i32) -> Searched<i32> {
        let empties = discs.empty().count_ones();
        if empties <= last::SQUARES {
            return self.last(discs, alpha);
        }
        self.beyond(discs, discs.legal(), empties, alpha)
    }

    /// As [`test`](Self::test), where the moves are known already.
    #[inline]
    fn beyond(&mut self, discs: Discs, legal: u64, empties: u32, alpha: i32) -> Searched<i32> {
        if empties < ORDER_FROM {
            self.few(discs, legal, empties, alpha)
        } else if empties < TABLE_FROM {
            self.some(discs, legal, empties, alpha)
        } else {
            self.many(discs, legal, empties, alpha)
        }
    }

    fn many(&mut self, discs: Discs, legal: u64, empties: u32, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        if legal == 0 {
            let passed = discs.passed();
            let replies = passed.legal();
            if replies == 0 {
                return Ok(discs.margin());
            }
            return Ok(-self.many(passed, replies, empties, -alpha - 1)?);
        }
        if let Some(score) = stability_cut(discs, alpha) {
            return Ok(score);
        }
        let key = discs.key();
        let known = self.table.probe(key, 0);
        if let Some(score) = known.and_then(|entry| settled(&entry, alpha)) {
            return Ok(score);
        }
        let mut moves = Moves::new();
        rank_all(&mut moves, discs, legal, known.and_then(|entry| entry.best));
        // Enhanced transposition cut-off: a child that is known already may settle it.
        if empties > ETC_FROM {
            for child in &moves {
                let known = self.table.probe(child.discs.key(), 0);
                if let Some(score) = known.and_then(|entry| settled(&entry, -alpha - 1))
                    && -score > alpha
                {
                    self.keep(key, empties, -score, Bound::Lower, Some(child.square));
                    return Ok(-score);
                }
            }
        }
        let (mut best, mut choice) = (-INFINITY, None);
        for nth in 0..moves.len() {
            let child = pick(&mut moves, nth);
            let score = -self.beyond(child.discs, child.legal, empties - 1, -alpha - 1)?;
            if score > best {
                best = score;
                choice = Some(child.square);
                if best > alpha {
                    break;
                }
            }
        }
        let bound = if best > alpha { Bound::Lower } else { Bound::Upper };
        self.keep(key, empties, best, bound, choice);
        Ok(best)
    }

    /// Without the table: the position is met again too seldom to pay for it.
    fn some(&mut self, discs: Discs, legal: u64, empties: u32, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        if legal == 0 {
            let passed = discs.passed();
            let replies = passed.legal();
            if replies == 0 {
                return Ok(discs.margin());
            }
            return Ok(-self.some(passed, replies, empties, -alpha - 1)?);
        }
        if let Some(score) = stability_cut(discs, alpha) {
            return Ok(score);
        }
        let mut moves = Moves::new();
        rank_all(&mut moves, discs, legal, None);
        let mut best = -INFINITY;
        for nth in 0..moves.len() {
            let child = pick(&mut moves, nth);
            best = best.max(-self.beyond(child.discs, child.legal, empties - 1, -alpha - 1)?);
            if best > alpha {
                break;
            }
        }
        Ok(best)
    }

    /// Too near the end for an order to pay, but that of parity.
    fn few(&mut self, discs: Discs, legal: u64, empties: u32, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        if legal == 0 {
            let passed = discs.passed();
            let replies = passed.legal();
            if replies == 0 {
                return Ok(discs.margin());
            }
            return Ok(-self.few(passed, replies, empties, -alpha - 1)?);
        }
        let odd = odd_quarters(discs.empty());
        let mut best = -INFINITY;
        for part in [legal & odd, legal & !odd] {
            for square in Squares(part) {
                let next = discs.after(square.index(), discs.flips(square.index()));
                let score = if empties - 1 <= last::SQUARES {
                    self.last(next, -alpha - 1)?
                } else {
                    self.few(next, next.legal(), empties - 1, -alpha - 1)?
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
    fn last(&mut self, discs: Discs, alpha: i32) -> Searched<i32> {
        self.control.tick()?;
        Ok(last::test(discs.own, discs.opponent, alpha))
    }

    /// The moves with what each turns, the most promising first.
    fn ordered(&self, discs: Discs, legal: u64, first: Option<Move>) -> Moves {
        let mut moves = Moves::new();
        rank_all(&mut moves, discs, legal, first);
        moves.sort_by_key(|child| child.rank);
        moves
    }

    #[inline]
    fn keep(&mut self, key: u64, empties: u32, score: i32, bound: Bound, best: Option<u8>) {
        let best = best.map(|square| Move::from_word(square.into()));
        self.table.store(
            key,
            0,
            Entry { best, score: Score::new(score * Score::POINT), depth: empties as i32, bound },
        );
    }
}

/// A move and where it leads.
#[derive(Debug, Clone, Copy)]
struct Child {
    /// The lower, the more promising.
    rank: i32,
    square: u8,
    discs: Discs,
    /// What the opponent may then do.
    legal: u64,
}

type Moves = smallvec::SmallVec<[Child; 24]>;

/// Adds the moves of `discs`, each ranked by what it leaves to the opponent.
#[inline]
fn rank_all(moves: &mut Moves, discs: Discs, legal: u64, first: Option<Move>) {
    let odd = odd_quarters(discs.empty());
    let first = first.map_or(64, Move::index);
    for square in Squares(legal) {
        let index = square.index();
        let next = discs.after(index, discs.flips(index));
        let replies = next.legal();
        // What the opponent may do next counts most, corners twice; then room to move, parity, corners.
        let mut rank = 32 * (replies.count_ones() + (replies & CORNERS).count_ones()) as i32;
        rank += 4 * frontier(next.own, next.opponent, next.empty()) as i32;
        rank -= if square.bit() & odd != 0 { 12 } else { 0 };
        rank -= if square.bit() & CORNERS != 0 { 40 } else { 0 };
        if index == first {
            rank = i32::MIN;
        }
        moves.push(Child { rank, square: index, discs: next, legal: replies });
    }
}

/// The most promising of the moves from `nth` on, moved there.
#[inline]
fn pick(moves: &mut Moves, nth: usize) -> Child {
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

/// Empty squares beside the opponent's discs: what `own` may be able to do later.
#[inline]
fn frontier(_own: u64, opponent: u64, empty: u64) -> u32 {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let wide = opponent | (opponent << 1) & NOT_A | (opponent >> 1) & NOT_H;
    ((wide | wide << 8 | wide >> 8) & empty).count_ones()
}

/// The score of an entry that tells whether the value is more than `alpha`.
#[inline]
fn settled(entry: &Entry<Move>, alpha: i32) -> Option<i32> {
    let score = entry.score.value() / Score::POINT;
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > alpha,
        Bound::Upper => score <= alpha,
    };
    settles.then_some(score)
}

/// The opponent keeps his stable discs: the mover cannot have more than the rest.
#[inline]
fn stability_cut(discs: Discs, alpha: i32) -> Option<i32> {
    // Worth counting only where the mover needs nearly everything.
    let needed = alpha + 1;
    if needed < 64 - 2 * discs.opponent.count_ones() as i32 || needed < 8 {
        return None;
    }
    let most = 64 - 2 * stability::stable(discs.opponent, discs.own).count_ones() as i32;
    (most <= alpha).then_some(most)
}
