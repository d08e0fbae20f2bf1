//! What the search is told of the game.

use super::FourSearch;
use crate::evaluation::{Evaluation, judge};
use crate::patterns::{Class, Patterns, Shape};
use crate::rules::{Cell, Color, DIRECTIONS, Position};
use search_core::alpha_beta::Kind;
use search_core::{Depth, Expert, Node, Outcome, Score, Search, Searched, Window};
use std::marker::PhantomData;

/// Whether a search may leave out what it believes not to matter.
pub trait Selectivity {
    /// True: static wins, forced replies, candidates only, pruning. False: every legal move, plain evaluation.
    const SELECTIVE: bool;
}

/// For play.
#[derive(Debug)]
pub struct Selective;

/// For tests: the value is that of a plain search.
#[derive(Debug)]
pub struct Exact;

impl Selectivity for Selective {
    const SELECTIVE: bool = true;
}

impl Selectivity for Exact {
    const SELECTIVE: bool = false;
}

/// The patterns follow the moves; they tell wins and forced replies at a glance.
#[derive(Debug)]
pub struct Tactician<S> {
    patterns: Patterns,
    four_search: FourSearch,
    /// The evaluation of each node on the path that had one.
    evals: Vec<Score>,
    kind: PhantomData<S>,
}

/// What the evaluation may be wrong by, for each ply of depth, in hundredths of the logarithm of the odds.
const MARGIN: i32 = 30;

/// Plies by which the `nth` move of a node is searched less deeply.
fn reduction(depth: Depth, nth: usize) -> Depth {
    // Eighths of the binary logarithm, in whole numbers: the same on every processor.
    let log = |number: u64| number.clamp(1, 255).pow(8).ilog2() as Depth;
    (96 + log(depth as u64) * log(nth as u64)) / 240
}

/// Fours that the four-search tries at a leaf, and the positions it may visit.
const LEAF_FOURS: u32 = 6;
const LEAF_NODES: u64 = 60;
/// The same at inner nodes.
const INNER_FOURS: u32 = 12;
const INNER_NODES: u64 = 200;

impl<S: Selectivity> Tactician<S> {
    /// The expert for a search that begins where `patterns` stand.
    pub fn new(patterns: Patterns, four_search: FourSearch) -> Self {
        Self { patterns, four_search, evals: vec![Score::DRAW; 256], kind: PhantomData }
    }

    /// The expert for a search from `position`.
    pub fn at(evaluation: Evaluation, position: &Position) -> Self {
        Self::new(Patterns::new(position, evaluation.weights()), FourSearch::new())
    }

    /// What one look decides: a five, two fives of the other side, an open four, or nothing left to hope for.
    #[inline]
    fn at_a_glance(&self, mover: Color, ply: usize) -> Option<Score> {
        let patterns = &self.patterns;
        if !patterns.fives(mover).is_empty() {
            return Some(Score::win_in(ply + 1));
        }
        match patterns.fives(mover.other()).len() {
            0 if !patterns.open_fours(mover).is_empty() => Some(Score::win_in(ply + 3)),
            0 if patterns.is_dead() => Some(Score::DRAW),
            0 | 1 => None,
            _ => Some(Score::loss_in(ply + 2)),
        }
    }

    fn note_eval(&mut self, ply: usize, eval: Score) {
        self.evals[ply] = eval;
    }

    /// A win by continuous fours, in plies from the root.
    fn wins_by_fours(search: &mut Search<'_, Self>, fours: u32, nodes: u64) -> Searched<Option<Score>> {
        if search.expert.patterns.fours(search.position.mover()).is_empty() {
            return Ok(None);
        }
        let Tactician { patterns, four_search, .. } = &mut search.expert;
        let plies = four_search.wins(&mut search.position, patterns, search.control, fours, nodes)?;
        Ok(plies.map(|plies| Score::win_in(search.ply + plies)))
    }
}

impl<S: Selectivity> Expert for Tactician<S> {
    type Position = Position;

    #[inline]
    fn played(&mut self, cell: Cell, (): &(), now: &Position) {
        self.patterns.played(cell, now);
    }

    #[inline]
    fn undone(&mut self) {
        self.patterns.undone();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        judge(&self.patterns, position)
    }

    fn candidates(search: &mut Search<'_, Self>, _: &Node<Cell>) {
        let patterns = &search.expert.patterns;
        let mover = search.position.mover();
        let other = mover.other();
        let picker = &mut search.picker;
        let rank = |cell: Cell| 16 * patterns.worth(cell, mover);
        if !S::SELECTIVE {
            search_core::Position::moves(&search.position, picker);
        } else if let Some(forced) = patterns.fives(other).first() {
            picker.add_ranked(forced, 0);
        } else if !patterns.open_fours(other).is_empty() {
            let defence = Defence::new(patterns, &search.position, other);
            for cell in patterns.candidates().iter() {
                if patterns.fours(mover).contains(cell) || defence.meets_all(cell) {
                    picker.add(cell, rank(cell));
                }
            }
        } else {
            for cell in patterns.candidates().iter() {
                picker.add(cell, rank(cell));
            }
            if patterns.candidates().is_empty() {
                search_core::Position::moves(&search.position, picker);
            }
        }
    }

