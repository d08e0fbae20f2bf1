//! Alpha-beta with the selectivity that pays in this game: few moves looked at deeply, forced replies for nothing,
//! fours to the end at the leaves.
//!
//! The recursion is this game's own, on search-core's table, control and deepening: reductions by hundredths of a ply,
//! a move left out to see whether another does as well, and a leaf that searches on need more of each other than hooks
//! tell. Scores are hundredths of the logarithm of the odds of winning.

mod leaf;
mod margins;
mod moves;
mod order;

use super::history::History;
use super::threat_search::{ThreatSearch, ThreatWin};
use super::verdict::verdict;
use crate::evaluation::judge;
use crate::patterns::{Class, Patterns};
use crate::rules::{Cell, Position};
use margins::PLY;
use moves::Node;
use search_core::alpha_beta::{Found, deepen};
use search_core::{Bound, Control, Entry, Line, Position as _, Report, Score, Searched, Table, Window};

/// The deepest iteration, in plies.
const MAX_DEPTH: i32 = 100;
/// Extensions end here.
const MAX_PLY: usize = 240;
/// Of so many positions, the search for continuous threats visits one from the root, and one from behind its best move.
const THREAT_SHARE: u64 = 20;
/// The depth of an entry that says what a threat search has proven.
const PROVEN_DEPTH: i32 = MAX_DEPTH + 1;
/// Half the first window around the last iteration's score.
const ASPIRATION: i32 = 12;

/// What is known of a node on the path.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The move being searched, and what it threatens for its own side.
    mv: Option<Cell>,
    class: Class,
    eval: Score,
    /// Quiet moves that cut siblings.
    killers: [Option<Cell>; 2],
    /// The move that is left out, to see whether another does as well.
    excluded: Option<Cell>,
    /// Hundredths of plies that the path has been extended by beyond one at a time.
    extended: i32,
}

impl Frame {
    const EMPTY: Self = Self {
        mv: None,
        class: Class::Nothing,
        eval: Score::DRAW,
        killers: [None; 2],
        excluded: None,
        extended: 0,
    };
}

/// Frames before the root's, so that a node can look back without asking.
const BEFORE: usize = 4;

/// A running search.
#[derive(Debug)]
pub(super) struct AlphaBeta<'a> {
    position: Position,
    patterns: Patterns,
    table: &'a mut Table<Cell>,
    threats: &'a mut ThreatSearch,
    /// Positions that the threat search has visited from the root, and from behind its best moves.
    threat_nodes: [u64; 2],
    control: &'a Control<'a>,
    history: History,
    /// The moves of the nodes on the path, each with its rank.
    moves: Vec<(i32, Cell)>,
    frames: Vec<Frame>,
    /// The best line from each ply on the path.
    lines: Vec<Line<Cell>>,
    ply: usize,
    /// The best score of the root in this iteration, once it is better than alpha.
    best_at_root: Option<Score>,
    /// The width of the root's window.
    root_width: i32,
}

impl<'a> AlphaBeta<'a> {
    pub fn new(
        position: Position,
        patterns: Patterns,
        table: &'a mut Table<Cell>,
        threats: &'a mut ThreatSearch,
        control: &'a Control<'a>,
    ) -> Self {
        let cells = position.geometry().cells();
        Self {
            position,
            patterns,
            table,
            threats,
            threat_nodes: [0; 2],
            control,
            history: History::new(cells),
            moves: Vec::with_capacity(1024),
            frames: vec![Frame::EMPTY; BEFORE + MAX_PLY + 3],
            lines: vec![Line::new(); MAX_PLY + 2],
            ply: 0,
            best_at_root: None,
            root_width: 1,
        }
    }

    /// Searches deeper and deeper until a limit of the control, and tells `inform` of each finished iteration.
    pub fn think(&mut self, inform: &mut dyn FnMut(&Report<Cell>)) -> Report<Cell> {
        self.table.new_search();
        deepen(self.control, MAX_DEPTH, 1, Some(ASPIRATION), inform, |depth, window| {
            if let Some(ThreatWin { plies, line }) = self.win_by_threats()? {
                return Ok(Found { score: Score::win_in(plies), line, complete: true, proven: true });
            }
            self.refute_best_by_threats()?;
            self.moves.clear();
            self.best_at_root = None;
            self.root_width = (window.beta.value() - window.alpha.value()).max(1);
            let searched = self.node::<true>(window, depth * PLY, false);
            let line = self.lines[0].clone();
            match (searched, self.best_at_root) {
                (Ok(score), _) => Ok(Found { score, line, complete: true, proven: false }),
                // The first move searched was the last iteration's best: what beat alpha since is better.
                (Err(_), Some(score)) => Ok(Found { score, line, complete: false, proven: false }),
                (Err(stop), None) => Err(stop),
            }
        })
    }

