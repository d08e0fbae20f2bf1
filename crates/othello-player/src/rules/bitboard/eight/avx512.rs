//! The AVX-512 kernel for eight positions, one per lane.
//!
//! Source: bits reversed by one GFNI instruction: T. Okuhara, Edax-AVX.
//!
//! This module is compiled only if the whole build has these instructions; there is no choice at run time.

#![allow(unsafe_code)]

use super::super::{INNER, RAYS};
use super::{Eight, Spot, Words};
use std::arch::asm;
use std::arch::x86_64::*;
use std::mem::transmute;

#[inline]
pub(super) fn moves(eight: &Eight) -> Words {
    // SAFETY: the module is compiled only where every function of the build may use these instructions.
    unsafe { store(reached(load(&eight.own), load(&eight.opponent))) }
}

#[inline]
pub(super) fn after(eight: &Eight, lanes: &[u8; 8], spots: &[Spot; 8]) -> Eight {
    // SAFETY: as above; a spot is a byte.
    unsafe {
        let lanes = bytes(lanes);
        let own = _mm512_permutexvar_epi64(lanes, load(&eight.own));
        let opponent = _mm512_permutexvar_epi64(lanes, load(&eight.opponent));
        let turned = turned(own, opponent, spots);
        let put = shift_left(_mm512_set1_epi64(1), bytes(&transmute::<[Spot; 8], [u8; 8]>(*spots)));
        Eight {
            own: store(_mm512_xor_si512(opponent, turned)),
            opponent: store(_mm512_ternarylogic_epi64::<XOR>(own, turned, put)),
        }
    }
}

#[inline]
pub(super) fn list(set: u64) -> [Spot; 64] {
    const SQUARES: [u8; 64] = {
        let mut squares = [0; 64];
        let mut square = 0;
        while square < 64 {
            squares[square] = square as u8;
            square += 1;
        }
        squares
    };
    // SAFETY: the arrays and a vector hold 64 bytes, and every square is a spot; the instructions as above.
    unsafe {
        let squares = _mm512_loadu_si512(SQUARES.as_ptr().cast());
        transmute::<__m512i, [Spot; 64]>(_mm512_maskz_compress_epi8(set, squares))
    }
}

