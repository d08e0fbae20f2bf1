//! Eight positions at once, one per vector lane, for perft.

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512bw",
    target_feature = "avx512vbmi2",
    target_feature = "gfni"
))]
mod avx512;
#[cfg(any(
    test,
    not(all(
        target_arch = "x86_64",
        target_feature = "avx512bw",
        target_feature = "avx512vbmi2",
        target_feature = "gfni"
    ))
))]
mod portable;

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx512bw",
    target_feature = "avx512vbmi2",
    target_feature = "gfni"
))]
use avx512 as kernel;
#[cfg(not(all(
    target_arch = "x86_64",
    target_feature = "avx512bw",
    target_feature = "avx512vbmi2",
    target_feature = "gfni"
)))]
use portable as kernel;

/// The target of a move: a square, or none for a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Spot(
    /// At most 64; the kernels rely on it.
    u8,
);

impl Spot {
    /// The target of a pass.
    pub const NOWHERE: Self = Self(64);
}

/// Eight words, one per position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(align(64))]
pub struct Words(pub [u64; 8]);

/// The discs of eight positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Eight {
    /// The mover's discs in each position.
    pub own: Words,
    /// The opponent's discs in each position.
    pub opponent: Words,
}

impl Eight {
    /// The empty squares where each mover may play.
    #[inline]
    #[must_use]
    pub fn moves(&self) -> Words {
        kernel::moves(self)
    }

    /// Plays eight moves: the n-th on the n-th of `spots`, in the position in the n-th of `lanes`. Only the last three
    /// bits of a lane's number count.
    #[inline]
    #[must_use]
    pub fn after(&self, lanes: &[u8; 8], spots: &[Spot; 8]) -> Self {
        kernel::after(self, lanes, spots)
    }
}

/// The squares of a set, lowest first; entries after the last one are unspecified.
#[inline]
#[must_use]
pub fn list(set: u64) -> [Spot; 64] {
    kernel::list(set)
}

#[cfg(test)]
mod tests {
    use super::super::{flips, moves};
    use super::*;
    use crate::rules::Squares;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn positions(random: &mut Xoshiro256PlusPlus) -> Eight {
        let mut eight = Eight::default();
        for lane in 0..8 {
            let [a, b, c]: [u64; 3] = random.random();
            let occupied = if lane < 4 { a | c } else { a & c };
            (eight.own.0[lane], eight.opponent.0[lane]) = (occupied & b, occupied & !b);
        }
        eight
    }

    #[test]
    fn eight_positions_have_the_moves_of_each() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..5000 {
            let eight = positions(&mut random);
            let found = eight.moves();
            assert_eq!(portable::moves(&eight), found, "{eight:?}");
            for lane in 0..8 {
                assert_eq!(found.0[lane], moves(eight.own.0[lane], eight.opponent.0[lane]), "{eight:?}");
            }
        }
    }

    #[test]
    fn each_disc_turns_what_it_would_turn_alone_and_a_pass_turns_nothing() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        for _ in 0..5000 {
            let eight = positions(&mut random);
            let mut spots = [Spot::NOWHERE; 8];
            let lanes = random.random::<[u8; 8]>();
            for (spot, &lane) in spots.iter_mut().zip(&lanes) {
                let lane = usize::from(lane & 7);
                let empty = !(eight.own.0[lane] | eight.opponent.0[lane]);
                let on = random.random_range(0..65);
                *spot = if on < 64 && empty >> on & 1 == 1 { Spot(on) } else { Spot::NOWHERE };
            }
            let after = eight.after(&lanes, &spots);
            assert_eq!(portable::after(&eight, &lanes, &spots), after, "{eight:?} {lanes:?} {spots:?}");
            for place in 0..8 {
                let lane = usize::from(lanes[place] & 7);
                let (own, opponent) = (eight.own.0[lane], eight.opponent.0[lane]);
                let (turned, put) = match spots[place] {
                    Spot::NOWHERE => (0, 0),
                    Spot(square) => (flips(square, own, opponent), 1 << square),
                };
                assert_eq!(after.own.0[place], opponent ^ turned, "{eight:?} {lanes:?} {spots:?}");
                assert_eq!(after.opponent.0[place], own ^ turned ^ put, "{eight:?} {lanes:?} {spots:?}");
            }
        }
    }

    #[test]
    fn the_squares_of_a_set_are_listed_in_order() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..1000 {
            let set = random.random::<u64>() & random.random::<u64>();
            let squares: Vec<Spot> = Squares(set).map(|square| Spot(square.index())).collect();
            assert_eq!(list(set)[..squares.len()], squares);
            assert_eq!(portable::list(set)[..squares.len()], squares);
        }
    }
}
