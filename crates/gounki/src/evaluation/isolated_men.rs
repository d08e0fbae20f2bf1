//! *Éléments isolés trop éloignés*: a man in the enemy's half with no friend near is hard to replace or support.

use crate::rules::Army;

/// The cost of each of them.
const ISOLATED: i32 = 30;

/// Minus what isolated men cost.
#[inline]
pub(super) fn of(own: &Army, _: &Army) -> i32 {
    -ISOLATED * count(own)
}

/// Stacks beyond the middle with no friend on a neighbouring cell.
#[inline]
pub(super) fn count(own: &Army) -> i32 {
    let men = own.occupied();
    let beside = (men & !0x0101_0101_0101_0101) >> 1 | (men & !0x8080_8080_8080_8080) << 1;
    let row = men | beside;
    let supported = beside | row << 8 | row >> 8;
    let far = men & 0xffff_ffff_0000_0000;
    (far & !supported).count_ones() as i32
}