    /// A win of the root's mover by continuous threats, as far as the threat search's share shows one.
    fn win_by_threats(&mut self) -> Searched<Option<ThreatWin>> {
        let before = self.control.nodes();
        let nodes = (before / THREAT_SHARE).saturating_sub(self.threat_nodes[self.ply]);
        if nodes == 0 {
            return Ok(None);
        }
        let win = self.threats.prove(&mut self.position, &mut self.patterns, self.control, nodes);
        self.threat_nodes[self.ply] += self.control.nodes() - before;
        win
    }

    /// Where the other side wins by continuous threats against the best move so far, the table is told.
    fn refute_best_by_threats(&mut self) -> Searched<()> {
        let Some(&best) = self.lines[0].first() else { return Ok(()) };
        self.after(best, |search| {
            if search.position.outcome().is_none()
                && let Some(ThreatWin { plies, line }) = search.win_by_threats()?
            {
                let score = Score::win_in(search.ply + plies);
                let best = line.first().copied();
                let entry = Entry { best, score, depth: PROVEN_DEPTH, bound: Bound::Lower };
                search.table.store(search.position.key(), search.ply, entry);
            }
            Ok(())
        })
    }

    /// The frame of the node `back` plies before this one.
    #[inline]
    fn frame(&self, back: usize) -> &Frame {
        &self.frames[BEFORE + self.ply - back]
    }

    #[inline]
    fn frame_mut(&mut self) -> &mut Frame {
        &mut self.frames[BEFORE + self.ply]
    }

    /// Plays `mv`, lets `then` search, and takes `mv` back, whether or not `then` was stopped.
    #[inline]
    fn after<T>(&mut self, mv: Cell, then: impl FnOnce(&mut Self) -> T) -> T {
        let class = self.patterns.class(mv, self.position.mover());
        let frame = self.frame_mut();
        frame.mv = Some(mv);
        frame.class = class;
        self.position.play(mv);
        self.patterns.played(mv, &self.position);
        self.ply += 1;
        let result = then(self);
        self.ply -= 1;
        self.patterns.undone();
        self.position.undo(mv, ());
        result
    }

    fn evaluate(&self) -> Score {
        judge(&self.patterns, &self.position)
    }

    /// Nothing is known yet of the best line from here.
    fn begin_line(&mut self) {
        self.lines[self.ply].clear();
    }

