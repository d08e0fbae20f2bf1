//! What one look at the patterns decides.

use crate::patterns::{Class, Patterns};
use crate::rules::{Cell, Color, Position};
use search_core::Score;

/// The value of a position with `mover` to move, `ply` plies from the root, where one look tells it: a five, two
/// fives of the other side, an open four, a four with an open three or two open threes that nothing answers, or
/// nothing left to hope for.
#[inline]
pub(super) fn verdict(position: &Position, patterns: &Patterns, ply: usize) -> Option<Score> {
    let mover = position.mover();
    let other = mover.other();
    if !patterns.fives(mover).is_empty() {
        return Some(Score::win_in(ply + 1));
    }
    match patterns.fives(other).len() {
        0 => {}
        1 => return None,
        _ => return Some(Score::loss_in(ply + 2)),
    }
    if !patterns.open_fours(mover).is_empty() {
        return Some(Score::win_in(ply + 3));
    }
    let unanswered = patterns.fours(other).is_empty();
    if unanswered && patterns.count(mover, Class::DoubleThree) > 0
        || patterns.count(mover, Class::FourThree) > 0
            && (unanswered || four_and_three(position, patterns, mover).is_some())
    {
        return Some(Score::win_in(ply + 5));
    }
    patterns.is_dead().then_some(Score::DRAW)
}

/// A move that wins where [`verdict`] says that the mover does.
pub(super) fn winning_move(position: &Position, patterns: &Patterns) -> Option<Cell> {
    let mover = position.mover();
    let fives = patterns.fives(mover).first();
    fives.or_else(|| patterns.open_fours(mover).first()).or_else(|| {
        four_and_three(position, patterns, mover)
            .or_else(|| patterns.candidates().find(|&cell| patterns.class(cell, mover) == Class::DoubleThree))
    })
}

/// A four with an open three that is answered without a four of the other side's own: then the open four follows.
fn four_and_three(position: &Position, patterns: &Patterns, mover: Color) -> Option<Cell> {
    patterns.fours(mover).iter().filter(|&cell| patterns.class(cell, mover) == Class::FourThree).find(
        |&cell| {
            let reply = patterns.reply_to_four(position, cell, mover);
            reply.is_some_and(|reply| patterns.class(reply, mover.other()) < Class::Four)
        },
    )
}
