//! The kernels that gain from AVX-512: both sides' moves at once, four lines each, in vectors of eight words; and turned
//! discs, for which each word of a vector counts its own leading zeros.
//!
//! On a ray towards lower bits the first square that is not the opponent's is the highest of them: the zeros that lead a
//! word say where it is. If an own disc stands there, the ray's squares above it are turned.
//!
//! This module is compiled only where the whole build has AVX-512: nothing is chosen at run time.

#![allow(unsafe_code)]

pub(super) use super::avx2::moves;
use super::{LINES, UP, ray};
use std::arch::x86_64::*;

#[inline]
pub(super) fn moves_of_both(own: u64, opponent: u64) -> (u64, u64) {
    // SAFETY: the module is compiled only where every function of the build may use these instructions.
    unsafe { both(own, opponent) }
}

#[inline]
pub(super) fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    // SAFETY: as above.
    unsafe { turned(square, own, opponent) }
}

/// The squares that lie in each direction from a square, itself left out, in one cache line.
#[repr(align(64))]
struct Rays {
    /// Towards higher bits: right, down, down-left, down-right.
    up: [u64; 4],
    /// Towards lower bits: left, up, up-right, up-left.
    down: [u64; 4],
}

static RAYS: [Rays; 64] = {
    let mut all = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (columns, rows) = UP[line];
            all[square].up[line] = ray(square, columns, rows);
            all[square].down[line] = ray(square, -columns, -rows);
            line += 1;
        }
        square += 1;
    }
    all
};

#[inline]
#[target_feature(enable = "avx512f,avx512cd,avx512vl")]
fn turned(square: u8, own: u64, opponent: u64) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    // SAFETY: each array holds four words, and the structure around them is aligned to 64 bytes.
    let (up, down) =
        unsafe { (_mm256_load_si256(rays.up.as_ptr().cast()), _mm256_load_si256(rays.down.as_ptr().cast())) };
    let (own, opponent) = (_mm256_set1_epi64x(own as i64), _mm256_set1_epi64x(opponent as i64));

    let ends = _mm256_andnot_si256(opponent, down);
    let first = _mm256_srlv_epi64(_mm256_set1_epi64x(i64::MIN), _mm256_lzcnt_epi64(ends));
    let closing = _mm256_and_si256(first, own);
    // All squares above an own disc; none where there is no such disc.
    let above = _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(closing, closing));
    let below = _mm256_and_si256(down, above);

    let ends = _mm256_andnot_si256(opponent, up);
    let less = _mm256_add_epi64(ends, _mm256_set1_epi64x(-1));
    let is_closed = _mm256_test_epi64_mask(_mm256_andnot_si256(less, ends), own);
    let before = _mm256_andnot_si256(ends, less);
    let both = _mm256_or_si256(below, _mm256_maskz_and_epi64(is_closed, up, before));

    let pair = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256::<1>(both));
    _mm_cvtsi128_si64(_mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair))) as u64
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

#[cfg(test)]
mod tests {
    use super::super::portable;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn every_path_turns_the_same_discs() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(4);
        for _ in 0..20_000 {
            let (a, b): (u64, u64) = (random.random(), random.random());
            let square = random.random_range(0..64);
            let (own, opponent) = (a & b & !(1 << square), a & !b & !(1 << square));
            assert_eq!(super::flips(square, own, opponent), portable::flips(square, own, opponent));
        }
    }
}
