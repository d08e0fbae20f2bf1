/// The hidden units of a position before their activation, or the weights of one feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Units<const N: usize>(pub [i16; N]);

// Indexed on purpose: iterators over both arrays are not inlined in a kernel without link-time optimisation.
#[allow(clippy::needless_range_loop)]
impl<const N: usize> Units<N> {
    /// Adds the weights of a feature. The sums must fit.
    #[inline(always)]
    pub fn add(&mut self, weights: &Self) {
        self.add_part(weights, 0);
    }

    /// Adds the weights of a feature to these units, which are part `nth` of all units.
    #[inline(always)]
    pub fn add_part<const ALL: usize>(&mut self, weights: &Units<ALL>, nth: usize) {
        let weights = weights.part::<N>(nth);
        for unit in 0..N {
            self.0[unit] = self.0[unit].wrapping_add(weights[unit]);
        }
    }

    /// Subtracts the weights of a feature.
    #[inline(always)]
    pub fn subtract(&mut self, weights: &Self) {
        self.subtract_part(weights, 0);
    }

    /// Subtracts the weights of a feature from these units, which are part `nth` of all units.
    #[inline(always)]
    pub fn subtract_part<const ALL: usize>(&mut self, weights: &Units<ALL>, nth: usize) {
        let weights = weights.part::<N>(nth);
        for unit in 0..N {
            self.0[unit] = self.0[unit].wrapping_sub(weights[unit]);
        }
    }

    /// Adds the weights of a feature where the sums may not fit: they end at the largest or smallest number.
    #[inline(always)]
    pub fn add_saturating(&mut self, weights: &Self) {
        for unit in 0..N {
            self.0[unit] = self.0[unit].saturating_add(weights.0[unit]);
        }
    }

    /// Returns the sum of the activated units, each times its weight.
    #[inline(always)]
    #[must_use]
    pub fn output(&self, weights: &Self, activate: impl Fn(i16) -> i16) -> i32 {
        self.output_part(weights, 0, activate)
    }

    /// Returns the sum of these activated units, which are part `nth` of all units, each times its weight.
    #[inline(always)]
    #[must_use]
    pub fn output_part<const ALL: usize>(
        &self,
        weights: &Units<ALL>,
        nth: usize,
        activate: impl Fn(i16) -> i16,
    ) -> i32 {
        dot(&self.0, weights.part(nth), activate)
    }

    /// Returns `M` units: part `nth`.
    #[inline(always)]
    #[must_use]
    pub fn part<const M: usize>(&self, nth: usize) -> &[i16; M] {
        &self.0.as_chunks().0[nth]
    }
}

/// Returns the sum of the activated units, each times its weight.
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn dot<const N: usize>(units: &[i16; N], weights: &[i16; N], activate: impl Fn(i16) -> i16) -> i32 {
    let mut sum = 0;
    for unit in 0..N {
        sum += i32::from(activate(units[unit])) * i32::from(weights[unit]);
    }
    sum
}

/// The same for WebAssembly, where the compiler does not find the instruction that multiplies and adds pairs.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
fn dot<const N: usize>(units: &[i16; N], weights: &[i16; N], activate: impl Fn(i16) -> i16) -> i32 {
    use std::arch::wasm32::{i16x8, i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_splat};
    const { assert!(N.is_multiple_of(8)) };
    let mut sums = i32x4_splat(0);
    for (units, weights) in units.as_chunks::<8>().0.iter().zip(weights.as_chunks::<8>().0) {
        let [[a, b, c, d, e, f, g, h], [i, j, k, l, m, n, o, p]] = [units.map(&activate), *weights];
        let products = i32x4_dot_i16x8(i16x8(a, b, c, d, e, f, g, h), i16x8(i, j, k, l, m, n, o, p));
        sums = i32x4_add(sums, products);
    }
    let sum = i32x4_extract_lane::<0>(sums) + i32x4_extract_lane::<1>(sums);
    sum + i32x4_extract_lane::<2>(sums) + i32x4_extract_lane::<3>(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_and_taken_away_leaves_nothing() {
        let weights = Units([3, -4]);
        let mut units = Units([1, i16::MAX]);
        units.add(&weights);
        units.subtract(&weights);
        assert_eq!(units, Units([1, i16::MAX]));
    }

    #[test]
    fn a_sum_that_does_not_fit_ends_at_the_largest_number() {
        let mut units = Units([i16::MAX - 1, i16::MIN + 1]);
        units.add_saturating(&Units([5, -5]));
        assert_eq!(units, Units([i16::MAX, i16::MIN]));
    }

    #[test]
    fn the_output_is_the_weighted_sum_of_the_activated_units() {
        assert_eq!(Units([300, -300, 7]).output(&Units([2, 5, -3]), |unit| unit.clamp(0, 256)), 2 * 256 - 21);
    }
}
