//! The AVX2 kernel: the lower 32 digits in one vector, the next 16 in another, the upper three in a word.
//!
//! Carries are found as in the AVX-512 kernel, but the carry mask must be expanded to bytes again. The upper digits are
//! added as in the portable kernel.

use super::digits::{CHILDREN, Digits, LENGTHS, ROOM};
use super::portable::{Portable, leading, put_digits, unbias};
use super::walk::Kernel;
use crate::rules::{Boards, Side};
use std::arch::x86_64::*;

/// Proof that the processor has AVX2.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    pub fn detect() -> Option<Self> {
        is_x86_feature_detected!("avx2").then_some(Self(()))
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;

impl Kernel for Avx2 {
    #[inline]
    fn plus(self, base: &Digits, side: Side, cell: usize) -> Digits {
        Portable.plus(base, side, cell)
    }

    #[inline]
    fn children(self, base: &Digits, side: Side, board: usize, empty: u16, out: &mut [u8]) -> usize {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { children(base, side, board, empty, out) }
    }
}

/// A number's digits in registers.
#[derive(Clone, Copy)]
struct Number {
    low: __m256i,
    middle: __m128i,
    high: u64,
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(digits: &Digits) -> Number {
    let bytes = digits.0.as_ptr();
    // SAFETY: `Digits` is 64 bytes, aligned to 64: the three loads lie in it, at 0, 32 and 48.
    unsafe {
        Number {
            low: _mm256_load_si256(bytes.cast()),
            middle: _mm_load_si128(bytes.add(32).cast()),
            high: u64::from_le(bytes.add(48).cast::<u64>().read()),
        }
    }
}

/// Adds two numbers. The upper word of `left` is biased as in the portable kernel.
#[inline]
#[target_feature(enable = "avx2")]
fn sum(left: Number, right: Number) -> Number {
    let low = _mm256_add_epi8(left.low, right.low);
    let middle = _mm_add_epi8(left.middle, right.middle);
    let mask = |low: __m256i, middle: __m128i| {
        u64::from(_mm256_movemask_epi8(low) as u32) | u64::from(_mm_movemask_epi8(middle) as u32) << 32
    };
    let nine = _mm256_set1_epi8(9);
    let nine_middle = _mm256_castsi256_si128(nine);
    let passed = mask(_mm256_cmpgt_epi8(low, nine), _mm_cmpgt_epi8(middle, nine_middle));
    let at_nine = mask(_mm256_cmpeq_epi8(low, nine), _mm_cmpeq_epi8(middle, nine_middle));
    let carries = (passed << 1).wrapping_add(at_nine) ^ at_nine;
    let high = unbias(left.high + right.high + (carries >> 48 & 1));

    // Each byte receives the mask byte that holds its bit, then tests that bit.
    let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let spread = _mm256_setr_epi64x(0, ONES as i64, (2 * ONES) as i64, (3 * ONES) as i64);
    let low_carries = _mm256_shuffle_epi8(_mm256_set1_epi32(carries as i32), spread);
    let low_carries = _mm256_cmpeq_epi8(_mm256_and_si256(low_carries, bits), bits);
    let middle_carries =
        _mm_shuffle_epi8(_mm_set1_epi32((carries >> 32) as i32), _mm256_castsi256_si128(spread));
    let bits = _mm256_castsi256_si128(bits);
    let middle_carries = _mm_cmpeq_epi8(_mm_and_si128(middle_carries, bits), bits);

    // A carry is a byte of −1. Below ten, the subtraction wraps around to a larger number, so the minimum is right.
    let low = _mm256_sub_epi8(low, low_carries);
    let low = _mm256_min_epu8(low, _mm256_sub_epi8(low, _mm256_set1_epi8(10)));
    let middle = _mm_sub_epi8(middle, middle_carries);
    let middle = _mm_min_epu8(middle, _mm_sub_epi8(middle, _mm_set1_epi8(10)));
    Number { low, middle, high }
}

#[target_feature(enable = "avx2")]
fn children(base: &Digits, side: Side, board: usize, empty: u16, out: &mut [u8]) -> usize {
    assert!(empty < 512 && board < 9 && out.len() >= 9 * ROOM);
    let mut base = load(base);
    base.high += 0xf6 * ONES;
    let backwards =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    let zeros = _mm256_set1_epi8(b'0' as i8);
    let mut at = 0;
    for within in Boards(empty) {
        let cell = 9 * board + within;
        let Number { low, middle, high } = sum(base, load(&CHILDREN[side.index()][cell]));
        let len = usize::from(LENGTHS[cell]);
        if len <= 48 {
            at += any_length(low, middle, high, &mut out[at..]) + 1;
            continue;
        }
        let low = _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm256_shuffle_epi8(low, backwards));
        let low = _mm256_add_epi8(low, zeros);
        let middle = _mm_shuffle_epi8(middle, _mm256_castsi256_si128(backwards));
        let middle = _mm_add_epi8(middle, _mm256_castsi256_si128(zeros));
        let high = leading(high, len) + u64::from(b'0') * ONES;
        // SAFETY: `out` has room for nine texts of `ROOM` = 64 bytes, and each advances `at` by at most 52. The writes
        // end at most 3 + 16 + 32 + 1 bytes after `at`.
        unsafe {
            let text = out.as_mut_ptr().add(at);
            text.cast::<u64>().write_unaligned(high.to_be());
            _mm_storeu_si128(text.add(len - 48).cast(), middle);
            _mm256_storeu_si256(text.add(len - 32).cast(), low);
            text.add(len).write(b' ');
        }
        at += len + 1;
    }
    at
}

#[cold]
#[target_feature(enable = "avx2")]
fn any_length(low: __m256i, middle: __m128i, high: u64, out: &mut [u8]) -> usize {
    let mut digits = Digits::ZERO;
    let bytes = digits.0.as_mut_ptr();
    // SAFETY: `Digits` is 64 bytes, aligned to 64: the two stores lie in it, at 0 and 32.
    unsafe {
        _mm256_store_si256(bytes.cast(), low);
        _mm_store_si128(bytes.add(32).cast(), middle);
    }
    digits.0[48..56].copy_from_slice(&high.to_le_bytes());
    put_digits(&digits, out)
}
