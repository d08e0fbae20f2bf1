//! ProbCut (Buro 1995): where a shallow search is far enough outside the window, a deep one would be, too.
//!
//! Not for a strict depth: a cut may be wrong, and the value is no longer that of a plain search.
//!
//! Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995; the static
//! check before the two searches: R. Delorme, Edax.

use super::heuristics::OthelloHeuristics;
use super::horizon::NearEquals;
use crate::rules::Move;
use search_core::alpha_beta::{NodeType, NullWindow};
use search_core::{Depth, Node, Score, Search, Searched, Window};

/// Shallower nodes cost less than the question.
const FROM: Depth = 5;
/// A cut inside a shallow search inside a shallow search saves nothing.
const NESTED: u8 = 2;
/// The number of standard deviations that the shallow search must be outside, in tenths.
const CAUTION: i32 = 16;

/// The shallow search's depth: of the same parity, for the odd–even effect of the evaluation.
const fn shallow(depth: Depth) -> Depth {
    depth - 4
}

/// The standard deviation between a search and its shallow one, in points: what 150 tournament positions with 22, 26, …
/// 50 empty squares each gave for depths 5 to 9, within a third of a disc but for depth 5 late in the game.
fn error(empties: u32, depth: Depth) -> i32 {
    Score::POINT * (64 - empties as i32) * (depth - shallow(depth) + 4) / 80
}

/// The bound of the window that a shallow search says will be passed, if it says so.
pub(super) fn probably<V: NearEquals, const PROBCUT: bool, K: NodeType>(
    search: &mut Search<'_, OthelloHeuristics<V, PROBCUT>>,
    node: &Node<Move>,
) -> Searched<Option<Score>> {
    if K::PV || node.depth < FROM || search.heuristics.nested >= NESTED {
        return Ok(None);
    }
    let position = search.position;
    let at_once = search.heuristics.evaluation.evaluate(&position);
    let margin = CAUTION * error(position.empties(), node.depth) / 10;
    let Window { alpha, beta } = node.window;
    let (low, high) = (alpha - margin, beta + margin);
    let most = Score::new(64 * Score::POINT);
    if at_once >= beta && high < most && ask(search, high - 1, node.depth)? >= high {
        return Ok(Some(beta));
    }
    if at_once <= alpha && low > -most && ask(search, low, node.depth)? <= low {
        return Ok(Some(alpha));
    }
    Ok(None)
}

/// The shallow search in the null window above `alpha`.
fn ask<V: NearEquals, const PROBCUT: bool>(
    search: &mut Search<'_, OthelloHeuristics<V, PROBCUT>>,
    alpha: Score,
    depth: Depth,
) -> Searched {
    search.heuristics.nested += 1;
    let answer = search.node::<NullWindow>(Window::above(alpha), shallow(depth));
    search.heuristics.nested -= 1;
    answer
}
