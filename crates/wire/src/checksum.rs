//! The checksum of the data compiled into an executable.

/// Computes a checksum: FNV-1a (Fowler, Noll, Vo 1991) on words of eight bytes. Four lanes run side by side, because a
/// single one would wait for its multiplications. The length counts too. Each step is a bijection, so that damage
/// within one word is always detected.
#[must_use]
pub const fn checksum(bytes: &[u8]) -> u64 {
    let mut lanes = [0xcbf2_9ce4_8422_2325; 4];
    let (parts, rest) = bytes.as_chunks::<32>();
    let mut index = 0;
    while index < parts.len() {
        lanes = after(lanes, &parts[index]);
        index += 1;
    }
    if !rest.is_empty() {
        let mut last = [0; 32];
        last.split_at_mut(rest.len()).0.copy_from_slice(rest);
        lanes = after(lanes, &last);
    }
    let mut sum = step(0xcbf2_9ce4_8422_2325, bytes.len() as u64);
    index = 0;
    while index < lanes.len() {
        sum = step(sum, lanes[index]);
        index += 1;
    }
    sum
}

#[inline]
const fn after(mut lanes: [u64; 4], part: &[u8; 32]) -> [u64; 4] {
    let (words, _) = part.as_chunks::<8>();
    let mut index = 0;
    while index < lanes.len() {
        lanes[index] = step(lanes[index], u64::from_le_bytes(words[index]));
        index += 1;
    }
    lanes
}

const fn step(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x0000_0100_0000_01b3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_counts_and_so_does_the_length() {
        let bytes: Vec<u8> = (0..100).map(|index| (index * 37 % 251) as u8).collect();
        for length in [0, 1, 7, 8, 31, 32, 33, 64, 100] {
            let whole = &bytes[..length];
            let sum = checksum(whole);
            for at in 0..length {
                for bit in 0..8 {
                    let mut damaged = whole.to_vec();
                    damaged[at] ^= 1 << bit;
                    assert_ne!(checksum(&damaged), sum, "bit {bit} of byte {at} of {length}");
                }
            }
            assert_ne!(checksum(&[whole, &[0]].concat()), sum, "a zero behind {length}");
        }
    }

    #[test]
    fn files_written_with_it_stay_readable() {
        assert_eq!(checksum(b""), 0xec45_a3fb_e05f_bbdb);
        assert_eq!(checksum(b"pattern-weights3"), 0x5b7c_e3f0_cc9e_3808);
    }
}