// Truth tables for `ternarylogic` with operands a, b and c: this one is `a ^ b ^ c`.
const XOR: i32 = 0b1001_0110;
const OR: i32 = 0b1111_1110;
/// `a | b & c`
const OR_AND: i32 = 0b1111_1000;
/// `!a & b & c`
const NOT_AND_AND: i32 = 0b0000_1000;
/// `a & !b & c`
const BUT_AND: i32 = 0b0010_0000;
/// `a & !b & !c`
const BUT_BOTH: i32 = 0b0001_0000;

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &Words) -> __m512i {
    // SAFETY: eight words, aligned to 64 bytes.
    unsafe { _mm512_load_si512(words.0.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(lanes: __m512i) -> Words {
    // SAFETY: a vector is eight words.
    Words(unsafe { transmute::<__m512i, [u64; 8]>(lanes) })
}

/// Widens eight bytes to the eight lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn bytes(bytes: &[u8; 8]) -> __m512i {
    // SAFETY: eight bytes are read.
    unsafe { _mm512_cvtepu8_epi64(_mm_loadl_epi64(bytes.as_ptr().cast())) }
}

/// Shifts each lane left. The instruction shifts everything out by 64 and more, as wanted here. The intrinsic guards
/// against that, which costs three instructions wherever the compiler does not recognise its own guard.
#[inline]
#[target_feature(enable = "avx512f")]
fn shift_left(lanes: __m512i, by: __m512i) -> __m512i {
    let shifted;
    // SAFETY: it reads two registers and writes one.
    unsafe {
        asm!("vpsllvq {}, {}, {}", out(zmm_reg) shifted, in(zmm_reg) lanes, in(zmm_reg) by,
            options(pure, nomem, nostack, preserves_flags));
    }
    shifted
}

/// The discs flipped on each of eight squares, each in its own position. After a half turn, rays towards lower bits
/// become rays of another square towards higher bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn turned(own: __m512i, opponent: __m512i, spots: &[Spot; 8]) -> __m512i {
    let above = enclosed(own, opponent, spots.map(|spot| usize::from(spot.0)));
    let below = enclosed(half_turn(own), half_turn(opponent), spots.map(|spot| usize::from(spot.0 ^ 63)));
    _mm512_or_si512(above, half_turn(below))
}

/// Reverses the bits of each board (a half turn).
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn half_turn(boards: __m512i) -> __m512i {
    const OPPOSITE: i64 = 0x0001_0203_0405_0607;
    let rows = _mm_set_epi64x(OPPOSITE + 0x0808_0808_0808_0808, OPPOSITE);
    _mm512_shuffle_epi8(mirror(boards), _mm512_broadcast_i32x4(rows))
}

/// Reverses each row of each board.
#[inline]
#[target_feature(enable = "avx512f,gfni")]
fn mirror(boards: __m512i) -> __m512i {
    /// The matrix that reverses the bits of a byte, as the right operand.
    const MIRROR: i64 = 0x8040_2010_0804_0201_u64 as i64;
    _mm512_gf2p8affine_epi64_epi8::<0>(boards, _mm512_set1_epi64(MIRROR))
}

/// The opponent's discs that a disc on each of eight squares encloses towards higher bits, each in its own position.
/// Two squares, with four rays each, are handled at a time.
#[inline]
#[target_feature(enable = "avx512f")]
fn enclosed(own: __m512i, opponent: __m512i, squares: [usize; 8]) -> __m512i {
    let pair = |first: usize, second: usize| {
        let (a, b) = (first as i64, second as i64);
        let lanes = _mm512_setr_epi64(a, a, a, a, b, b, b, b);
        let own = _mm512_permutexvar_epi64(lanes, own);
        let opponent = _mm512_permutexvar_epi64(lanes, opponent);
        enclosed_by_pair(own, opponent, squares[first], squares[second])
    };
    let merge = |a, b| _mm512_or_si512(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    // The squares are paired so that merging two by two restores their order.
    let low = merge(pair(0, 2), pair(1, 3));
    let high = merge(pair(4, 6), pair(5, 7));
    let even = _mm512_shuffle_i64x2::<0b10_00_10_00>(low, high);
    let odd = _mm512_shuffle_i64x2::<0b11_01_11_01>(low, high);
    _mm512_or_si512(even, odd)
}

/// On each ray of the first square and on each ray of the second, by the steps of `portable::enclosed`.
#[inline]
#[target_feature(enable = "avx512f")]
fn enclosed_by_pair(own: __m512i, opponent: __m512i, first: usize, second: usize) -> __m512i {
    // SAFETY: each array holds four words; the structure around it is aligned to 64 bytes.
    let up = |square: usize| unsafe { _mm256_load_si256(RAYS[square & 127].up.as_ptr().cast()) };
    let ray = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(up(first)), up(second));
    let ends = _mm512_andnot_si512(opponent, ray);
    let less = _mm512_add_epi64(ends, _mm512_set1_epi64(-1));
    let closing = _mm512_ternarylogic_epi64::<NOT_AND_AND>(less, ends, own);
    let is_closed = _mm512_test_epi64_mask(closing, closing);
    _mm512_maskz_ternarylogic_epi64::<BUT_AND>(is_closed, less, ends, ray)
}

/// The squares where each owner of `own` may play.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn reached(own: __m512i, opponent: __m512i) -> __m512i {
    /// The matrix that mirrors a board along its rising diagonal, as the left operand. Applied twice, it is the
    /// identity.
    const TURN: i64 = 0x0102_0408_1020_4080;
    /// All squares but the first and the last row.
    const NOT_OUTER_ROWS: i64 = 0x00ff_ffff_ffff_ff00;
    let turn = |board| _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(TURN), board);
    let inner = _mm512_and_si512(opponent, _mm512_set1_epi64(INNER as i64));
    let middle = _mm512_and_si512(opponent, _mm512_set1_epi64(NOT_OUTER_ROWS));
    let rows = along_rows(own, inner);
    let columns = turn(along_rows(turn(own), turn(middle)));
    let falling = along_diagonal::<9, 18>(own, inner);
    let rising = along_diagonal::<7, 14>(own, inner);
    let all = _mm512_or_si512(_mm512_ternarylogic_epi64::<OR>(rows, columns, falling), rising);
    _mm512_ternarylogic_epi64::<BUT_BOTH>(all, own, opponent)
}

/// The squares after runs of `turning` that begin next to an own disc, along the rows in both directions; occupied
/// squares are not excluded. No disc of `turning` is at a row's end.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,gfni")]
fn along_rows(own: __m512i, turning: __m512i) -> __m512i {
    // Adding a bit at the beginning of a run carries it to the square after the run.
    let up = |own, turning| {
        let beside = _mm512_and_si512(turning, _mm512_add_epi64(own, own));
        _mm512_andnot_si512(turning, _mm512_add_epi64(turning, beside))
    };
    _mm512_or_si512(up(own, turning), mirror(up(mirror(own), mirror(turning))))
}

/// As [`along_rows`], but along a diagonal whose squares are `STEP` bits apart, and without occupied squares.
#[inline]
#[target_feature(enable = "avx512f")]
fn along_diagonal<const STEP: u32, const TWICE: u32>(own: __m512i, turning: __m512i) -> __m512i {
    let up = |squares| _mm512_slli_epi64::<STEP>(squares);
    let down = |squares| _mm512_srli_epi64::<STEP>(squares);
    let grow = |run, by, grown| _mm512_ternarylogic_epi64::<OR_AND>(run, by, grown);
    let up_twice = |squares| _mm512_slli_epi64::<TWICE>(squares);
    let up_thrice = |squares| up_twice(up(squares));
    let down_twice = |squares| _mm512_srli_epi64::<TWICE>(squares);
    let down_thrice = |squares| down_twice(down(squares));
    // As in `portable::moves`: runs of one, two and three, then three more.
    let two = _mm512_and_si512(turning, up(turning));
    let three = _mm512_and_si512(two, up_twice(turning));
    let short = _mm512_and_si512(turning, up(own));
    let short = grow(grow(short, two, up_twice(own)), three, up_thrice(own));
    let above = grow(short, three, up_thrice(short));
    let (two, three) = (down(two), down_twice(three));
    let short = _mm512_and_si512(turning, down(own));
    let short = grow(grow(short, two, down_twice(own)), three, down_thrice(own));
    let below = grow(short, three, down_thrice(short));
    _mm512_or_si512(up(above), down(below))
}
