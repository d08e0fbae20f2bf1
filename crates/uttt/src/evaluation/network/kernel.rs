//! The kernel: the output after each of several moves.

use super::{Features, HIDDEN, Network, UNIT};
use network::{Kernel, Units};

/// Computes the output sum after each of `changes`, each applied to the same `features`. `PART` units at a time are
/// summed: as many as fit in the vector registers stay there.
pub(super) struct Sums<'a, const PART: usize> {
    pub network: &'a Network,
    pub features: &'a Features,
    pub changes: &'a [Features],
    pub sums: &'a mut [i32],
}

impl<const PART: usize> Kernel for Sums<'_, PART> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { network, features, changes, sums } = self;
        sums.fill(network.output_bias);
        for nth in 0..HIDDEN / PART {
            let mut shared = Units(*network.bias.part::<PART>(nth));
            apply(network, features, nth, &mut shared);
            for (change, sum) in changes.iter().zip(sums.iter_mut()) {
                let mut hidden = shared;
                apply(network, change, nth, &mut hidden);
                *sum += hidden.output_part(&network.output, nth, |unit| unit.clamp(0, UNIT));
            }
        }
    }
}

#[inline(always)]
fn apply<const PART: usize>(network: &Network, features: &Features, nth: usize, hidden: &mut Units<PART>) {
    for &feature in features.entering() {
        hidden.add_part(&network.input[usize::from(feature)], nth);
    }
    for &feature in features.leaving() {
        hidden.subtract_part(&network.input[usize::from(feature)], nth);
    }
}
