//! The kernels on vectors of four words, a lane a line through the square.
//!
//! The methods, and why they are right, stand in [`super::portable`], whose steps these are.
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

/// The rays of a square towards higher bits, and those towards lower bits.
#[inline]
#[target_feature(enable = "avx2")]
fn rays(square: u8) -> (__m256i, __m256i) {
    let rays = &RAYS[usize::from(square & 63)];
    // SAFETY: both arrays hold four words; the structure is aligned to 64 bytes.
    unsafe { (_mm256_load_si256(rays.up.as_ptr().cast()), _mm256_load_si256(rays.down.as_ptr().cast())) }
}

/// `a & !b & c`, as `ternarylogic` has it.
#[cfg(all(target_feature = "avx512cd", target_feature = "avx512vl"))]
const BUT_AND: i32 = 0b0010_0000;

#[inline]
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
#[cfg(all(target_feature = "avx512cd", target_feature = "avx512vl"))]
fn flips_avx512(square: u8, own: u64, opponent: u64) -> u64 {
    let (up, down) = rays(square);
    let owned = _mm256_set1_epi64x(own as i64);
    let empty = _mm256_set1_epi64x(!(own | opponent) as i64);

    let closing = _mm256_and_si256(down, owned);
    let is_closed = _mm256_cmpgt_epi64_mask(closing, _mm256_and_si256(down, empty));
    let up_to_it = shift_right(_mm256_set1_epi64x(-1), _mm256_lzcnt_epi64(closing));
    let below = _mm256_maskz_andnot_epi64(is_closed, up_to_it, down);

    let closing = _mm256_and_si256(up, owned);
    let less = _mm256_add_epi64(closing, _mm256_set1_epi64x(-1));
    let before = _mm256_ternarylogic_epi64::<BUT_AND>(less, closing, up);
    let is_full = _mm256_testn_epi64_mask(before, empty);
    let is_closed = _mm256_mask_test_epi64_mask(is_full, closing, closing);
    merge(_mm256_mask_or_epi64(below, is_closed, below, before))
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
    let owned = _mm256_set1_epi64x(own as i64);
    let empty = _mm256_set1_epi64x(!(own | opponent) as i64);
    let zero = _mm256_setzero_si256();

    // No downward ray holds h8: the lanes are not negative, and a signed comparison serves.
    let closing = _mm256_and_si256(down, owned);
    let is_closed = _mm256_cmpgt_epi64(closing, _mm256_and_si256(down, empty));
    // The closing disc and what lies behind it, along the line; what wraps over an edge is not on the ray.
    let shift = vector(const { lanes(0) });
    let twice = _mm256_slli_epi64::<1>(shift);
    let behind = _mm256_or_si256(closing, _mm256_srlv_epi64(closing, shift));
    let behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, twice));
    let behind = _mm256_or_si256(behind, _mm256_srlv_epi64(behind, _mm256_slli_epi64::<1>(twice)));
    let below = _mm256_and_si256(is_closed, _mm256_andnot_si256(behind, down));

    let closing = _mm256_and_si256(up, owned);
    let less = _mm256_add_epi64(closing, _mm256_set1_epi64x(-1));
    let before = _mm256_and_si256(up, _mm256_andnot_si256(closing, less));
    let is_open = _mm256_cmpeq_epi64(closing, zero);
    let is_full = _mm256_cmpeq_epi64(_mm256_and_si256(before, empty), zero);
    let above = _mm256_andnot_si256(is_open, _mm256_and_si256(is_full, before));
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
