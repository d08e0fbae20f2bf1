//! The moves of a node: how deeply each is looked at, and which are left out.

use super::AlphaBeta;
use super::margins::{self, PLY};
use crate::patterns::Class;
use crate::player::history::Manner;
use crate::rules::Cell;
use search_core::{Bound, Entry, Score, Searched, Window};

/// What a node knows of itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub depth: i32,
    pub cut: bool,
    /// Whether the other side threatens to make an open four.
    pub threatened: bool,
    pub improving: bool,
    pub eval: Score,
    /// The table's move.
    pub known: Option<Cell>,
    pub entry: Option<Entry<Cell>>,
}

type SmallList = smallvec::SmallVec<[Cell; 32]>;

/// What the moves tried so far gave.
#[derive(Debug)]
pub(super) struct Tried {
    window: Window,
    /// Less than the node's once a good move has been found.
    pub depth: i32,
    best: Score,
    mv: Option<Cell>,
    nth: usize,
    /// Those that were searched and not best.
    pub failed: SmallList,
}

/// A move that is about to be tried.
#[derive(Debug, Clone, Copy)]
struct Trial {
    mv: Cell,
    /// From 1 on.
    nth: usize,
    /// What it threatens, and what it keeps from the other side.
    own: Class,
    theirs: Class,
    /// How far it lies from the mover's last move, and from the other side's.
    from_own: usize,
    from_other: usize,
}

impl Trial {
    fn is_near(&self) -> bool {
        self.from_own <= 4 || self.from_other <= 4
    }
}

impl AlphaBeta<'_> {
    /// Tries the moves: the table's first, before anything is generated, then the candidates by rank.
    pub(super) fn moves<const PV: bool>(
        &mut self,
        window: Window,
        node: Node,
    ) -> Searched<(Score, Option<Cell>)> {
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

    /// Whether a node of its depth looks at no more moves.
    #[inline]
    fn has_tried_enough(&self, node: &Node, tried: &Tried) -> bool {
        self.may_leave_out(tried) && tried.nth + 1 >= margins::moves_at(tried.depth, node.improving)
    }

    /// Moves may be left out only where another does not lose.
    #[inline]
    fn may_leave_out(&self, tried: &Tried) -> bool {
        self.ply > 0 && tried.nth > 0 && !tried.best.is_loss()
    }

    #[inline]
    fn trial(&self, mv: Cell, nth: usize) -> Trial {
        let mover = self.position.mover();
        let before = |back: usize| if self.ply >= back { self.frame(back).mv } else { None };
        Trial {
            mv,
            nth,
            own: self.patterns.class(mv, mover),
            theirs: self.patterns.class(mv, mover.other()),
            from_own: self.distance(before(2), mv),
            from_other: self.distance(before(1), mv),
        }
    }

    /// Searches one move; true when it refutes the node.
    fn try_move<const PV: bool>(&mut self, node: &Node, tried: &mut Tried, mv: Cell) -> Searched<bool> {
        let root = self.ply == 0;
        let depth = tried.depth;
        let trial = self.trial(mv, tried.nth + 1);
        if self.may_leave_out(tried)
            && node.threatened
            && depth < 430
            && trial.theirs < Class::Four
            && !trial.is_near()
        {
            return Ok(false);
        }
        tried.nth += 1;
        let Some(extension) = self.extension::<PV>(node, tried, trial)? else {
            // Others do as well: the node is refuted.
            tried.best = tried.window.beta;
            return Ok(true);
        };
        let mut new_depth = depth - PLY + extension;
        let extended = if root { 0 } else { self.frame(1).extended };
        self.frame_mut().extended = extended + (extension - PLY).max(0);

        let Window { alpha, beta } = tried.window;
        let is_late = depth >= 2 * PLY && trial.nth > 1 + usize::from(root);
        let reduced = is_late.then(|| {
            let less = self.reduction::<PV>(node, tried, trial);
            (new_depth - less).min(new_depth + PLY).max(PLY)
        });
        let (best, cut, is_first) = (tried.best, node.cut, trial.nth == 1);
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
            } else if !PV || !is_first {
                score = -search.node::<false>(-Window::above(alpha), new_depth, !cut)?;
            }
            if PV && (is_first || score > alpha && (root || score < beta)) {
                score = -search.node::<true>(-Window::new(alpha, beta), new_depth, false)?;
            }
            Ok(score)
        })?;
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
        trial: Trial,
    ) -> Searched<Option<i32>> {
        let Trial { mv, own, from_own, .. } = trial;
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

    /// Hundredths of plies by which a late move is first looked at less deeply.
    fn reduction<const PV: bool>(&self, node: &Node, tried: &Tried, trial: Trial) -> i32 {
        let Trial { mv, own, theirs, from_own, from_other, .. } = trial;
        let Window { alpha, beta } = tried.window;
        let mut less = margins::reduction(tried.depth, trial.nth);
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
        let mover = self.position.mover();
        let done = self.history.count(mover, mv, Manner::Attack)
            + self.history.count(mover, mv, Manner::Quiet) * 3 / 4
            - 3_100;
        less - done / if tried.depth > 540 { 155 } else { 115 }
    }
}
