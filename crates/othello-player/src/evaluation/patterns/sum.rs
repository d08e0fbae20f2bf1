//! The sum of the weights of a position's states, and the numbers of their vectors (see [`Pairs`](super::Pairs)).

use super::layout::LANES;
use super::{Features, Table};

/// The worth of every pattern's state, added up, in 1/128 of a disc, and the numbers of their vectors.
#[inline]
pub(super) fn of(table: &Table, features: &Features) -> (i32, [u16; LANES]) {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
    return avx512::sum(table, features);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512bw")))]
    return portable(table, features);
}

#[inline]
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx512bw"))))]
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
