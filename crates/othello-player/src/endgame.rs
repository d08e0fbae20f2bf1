//! The end of the game, solved exactly: disc differences with the empty squares to the winner.
//!
//! Its own recursion on the shared [`Table`] and [`Control`], in storeys by the number of empty squares:
//! - [`deep`]: the table, enhanced transposition cut-off, stability, moves ordered by short searches with the evaluation;
//!   before the proof, [`selective`] passes, each less selective than the one before;
//! - [`near`]: moves ordered by the replies that they leave, on the shared table, then on a [`local_table`] alone; then by
//!   parity, without a table;
//! - [`last`]: the last four squares by hand.
//!
//! Scores inside are plain disc differences for the mover, and windows are null (is it more than `alpha`?) but on the
//! principal variation.

mod deep;
mod last;
mod local_table;
mod near;
mod selective;
mod stability;

use crate::evaluation::Evaluate;
use crate::rules::{Move, Position, bitboard};
use search_core::{Bound, Control, Entry, Line, MoveCode, Report, Score, Searched, Table, memory};

/// More than any difference.
const INFINITY: i32 = 65;
/// Solved entries stand this much deeper in the table than any search of so many plies.
const SOLVED: i32 = 64;
/// Half the first aspiration window.
const ASPIRATION: i32 = 3;
/// Memory for short searches, in bytes.
const SHALLOW_BYTES: usize = 8 << 20;

/// The question that a solved position answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The exact difference.
    Score,
    /// Only who wins.
    Winner,
}

/// Solves positions to the end of the game.
#[derive(Debug)]
pub struct Solver<'a, V> {
    table: &'a mut Table<Move>,
    control: &'a Control<'a>,
    evaluation: V,
    local: local_table::LocalTable,
    /// The table of short searches: scores in points' parts, depths in plies.
    shallow: Table<Move>,
    /// The selectivity level of this pass; 0 proves.
    selectivity: u8,
}

impl<'a, V: Evaluate> Solver<'a, V> {
    /// A solver of `position` on a table and within a control's limits, which must be armed by the caller where an
    /// answer already stands.
    pub fn new(position: &Position, table: &'a mut Table<Move>, control: &'a Control<'a>) -> Self {
        let shallow = memory::table(if position.empties() < selective::FROM { 1 } else { SHALLOW_BYTES });
        Self {
            table,
            control,
            evaluation: V::new(position),
            local: local_table::LocalTable::new(position.empties()),
            shallow,
            selectivity: 0,
        }
    }

