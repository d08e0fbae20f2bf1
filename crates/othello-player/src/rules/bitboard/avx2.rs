//! The kernels on vectors of four words, a lane a line through the square.
//!
//! This module is compiled only where the whole build has AVX2: nothing is chosen at run time.

#![allow(unsafe_code)]

use super::{LINES, RAYS};
use std::arch::x86_64::*;

#[inline]
pub(super) fn moves(own: u64, opponent: u64) -> u64 {
    // SAFETY: the module is compiled only where every function of the build may use AVX2.
    unsafe { moves_avx2(own, opponent) }
}

#[inline]
pub(super) fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    // SAFETY: the module is compiled only where every function of the build may use these instructions.
    #[cfg(all(target_feature = "avx512cd", target_feature = "avx512vl"))]
    return unsafe { flips_avx512(square, own, opponent) };
    // SAFETY: as above.
    #[cfg(not(all(target_feature = "avx512cd", target_feature = "avx512vl")))]
    return unsafe { flips_avx2(square, own, opponent) };
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

/// All four lanes in one word.
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
    let twice = _mm256_add_epi64(shift, shift);
    let discs = _mm256_set1_epi64x(own as i64);
    let middle = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), vector(const { lanes(1) }));
    let up = |squares| _mm256_sllv_epi64(squares, shift);
    let down = |squares| _mm256_srlv_epi64(squares, shift);

    // Runs of opponent's discs that begin beside an own disc, grown by one, then twice by two: at most six.
    let mut above = _mm256_and_si256(middle, up(discs));
    let mut below = _mm256_and_si256(middle, down(discs));
    above = _mm256_or_si256(above, _mm256_and_si256(middle, up(above)));
    below = _mm256_or_si256(below, _mm256_and_si256(middle, down(below)));
    let pairs_above = _mm256_and_si256(middle, up(middle));
    let pairs_below = down(pairs_above);
    for _ in 0..2 {
        above = _mm256_or_si256(above, _mm256_and_si256(pairs_above, _mm256_sllv_epi64(above, twice)));
        below = _mm256_or_si256(below, _mm256_and_si256(pairs_below, _mm256_srlv_epi64(below, twice)));
    }
    merge(_mm256_or_si256(up(above), down(below))) & !(own | opponent)
}

/// The rays of a square towards higher bits, and those towards lower bits.
#[inline]
#[target_feature(enable = "avx2")]
fn rays(square: u8) -> (__m256i, __m256i) {
    let rays = &RAYS[usize::from(square & 63)];
    // SAFETY: both arrays hold four words; the structure is aligned to 64 bytes.
    unsafe { (_mm256_load_si256(rays.up.as_ptr().cast()), _mm256_load_si256(rays.down.as_ptr().cast())) }
}

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
#[cfg(all(target_feature = "avx512cd", target_feature = "avx512vl"))]
fn flips_avx512(square: u8, own: u64, opponent: u64) -> u64 {
    /// `a & !b & !c` and `a & !b & c`, as `ternarylogic` has them.
    const BUT_BOTH: i32 = 0b0001_0000;
    const BUT_AND: i32 = 0b0010_0000;
    let (up, down) = rays(square);
    let own = _mm256_set1_epi64x(own as i64);
    let opponent = _mm256_set1_epi64x(opponent as i64);
    let minus_one = _mm256_set1_epi64x(-1);
    // Downwards: closed where the highest own disc of the ray is above its highest empty square; all above it turns.
    let discs = _mm256_and_si256(own, down);
    let empty = _mm256_ternarylogic_epi64::<BUT_BOTH>(down, own, opponent);
    let closed = _mm256_cmpgt_epu64_mask(discs, empty);
    let up_to_disc = shift_right(minus_one, _mm256_lzcnt_epi64(discs));
    let below = _mm256_maskz_andnot_epi64(closed, up_to_disc, down);
    // Upwards: the lowest square that holds no opponent's disc, with everything below it; closed by an own disc.
    let free = _mm256_andnot_si256(opponent, up);
    let less = _mm256_add_epi64(free, minus_one);
    let stop = _mm256_ternarylogic_epi64::<BUT_AND>(free, less, own);
    let closed = _mm256_test_epi64_mask(stop, stop);
    let above = _mm256_maskz_ternarylogic_epi64::<BUT_AND>(closed, less, free, up);
    merge(_mm256_or_si256(below, above))
}

/// The instruction shifts everything out by 64 and more, which is what is wanted; the compiler's function for it guards
/// against that with instructions more where it does not recognise its own guard.
#[inline]
#[target_feature(enable = "avx2")]
#[cfg(all(target_feature = "avx512cd", target_feature = "avx512vl"))]
fn shift_right(lanes: __m256i, by: __m256i) -> __m256i {
    let shifted;
    // SAFETY: it reads two registers and writes one.
    unsafe {
        std::arch::asm!("vpsrlvq {}, {}, {}", out(ymm_reg) shifted, in(ymm_reg) lanes, in(ymm_reg) by,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

#[inline]
#[target_feature(enable = "avx2")]
#[cfg(any(test, not(all(target_feature = "avx512cd", target_feature = "avx512vl"))))]
fn flips_avx2(square: u8, own: u64, opponent: u64) -> u64 {
    let (up, down) = rays(square);
    let discs = _mm256_set1_epi64x(own as i64);
    let turning = _mm256_set1_epi64x(opponent as i64);
    let zero = _mm256_setzero_si256();

    // Downwards: the highest free square of the ray, found by smearing downwards; there is no lzcnt on lanes.
    let free = _mm256_andnot_si256(turning, down);
    let mut below_free = free;
    below_free = _mm256_or_si256(below_free, _mm256_srli_epi64::<1>(below_free));
    below_free = _mm256_or_si256(below_free, _mm256_srli_epi64::<2>(below_free));
    below_free = _mm256_or_si256(below_free, _mm256_srli_epi64::<4>(below_free));
    below_free = _mm256_or_si256(below_free, _mm256_srli_epi64::<8>(below_free));
    below_free = _mm256_or_si256(below_free, _mm256_srli_epi64::<16>(below_free));
    below_free = _mm256_or_si256(below_free, _mm256_srli_epi64::<32>(below_free));
    let highest = _mm256_andnot_si256(_mm256_srli_epi64::<1>(below_free), below_free);
    let stop = _mm256_and_si256(highest, discs);
    let below = _mm256_and_si256(_mm256_sub_epi64(zero, _mm256_add_epi64(stop, stop)), down);

    // Upwards: the lowest free square, with everything below it.
    let free = _mm256_andnot_si256(turning, up);
    let until = _mm256_andnot_si256(free, _mm256_add_epi64(free, _mm256_set1_epi64x(-1)));
    let stop = _mm256_and_si256(_mm256_sub_epi64(zero, free), _mm256_and_si256(free, discs));
    let open = _mm256_cmpeq_epi64(stop, zero);
    let above = _mm256_andnot_si256(open, _mm256_and_si256(until, up));
    merge(_mm256_or_si256(below, above))
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
            // SAFETY: the module is compiled only where the build has AVX2.
            let turned = unsafe { super::flips_avx2(square, own, opponent) };
            assert_eq!(turned, portable::flips(square, own, opponent));
            assert_eq!(super::flips(square, own, opponent), turned);
        }
    }
}
