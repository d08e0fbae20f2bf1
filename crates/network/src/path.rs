/// A computation that is compiled once for each [`Path`].
pub trait Kernel {
    /// The result.
    type Output;

    /// Computes the result. It must be `#[inline(always)]`, and so must all that it calls: only code that is inlined in
    /// a function for an instruction set uses that set.
    fn run(self) -> Self::Output;
}

/// The instruction sets that kernels are compiled for. The compiler vectorises the same code for each.
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

    /// Runs a kernel.
    ///
    /// # Panics
    /// If the processor does not support the path.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            Self::Portable => {}
            Self::Avx2 => {
                assert!(self.is_available());
                // SAFETY: the assertion above has checked that the processor supports the function's features.
                return unsafe { run_avx2(kernel) };
            }
            Self::Avx512 => {
                assert!(self.is_available());
                // SAFETY: the assertion above has checked that the processor supports the function's features.
                return unsafe { run_avx512(kernel) };
            }
        }
        kernel.run()
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Units;

    /// A position's units, and their output.
    struct Sum<'a>(&'a [Units<64>]);

    impl Kernel for Sum<'_> {
        type Output = (Units<64>, i32);

        #[inline(always)]
        fn run(self) -> Self::Output {
            let mut units = Units([0; 64]);
            self.0.iter().for_each(|weights| units.add(weights));
            self.0[..2].iter().for_each(|weights| units.subtract(weights));
            (units, units.output(&self.0[0], |unit| unit.clamp(0, 181)))
        }
    }

    #[test]
    fn every_path_computes_the_same() {
        let weights: Vec<_> = (0..40_i32)
            .map(|feature| {
                Units(std::array::from_fn(|unit| ((feature * 641 + unit as i32 * 277) % 900 - 450) as i16))
            })
            .collect();
        let expected = Path::Portable.run(Sum(&weights));
        assert_ne!(expected.1, 0);
        for path in Path::ALL.iter().filter(|path| path.is_available()) {
            assert_eq!(path.run(Sum(&weights)), expected, "{path:?}");
        }
    }
}
