//! The game's heuristics for search-core: move ordering, VCF at the leaves, selectivity.
//!
//! Sources: E. Heinz, "Extended futility pruning", 1998 (futility, razoring); T. Anantharaman, M. Campbell, F. Hsu,
//! "Singular extensions: adding selectivity to brute-force searching", 1990; J. Uiterwijk, "The countermove heuristic",
//! 1992. Internal iterative reduction, reverse futility, late move pruning and late move reductions:
//! chessprogramming.org.

use super::candidates::candidates;
use super::margins as m;
use super::static_result::StaticResult;
use super::vcf::VcfSearch;
use super::vct_probe::VctProbe;
use crate::evaluation::judge;
use crate::evaluation::network::Network;
use crate::patterns::{Class, Patterns};
use crate::rules::{Cell, Position};
use search_core::alpha_beta::{MAX_PLY, NodeType};
use search_core::{Bound, Depth, Node, Plan, Score, Searched, Window};
use smallvec::SmallVec;

/// A running search with these heuristics.
pub(super) type Search<'a, 'b> = search_core::Search<'a, Heuristics<'b>>;

/// Units of depth in a ply.
const PLY: Depth = 16;

/// The heuristics of a search.
pub(super) struct Heuristics<'a> {
    pub patterns: Patterns,
    /// The network, if the evaluation has one.
    network: Option<Network>,
    vcf: VcfSearch,
    /// The interleaved VCT search.
    pub probe: Option<VctProbe<'a>>,
    /// False if the search returns the plain negamax value.
    is_selective: bool,
}

impl<'a> Heuristics<'a> {
    /// The heuristics of a search, which is selective if it has the VCT search.
    pub fn new(patterns: Patterns, network: Option<Network>, probe: Option<VctProbe<'a>>) -> Self {
        let (vcf, is_selective) = (VcfSearch::chained(m::LEAF_CHAIN), probe.is_some());
        Self { patterns, network, vcf, probe, is_selective }
    }

    /// The heuristics of a helper's search, selective without a VCT search: the leader's is enough.
    pub fn of_helper(patterns: Patterns, network: Option<Network>) -> Self {
        Self { is_selective: true, ..Self::new(patterns, network, None) }
    }

    const fn is_selective(&self) -> bool {
        self.is_selective
    }
}

/// Lets the interleaved VCT search run, and returns the value of this node if that search knows it.
#[inline]
fn poll_probe(search: &mut Search<'_, '_>) -> Searched<Option<Score>> {
    let control = search.control;
    let Some(probe) = &mut search.heuristics.probe else { return Ok(None) };
    probe.poll(control, |root| search.table.probe(root, 0).and_then(|entry| entry.best))?;
    Ok(if search.ply == 1 { probe.refutation(&search.position) } else { None })
}

impl<'b> search_core::Heuristics for Heuristics<'b> {
    type Position = Position;
    /// True if the node is expected to fail high.
    type Frame = bool;

    const ONE_PLY: Depth = PLY;
    const FRAMES: bool = true;
    const COUNTERMOVES: bool = true;
    const SOUND_LOSSES: bool = true;
    const FETCHES_AHEAD: bool = true;

    #[inline]
    fn played(&mut self, cell: Cell, (): &(), now: &Position) {
        if let Some(network) = &mut self.network {
            network.played(cell, now);
        }
        self.patterns.played(cell, now);
    }

    #[inline]
    fn undone(&mut self) {
        self.patterns.undone();
        if let Some(network) = &mut self.network {
            network.undone();
        }
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        match &mut self.network {
            Some(network) => network.evaluate(&self.patterns, position),
            None => judge(&self.patterns, position),
        }
    }

