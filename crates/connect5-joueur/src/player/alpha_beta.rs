//! Alpha-beta with the selectivity that pays in this game: few moves looked at deeply, forced replies for nothing,
//! fours to the end at the leaves.
//!
//! The recursion is this game's own, on search-core's table, control and deepening: reductions by hundredths of a ply,
//! a move left out to see whether another does as well, and a leaf that searches on need more of each other than hooks
//! tell. Scores are hundredths of the logarithm of the odds of winning.

mod leaf;
mod margins;

use super::candidates::candidates;
use super::history::{History, Manner};
use super::verdict::verdict;
use crate::evaluation::judge;
use crate::patterns::{Class, Patterns};
use crate::rules::{Cell, Position};
use margins::{PLY, reduction};
use search_core::alpha_beta::{Found, deepen};
use search_core::{Bound, Control, Entry, Line, Position as _, Report, Score, Searched, Table, Window};

/// The deepest iteration, in plies.
const MAX_DEPTH: i32 = 100;
/// Extensions end here.
const MAX_PLY: usize = 240;
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
        control: &'a Control<'a>,
    ) -> Self {
        let cells = position.geometry().cells();
        Self {
            position,
            patterns,
            table,
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
            && !PV
            && entry.depth * PLY >= depth
            && entry.bound.settles(entry.score, window)
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

    /// Tries the moves: the table's first, before anything is generated, then the candidates by rank.
    fn moves<const PV: bool>(&mut self, window: Window, node: Node) -> Searched<(Score, Option<Cell>)> {
        let first = self.moves.len();
        let mut tried = Tried {
            window,
            depth: node.depth,
            best: -Score::INFINITY,
            mv: None,
            nth: 0,
            failed: SmallList::new(),
        };
        if let Some(mv) = node.known
            && Some(mv) != self.frame(0).excluded
            && self.try_move::<PV>(&node, &mut tried, mv)?
        {
            self.refuted_by(mv, &node, &tried);
            return Ok((tried.best, tried.mv));
        }
        self.rank_candidates();
        for index in first..self.moves.len() {
            if self.has_tried_enough(&node, &tried) {
                break;
            }
            let mv = self.pick(index);
            if Some(mv) == node.known || Some(mv) == self.frame(0).excluded {
                continue;
            }
            if self.try_move::<PV>(&node, &mut tried, mv)? {
                break;
            }
        }
        if tried.nth == 0 {
            return Ok((self.no_move(&node, window), None));
        }
        if let Some(mv) = tried.mv {
            self.refuted_by(mv, &node, &tried);
        }
        Ok((tried.best, tried.mv))
    }

    /// The value where no move was worth trying.
    fn no_move(&self, node: &Node, window: Window) -> Score {
        if self.frame(0).excluded.is_some() {
            window.alpha
        } else if node.threatened {
            Score::loss_in(self.ply + 4)
        } else {
            self.evaluate()
        }
    }

    /// Puts the moves worth trying on the stack, ranked.
    fn rank_candidates(&mut self) {
        let mover = self.position.mover();
        let before = if self.ply > 0 { self.frame(1).mv } else { None };
        let reply = before.and_then(|before| self.history.reply(mover.other(), before));
        let last = [before, if self.ply > 1 { self.frame(2).mv } else { None }];
        let Self { position, patterns, history, moves, .. } = self;
        let weights = patterns.weights();
        candidates(position, patterns, |cell| {
            let manner = manner(patterns.class(cell, mover));
            let done = history.count(mover, cell, manner);
            let done = if manner == Manner::Attack { done / 40 } else { done / 80 };
            let mut rank = patterns.promise(cell, mover) + weights.near(position, last, cell) + done;
            if reply == Some(cell) {
                rank += 65;
            }
            moves.push((rank, cell));
        });
    }

    /// The best of the moves from `from` on, moved to `from`.
    #[inline]
    fn pick(&mut self, from: usize) -> Cell {
        let rest = &mut self.moves[from..];
        let highest = rest.iter().map(|&(rank, _)| rank).max().expect("a move is left");
        let best = rest.iter().position(|&(rank, _)| rank == highest).expect("one has it");
        rest.swap(0, best);
        rest[0].1
    }

    /// Whether a node of its depth looks at no more moves. Moves may be left out only where one does not lose.
    #[inline]
    fn has_tried_enough(&self, node: &Node, tried: &Tried) -> bool {
        let may_leave_out = self.ply > 0 && tried.nth > 0 && !tried.best.is_loss();
        may_leave_out && tried.nth + 1 >= margins::moves_at(tried.depth, node.improving)
    }

    /// Searches one move; true when it refutes the node.
    fn try_move<const PV: bool>(&mut self, node: &Node, tried: &mut Tried, mv: Cell) -> Searched<bool> {
        let root = self.ply == 0;
        let mover = self.position.mover();
        let depth = tried.depth;
        let own = self.patterns.class(mv, mover);
        let theirs = self.patterns.class(mv, mover.other());
        let before_own = if self.ply >= 2 { self.frame(2).mv } else { None };
        let before_other = if self.ply >= 1 { self.frame(1).mv } else { None };
        let from_own = self.distance(before_own, mv);
        let from_other = self.distance(before_other, mv);
        let nth = tried.nth + 1;
        let may_leave_out = !root && nth > 1 && !tried.best.is_loss();
        let is_near = from_own <= 4 || from_other <= 4;
        if may_leave_out && node.threatened && depth < 430 && theirs < Class::Four && !is_near {
            return Ok(false);
        }
        let Some(extension) = self.extension::<PV>(node, tried, mv, own, from_own)? else {
            // Others do as well: the node is refuted.
            tried.best = tried.window.beta;
            tried.nth = nth;
            return Ok(true);
        };
        let mut new_depth = depth - PLY + extension;
        let extended = if root { 0 } else { self.frame(1).extended };
        self.frame_mut().extended = extended + (extension - PLY).max(0);

        let Window { alpha, beta } = tried.window;
        let reduced = if depth >= 2 * PLY && nth > 1 + usize::from(root) {
            let mut less = reduction(depth, nth);
            if PV {
                less -= PLY * (beta.value() - alpha.value()).min(self.root_width) / self.root_width;
                less = less.max(0);
            } else if !node.improving && less > PLY {
                less += PLY;
            }
            let killer = self.frame(0).killers.contains(&Some(mv)) && own < Class::Three && !node.threatened;
            if node.cut && !killer {
                less += 180;
            }
            if node.threatened && theirs < Class::Four {
                less += if from_other > 4 { 193 } else { 0 } + if from_own > 4 { 96 } else { 0 };
            }
            if !node.threatened
                && self.ply >= 2
                && self.frame(2).class >= Class::Three
                && (own >= Class::Three || from_own <= 4 && own >= Class::Builder)
            {
                less -= 53;
            }
            let stat = self.history.count(mover, mv, Manner::Attack)
                + self.history.count(mover, mv, Manner::Quiet) * 3 / 4
                - 3_100;
            less -= stat / if depth > 540 { 155 } else { 115 };
            Some((new_depth - less).min(new_depth + PLY).max(PLY))
        } else {
            None
        };
        let best = tried.best;
        let cut = node.cut;
        let score = self.after(mv, |search| {
            let mut score = alpha;
            if let Some(reduced) = reduced {
                score = -search.node::<false>(-Window::above(alpha), reduced, true)?;
                if score > alpha && reduced < new_depth {
                    new_depth += margins::again(new_depth - reduced, score, alpha, best, new_depth);
                    if reduced < new_depth {
                        score = -search.node::<false>(-Window::above(alpha), new_depth, !cut)?;
                    }
                }
            } else if !PV || nth > 1 {
                score = -search.node::<false>(-Window::above(alpha), new_depth, !cut)?;
            }
            if PV && (nth == 1 || score > alpha && (root || score < beta)) {
                score = -search.node::<true>(-Window::new(alpha, beta), new_depth, false)?;
            }
            Ok(score)
        })?;
        tried.nth = nth;
        if score > tried.best {
            tried.best = score;
            if score > alpha {
                if let Some(worse) = tried.mv {
                    tried.failed.push(worse);
                }
                tried.mv = Some(mv);
                tried.window.alpha = score;
                if PV {
                    self.keep_line(mv);
                }
                if root {
                    self.best_at_root = Some(score);
                }
                if depth > 2 * PLY && depth < 12 * PLY && score < beta && !score.is_decided() {
                    tried.depth -= PLY;
                }
                return Ok(score >= beta);
            }
        }
        tried.failed.push(mv);
        Ok(false)
    }

    /// Hundredths of plies by which a move is looked at more deeply, or less; `None`: other moves refute the node as
    /// well as this one does.
    fn extension<const PV: bool>(
        &mut self,
        node: &Node,
        tried: &Tried,
        mv: Cell,
        own: Class,
        from_own: usize,
    ) -> Searched<Option<i32>> {
        let depth = tried.depth;
        let root = self.ply == 0;
        let mut extension = 0;
        if node.known == Some(mv) {
            let singular = node.entry.filter(|entry| {
                !root
                    && depth >= margins::SINGULAR_DEPTH
                    && self.frame(0).excluded.is_none()
                    && !entry.score.is_decided()
                    && entry.bound != Bound::Upper
                    && entry.depth * PLY >= depth - 203
            });
            if let Some(entry) = singular {
                let bar = entry.score - margins::singular(depth);
                self.frame_mut().excluded = Some(mv);
                let others = self.node::<false>(Window::below(bar), depth * 46 / 100, node.cut);
                self.frame_mut().excluded = None;
                let others = others?;
                if others < bar {
                    let far = !PV && others < bar - 14 && self.frame(1).extended < 10 * PLY;
                    extension = if far { 2 * PLY } else { PLY };
                } else if bar >= tried.window.beta {
                    return Ok(None);
                } else if entry.score >= tried.window.beta {
                    extension = -150;
                }
            } else {
                extension = if PV { 25 } else { 8 };
                if own >= Class::Four && from_own <= 6 {
                    extension += if from_own <= 4 { 24 } else { 5 };
                }
            }
        }
        let expected =
            !PV && node.cut && !node.threatened && node.eval >= tried.window.beta + margins::fail_high(depth);
        if expected {
            if own < Class::Four {
                extension -= PLY;
            } else if self.ply >= 2 && self.frame(2).class >= Class::Four {
                extension += PLY;
            }
        }
        Ok(Some(extension))
    }

    /// `mv` was best; the moves tried before it were not.
    fn refuted_by(&mut self, mv: Cell, node: &Node, tried: &Tried) {
        let mover = self.position.mover();
        let bonus = History::bonus(node.depth);
        let class = self.patterns.class(mv, mover);
        let manner_of_best = manner(class);
        if manner_of_best == Manner::Attack || !node.threatened {
            self.history.reward(mover, mv, manner_of_best, bonus);
        }
        if manner_of_best == Manner::Quiet && !node.threatened {
            let killers = &mut self.frame_mut().killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        for &failed in &tried.failed {
            let manner = manner(self.patterns.class(failed, mover));
            if manner == Manner::Attack || manner_of_best == Manner::Quiet && !node.threatened {
                self.history.reward(mover, failed, manner, -bonus);
            }
        }
        if self.ply > 0
            && let Some(before) = self.frame(1).mv
        {
            self.history.note_reply(mover.other(), before, mv);
        }
    }
}

/// What a node knows of itself.
#[derive(Debug, Clone, Copy)]
struct Node {
    depth: i32,
    cut: bool,
    /// Whether the other side threatens to make an open four.
    threatened: bool,
    improving: bool,
    eval: Score,
    /// The table's move.
    known: Option<Cell>,
    entry: Option<Entry<Cell>>,
}

type SmallList = smallvec::SmallVec<[Cell; 32]>;

/// What the moves tried so far gave.
#[derive(Debug)]
struct Tried {
    window: Window,
    /// Less than the node's once a good move has been found.
    depth: i32,
    best: Score,
    mv: Option<Cell>,
    nth: usize,
    /// Those that were searched and not best.
    failed: SmallList,
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

#[inline]
fn manner(class: Class) -> Manner {
    if class >= Class::Three { Manner::Attack } else { Manner::Quiet }
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
            let mut search = AlphaBeta::new(position.clone(), patterns, &mut table, &control);
            let best = search.think(&mut |_| {}).best.expect("depth 1 completes");
            assert!(position.is_legal(best));
            assert_eq!((&search.position, search.ply), (&position, 0), "stopped after {nodes} nodes");
            let fresh = Patterns::new(&position, Evaluation::default().weights());
            search.patterns.assert_same(&fresh, &position);
        }
    }
}
