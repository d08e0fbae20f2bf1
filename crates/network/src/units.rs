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
        for unit in 0..N {
            self.0[unit] = self.0[unit].wrapping_add(weights.0[unit]);
        }
    }

    /// Subtracts the weights of a feature.
    #[inline(always)]
    pub fn subtract(&mut self, weights: &Self) {
        for unit in 0..N {
            self.0[unit] = self.0[unit].wrapping_sub(weights.0[unit]);
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
        let mut sum = 0;
        for unit in 0..N {
            sum += i32::from(activate(self.0[unit])) * i32::from(weights.0[unit]);
        }
        sum
    }
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