    fn candidates(search: &mut Search<'_, 'b>, _: &Node<Cell>) {
        if !search.heuristics.is_selective() {
            return search_core::Position::moves(&search.position, &mut search.picker);
        }
        let search_core::Search { position, heuristics, picker, frames, ply, .. } = search;
        let patterns = &heuristics.patterns;
        let mover = position.mover();
        let own_last = ply.checked_sub(1).and_then(|before| frames[before].mv);
        let last = [frames[*ply].mv, own_last];
        let near = patterns.weights().near(position, last);
        // Collected first, so that they are scored in one loop.
        let mut cells = SmallVec::<[Cell; 128]>::new();
        candidates(position, patterns, |cell| cells.push(cell));
        let move_score = |cell| patterns.move_score(cell, mover) + near.of(cell);
        match &mut heuristics.network {
            // A single move needs no ordering.
            _ if cells.len() == 1 => picker.add(cells[0], 0),
            None => cells.iter().for_each(|&cell| picker.add(cell, m::MOVE_SCORE * move_score(cell))),
            Some(network) => {
                network.catch_up();
                for &cell in &cells {
                    picker.add(cell, m::MOVE_SCORE * (move_score(cell) + network.move_score(cell, mover)));
                }
            }
        }
    }

    #[inline]
    fn key_after(position: &mut Position, cell: Cell) -> u64 {
        position.key_after(cell)
    }

    fn before_moves<K: NodeType>(search: &mut Search<'_, 'b>, node: &Node<Cell>) -> Searched<Option<Score>> {
        if !search.heuristics.is_selective() {
            return Ok(None);
        }
        let found = StaticResult::at(&search.heuristics.patterns, search.position.mover());
        if found != StaticResult::Open {
            return Ok(found.score(search.ply));
        }
        if search.ply <= m::PROBE_PLIES
            && let Some(score) = poll_probe(search)?
        {
            return Ok(Some(score));
        }
        let Window { alpha, beta } = node.window;
        if K::PV || alpha.is_decided() || beta.is_decided() {
            return Ok(None);
        }
        let value = search.static_value();
        let plies = node.depth / PLY;
        let improving = search.is_improving();
        if plies <= m::CALM_PLIES
            && value - m::CALM * (plies - Depth::from(improving)).max(1) >= beta
            && search.heuristics.patterns.open_fours(search.position.mover().other()).is_empty()
        {
            return Ok(Some(value));
        }
        if plies <= m::RAZOR_PLIES && value + m::RAZOR * plies <= alpha {
            let score = Self::leaf(search, node.window)?;
            return Ok((score <= alpha).then_some(score));
        }
        Ok(None)
    }

    fn depth_at<K: NodeType>(search: &Search<'_, 'b>, node: &Node<Cell>) -> Depth {
        let unknown = node.entry.is_none_or(|entry| entry.best.is_none());
        let reduced = search.heuristics.is_selective() && unknown && node.depth >= m::UNKNOWN_PLIES * PLY;
        node.depth - if reduced { PLY } else { 0 }
    }