    /// The best line from here is `mv` and then the best line behind it.
    fn keep_line(&mut self, mv: Cell) {
        let (upper, lower) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut upper[self.ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    /// How far two cells are apart, in king's steps; far, where one is not known.
    #[inline]
    fn distance(&self, from: Option<Cell>, to: Cell) -> usize {
        from.map_or(usize::MAX, |from| self.position.geometry().distance(from, to))
    }

    /// The position's value within `window`, `depth` hundredths of a ply deep. `cut`: the parent expects a refutation.
    fn node<const PV: bool>(&mut self, window: Window, depth: i32, cut: bool) -> Searched {
        if depth <= 0 {
            return self.leaf::<PV>(window, 0);
        }
        self.control.tick()?;
        let root = self.ply == 0;
        if PV {
            self.begin_line();
        }
        if let Some(outcome) = self.position.outcome() {
            return Ok(Score::of_outcome(outcome, self.ply));
        }
        let mut window = window;
        if !root {
            if self.ply >= MAX_PLY {
                return Ok(self.evaluate());
            }
            if let Some(score) = verdict(&self.position, &self.patterns, self.ply) {
                return Ok(score);
            }
            // No end can come sooner than the next ply's win or this ply's loss.
            window.alpha = window.alpha.max(Score::loss_in(self.ply + 2));
            window.beta = window.beta.min(Score::win_in(self.ply + 3));
            if window.alpha >= window.beta {
                return Ok(window.alpha);
            }
        }
        let other = self.position.mover().other();
        if let Some(reply) = self.patterns.fives(other).first().filter(|_| !root) {
            return self.forced::<PV>(window, depth, cut, reply);
        }

        let excluded = self.frame(0).excluded;
        let key = self.position.key() ^ excluded.map_or(0, |cell| margins::salt(cell.index()));
        let entry = self.table.probe(key, self.ply);
        if let Some(entry) = entry
            && (entry.depth == PROVEN_DEPTH
                || !PV && entry.depth * PLY >= depth && entry.bound.settles(entry.score, window))
        {
            return Ok(entry.score);
        }

        let threatened = !self.patterns.open_fours(other).is_empty();
        let still = if threatened && !root { -self.frame(1).eval } else { self.evaluate() };
        self.frame_mut().eval = still;
        let improving = self.ply >= 2 && still > self.frame(2).eval;
        // The table may know better.
        let eval = match entry {
            Some(entry) if corrects(entry, still) => entry.score,
            _ => still,
        };
        if !PV && !threatened {
            if depth < margins::RAZOR_DEPTH
                && !window.alpha.is_decided()
                && eval + margins::razor(depth) < window.alpha
            {
                return self.leaf::<false>(window, 0);
            }
            let attacking =
                self.frame(2).class >= Class::Four && self.ply >= 4 && self.frame(4).class >= Class::Four;
            if !eval.is_win()
                && !window.beta.is_loss()
                && !attacking
                && eval - margins::futility(depth, cut && entry.is_none(), improving) >= window.beta
            {
                return Ok(eval);
            }
        }

        let known = entry.and_then(|entry| entry.best).filter(|&mv| self.position.is_legal(mv));
        let mut depth = depth;
        if PV && !root {
            depth -= match (known, entry) {
                (Some(_), Some(entry)) if depth > PLY => {
                    ((depth - entry.depth * PLY) * 28 / 100).clamp(0, 360)
                }
                (None, _) => 32,
                _ => 0,
            };
            if depth <= 0 {
                return self.leaf::<PV>(window, 0);
            }
        }
        if known.is_none() && depth >= margins::BLIND_DEPTH {
            depth -= margins::BLIND;
        }
        let node = Node { depth, cut, threatened, improving, eval, known, entry };
        let first = self.moves.len();
        let searched = self.moves::<PV>(window, node);
        self.moves.truncate(first);
        let (score, best) = searched?;
        if excluded.is_none() {
            let bound = Bound::of(score, window);
            let best = if bound == Bound::Upper { None } else { best };
            self.table.store(key, self.ply, Entry { best, score, depth: depth / PLY, bound });
        }
        Ok(score)
    }

    /// The only reply to a five costs no depth.
    fn forced<const PV: bool>(&mut self, window: Window, depth: i32, cut: bool, reply: Cell) -> Searched {
        let before = *self.frame(1);
        let frame = self.frame_mut();
        frame.eval = -before.eval;
        frame.extended = before.extended;
        let score = self.after(reply, |search| search.node::<PV>(-window, depth + margins::FORCED, !cut))?;
        if PV {
            self.keep_line(reply);
        }
        Ok(-score)
    }
}

/// Whether the table's score says more of a node than its evaluation does.
#[inline]
fn corrects(entry: Entry<Cell>, eval: Score) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.score > eval,
        Bound::Upper => entry.score < eval,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::rules::Grid;
    use search_core::{Limits, Stopwatch};

    #[test]
    fn a_stop_at_any_node_leaves_everything_as_it_was() {
        let rows = "00000000/00N00000/000BN000/00NNB000/000BNB00/0000B000/00000000/00000000";
        let position = Position::from_grid(&rows.replace('/', "\n").parse::<Grid>().unwrap());
        let clock = Stopwatch::start();
        for nodes in (0..40).chain((40..4_000).step_by(17)) {
            let control = Control::new(Limits::nodes(nodes), &clock);
            let mut table = Table::with_bytes(1 << 14);
            let patterns = Patterns::new(&position, Evaluation::default().weights());
            let mut threats = ThreatSearch::new(1 << 14);
            let mut search = AlphaBeta::new(position.clone(), patterns, &mut table, &mut threats, &control);
            let best = search.think(&mut |_| {}).best.expect("depth 1 completes");
            assert!(position.is_legal(best));
            assert_eq!((&search.position, search.ply), (&position, 0), "stopped after {nodes} nodes");
            let fresh = Patterns::new(&position, Evaluation::default().weights());
            search.patterns.assert_same(&fresh, &position);
        }
    }
}
