//! The pattern states of a position.

use super::TABLE_LEN;
use super::layout::{LANES, LAYOUT};
use crate::rules::{Position, Squares};

/// The state of every pattern, from the mover's point of view (see [`layout`](super::layout)). Unused lanes are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub struct Features(pub(super) [i16; LANES]);

impl Features {
    /// The features of a position, from the discs of the mover and of the opponent.
    #[must_use]
    pub fn of(own: u64, opponent: u64) -> Self {
        let mut lanes = [0; LANES];
        for (discs, sign) in [(own, 1), (opponent, -1)] {
            for square in Squares(discs) {
                for (lane, disc) in lanes.iter_mut().zip(LAYOUT.disc[usize::from(square.index())]) {
                    *lane += sign * disc;
                }
            }
        }
        Self(lanes)
    }

    /// The features of `now`, reached by a move from `before`; `self` are the features of `before`.
    #[inline]
    #[must_use]
    pub fn played(&self, before: &Position, now: &Position) -> Self {
        let placed = before.empty() ^ now.empty();
        let flips = before.opponent() ^ now.own();
        if placed == 0 { self.after_pass() } else { self.after(placed.trailing_zeros() as u8, flips) }
    }

    /// The features after the mover plays `square` and flips `flips`, from the other side's point of view.
    #[inline]
    #[must_use]
    pub fn after(&self, square: u8, flips: u64) -> Self {
        // Flipped discs count twice, the new disc once. Intermediate sums may overflow 16 bits; the final one does not.
        let mut change = [0_i16; LANES];
        // Three at a time, where absent ones add nothing: the number of flips is hard to predict and rarely exceeds
        // six.
        let mut left = flips;
        while left != 0 {
            let [mut first, mut second, mut third] = [0; 3];
            for flip in [&mut first, &mut second, &mut third] {
                *flip = left.trailing_zeros() as usize & 127;
                left &= left.wrapping_sub(1);
            }
            let discs = [first, second, third].map(|flip| &LAYOUT.disc[flip.min(64)]);
            for (lane, change) in change.iter_mut().enumerate() {
                let sum = discs[0][lane].wrapping_add(discs[1][lane]).wrapping_add(discs[2][lane]);
                *change = change.wrapping_add(sum);
            }
        }
        let put = &LAYOUT.disc[usize::from(square & 63)];
        let mut lanes = self.0;
        for ((lane, change), put) in lanes.iter_mut().zip(&change).zip(put) {
            *lane = lane.wrapping_add(change << 1).wrapping_add(*put).wrapping_neg();
        }
        Self(lanes)
    }

    /// The features after a pass.
    #[inline]
    fn after_pass(&self) -> Self {
        let mut lanes = self.0;
        for lane in &mut lanes {
            *lane = lane.wrapping_neg();
        }
        Self(lanes)
    }

    /// The index of each pattern's state in a stage's table. All are in range; those of unused lanes have no meaning.
    #[inline(always)]
    pub(super) fn places(&self) -> [u32; LANES] {
        let mut places = [0; LANES];
        for (place, (&lane, &centre)) in places.iter_mut().zip(self.0.iter().zip(&LAYOUT.centre)) {
            *place = centre.wrapping_add_signed(i32::from(lane)).min(TABLE_LEN as u32 - 1);
        }
        places
    }

    /// The index of each pattern's state in a stage's table.
    #[inline]
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        self.places().into_iter().take(LAYOUT.instances).map(|place| place as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Move, Position};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use search_core::Position as _;

    #[test]
    fn features_kept_up_to_date_are_those_of_the_position() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..50 {
            let mut position = Position::START;
            let mut features = Features::of(position.own(), position.opponent());
            while position.outcome().is_none() {
                let moves = position.move_list();
                let mv = moves[random.random_range(0..moves.len())];
                features = match mv.square() {
                    Some(square) => features.after(square.index(), position.flips(square.index())),
                    None => features.after_pass(),
                };
                position = position.after(mv);
                assert_eq!(features, Features::of(position.own(), position.opponent()), "{mv}: {position:?}");
            }
        }
        assert_eq!(Move::PASS.square(), None);
    }
}
