//! The network's sums: one generic body, compiled for several processors so that the compiler vectorises each.
//!
//! The arithmetic is on integers that never overflow, so every path gives the same sums.

use super::{Features, HIDDEN, Network, UNIT};

/// The hidden units of a position before clipping, or the weights of one feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(super) struct Accumulator(pub [i16; HIDDEN]);

/// The instruction sets that the sums are compiled for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Path {
    /// Any processor.
    Portable,
    /// x86-64 with AVX2.
    Avx2,
    /// x86-64 with AVX-512 F, BW and VL.
    Avx512,
}

impl Path {
    /// All paths, the fastest last.
    pub const ALL: &[Self] = &[Self::Portable, Self::Avx2, Self::Avx512];

    /// Returns whether this processor supports the path.
    #[must_use]
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return match self {
            Self::Portable => true,
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
            }
        };
        #[cfg(not(target_arch = "x86_64"))]
        return self == Self::Portable;
    }

    /// The fastest path that this processor supports.
    #[must_use]
    pub fn best() -> Self {
        Self::ALL.iter().rev().copied().find(|path| path.is_available()).unwrap_or(Self::Portable)
    }

    /// Computes the output sum after each of `changes`, each applied to the same `features`.
    ///
    /// # Panics
    /// If the processor does not support the path.
    pub(super) fn run(self, network: &Network, features: &Features, changes: &[Features], sums: &mut [i32]) {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Portable => {}
            Self::Avx2 => {
                assert!(self.is_available());
                // SAFETY: the assertion above has checked that the processor supports the function's features.
                return unsafe { sums_avx2(network, features, changes, sums) };
            }
            Self::Avx512 => {
                assert!(self.is_available());
                // SAFETY: the assertion above has checked that the processor supports the function's features.
                return unsafe { sums_avx512(network, features, changes, sums) };
            }
        }
        sums_of(network, features, changes, sums);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sums_avx2(network: &Network, features: &Features, changes: &[Features], sums: &mut [i32]) {
    sums_of(network, features, changes, sums);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn sums_avx512(network: &Network, features: &Features, changes: &[Features], sums: &mut [i32]) {
    sums_of(network, features, changes, sums);
}

#[inline(always)]
fn sums_of(network: &Network, features: &Features, changes: &[Features], sums: &mut [i32]) {
    let mut shared = network.bias;
    apply(network, features, &mut shared);
    for (change, sum) in changes.iter().zip(sums) {
        let mut hidden = shared;
        apply(network, change, &mut hidden);
        *sum = network.output_bias + output(&hidden, &network.output);
    }
}

// Indexed on purpose: iterators over both arrays are not inlined here without link-time optimisation.
#[allow(clippy::needless_range_loop)]
#[inline(always)]
fn apply(network: &Network, features: &Features, hidden: &mut Accumulator) {
    for &feature in features.entering() {
        let weights = &network.features()[usize::from(feature)].0;
        for unit in 0..HIDDEN {
            hidden.0[unit] = hidden.0[unit].wrapping_add(weights[unit]);
        }
    }
    for &feature in features.leaving() {
        let weights = &network.features()[usize::from(feature)].0;
        for unit in 0..HIDDEN {
            hidden.0[unit] = hidden.0[unit].wrapping_sub(weights[unit]);
        }
    }
}

#[inline(always)]
fn output(hidden: &Accumulator, weights: &Accumulator) -> i32 {
    let mut sum = 0;
    for unit in 0..HIDDEN {
        sum += i32::from(hidden.0[unit].clamp(0, UNIT)) * i32::from(weights.0[unit]);
    }
    sum
}
