//! The portable kernel: eight digits a 64-bit word.
//!
//! With 0xF6 added to each byte of one summand, a digit sum of ten or more overflows its byte exactly when it must
//! carry, so the processor's own carry runs through all 51 digits.
//!
//! Source: L. Lamport, "Multiple byte processing with full-word instructions", 1975.

use super::digits::{CHILDREN, Digits, LENGTHS, MOST, ROOM, SYMBOLS, WORDS};
use super::walk::Kernel;
use crate::rules::{Boards, Side};

const ONES: u64 = 0x0101_0101_0101_0101;
const BIAS: u64 = 0xf6 * ONES;
const ZEROS: u64 = b'0' as u64 * ONES;

/// The kernel for any processor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portable;

type Words = [u64; WORDS];

#[inline]
fn words(digits: &Digits) -> Words {
    std::array::from_fn(|index| word(digits, index))
}

#[inline]
fn word(digits: &Digits, index: usize) -> u64 {
    u64::from_le_bytes(*digits.0[8 * index..].first_chunk().expect("seven words lie in 64 bytes"))
}

/// Adds a number to one whose bytes are biased. The bytes of the sum are digits.
#[inline]
fn add(biased: &Words, number: &Words) -> Words {
    let mut carry = false;
    std::array::from_fn(|index| {
        let (sum, first) = biased[index].overflowing_add(number[index]);
        let (sum, second) = sum.overflowing_add(carry.into());
        carry = first | second;
        unbias(sum)
    })
}

/// Removes the bias from the bytes that did not overflow, which alone are above 0x7f.
#[inline]
pub(super) fn unbias(sum: u64) -> u64 {
    sum - (sum >> 7 & ONES) * 0xf6
}

#[inline]
fn put(out: &mut [u8], at: usize, digits: u64) {
    out[at..at + 8].copy_from_slice(&(digits + ZEROS).to_be_bytes());
}

/// The upper word of a number with `len` ≥ 49 digits, shifted so that its `len - 48` digits come first.
#[inline]
pub(super) fn leading(digits: u64, len: usize) -> u64 {
    digits << (8 * (56 - len))
}

impl Kernel for Portable {
    #[inline]
    fn plus(self, base: &Digits, side: Side, cell: usize) -> Digits {
        let sum = add(&words(base).map(|word| word + BIAS), &words(&SYMBOLS[side.index()][cell]));
        let mut digits = Digits::ZERO;
        for (bytes, word) in digits.0.chunks_exact_mut(8).zip(sum) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        digits
    }

    #[inline]
    fn children(self, base: &Digits, side: Side, board: usize, empty: u16, out: &mut [u8]) -> usize {
        let biased = words(base).map(|word| word + BIAS);
        let mut at = 0;
        for within in Boards(empty) {
            let cell = 9 * board + within;
            let sum = add(&biased, &words(&CHILDREN[side.index()][cell]));
            let out = &mut out[at..][..ROOM];
            let len = usize::from(LENGTHS[cell]);
            at += 1 + if len > 48 {
                put(out, 0, leading(sum[6], len));
                for (nth, &digits) in sum[..6].iter().rev().enumerate() {
                    put(out, len - 48 + 8 * nth, digits);
                }
                out[len] = b' ';
                len
            } else {
                any_length(&sum, out)
            };
        }
        at
    }
}

/// Writes a number of any length and a space; returns the bytes written but for the space.
#[cold]
fn any_length(sum: &Words, out: &mut [u8]) -> usize {
    let mut digits = Digits::ZERO;
    for (bytes, word) in digits.0.chunks_exact_mut(8).zip(sum) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    put_digits(&digits, out)
}

/// Writes a number of any length and a space; returns the number's length.
pub(super) fn put_digits(digits: &Digits, out: &mut [u8]) -> usize {
    let len = digits.len();
    debug_assert!(len <= MOST);
    for (byte, digit) in out.iter_mut().zip(digits.0[..len].iter().rev()) {
        *byte = b'0' + digit;
    }
    out[len] = b' ';
    len
}
