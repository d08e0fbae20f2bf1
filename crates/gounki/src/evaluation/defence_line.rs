//! *Lignes de défense*: a sparse or lopsided own half lets the enemy through.

use crate::rules::Army;

/// The cost of a file that nobody holds in the own half, itself or from a neighbouring file.
const OPEN_FILE: i32 = 40;
/// The value of a file that is held.
const HELD_FILE: i32 = 15;
/// The cost of each man of difference between the two wings.
const UNBALANCED: i32 = 8;

/// The defence's value.
#[inline]
pub(super) fn of(own: &Army, _: &Army) -> i32 {
    let [held, open, unbalanced] = files(own);
    HELD_FILE * held - OPEN_FILE * open - UNBALANCED * unbalanced
}

/// Files held in the own half, files that nobody holds from a neighbouring one either, and the wings' difference.
#[inline]
pub(super) fn files(own: &Army) -> [i32; 3] {
    let home = own.occupied() & 0xffff_ffff;
    let mut files = home | home >> 16;
    files |= files >> 8;
    let files = files as u32 & 0xff;
    let guarded = (files | files << 1 | files >> 1) & 0xff;
    let left = (home & 0x0f0f_0f0f).count_ones() as i32;
    let right = (home & 0xf0f0_f0f0).count_ones() as i32;
    [files.count_ones() as i32, 8 - guarded.count_ones() as i32, (left - right).abs()]
}
