//! Positions as decimal digits, and the constants that moves add to them.

use crate::rules::{Integer, Side};

/// A number's decimal digits, one a byte, lowest first. 169 bits need 51; the other bytes are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Digits(pub [u8; 64]);

/// The number of digits of the largest position.
pub(super) const MOST: usize = Integer::MAX_DIGITS;

/// The most bytes that one child takes, including its space and the bytes that a kernel may write after it.
pub(super) const ROOM: usize = 64;

/// The number of 64-bit words of eight digits that hold 51 digits.
pub(super) const WORDS: usize = 7;

/// The summand of a move to a parent without a last move: the symbol and the new last move.
pub(super) static CHILDREN: [[Digits; 81]; 2] = [moves(Side::X, true), moves(Side::O, true)];

/// The summand of a move to a parent without a last move, if the sum is to have none either: the symbol alone.
pub(super) static SYMBOLS: [[Digits; 81]; 2] = [moves(Side::X, false), moves(Side::O, false)];

/// The number of digits of a child by the cell that was played; 0 where other cells decide, because a power of ten lies
/// between `cell` · 2^162 and the next multiple.
pub(super) static LENGTHS: [u8; 81] = {
    let unit = power_of_two(162);
    let mut lengths = [0; 81];
    let mut low = unit;
    let mut cell = 1;
    while cell < 81 {
        let high = low.plus(&unit);
        if low.len() == high.len() {
            lengths[cell] = low.len() as u8;
        }
        low = high;
        cell += 1;
    }
    lengths
};

const fn power_of_two(exponent: u32) -> Digits {
    let mut number = Digits::ZERO;
    number.0[0] = 1;
    let mut doubled = 0;
    while doubled < exponent {
        number = number.plus(&number);
        doubled += 1;
    }
    number
}

const fn moves(side: Side, with_last: bool) -> [Digits; 81] {
    let unit = power_of_two(162);
    let mut table = [Digits::ZERO; 81];
    // From the last cell, whose symbol counts 1 or 2, to the first; each symbol counts four times the next one's.
    let mut symbol = power_of_two(side.index() as u32);
    let mut cell = 81;
    while cell > 0 {
        cell -= 1;
        table[cell] = symbol;
        symbol = symbol.plus(&symbol);
        symbol = symbol.plus(&symbol);
    }
    if with_last {
        let mut last = Digits::ZERO;
        while cell < 81 {
            table[cell] = table[cell].plus(&last);
            last = last.plus(&unit);
            cell += 1;
        }
    }
    table
}

impl Digits {
    pub const ZERO: Self = Self([0; 64]);

    /// The digits of an integer, with leading zeros.
    pub fn of(integer: Integer) -> Self {
        let mut digits = Self::ZERO;
        for (digit, byte) in digits.0.iter_mut().zip(integer.to_string().bytes().rev()) {
            *digit = byte - b'0';
        }
        digits
    }

    /// The sum of two numbers below 10^56.
    pub const fn plus(&self, other: &Self) -> Self {
        let mut sum = Self::ZERO;
        let mut carry = 0;
        let mut index = 0;
        while index < 8 * WORDS {
            let digit = self.0[index] + other.0[index] + carry;
            carry = (digit > 9) as u8;
            sum.0[index] = digit - 10 * carry;
            index += 1;
        }
        sum
    }

    /// The number of digits without leading zeros; 1 for zero.
    pub const fn len(&self) -> usize {
        let mut len = MOST;
        while len > 1 && self.0[len - 1] == 0 {
            len -= 1;
        }
        len
    }
}