    fn plan<K: NodeType>(
        search: &mut Search<'_, 'b>,
        node: &Node<Cell>,
        mv: Cell,
        nth: usize,
    ) -> Searched<Plan> {
        let depth = node.depth - PLY;
        if !search.heuristics.is_selective() {
            return Ok(Plan::to(depth));
        }
        let mover = search.position.mover();
        let patterns = &search.heuristics.patterns;
        // The reply to a four is forced.
        let forced = !patterns.fives(mover.other()).is_empty();
        let extension = if nth == 0 && !forced { singular::<K>(search, node, mv)? } else { 0 };
        let fails_high = !K::PV && search.frames[search.ply].own;
        search.frames[search.ply + 1].own = if K::PV { nth > 0 } else { !fails_high };
        if forced {
            return Ok(Plan::to(node.depth));
        }
        if nth == 0 {
            return Ok(Plan::to(depth + extension));
        }
        let patterns = &search.heuristics.patterns;
        let threatened = !patterns.open_fours(mover.other()).is_empty();
        let own = patterns.class(mv, mover);
        let plies = node.depth / PLY;
        let improving = search.is_improving();
        let may_skip = !K::ROOT && !threatened && own < Class::Three && !node.window.alpha.is_decided();
        if may_skip {
            let most = m::MOVES[(plies as usize).min(m::MOVES.len() - 1)];
            if nth >= if improving { most } else { most * 2 / 3 } {
                return Ok(Plan::SkipRest);
            }
        }
        let futile = may_skip && !K::PV && plies <= m::FUTILE_PLIES;
        if futile && search.heuristics.patterns.class(mv, mover.other()) < Class::Three {
            let value = search.static_value();
            if value + m::FUTILE * (plies + 1) <= node.window.alpha {
                return Ok(Plan::Skip);
            }
        }
        if nth < 2 || plies < 2 {
            return Ok(Plan::to(depth));
        }
        let mut reduction = m::LATE * (log(nth) * log(plies as usize)) / 256;
        reduction -= search.picker.history(mv, search.ply) / m::LATE_HISTORY;
        if K::PV {
            reduction -= m::LATE_ON_PV;
        }
        if fails_high {
            reduction += m::LATE_CUT;
        }
        if !improving {
            reduction += m::LATE_FALLING;
        }
        if own >= Class::Three || threatened {
            reduction -= m::LATE_THREAT;
        }
        Ok(Plan::Search { depth, reduction: reduction.clamp(0, depth - PLY.min(depth)) })
    }

    fn leaf(search: &mut Search<'_, 'b>, window: Window) -> Searched {
        if !search.heuristics.is_selective() {
            return Ok(search.heuristics.evaluate(&search.position));
        }
        let mover = search.position.mover();
        let found = StaticResult::at(&search.heuristics.patterns, mover);
        if let Some(score) = found.score(search.ply) {
            return Ok(score);
        }
        if let StaticResult::Forced(cell) = found {
            // Fours and their replies may go on for thousands of plies on a large grid, more than the stack holds.
            if search.ply >= MAX_PLY {
                return Ok(search.static_value());
            }
            return search.after(cell, |search| {
                search.control.tick()?;
                match search_core::Position::outcome(&search.position) {
                    Some(outcome) => Ok(-Score::of_outcome(outcome, search.ply)),
                    None => Ok(-Self::leaf(search, -window)?),
                }
            });
        }
        let value = search.static_value();
        if value >= window.beta || search.heuristics.patterns.fours(mover).is_empty() {
            return Ok(value);
        }
        let Heuristics { patterns, vcf, .. } = &mut search.heuristics;
        let won = vcf.wins(&mut search.position, patterns, search.control, m::LEAF_FOURS, m::LEAF_NODES)?;
        Ok(won.map_or(value, |plies| Score::win_in(search.ply + plies)))
    }
}

/// Returns the extension of the table's move if it is singular: no other move comes near its score.
fn singular<K: NodeType>(search: &mut Search<'_, '_>, node: &Node<Cell>, mv: Cell) -> Searched<Depth> {
    let Some(entry) = node.entry.filter(|entry| entry.best == Some(mv)) else { return Ok(0) };
    let deep = node.depth >= m::SINGULAR_PLIES * PLY && entry.depth >= node.depth - 3 * PLY;
    if K::ROOT || K::VERIFIES || !deep || entry.bound == Bound::Upper || entry.score.is_decided() {
        return Ok(0);
    }
    let limit = entry.score - m::SINGULAR * (node.depth / PLY);
    let others = search.without(mv, node, Window::below(limit), (node.depth - PLY) / 2)?;
    Ok(if others < limit { PLY } else { 0 })
}

/// Returns the natural logarithm in sixteenths.
fn log(number: usize) -> Depth {
    const LOGS: [u8; 32] = [
        0, 0, 11, 18, 22, 26, 29, 31, 33, 35, 37, 38, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 49, 50, 51, 52,
        52, 53, 53, 54, 54, 55,
    ];
    LOGS[number.min(31)].into()
}

#[cfg(test)]
mod tests;