    fn before_moves<K: Kind>(search: &mut Search<'_, Self>, node: &Node<Cell>) -> Searched<Option<Score>> {
        if !S::SELECTIVE {
            return Ok(None);
        }
        let mover = search.position.mover();
        if let Some(score) = search.expert.at_a_glance(mover, search.ply) {
            return Ok(Some(score));
        }
        // The table has seen this position with as much depth already: its four-search found nothing.
        if !node.entry.is_some_and(|entry| !entry.score.is_win() && entry.depth > 0)
            && let Some(score) = Self::wins_by_fours(search, INNER_FOURS, INNER_NODES)?
        {
            return Ok(Some(score));
        }
        if K::PV {
            return Ok(None);
        }
        let eval = search.expert.evaluate(&search.position);
        search.expert.note_eval(search.ply, eval);
        let Window { alpha, beta } = node.window;
        if search.expert.patterns.fives(mover.other()).is_empty() {
            let quiet = search.expert.patterns.open_fours(mover.other()).is_empty();
            if quiet && node.depth <= 6 && !beta.is_decided() && eval - MARGIN * node.depth >= beta {
                return Ok(Some(eval));
            }
            if node.depth <= 3 && !alpha.is_decided() && eval + 2 * MARGIN * node.depth <= alpha {
                return Ok(Some(eval));
            }
        }
        Ok(None)
    }

    fn depth_for<K: Kind>(
        search: &Search<'_, Self>,
        node: &Node<Cell>,
        cell: Cell,
        nth: usize,
    ) -> Option<Depth> {
        let full = node.depth - 1;
        if !S::SELECTIVE {
            return Some(full);
        }
        let patterns = &search.expert.patterns;
        let mover = search.position.mover();
        let other = mover.other();
        if !patterns.fives(other).is_empty() {
            // The only reply costs no depth.
            return Some(node.depth);
        }
        if nth == 0 || !search.options.reductions || !patterns.open_fours(other).is_empty() {
            return Some(full);
        }
        let (own, theirs) = (patterns.class(cell, mover), patterns.class(cell, other));
        let quiet = own < Class::Three && theirs < Class::Three;
        if !K::PV && quiet {
            if nth >= 3 + (node.depth * node.depth) as usize / 2 {
                return None;
            }
            let eval = search.expert.evals[search.ply];
            let alpha = node.window.alpha;
            if node.depth <= 6 && !alpha.is_decided() && eval + MARGIN * (node.depth + 1) <= alpha {
                return None;
            }
        }
        if own >= Class::Four || nth < 2 {
            return Some(full);
        }
        let late = reduction(node.depth, nth) - Depth::from(K::PV || K::ROOT) - Depth::from(!quiet);
        Some((full - late.max(0)).max(0))
    }

    fn leaf(search: &mut Search<'_, Self>, window: Window) -> Searched {
        if !S::SELECTIVE {
            return Ok(search.expert.evaluate(&search.position));
        }
        let mover = search.position.mover();
        if let Some(score) = search.expert.at_a_glance(mover, search.ply) {
            return Ok(score);
        }
        if let Some(forced) = search.expert.patterns.fives(mover.other()).first() {
            return search.after(forced, |search| {
                search.control.tick()?;
                if search_core::Position::outcome(&search.position) == Some(Outcome::Draw) {
                    return Ok(Score::DRAW);
                }
                Ok(-Self::leaf(search, -window)?)
            });
        }
        if let Some(score) = Self::wins_by_fours(search, LEAF_FOURS, LEAF_NODES)? {
            return Ok(score);
        }
        Ok(search.expert.evaluate(&search.position))
    }
}

/// What meets the other side's threats to make an open four: a stone that changes each of those cells.
struct Defence {
    columns: usize,
    /// The cells, and the directions in which their fours lie.
    threats: smallvec::SmallVec<[(Cell, [bool; DIRECTIONS]); 8]>,
}

impl Defence {
    fn new(patterns: &Patterns, position: &Position, attacker: Color) -> Self {
        let threats = patterns.open_fours(attacker).iter().map(|cell| {
            (cell, std::array::from_fn(|direction| patterns.shape(cell, attacker, direction) >= Shape::Four))
        });
        Self { columns: position.geometry().columns(), threats: threats.collect() }
    }

    /// Whether a stone on `cell` stands on a line of fours of every threat, near enough to change it.
    fn meets_all(&self, cell: Cell) -> bool {
        let at = cell.coordinates(self.columns);
        self.threats.iter().all(|&(threat, directions)| {
            let target = threat.coordinates(self.columns);
            let rows = at.row as isize - target.row as isize;
            let columns = at.column as isize - target.column as isize;
            let near = rows.abs().max(columns.abs()) <= 5;
            let on_line = [rows == 0, columns == 0, rows == columns, rows == -columns];
            near && (0..DIRECTIONS).any(|direction| directions[direction] && on_line[direction])
        })
    }
}
