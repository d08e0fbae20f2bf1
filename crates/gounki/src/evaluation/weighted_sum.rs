//! The weighted sum of the four ideas.

use super::{army_value, breakthrough, defence_line, isolated_men};
use crate::rules::Army;

/// The weights in sixteenths. Matches with other than equal weights showed no gain (see `EXPERIMENTS.tsv`).
const ARMY: i32 = 16;
const BREAKTHROUGH: i32 = 16;
const DEFENCE: i32 = 16;
const ISOLATED: i32 = 16;

/// The value of `own` against `enemy`.
#[inline]
pub(super) fn of(own: &Army, enemy: &Army) -> i32 {
    (ARMY * army_value::of(own, enemy)
        + BREAKTHROUGH * breakthrough::of(own, enemy)
        + DEFENCE * defence_line::of(own, enemy)
        + ISOLATED * isolated_men::of(own, enemy))
        / 16
}
