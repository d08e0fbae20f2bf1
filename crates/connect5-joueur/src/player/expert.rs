//! What the search is told of the game.

use super::FourSearch;
use crate::evaluation::Evaluation;
use crate::patterns::{Patterns, Shape};
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
    evaluation: Evaluation,
    patterns: Patterns,
    four_search: FourSearch,
    kind: PhantomData<S>,
}

/// Fours that the four-search tries at a leaf, and the positions it may visit.
const LEAF_FOURS: u32 = 6;
const LEAF_NODES: u64 = 60;
/// The same at inner nodes.
const INNER_FOURS: u32 = 12;
const INNER_NODES: u64 = 200;

impl<S: Selectivity> Tactician<S> {
    /// The expert for a search that begins where `patterns` stand.
    pub fn new(evaluation: Evaluation, patterns: Patterns, four_search: FourSearch) -> Self {
        Self { evaluation, patterns, four_search, kind: PhantomData }
    }

    /// The expert for a search from `position`.
    pub fn at(evaluation: Evaluation, position: &Position) -> Self {
        Self::new(evaluation, Patterns::new(position, evaluation.weights()), FourSearch::new())
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
        self.evaluation.judge(&self.patterns, position)
    }

    fn candidates(search: &mut Search<'_, Self>, _: &Node<Cell>) {
        let patterns = &search.expert.patterns;
        let mover = search.position.mover();
        let other = mover.other();
        let picker = &mut search.picker;
        let rank = |cell: Cell| 16 * patterns.value_of(cell, mover) + 12 * patterns.value_of(cell, other);
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
        if let Some(score) = search.expert.at_a_glance(search.position.mover(), search.ply) {
            return Ok(Some(score));
        }
        // The table has seen this position with as much depth already: its four-search found nothing.
        if node.entry.is_some_and(|entry| !entry.score.is_win() && entry.depth > 0) {
            return Ok(None);
        }
        Self::wins_by_fours(search, INNER_FOURS, INNER_NODES)
    }

    fn depth_for<K: Kind>(
        search: &Search<'_, Self>,
        node: &Node<Cell>,
        _: Cell,
        nth: usize,
    ) -> Option<Depth> {
        let full = node.depth - 1;
        if !S::SELECTIVE {
            return Some(full);
        }
        let patterns = &search.expert.patterns;
        let other = search.position.mover().other();
        if !patterns.fives(other).is_empty() {
            // The only reply costs no depth.
            return Some(node.depth);
        }
        if K::PV || !search.options.reductions || !patterns.open_fours(other).is_empty() {
            return Some(full);
        }
        if nth >= 6 + 6 * node.depth as usize {
            return None;
        }
        let late = Depth::from(nth >= 3 && node.depth >= 3) + Depth::from(nth >= 10 && node.depth >= 4);
        Some(full - late)
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
