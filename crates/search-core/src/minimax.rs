//! Plain negamax: the reference for every other search, and the minimax of textbooks.
//!
//! Source: C. Shannon, "Programming a computer for playing chess", 1950.
//!
//! ```
//! use search_core::testing::{Heap, Take};
//! use search_core::{Control, Limits, Score, Stopwatch, negamax};
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::default(), &clock);
//! let (score, best) = negamax(&mut Heap(6), 6, 0, &control, &mut |_| Score::DRAW).unwrap();
//! assert_eq!((score, best), (Score::win_in(3), Some(Take(2))));
//! ```

use crate::limits::{Control, Searched};
use crate::position::Position;
use crate::score::{Depth, Score};

/// Returns the value of `position` for the side to move at `depth` plies, and the first generated move that reaches it.
/// `ply` is the distance from the root, so that sooner wins are better.
///
/// # Errors
/// [`Stop`](crate::Stop) when `control` says so, once it is [armed](Control::arm).
pub fn negamax<P: Position>(
    position: &mut P,
    depth: Depth,
    ply: usize,
    control: &Control<'_>,
    evaluate: &mut impl FnMut(&P) -> Score,
) -> Searched<(Score, Option<P::Move>)> {
    control.tick()?;
    if let Some(outcome) = position.outcome() {
        return Ok((Score::of_outcome(outcome, ply), None));
    }
    if depth <= 0 {
        return Ok((evaluate(position), None));
    }
    let mut best = (-Score::INFINITY, None);
    for mv in position.move_list() {
        let undo = position.play(mv);
        let searched = negamax(position, depth - 1, ply + 1, control, evaluate);
        position.undo(mv, undo);
        let score = -searched?.0;
        if score > best.0 {
            best = (score, Some(mv));
        }
    }
    Ok(best)
}