    /// Solves `position`, the one it was made for: its best move, line and score, proven. `guess` is a score in discs
    /// to look around first.
    ///
    /// # Errors
    /// [`Stop`](search_core::Stop) when the control says so.
    pub fn solve(&mut self, position: &Position, goal: Goal, guess: Option<i32>) -> Searched<Report<Move>> {
        let mut guess = guess;
        for selectivity in selective::passes(position.empties()) {
            self.selectivity = selectivity;
            guess = Some(self.pass(position, goal, guess)?.0);
        }
        self.selectivity = 0;
        let (score, line) = self.pass(position, goal, guess)?;
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

    fn pass(&mut self, position: &Position, goal: Goal, guess: Option<i32>) -> Searched<(i32, Line<Move>)> {
        match goal {
            Goal::Score => self.aspiration(position, guess),
            Goal::Winner => self.pvs(position, -1, 1),
        }
    }

    /// The exact value and its line: within a window around the guess, then wider on the side that fails.
    fn aspiration(&mut self, position: &Position, guess: Option<i32>) -> Searched<(i32, Line<Move>)> {
        let guess = guess.map(|guess| guess.clamp(-64, 64));
        let mut half = ASPIRATION;
        let (mut alpha, mut beta) = guess.map_or((-64, 64), |guess| (guess - half, guess + half));
        loop {
            (alpha, beta) = (alpha.max(-INFINITY), beta.min(INFINITY));
            let (score, line) = self.pvs(position, alpha, beta)?;
            half *= 2;
            if score <= alpha && alpha > -64 {
                (alpha, beta) = (score - half, score + 1);
            } else if score >= beta && beta < 64 {
                (alpha, beta) = (score - 1, score + half);
            } else {
                return Ok((score, line));
            }
        }
    }

    /// The value within `alpha` and `beta` on the principal variation, and the line that gives it.
    fn pvs(&mut self, position: &Position, alpha: i32, beta: i32) -> Searched<(i32, Line<Move>)> {
        self.control.tick()?;
        if position.legal() == 0 {
            let next = position.after(Move::PASS);
            if next.legal() == 0 {
                return Ok((position.margin().into(), Line::new()));
            }
            self.evaluation.played(position, &next);
            let (score, rest) = self.pvs(&next, -beta, -alpha)?;
            self.evaluation.undone();
            return Ok((-score, line(Move::PASS, &rest)));
        }
        let empties = position.empties();
        let key = position.hash_of();
        let known = if empties >= near::TABLE_FROM { self.table.probe(key, 0) } else { None };
        let mut moves = deep::Moves::new();
        let first = known.as_ref().and_then(best_of);
        if let Some(first) = first {
            let child = position.after(first);
            moves.push(near::Child { rank: i32::MIN, square: first.to_code() as u8, position: child });
        }
        self.rank_children(position, empties, first, -INFINITY, &mut moves);
        let (mut best, mut best_line, mut raised) = (-INFINITY, Line::new(), alpha);
        for nth in 0..moves.len() {
            let child = near::pick(&mut moves, nth);
            let mv = Move::from_code(child.square.into());
            self.evaluation.played(position, &child.position);
            let null = nth > 0;
            let mut score = if null { -self.null_window(&child.position, -raised - 1)? } else { -INFINITY };
            let mut rest = Line::new();
            if !null || score > raised && score < beta {
                let floor = if null { score.max(raised) - 1 } else { raised };
                let (searched, found) = self.pvs(&child.position, -beta, -floor)?;
                (score, rest) = (-searched, found);
            }
            self.evaluation.undone();
            if score > best {
                best = score;
                best_line = line(mv, &rest);
                raised = raised.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        if empties >= near::TABLE_FROM {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            self.keep(key, empties, best, bound, best_line.first().copied());
        }
        Ok((best, best_line))
    }

    /// Asks whether the value is more than `alpha`: a score above `alpha` is a lower bound, any other an upper one.
    fn null_window(&mut self, position: &Position, alpha: i32) -> Searched<i32> {
        let empties = position.empties();
        if empties >= deep::FROM {
            return self.deep(position, empties, alpha);
        }
        let discs = Discs { own: position.own(), opponent: position.opponent() };
        if empties <= last::SQUARES {
            return self.last_four(discs, alpha);
        }
        let legal = position.legal();
        self.near(near::Reply { discs, legal, key: position.hash_of() }, empties, alpha)
    }

    #[inline]
    fn keep(&mut self, key: u64, empties: u32, score: i32, bound: Bound, best: Option<Move>) {
        let selectivity = if empties < selective::FROM { 0 } else { self.selectivity };
        let score = Score::new(score * Score::POINT + i32::from(selectivity));
        self.table.store(key, 0, Entry { best, score, depth: SOLVED + empties as i32, bound });
    }
}

fn line(mv: Move, rest: &Line<Move>) -> Line<Move> {
    std::iter::once(mv).chain(rest.iter().copied()).collect()
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
        difference + difference.signum() * self.empty().count_ones() as i32
    }

    #[inline]
    fn key(self) -> u64 {
        Position::hash(self.own, self.opponent)
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The quarters of the board with an odd number of empty squares, whole: who moves into one tends to move last there.
#[inline]
fn odd_regions(empty: u64) -> u64 {
    /// A quarter's first square, for each quarter, and a whole quarter at the first square's place.
    const FIRSTS: u64 = 0x0000_0011_0000_0011;
    const QUARTER: u64 = 0x0f0f_0f0f;
    // A quarter's squares are added up without carry onto its first.
    let pairs = empty ^ empty >> 1;
    let rows = pairs ^ pairs >> 2;
    let two_rows = rows ^ rows >> 8;
    ((two_rows ^ two_rows >> 16) & FIRSTS).wrapping_mul(QUARTER)
}

/// The move to try first. Those of searches that did not see the end of the game are worse than none: they give no
/// thought to how many replies must be refuted.
#[inline]
fn best_of(entry: &Entry<Move>) -> Option<Move> {
    entry.best.filter(|_| entry.depth >= SOLVED)
}

/// The score of an entry that tells whether the value is more than `alpha`. Entries of searches that did not see the
/// end of the game, or of more selective passes than this one, tell nothing. A pass's level is what a score holds
/// beyond whole points.
#[inline]
fn settled(entry: &Entry<Move>, alpha: i32, selectivity: u8) -> Option<i32> {
    let value = entry.score.value();
    if entry.depth < SOLVED || value.rem_euclid(Score::POINT) > i32::from(selectivity) {
        return None;
    }
    let score = value.div_euclid(Score::POINT);
    let settles = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score > alpha,
        Bound::Upper => score <= alpha,
    };
    settles.then_some(score)
}

/// The opponent keeps his stable discs: the mover cannot have more than the rest.
#[inline]
fn stability_cut(own: u64, opponent: u64, alpha: i32) -> Option<i32> {
    // Worth counting only where the mover needs nearly everything.
    let needed = alpha + 1;
    if needed < 64 - 2 * opponent.count_ones() as i32 || needed < 8 {
        return None;
    }
    let most = 64 - 2 * stability::stable(opponent, own).count_ones() as i32;
    (most <= alpha).then_some(most)
}
