//! Which threats are on the board, as a number.

/// The most threats that a number can tell of.
pub const THREATS: usize = 1 << 11;

/// The number of the threats, from how many cells the mover and the other side have of each counted class, sixteen
/// bits each. From the low end, bits for what the mover has on any cell (a four that builds, a four, a three that
/// builds, a three), then for what the other side has (an open four, a four with an open three, a four that builds, a
/// four, two open threes, a three that builds, a three).
#[inline]
pub(super) fn number(mover: u128, other: u128) -> usize {
    const OWN: [u16; 256] = numbers([3, 2, 2, 1, 0, 0, NO_BIT, NO_BIT]);
    const THEIRS: [u16; 256] = numbers([10, 9, 8, 7, 6, 5, 4, NO_BIT]);
    usize::from(OWN[present(mover)] | THEIRS[present(other)])
}

/// Which of the counted classes there are cells of, a bit each.
#[inline]
fn present(counts: u128) -> usize {
    const LANES: u128 = 0x0001_0001_0001_0001_0001_0001_0001_0001;
    let low = LANES * 0x7fff;
    // The top bit of every count that is not zero.
    let some = ((((counts & low) + low) | counts) >> 15) & LANES;
    // The product moves one bit of each of four counts to its place in the topmost sixteen.
    let bits = |half: u64| (half.wrapping_mul(1 << 48 | 1 << 33 | 1 << 18 | 1 << 3) >> 48 & 15) as usize;
    bits(some as u64) | bits((some >> 64) as u64) << 4
}

/// For a class that no bit tells of.
const NO_BIT: u32 = 16;

/// For each set of counted classes, the bits that stand for them.
const fn numbers(bits: [u32; 8]) -> [u16; 256] {
    let mut numbers = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut class = 0;
        while class < 8 {
            if set >> class & 1 != 0 && bits[class] != NO_BIT {
                numbers[set] |= 1 << bits[class];
            }
            class += 1;
        }
        set += 1;
    }
    numbers
}
