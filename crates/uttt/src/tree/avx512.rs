//! The AVX-512 kernel: all 51 digits in one 64-byte vector.
//!
//! Digits are added byte by byte. Two 64-bit masks mark the digits above nine and the digits equal to nine, and one
//! addition of the masks finds where each carry ends. One permutation then reverses the digits, drops the leading zeros
//! and appends the space.

use super::digits::{CHILDREN, Digits, LENGTHS, MOST, ROOM, SYMBOLS};
use super::walk::Kernel;
use crate::rules::{Boards, Side};
use std::arch::x86_64::*;

/// Proof that the processor has AVX-512 F, BW and VBMI.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vbmi");
        has_all.then_some(Self(()))
    }
}

/// For each length, the index in the number of each byte of the text. The byte after the last digit comes from byte 63,
/// which holds the space.
static ORDERS: [Digits; MOST + 1] = {
    let mut orders = [Digits::ZERO; MOST + 1];
    let mut len = 0;
    while len <= MOST {
        // Byte 0 of the text is digit len - 1.
        let mut byte = 0;
        while byte < 64 {
            orders[len].0[byte] = ((len + 63 - byte) % 64) as u8;
            byte += 1;
        }
        len += 1;
    }
    orders
};

/// The digit that becomes a space when ten is subtracted from it and '0' is added.
const SPACE: u8 = b' '.wrapping_sub(b'0').wrapping_add(10);

impl Kernel for Avx512 {
    #[inline]
    fn plus(self, base: &Digits, side: Side, cell: usize) -> Digits {
        // SAFETY: `self` proves that the processor has the features.
        unsafe { plus(base, &SYMBOLS[side.index()][cell]) }
    }

    #[inline]
    fn children(self, base: &Digits, side: Side, board: usize, empty: u16, out: &mut [u8]) -> usize {
        // SAFETY: `self` proves that the processor has the features.
        unsafe { children(base, side, board, empty, out) }
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn load(digits: &Digits) -> __m512i {
    // SAFETY: `Digits` is 64 bytes, aligned to 64.
    unsafe { _mm512_load_si512(digits.0.as_ptr().cast()) }
}

/// Resolves the carries of digit sums, and subtracts ten from the digits above nine.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn sum(left: __m512i, right: __m512i) -> __m512i {
    let nine = _mm512_set1_epi8(9);
    let sums = _mm512_add_epi8(left, right);
    let passed = _mm512_cmpgt_epu8_mask(sums, nine);
    let at_nine = _mm512_cmpeq_epi8_mask(sums, nine);
    // A carry into a run of nines changes the whole run and stops after it, as in a binary addition.
    let carries = (passed << 1).wrapping_add(at_nine) ^ at_nine;
    let sums = _mm512_mask_add_epi8(sums, carries, sums, _mm512_set1_epi8(1));
    // Below ten, the subtraction wraps around to a larger number, so the minimum is right.
    _mm512_min_epu8(sums, _mm512_sub_epi8(sums, _mm512_set1_epi8(10)))
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn plus(base: &Digits, symbol: &Digits) -> Digits {
    let mut digits = Digits::ZERO;
    let sum = sum(load(base), load(symbol));
    // SAFETY: `Digits` is 64 bytes, aligned to 64.
    unsafe { _mm512_store_si512(digits.0.as_mut_ptr().cast(), sum) };
    digits
}

#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn children(base: &Digits, side: Side, board: usize, empty: u16, out: &mut [u8]) -> usize {
    assert!(empty < 512 && board < 9 && out.len() >= 9 * ROOM);
    let space = _mm512_mask_set1_epi8(_mm512_setzero_si512(), 1 << 63, SPACE as i8);
    let base = _mm512_or_si512(load(base), space);
    let zeros = _mm512_set1_epi8(b'0' as i8);
    let mut at = 0;
    for within in Boards(empty) {
        let cell = 9 * board + within;
        let digits = sum(base, load(&CHILDREN[side.index()][cell]));
        let mut len = usize::from(LENGTHS[cell]);
        if len == 0 {
            let significant = _mm512_test_epi8_mask(digits, digits) & ((1 << MOST) - 1);
            len = 64 - (significant | 1).leading_zeros() as usize;
        }
        let text = _mm512_add_epi8(_mm512_permutexvar_epi8(load(&ORDERS[len]), digits), zeros);
        // SAFETY: `out` has room for nine texts of `ROOM` = 64 bytes, and each text advances `at` by at most 52.
        unsafe { _mm512_storeu_si512(out.as_mut_ptr().add(at).cast(), text) };
        at += len + 1;
    }
    at
}
