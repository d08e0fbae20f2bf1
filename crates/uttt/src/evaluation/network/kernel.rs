//! The kernel: the output after each of several moves.

use super::{Features, HIDDEN, Network, UNIT};
use network::{Kernel, Units};

/// Computes the output sum after each of `changes`, each applied to the same `features`.
pub(super) struct Sums<'a> {
    pub network: &'a Network,
    pub features: &'a Features,
    pub changes: &'a [Features],
    pub sums: &'a mut [i32],
}

impl Kernel for Sums<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { network, features, changes, sums } = self;
        let mut shared = network.bias;
        apply(network, features, &mut shared);
        for (change, sum) in changes.iter().zip(sums) {
            let mut hidden = shared;
            apply(network, change, &mut hidden);
            *sum = network.output_bias + hidden.output(&network.output, |unit| unit.clamp(0, UNIT));
        }
    }
}

#[inline(always)]
fn apply(network: &Network, features: &Features, hidden: &mut Units<HIDDEN>) {
    for &feature in features.entering() {
        hidden.add(&network.input[usize::from(feature)]);
    }
    for &feature in features.leaving() {
        hidden.subtract(&network.input[usize::from(feature)]);
    }
}
