//! The AVX-512 kernel: the legal moves of both sides at once, four lines each.
//!
//! This module is compiled only if the whole build has AVX-512; there is no choice at run time.

#![allow(unsafe_code)]

use super::LINES;
pub(super) use super::avx2::{flips, moves};
use std::arch::x86_64::*;

#[inline]
pub(super) fn moves_of_both(own: u64, opponent: u64) -> (u64, u64) {
    // SAFETY: the module is compiled only where every function of the build may use these instructions.
    unsafe { both(own, opponent) }
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

/// The union of each half's lanes, in all lanes of that half.
#[inline]
#[target_feature(enable = "avx512f")]
fn merge_halves(lanes: __m512i) -> __m512i {
    let pairs = _mm512_or_si512(lanes, _mm512_permutex_epi64::<0b01_00_11_10>(lanes));
    _mm512_or_si512(pairs, _mm512_permutex_epi64::<0b10_11_00_01>(pairs))
}

/// For each half, the squares where the owner of `discs` may play over the discs of `turning`; occupied squares are not
/// excluded.
#[inline]
#[target_feature(enable = "avx512f")]
fn reached(discs: __m512i, turning: __m512i) -> __m512i {
    let shift = vector(const { lanes(0) });
    let twice = _mm512_add_epi64(shift, shift);
    let thrice = _mm512_add_epi64(twice, shift);
    let middle = _mm512_and_si512(turning, vector(const { lanes(1) }));
    let up = |squares, by| _mm512_sllv_epi64(squares, by);
    let down = |squares, by| _mm512_srlv_epi64(squares, by);
    let grow = |run, by, grown| _mm512_or_si512(run, _mm512_and_si512(by, grown));

    // As in `portable::moves`: runs of one, two and three, then three more.
    let two = _mm512_and_si512(middle, up(middle, shift));
    let three = _mm512_and_si512(two, up(middle, twice));
    let short = _mm512_and_si512(middle, up(discs, shift));
    let short = grow(grow(short, two, up(discs, twice)), three, up(discs, thrice));
    let above = grow(short, three, up(short, thrice));
    let (two, three) = (down(two, shift), down(three, twice));
    let short = _mm512_and_si512(middle, down(discs, shift));
    let short = grow(grow(short, two, down(discs, twice)), three, down(discs, thrice));
    let below = grow(short, three, down(short, thrice));
    merge_halves(_mm512_or_si512(up(above, shift), down(below, shift)))
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
