//! The AVX2 kernels: one line through the square per lane.
//!
//! [`super::portable`] explains the methods step by step.
//!
//! This module is compiled only if the whole build has AVX2; there is no choice at run time.

#![allow(unsafe_code)]

use super::portable::enclosed_leftwards;
// Used in builds without AVX-512.
#[allow(unused_imports)]
pub(super) use super::portable::moves_of_both;
use super::{LINES, RAYS};
use std::arch::x86_64::*;

#[inline]
pub(super) fn moves(own: u64, opponent: u64) -> u64 {
    // SAFETY: the module is compiled only where every function of the build may use AVX2.
    unsafe { moves_avx2(own, opponent) }
}

#[inline]
pub(super) fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    // SAFETY: as above.
    unsafe { flips_avx2(square, own, opponent) }
}

const fn lanes(of: usize) -> [i64; 4] {
    let mut lanes = [0; 4];
    let mut line = 0;
    while line < 4 {
        lanes[line] = if of == 0 { LINES[line].0 as i64 } else { LINES[line].1 as i64 };
        line += 1;
    }
    lanes
}

#[inline]
#[target_feature(enable = "avx2")]
fn vector(lanes: [i64; 4]) -> __m256i {
    _mm256_setr_epi64x(lanes[0], lanes[1], lanes[2], lanes[3])
}

/// The union of all four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn merge(lanes: __m256i) -> u64 {
    let pair = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let one = _mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair));
    _mm_cvtsi128_si64(one) as u64
}

#[inline]
#[target_feature(enable = "avx2")]
fn moves_avx2(own: u64, opponent: u64) -> u64 {
    let shift = vector(const { lanes(0) });
    let (twice, thrice) =
        (_mm256_slli_epi64::<1>(shift), _mm256_add_epi64(shift, _mm256_slli_epi64::<1>(shift)));
    let discs = _mm256_set1_epi64x(own as i64);
    let middle = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), vector(const { lanes(1) }));
    let both = |a, b| _mm256_and_si256(a, b);
    let any = |a, b| _mm256_or_si256(a, b);

    let two = both(middle, _mm256_sllv_epi64(middle, shift));
    let three = both(two, _mm256_sllv_epi64(middle, twice));
    let behind_one = both(middle, _mm256_sllv_epi64(discs, shift));
    let behind_two = both(two, _mm256_sllv_epi64(discs, twice));
    let behind_three = both(three, _mm256_sllv_epi64(discs, thrice));
    let short = any(any(behind_one, behind_two), behind_three);
    let up = any(short, both(three, _mm256_sllv_epi64(short, thrice)));

    let (two, three) = (_mm256_srlv_epi64(two, shift), _mm256_srlv_epi64(three, twice));
    let behind_one = both(middle, _mm256_srlv_epi64(discs, shift));
    let behind_two = both(two, _mm256_srlv_epi64(discs, twice));
    let behind_three = both(three, _mm256_srlv_epi64(discs, thrice));
    let short = any(any(behind_one, behind_two), behind_three);
    let down = any(short, both(three, _mm256_srlv_epi64(short, thrice)));

    let ends = any(_mm256_sllv_epi64(up, shift), _mm256_srlv_epi64(down, shift));
    merge(ends) & !(own | opponent)
}

/// Flips two boards vertically, one per lane.
#[inline]
#[target_feature(enable = "avx2")]
fn upside_down(boards: __m128i) -> __m128i {
    const OPPOSITE: i64 = 0x0001_0203_0405_0607;
    _mm_shuffle_epi8(boards, _mm_set_epi64x(OPPOSITE + 0x0808_0808_0808_0808, OPPOSITE))
}

/// The opponent's discs on each ray (all towards higher bits), up to the first square that is not the opponent's, if
/// that square has an own disc.
#[inline]
#[target_feature(enable = "avx2")]
fn enclosed(rays: &[u64; 4], own: __m256i, opponent: __m256i) -> __m256i {
    // SAFETY: the array holds four words, and the structure around it is aligned to 64 bytes.
    let ray = unsafe { _mm256_load_si256(rays.as_ptr().cast()) };
    let ends = _mm256_andnot_si256(opponent, ray);
    let less = _mm256_add_epi64(ends, _mm256_set1_epi64x(-1));
    let closing = _mm256_andnot_si256(less, _mm256_and_si256(ends, own));
    let is_open = _mm256_cmpeq_epi64(closing, _mm256_setzero_si256());
    let before = _mm256_and_si256(ray, _mm256_andnot_si256(ends, less));
    _mm256_andnot_si256(is_open, before)
}

#[inline]
#[target_feature(enable = "avx2")]
fn flips_avx2(square: u8, own: u64, opponent: u64) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    let lane = |words| _mm256_broadcastq_epi64(words);
    let second = |words| _mm_unpackhi_epi64(words, words);

    let boards = _mm_set_epi64x(opponent as i64, own as i64);
    let below = upside_down(boards);
    let below = enclosed(&rays.down_upside_down, lane(below), lane(second(below)));
    let above = enclosed(&rays.up, lane(boards), lane(second(boards)));
    // Both halves of each board side by side in one register, then joined.
    let pairs = _mm256_or_si256(_mm256_unpacklo_epi64(above, below), _mm256_unpackhi_epi64(above, below));
    let both = _mm_or_si128(_mm256_castsi256_si128(pairs), _mm256_extracti128_si256::<1>(pairs));
    let (above, below) = (_mm_cvtsi128_si64(both) as u64, _mm_extract_epi64::<1>(both) as u64);
    above | below.swap_bytes() | enclosed_leftwards(square, own, opponent)
}

#[cfg(test)]
mod tests {
    use super::super::portable;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn every_path_turns_the_same_discs() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(2);
        for _ in 0..20_000 {
            let (a, b): (u64, u64) = (random.random(), random.random());
            let square = random.random_range(0..64);
            let (own, opponent) = (a & b & !(1 << square), a & !b & !(1 << square));
            assert_eq!(super::flips(square, own, opponent), portable::flips(square, own, opponent));
        }
    }
}
