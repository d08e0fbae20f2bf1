//! ProbCut (Buro 1995): cuts a deep search if a shallow one is far enough outside the window.
//!
//! It is off if the depth is strict: a cut may be wrong, so the value is no longer that of a plain search.
//!
//! Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", 1995; the static check
//! before the two searches: R. Delorme, Edax.

use super::heuristics::{NearEquals, OthelloHeuristics};
use crate::rules::Move;
use search_core::alpha_beta::{NodeType, NullWindow};
use search_core::{Depth, Node, Score, Search, Searched, Window};

/// The smallest depth at which ProbCut costs less than it saves.
const FROM: Depth = 5;
/// The deepest nesting of shallow searches; cuts deeper inside save nothing.
const NESTED: u8 = 2;
/// The margin of a cut, in tenths of the standard error.
const MARGIN: i32 = 16;

/// The depth of the shallow search. It has the same parity, because of the evaluation's odd–even effect.
const fn shallow_depth(depth: Depth) -> Depth {
    depth - 4
}

/// The standard error of the shallow search in points. It is fitted to 150 tournament positions for each of 22, 26, …,
/// 50 empty squares at depths 5 to 9, within a third of a disc except at depth 5 late in the game.
fn error(empties: u32, depth: Depth) -> i32 {
    Score::POINT * (64 - empties as i32) * (depth - shallow_depth(depth) + 4) / 80
}

/// Returns alpha or beta if a shallow search says that the value is most likely at or beyond that bound.
pub(super) fn probcut<V: NearEquals, const PROBCUT: bool, K: NodeType>(
    search: &mut Search<'_, OthelloHeuristics<V, PROBCUT>>,
    node: &Node<Move>,
) -> Searched<Option<Score>> {
    if K::PV || node.depth < FROM || search.heuristics.nested >= NESTED {
        return Ok(None);
    }
    let position = search.position;
    let at_once = search.heuristics.evaluation.evaluate(&position);
    let margin = MARGIN * error(position.empties(), node.depth) / 10;
    let Window { alpha, beta } = node.window;
    let (low, high) = (alpha - margin, beta + margin);
    let most = Score::new(64 * Score::POINT);
    if at_once >= beta && high < most && shallow_search(search, high - 1, node.depth)? >= high {
        return Ok(Some(beta));
    }
    if at_once <= alpha && low > -most && shallow_search(search, low, node.depth)? <= low {
        return Ok(Some(alpha));
    }
    Ok(None)
}

/// The shallow search with the null window above `alpha`.
fn shallow_search<V: NearEquals, const PROBCUT: bool>(
    search: &mut Search<'_, OthelloHeuristics<V, PROBCUT>>,
    alpha: Score,
    depth: Depth,
) -> Searched {
    search.heuristics.nested += 1;
    let answer = search.node::<NullWindow>(Window::above(alpha), shallow_depth(depth));
    search.heuristics.nested -= 1;
    answer
}
