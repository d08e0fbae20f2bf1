//! The sum of the weights of a position's states, and the numbers of their vectors (see [`Pairs`](super::Pairs)).

use super::layout::LANES;
use super::{Features, Table};

/// The worth of every pattern's state, added up, in 1/128 of a disc, and the numbers of their vectors.
#[inline]
pub(super) fn of(table: &Table, features: &Features) -> (i32, [u16; LANES]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
    return avx512::sum(table, features);
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(target_feature = "avx512bw")))]
    return avx2::sum(table, features);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    return portable(table, features);
}

#[inline]
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn portable(table: &Table, features: &Features) -> (i32, [u16; LANES]) {
    let (mut sum, mut numbers) = (0, [0; LANES]);
    for (number, index) in numbers.iter_mut().zip(features.indices()) {
        let place = table[index];
        sum += i32::from(place.worth);
        *number = place.vector;
    }
    (sum, numbers)
}

/// Sixteen states at once. Compiled only where the whole build has AVX-512: nothing is chosen at run time.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
mod avx512 {
    #![allow(unsafe_code)]

    use super::super::layout::{LANES, LAYOUT};
    use super::super::{Features, TABLE_LEN, Table};
    use std::arch::x86_64::*;

    #[inline]
    pub(super) fn sum(table: &Table, features: &Features) -> (i32, [u16; LANES]) {
        // SAFETY: the module is compiled only where every function of the build may use these instructions.
        unsafe { gather(table, &features.0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn gather(table: &Table, lanes: &[i16; LANES]) -> (i32, [u16; LANES]) {
        const { assert!(LANES.is_multiple_of(16) && size_of::<Table>() == 4 * (TABLE_LEN + 1)) };
        let mut numbers = [0; LANES];
        let last = _mm512_set1_epi32(TABLE_LEN as i32);
        let low_half = _mm512_set1_epi32(1);
        let mut sum = _mm512_setzero_si512();
        let chunks = lanes.chunks_exact(16).zip(LAYOUT.centre.chunks_exact(16));
        for ((lanes, centre), numbers) in chunks.zip(numbers.chunks_exact_mut(16)) {
            // SAFETY: both chunks have sixteen elements, of two and of four bytes.
            let (lanes, centre) = unsafe {
                (_mm256_loadu_si256(lanes.as_ptr().cast()), _mm512_loadu_si512(centre.as_ptr().cast()))
            };
            let index = _mm512_add_epi32(centre, _mm512_cvtepi16_epi32(lanes));
            // SAFETY: no index is above the table's last place, and a place has four bytes.
            let places =
                unsafe { _mm512_i32gather_epi32::<4>(_mm512_min_epu32(index, last), table.as_ptr().cast()) };
            // A place's worth is its lower half, with a sign; the other half counts nothing.
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(places, low_half));
            let upper = _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(places));
            // SAFETY: the chunk has sixteen elements of two bytes.
            unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), upper) };
        }
        (_mm512_reduce_add_epi32(sum), numbers)
    }
}

/// Eight states at once. Compiled only where the whole build has AVX2: nothing is chosen at run time.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(target_feature = "avx512bw")))]
mod avx2 {
    #![allow(unsafe_code)]

    use super::super::layout::{LANES, LAYOUT};
    use super::super::{Features, TABLE_LEN, Table};
    use std::arch::x86_64::*;

    #[inline]
    pub(super) fn sum(table: &Table, features: &Features) -> (i32, [u16; LANES]) {
        // SAFETY: the module is compiled only where every function of the build may use these instructions.
        unsafe { gather(table, &features.0) }
    }

    /// The lanes in use, in whole vectors.
    const USED: usize = LAYOUT.instances.next_multiple_of(16);

    #[inline]
    #[target_feature(enable = "avx2")]
    fn gather(table: &Table, lanes: &[i16; LANES]) -> (i32, [u16; LANES]) {
        const { assert!(USED <= LANES && size_of::<Table>() == 4 * (TABLE_LEN + 1)) };
        let mut numbers = [0; LANES];
        let last = _mm256_set1_epi32(TABLE_LEN as i32);
        let low_half = _mm256_set1_epi32(1);
        let mut sum = _mm256_setzero_si256();
        for at in (0..USED).step_by(16) {
            let mut halves = [_mm256_setzero_si256(); 2];
            for (half, upper) in halves.iter_mut().enumerate() {
                // SAFETY: eight elements, of two and of four bytes, stand from here on: there are LANES of each.
                let (lanes, centre) = unsafe {
                    let from = at + 8 * half;
                    (
                        _mm_loadu_si128(lanes.as_ptr().add(from).cast()),
                        _mm256_loadu_si256(LAYOUT.centre.as_ptr().add(from).cast()),
                    )
                };
                let index = _mm256_add_epi32(centre, _mm256_cvtepi16_epi32(lanes));
                // SAFETY: no index is above the table's last place, and a place has four bytes.
                let places = unsafe {
                    _mm256_i32gather_epi32::<4>(table.as_ptr().cast(), _mm256_min_epu32(index, last))
                };
                // A place's worth is its lower half, with a sign; the other half counts nothing.
                sum = _mm256_add_epi32(sum, _mm256_madd_epi16(places, low_half));
                *upper = _mm256_srli_epi32::<16>(places);
            }
            // Packed by half registers: the quarters are put in order again.
            let packed = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(halves[0], halves[1]));
            // SAFETY: sixteen elements of two bytes stand from here on.
            unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().add(at).cast(), packed) };
        }
        let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
        (_mm_cvtsi128_si32(two) + _mm_extract_epi32::<1>(two), numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Place, TABLE_LEN, Weights};
    use super::*;
    use crate::rules::Position;
    use search_core::testing::random_positions;

    #[test]
    fn every_path_adds_up_the_same() {
        let table = Weights::embedded().stage(8);
        assert!(table[TABLE_LEN..] == [Place::default()]);
        for position in random_positions(&Position::START, 3, 200, 60) {
            let features = Features::of(position.own(), position.opponent());
            assert_eq!(of(table, &features), portable(table, &features), "{position:?}");
        }
    }
}
