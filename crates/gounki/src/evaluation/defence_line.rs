//! *Lignes de défense*: a sparse or lopsided own half lets the enemy through.

use crate::rules::Army;

/// The penalty for a file of the own half without a man on it or on a neighbouring file.
const OPEN_FILE: i32 = 40;
/// The bonus for a file of the own half with a man on it.
const HELD_FILE: i32 = 15;
/// The penalty for each man of difference between the two wings.
const UNBALANCED: i32 = 8;

/// The value of `own`'s defence.
#[inline]
pub(super) fn of(own: &Army, _: &Army) -> i32 {
    let [held, open, unbalanced] = files(own);
    HELD_FILE * held - OPEN_FILE * open - UNBALANCED * unbalanced
}

/// Counts the held files of the own half, the open files, and the difference between the wings in men.
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
