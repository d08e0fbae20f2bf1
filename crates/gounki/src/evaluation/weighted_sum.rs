//! The four ideas together.

use super::{army_value, breakthrough, defence_line, isolated_men};
use crate::rules::Army;

/// Weights in sixteenths. Other weights than equal ones were tried by matches, and none won (see `EXPERIMENTS.tsv`).
const ARMY: i32 = 16;
const BREAKTHROUGH: i32 = 16;
const DEFENCE: i32 = 16;
const ISOLATED: i32 = 16;

/// The weighted sum.
#[inline]
pub(super) fn of(own: &Army, enemy: &Army) -> i32 {
    (ARMY * army_value::of(own, enemy)
        + BREAKTHROUGH * breakthrough::of(own, enemy)
        + DEFENCE * defence_line::of(own, enemy)
        + ISOLATED * isolated_men::of(own, enemy))
        / 16
}
