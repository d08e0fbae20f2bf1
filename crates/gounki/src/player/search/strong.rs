//! The search hooks of the best robot.

use super::{Exact, height, rank_all};
use crate::evaluation::Evaluation;
use crate::player::{Board, race};
use crate::rules::{Kind, Move};
use search_core::alpha_beta::{NodeType, NullWindow, Plan, Pv};
use search_core::{Depth, Heuristics, Node, Position as _, Score, Search, Searched, Visit, Window};
use smallvec::SmallVec;

/// Alpha-beta with everything that pays by the clock: quiescence search of captures; extensions at leaves where a side
/// threatens to leave the board; late move reductions; and, near the leaves, late move pruning and reverse futility
/// pruning.
#[derive(Debug, Clone)]
pub(in crate::player) struct Strong {
    exact: Exact,
    /// The number of extended leaves on the current path.
    extended: u8,
}

/// Reverse futility: up to this depth, a node is cut if its evaluation exceeds beta by `CUT_MARGIN` per ply.
const CUT_TO: Depth = 2;
const CUT_MARGIN: i32 = 150;
/// Late move pruning: up to this depth, the first `KEPT_MOVES` × depth² moves are searched.
const PRUNED_TO: Depth = 3;
const KEPT_MOVES: usize = 6;
/// The largest number of extended leaves on one path.
const EXTENSIONS: u8 = 8;

impl Strong {
    pub(in crate::player) fn new(evaluation: Evaluation) -> Self {
        Self { exact: Exact::new(evaluation), extended: 0 }
    }
}

impl Heuristics for Strong {
    type Position = Board;
    /// True if late moves may be pruned here: the depth is small, and the opponent does not threaten to leave the
    /// board.
    type Frame = bool;

    const SOUND_LOSSES: bool = true;

    #[inline]
    fn evaluate(&mut self, board: &Board) -> Score {
        self.exact.evaluate(board)
    }

    fn candidates(search: &mut Search<'_, Self>, _: &Node<Move>) {
        rank_all(&search.position, &mut search.picker);
    }

    #[inline]
    fn before_moves<K: NodeType>(
        search: &mut Search<'_, Self>,
        node: &Node<Move>,
    ) -> Searched<Option<Score>> {
        if search.position.0.can_exit() {
            return Ok(Some(Score::win_in(search.ply + 1)));
        }
        Ok(if K::PV {
            None
        } else {
            race::decided(&search.position.0, search.ply).or_else(|| reverse_futility(search, node))
        })
    }

    #[inline]
    fn plan<K: NodeType>(
        search: &mut Search<'_, Self>,
        node: &Node<Move>,
        mv: Move,
        nth: usize,
    ) -> Searched<Plan> {
        if !K::PV
            && search.frames[search.ply].own
            && nth >= KEPT_MOVES * (node.depth * node.depth) as usize
            && !matches!(mv.kind(), Kind::Step(to) if search.position.0.enemy().occupied() & to.bit() != 0)
        {
            return Ok(Plan::Skip);
        }
        let reduces = !K::PV && search.options.reductions;
        Ok(if reduces { Plan::late(node.depth - 1, nth, Self::ONE_PLY) } else { Plan::to(node.depth - 1) })
    }

    #[inline]
    fn leaf(search: &mut Search<'_, Self>, window: Window) -> Searched {
        quiesce(search, window)
    }
}

/// Reverse futility: returns the evaluation if it is far above beta. Also records whether late moves may be pruned
/// here.
#[inline]
fn reverse_futility(search: &mut Search<'_, Strong>, node: &Node<Move>) -> Option<Score> {
    let calm =
        search.options.reductions && node.depth <= PRUNED_TO && !search.position.0.other_view().can_exit();
    search.frames[search.ply].own = calm;
    if !calm || node.depth > CUT_TO || node.window.beta.is_decided() {
        return None;
    }
    let standing = search.heuristics.exact.evaluate(&search.position);
    (standing >= node.window.beta + CUT_MARGIN * node.depth).then_some(standing)
}

/// Quiescence search of captures. A side that can leave the board wins; a side that must prevent this gets one full
/// ply.
fn quiesce(search: &mut Search<'_, Strong>, window: Window) -> Searched {
    if search.position.0.can_exit() {
        return Ok(Score::win_in(search.ply + 1));
    }
    if let Some(decided) = race::decided(&search.position.0, search.ply) {
        return Ok(decided);
    }
    if search.heuristics.extended < EXTENSIONS && search.position.0.other_view().can_exit() {
        search.heuristics.extended += 1;
        let searched = if window.is_null() {
            search.node::<NullWindow>(window, 1)
        } else {
            search.node::<Pv>(window, 1)
        };
        search.heuristics.extended -= 1;
        return searched;
    }
    let standing = search.heuristics.exact.evaluate(&search.position);
    if standing >= window.beta {
        return Ok(standing);
    }
    let mut window = Window::new(window.alpha.max(standing), window.beta);
    let mut best = standing;
    let mut captures = SmallVec::<[(i32, Move); 16]>::new();
    let enemy = search.position.0.enemy();
    let [low, high] = enemy.heights();
    let own = search.position.0.own().heights();
    search.position.0.captures(&mut Visit(|mv: Move| {
        if let Kind::Step(to) = mv.kind() {
            // Captures with the largest gain first (most valuable victim, least valuable attacker).
            let gain = 4 * height(low, high, to) - height(own[0], own[1], mv.from());
            captures.push((gain, mv));
        }
    }));
    captures.sort_unstable_by_key(|&(gain, mv)| (-gain, search_core::MoveCode::to_code(mv)));
    for (_, mv) in captures {
        search.control.tick()?;
        let score = -search.after(mv, |search| match search.position.outcome() {
            Some(outcome) => Ok(Score::of_outcome(outcome, search.ply)),
            None => quiesce(search, -window),
        })?;
        if score > best {
            best = score;
            window.alpha = window.alpha.max(score);
            if score >= window.beta {
                break;
            }
        }
    }
    Ok(best)
}
