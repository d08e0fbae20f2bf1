//! Seeds derived from a run's seed.

/// Derives the seed of part `part` from `seed` by SplitMix64. It is small enough for any player's option.
#[must_use]
pub fn mix(seed: u64, part: u64) -> u64 {
    let mut z = seed.wrapping_add(part.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 33
}
