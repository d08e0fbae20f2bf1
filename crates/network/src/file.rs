//! Files of weights: little-endian numbers, and at the end their [`wire::checksum`] in 64 bits.

use crate::Units;

/// The length of the checksum at the end of a file.
pub const SEAL: usize = 8;

/// The checksum of the weights is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the network's weights are damaged: their checksum is {found:016x}, and {stored:016x} was written with them"
)]
pub struct Damaged {
    /// The checksum of the weights.
    pub found: u64,
    /// The checksum in the file.
    pub stored: u64,
}

/// Returns the numbers of a file.
///
/// # Errors
/// If the checksum does not match, or is missing.
pub fn opened(bytes: &[u8]) -> Result<Numbers<'_>, Damaged> {
    let (weights, stored) = bytes.split_last_chunk::<SEAL>().unwrap_or((bytes, &[0; SEAL]));
    let (found, stored) = (wire::checksum(weights), u64::from_le_bytes(*stored));
    if found == stored { Ok(Numbers(weights)) } else { Err(Damaged { found, stored }) }
}

/// Adds the checksum to the weights.
#[must_use]
pub fn sealed(mut weights: Vec<u8>) -> Vec<u8> {
    let sum = wire::checksum(&weights);
    weights.extend_from_slice(&sum.to_le_bytes());
    weights
}

/// Appends `weights` times `unit`, rounded to 16 bits.
pub fn put(bytes: &mut Vec<u8>, weights: &[f32], unit: f32) {
    for weight in weights {
        bytes.extend_from_slice(&((weight * unit).round() as i16).to_le_bytes());
    }
}

/// Reads the numbers of a file in their order.
///
/// # Panics
/// Each method panics after the last number. The caller knows the length of its file.
#[derive(Debug, Clone)]
pub struct Numbers<'a>(&'a [u8]);

impl<'a> Numbers<'a> {
    /// The numbers of a part of a file.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    fn next<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.0.split_first_chunk().expect("the file is as long as its reader expects");
        self.0 = rest;
        *first
    }

    /// The next number of 16 bits.
    pub fn word(&mut self) -> i16 {
        i16::from_le_bytes(self.next())
    }

    /// The next number of 32 bits.
    pub fn long(&mut self) -> i32 {
        i32::from_le_bytes(self.next())
    }

    /// The next `N` numbers of 16 bits.
    pub fn words<const N: usize>(&mut self) -> [i16; N] {
        std::array::from_fn(|_| self.word())
    }

    /// The weights of the next `F` features, `N` hidden units each.
    #[must_use]
    pub fn features<const F: usize, const N: usize>(&mut self) -> Box<[Units<N>; F]> {
        let features: Vec<_> = (0..F).map(|_| Units(self.words())).collect();
        features.into_boxed_slice().try_into().expect("as many as there are features")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_file_gives_its_numbers_back() {
        let mut bytes = Vec::new();
        put(&mut bytes, &[0.5, -1.0, 2.0, 0.26], 4.0);
        bytes.extend_from_slice(&(-70_000_i32).to_le_bytes());
        let file = sealed(bytes);
        let mut numbers = opened(&file).unwrap();
        assert_eq!(numbers.features::<1, 3>()[0], Units([2, -4, 8]));
        assert_eq!((numbers.word(), numbers.long()), (1, -70_000));
    }

    #[test]
    fn damage_anywhere_in_a_file_shows() {
        let file = sealed((0..100).collect());
        assert!(opened(&file).is_ok());
        for at in [0, 50, 99, 100, 107] {
            let mut damaged = file.clone();
            damaged[at] ^= 1;
            let error = opened(&damaged).unwrap_err();
            assert!(error.to_string().contains(&format!("{:016x}", error.found)), "{error}");
        }
        assert!(opened(&file[..file.len() - 1]).is_err() && opened(&[1; 3]).is_err() && opened(&[]).is_err());
    }
}
