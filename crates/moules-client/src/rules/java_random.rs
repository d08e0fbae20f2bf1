/// The generator of `java.util.Random`: a 48-bit linear congruential generator, from its documentation. The original
/// server uses it, so the same seeds give the same mazes.
#[derive(Debug, Clone)]
pub struct JavaRandom(u64);

impl JavaRandom {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const MASK: u64 = (1 << 48) - 1;

    /// Seeds the generator like `new Random(seed)`.
    #[must_use]
    pub fn new(seed: i64) -> Self {
        Self((seed as u64 ^ Self::MULTIPLIER) & Self::MASK)
    }

    fn next_31_bits(&mut self) -> u32 {
        self.0 = (self.0.wrapping_mul(Self::MULTIPLIER).wrapping_add(0xB)) & Self::MASK;
        (self.0 >> 17) as u32
    }

    /// Returns a number from 0 to `bound` − 1, like `nextInt(bound)`.
    ///
    /// # Panics
    /// If `bound` is 0 or above `i32::MAX`.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0 && bound <= i32::MAX as usize, "a bound of nextInt");
        let bound = bound as u32;
        if bound.is_power_of_two() {
            return ((u64::from(bound) * u64::from(self.next_31_bits())) >> 31) as usize;
        }
        loop {
            let bits = self.next_31_bits();
            let value = bits % bound;
            // Values of the last, incomplete block of `bound` are rejected, where Java's `int` overflows.
            if bits - value + (bound - 1) <= i32::MAX as u32 {
                return value as usize;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_numbers_are_those_of_java() {
        // new Random(42): nextInt(10) four times; new Random(0): nextInt(16) is a power of two.
        let mut random = JavaRandom::new(42);
        assert_eq!([0; 4].map(|_| random.below(10)), [0, 3, 8, 4]);
        assert_eq!(JavaRandom::new(0).below(16), 11);
    }
}
