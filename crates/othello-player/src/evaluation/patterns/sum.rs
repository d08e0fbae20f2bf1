//! What all states of a position are worth, added up.

use super::{Features, Table};

/// The worth of every pattern's state, added up, in 1/128 of a disc.
#[inline]
pub(super) fn of(table: &Table, features: &Features) -> i32 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
    return avx512::sum(table, features);
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx512bw")))]
    return portable(table, features);
}

#[inline]
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx512bw"))))]
fn portable(table: &Table, features: &Features) -> i32 {
    features.indices().map(|index| i32::from(table[index])).sum()
}

/// Sixteen states at once. Compiled only where the whole build has AVX-512: nothing is chosen at run time.
#[cfg(all(target_arch = "x86_64", target_feature = "avx512bw"))]
mod avx512 {
    #![allow(unsafe_code)]

    use super::super::layout::{LANES, LAYOUT};
    use super::super::{Features, TABLE_LEN, Table};
    use std::arch::x86_64::*;

    #[inline]
    pub(super) fn sum(table: &Table, features: &Features) -> i32 {
        // SAFETY: the module is compiled only where every function of the build may use these instructions.
        unsafe { gather(table, &features.0) }
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw")]
    fn gather(table: &Table, lanes: &[i16; LANES]) -> i32 {
        const { assert!(LANES.is_multiple_of(16) && size_of::<Table>() == 2 * (TABLE_LEN + 2)) };
        let last = _mm512_set1_epi32(TABLE_LEN as i32);
        let low_half = _mm512_set1_epi32(1);
        let mut sum = _mm512_setzero_si512();
        for (lanes, centre) in lanes.chunks_exact(16).zip(LAYOUT.centre.chunks_exact(16)) {
            // SAFETY: both chunks have sixteen elements, of two and of four bytes.
            let (lanes, centre) = unsafe {
                (_mm256_loadu_si256(lanes.as_ptr().cast()), _mm512_loadu_si512(centre.as_ptr().cast()))
            };
            let index = _mm512_add_epi32(centre, _mm512_cvtepi16_epi32(lanes));
            // SAFETY: no index is above the last but one of the table's words, and two words are read.
            let pairs =
                unsafe { _mm512_i32gather_epi32::<2>(_mm512_min_epu32(index, last), table.as_ptr().cast()) };
            // The word that was meant, as the lower of the two, with its sign; the other times zero.
            sum = _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, low_half));
        }
        _mm512_reduce_add_epi32(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{TABLE_LEN, Weights};
    use super::*;
    use crate::rules::Position;
    use search_core::testing::random_positions;

    #[test]
    fn every_path_adds_up_the_same() {
        let table = Weights::embedded().stage(8);
        assert!(table[TABLE_LEN..] == [0, 0]);
        for position in random_positions(&Position::START, 3, 200, 60) {
            let features = Features::of(position.own(), position.opponent());
            assert_eq!(of(table, &features), portable(table, &features), "{position:?}");
        }
    }
}
