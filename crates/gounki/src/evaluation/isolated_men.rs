//! *Éléments isolés trop éloignés*: a man in the enemy's half without a friend nearby is hard to replace or support.

use crate::rules::Army;

/// The penalty for each isolated man.
const ISOLATED: i32 = 30;

/// The total penalty for isolated men, as a negative value.
#[inline]
pub(super) fn of(own: &Army, _: &Army) -> i32 {
    -ISOLATED * count(own)
}

/// Counts the stacks beyond the middle without a friend on a neighbouring cell.
#[inline]
pub(super) fn count(own: &Army) -> i32 {
    let men = own.occupied();
    let beside = (men & !0x0101_0101_0101_0101) >> 1 | (men & !0x8080_8080_8080_8080) << 1;
    let row = men | beside;
    let supported = beside | row << 8 | row >> 8;
    let far = men & 0xffff_ffff_0000_0000;
    (far & !supported).count_ones() as i32
}
