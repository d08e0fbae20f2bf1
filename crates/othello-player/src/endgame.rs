//! The endgame solver: exact disc differences, with the empty squares counted for the winner.
//!
//! It is a recursion of its own on the shared [`Table`] and [`Control`], in layers by the number of empty squares:
//! - [`deep`]: table, enhanced transposition cut-off, stability, and moves ordered by short searches with the
//!   evaluation. Before the proof, [`selective`] passes run, each less selective than the one before.
//! - [`near`]: moves ordered by the opponent's replies, with the shared table first, then with a [`local_table`] only;
//!   then parity order without a table.
//! - [`last`]: the last four squares, unrolled.
//!
//! Scores are plain disc differences for the mover. Windows are null (is the value greater than `alpha`?) except on the
//! principal variation.

mod deep;
mod last;
mod local_table;
mod near;
mod selective;
mod stability;

use crate::evaluation::Evaluate;
use crate::rules::{Move, Position, bitboard};
use search_core::threads::Turn;
use search_core::{Bound, Control, Crew, Entry, Line, MoveCode, Report, Score, Searched, Table};

/// Greater than any disc difference.
const INFINITY: i32 = 65;
/// Added to the depth of solved table entries, so that they rank above every depth-limited search.
const SOLVED: i32 = 64;
/// Half the width of the first aspiration window, in discs.
const ASPIRATION: i32 = 3;
/// The smallest number of empty squares at which threads avoid each other's moves.
const SHARED_FROM: u32 = 15;
/// The rank of a move that was put off because another thread searched it.
const PUT_OFF: i32 = i32::MAX;
/// Memory for the table of short searches, in bytes.
const SHALLOW_BYTES: usize = 8 << 20;

/// The aim of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The exact disc difference.
    Score,
    /// Win, draw or loss only.
    Winner,
}

/// A solver of positions to the end of the game.
#[derive(Debug)]
pub struct Solver<'a, V> {
    table: &'a Table<Move>,
    control: &'a Control<'a>,
    /// The threads that solve the position together.
    crew: Option<&'a Crew>,
    evaluation: V,
    local: local_table::LocalTable,
    /// The table of short searches, with scores in [`Score::POINT`]s and depths in plies.
    shallow: Table<Move>,
    /// The selectivity level of this pass; 0 is the proof.
    selectivity: u8,
}

impl<'a, V: Evaluate> Solver<'a, V> {
    /// A solver of `position` that uses a table and the limits of a control. If the caller already has an answer, it
    /// must have armed the control.
    pub fn new(position: &Position, table: &'a Table<Move>, control: &'a Control<'a>) -> Self {
        let shallow =
            Table::in_large_pages(if position.empties() < selective::FROM { 1 } else { SHALLOW_BYTES });
        Self {
            table,
            control,
            crew: None,
            evaluation: V::new(position),
            local: local_table::LocalTable::new(position.empties()),
            shallow,
            selectivity: 0,
        }
    }

    /// The solver as one of the threads of a crew, all with the same table.
    #[must_use]
    pub fn in_crew(self, crew: &'a Crew) -> Self {
        Self { crew: Some(crew).filter(|crew| crew.threads() > 1), ..self }
    }

    /// Solves the position that was given to [`new`](Self::new): its best move, principal variation and proven score.
    /// `guess` is the centre of the first window, in discs.
    ///
    /// # Errors
    /// [`Stop`](search_core::Stop) when a limit is reached.
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

    /// Finds the exact value and its line: searches a window around the guess, then widens it on the side that fails.
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

    /// Searches a node of the principal variation: its value within `alpha` and `beta`, and the line that gives it.
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
        let mut nth = 0;
        while nth < moves.len() {
            let child = near::pick(&mut moves, nth);
            let mv = Move::from_code(child.square.into());
            let turn = self.turn(key, empties, mv);
            if nth > 0 && self.puts_off(turn, &mut moves[nth]) {
                continue;
            }
            self.evaluation.played(position, &child.position);
            let null = nth > 0;
            nth += 1;
            let mut score = if null {
                -self.in_turn(turn, |solver| solver.null_window(&child.position, -raised - 1))?
            } else {
                -INFINITY
            };
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

    /// The turn of a move, if threads share its node.
    #[inline]
    fn turn(&self, key: u64, empties: u32, mv: Move) -> Option<Turn<'a>> {
        self.crew.filter(|_| empties >= SHARED_FROM).map(|crew| crew.turn(key, mv))
    }

    /// Puts a move off, once, if another thread searches it.
    #[inline]
    fn puts_off(&self, turn: Option<Turn<'_>>, child: &mut near::Child<Position>) -> bool {
        let is_put_off = child.rank < PUT_OFF && turn.is_some_and(Turn::is_taken);
        if is_put_off {
            child.rank = PUT_OFF;
        }
        is_put_off
    }

    /// Calls `search`, and tells the other threads of the move meanwhile.
    #[inline]
    fn in_turn<T>(&mut self, turn: Option<Turn<'_>>, search: impl FnOnce(&mut Self) -> T) -> T {
        match turn {
            None => search(self),
            Some(turn) => turn.take(|| search(self)),
        }
    }

    /// Tests whether the value is greater than `alpha`. A score above `alpha` is a lower bound, any other an upper
    /// bound.
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
        self.near(near::NearNode { discs, legal, key: position.hash_of() }, empties, alpha)
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

/// A position inside the recursion: the discs of the mover and of the opponent.
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

    /// The final disc difference when neither side can move.
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

/// The quadrants with an odd number of empty squares, as whole quadrants: whoever moves first into one tends to move
/// last there.
#[inline]
fn odd_regions(empty: u64) -> u64 {
    /// The first square of each quadrant; a quadrant at its first square.
    const FIRSTS: u64 = 0x0000_0011_0000_0011;
    const QUARTER: u64 = 0x0f0f_0f0f;
    // The parity of a quadrant's squares is folded onto its first square, without carry.
    let pairs = empty ^ empty >> 1;
    let rows = pairs ^ pairs >> 2;
    let two_rows = rows ^ rows >> 8;
    ((two_rows ^ two_rows >> 16) & FIRSTS).wrapping_mul(QUARTER)
}

/// The move of an entry to try first. A move of a search that did not reach the end of the game is worse than none: it
/// does not take account of the number of replies to refute.
#[inline]
fn best_of(entry: &Entry<Move>) -> Option<Move> {
    entry.best.filter(|_| entry.depth >= SOLVED)
}

/// Returns the score of an entry that settles whether the value is greater than `alpha`. Entries of searches that did
/// not reach the end of the game, or of more selective passes than this one, settle nothing. A score is stored as whole
/// points plus the selectivity level of its pass.
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

/// Cuts by stability: the opponent keeps its stable discs, so the mover can have at most the rest.
#[inline]
fn stability_cut(own: u64, opponent: u64, alpha: i32) -> Option<i32> {
    // Counting pays only if the mover needs nearly all discs.
    let needed = alpha + 1;
    if needed < 64 - 2 * opponent.count_ones() as i32 || needed < 8 {
        return None;
    }
    let most = 64 - 2 * stability::stable(opponent, own).count_ones() as i32;
    (most <= alpha).then_some(most)
}
