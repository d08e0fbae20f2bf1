//! The kernels that gain from vectors of eight words: two sides or two squares at once, four lines each.
//!
//! This module is compiled only where the whole build has AVX-512: nothing is chosen at run time.

#![allow(unsafe_code)]

use super::{LINES, RAYS};
use std::arch::x86_64::*;

#[inline]
pub(super) fn moves_of_both(own: u64, opponent: u64) -> (u64, u64) {
    // SAFETY: the module is compiled only where every function of the build may use these instructions.
    unsafe { both(own, opponent) }
}

#[inline]
pub(super) fn count_replies(own: u64, opponent: u64, legal: u64) -> u64 {
    // SAFETY: as above.
    unsafe { replies(own, opponent, legal) }
}

const fn lanes(of: usize) -> [i64; 8] {
    let mut lanes = [0; 8];
    let mut lane = 0;
    while lane < 8 {
        let (shift, mask) = LINES[lane % 4];
        lanes[lane] = if of == 0 { shift as i64 } else { mask as i64 };
        lane += 1;
    }
    lanes
}

#[inline]
#[target_feature(enable = "avx512f")]
fn vector(lanes: [i64; 8]) -> __m512i {
    let [a, b, c, d, e, f, g, h] = lanes;
    _mm512_setr_epi64(a, b, c, d, e, f, g, h)
}

/// One word in the four low lanes, another in the four high ones.
#[inline]
#[target_feature(enable = "avx512f")]
fn halves(low: u64, high: u64) -> __m512i {
    _mm512_mask_set1_epi64(_mm512_set1_epi64(low as i64), 0xf0, high as i64)
}

/// The lanes of each half in one word, in all lanes of that half.
#[inline]
#[target_feature(enable = "avx512f")]
fn merge_halves(lanes: __m512i) -> __m512i {
    let pairs = _mm512_or_si512(lanes, _mm512_permutex_epi64::<0b01_00_11_10>(lanes));
    _mm512_or_si512(pairs, _mm512_permutex_epi64::<0b10_11_00_01>(pairs))
}

/// Where the owner of `discs` may put one over the discs of `turning`, in each half; empty squares are not looked at.
#[inline]
#[target_feature(enable = "avx512f")]
fn reached(discs: __m512i, turning: __m512i) -> __m512i {
    let shift = vector(const { lanes(0) });
    let twice = _mm512_add_epi64(shift, shift);
    let middle = _mm512_and_si512(turning, vector(const { lanes(1) }));
    let up = |squares| _mm512_sllv_epi64(squares, shift);
    let down = |squares| _mm512_srlv_epi64(squares, shift);

    // Runs of opponent's discs that begin beside an own disc, grown by one, then twice by two: at most six.
    let grow = |run, by, grown| _mm512_or_si512(run, _mm512_and_si512(by, grown));
    let mut above = _mm512_and_si512(middle, up(discs));
    let mut below = _mm512_and_si512(middle, down(discs));
    above = grow(above, middle, up(above));
    below = grow(below, middle, down(below));
    let pairs_above = _mm512_and_si512(middle, up(middle));
    let pairs_below = down(pairs_above);
    for _ in 0..2 {
        above = grow(above, pairs_above, _mm512_sllv_epi64(above, twice));
        below = grow(below, pairs_below, _mm512_srlv_epi64(below, twice));
    }
    merge_halves(_mm512_or_si512(up(above), down(below)))
}

/// The lowest word of each half.
#[inline]
#[target_feature(enable = "avx512f")]
fn words(lanes: __m512i) -> (u64, u64) {
    let high = _mm512_extracti64x4_epi64::<1>(lanes);
    let low = _mm512_castsi512_si128(lanes);
    (_mm_cvtsi128_si64(low) as u64, _mm_cvtsi128_si64(_mm256_castsi256_si128(high)) as u64)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn both(own: u64, opponent: u64) -> (u64, u64) {
    let (mover, other) = words(reached(halves(own, opponent), halves(opponent, own)));
    let empty = !(own | opponent);
    (mover & empty, other & empty)
}

/// The discs turned by a disc on each of two squares, in the halves.
#[inline]
#[target_feature(enable = "avx512f,avx512cd")]
fn flips(squares: [u8; 2], discs: __m512i, turning: __m512i) -> __m512i {
    let [first, second] = squares.map(|square| &RAYS[usize::from(square & 63)]);
    // SAFETY: each array holds four words; the structure is aligned to 64 bytes.
    let (up, down) = unsafe {
        let load = |rays: &[u64; 4]| _mm256_load_si256(rays.as_ptr().cast());
        let pair = |low, high| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high);
        (pair(load(&first.up), load(&second.up)), pair(load(&first.down), load(&second.down)))
    };
    // Downwards: the highest square of the ray that holds no opponent's disc; none shifts everything out.
    let free = _mm512_andnot_si512(turning, down);
    let highest = _mm512_set1_epi64(i64::MIN);
    let stop = _mm512_and_si512(_mm512_srlv_epi64(highest, _mm512_lzcnt_epi64(free)), discs);
    // The ray's squares above an own disc: minus twice its bit; zero where there is none.
    let zero = _mm512_setzero_si512();
    let below = _mm512_and_si512(_mm512_sub_epi64(zero, _mm512_add_epi64(stop, stop)), down);

    // Upwards: the lowest such square, with everything below it.
    let free = _mm512_andnot_si512(turning, up);
    let until = _mm512_andnot_si512(free, _mm512_add_epi64(free, _mm512_set1_epi64(-1)));
    let stop = _mm512_and_si512(_mm512_sub_epi64(zero, free), _mm512_and_si512(free, discs));
    let closed = _mm512_test_epi64_mask(stop, stop);
    merge_halves(_mm512_or_si512(below, _mm512_maskz_and_epi64(closed, until, up)))
}

#[inline]
#[target_feature(enable = "avx512f,avx512cd")]
fn replies(own: u64, opponent: u64, legal: u64) -> u64 {
    let (discs, turning) = (_mm512_set1_epi64(own as i64), _mm512_set1_epi64(opponent as i64));
    let empty = !(own | opponent);
    let mut left = legal;
    let mut count = 0;
    while left != 0 {
        let first = left.trailing_zeros() as u8;
        left &= left - 1;
        // An odd last square is looked at twice and counted once.
        let second = if left == 0 { first } else { left.trailing_zeros() as u8 };
        let flips = flips([first, second], discs, turning);
        let put = halves(1 << first, 1 << second);
        let theirs = _mm512_xor_si512(turning, flips);
        let ours = _mm512_ternarylogic_epi64::<0b1001_0110>(discs, flips, put);
        let (low, high) = words(reached(theirs, ours));
        count += u64::from((low & empty & !(1 << first)).count_ones().max(1));
        if left != 0 {
            count += u64::from((high & empty & !(1 << second)).count_ones().max(1));
        }
        left &= left.wrapping_sub(1);
    }
    count
}
