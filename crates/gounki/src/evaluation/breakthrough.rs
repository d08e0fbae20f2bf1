//! *Percée*: how far the men have advanced, the number of attackers, and the number of defenders in front of them.

use crate::rules::Army;

/// The value of a man by its rank.
const RANKS: [i32; 8] = [0, 2, 6, 14, 28, 50, 90, 400];
/// The penalty for each enemy in front of an attacker, on its file or a neighbouring one.
const DEFENDER: i32 = 6;
/// The bonus for an attacker without an enemy in front of it.
const OPEN_ROAD: i32 = 60;

/// The value of `own`'s attack.
#[inline]
pub(super) fn of(own: &Army, enemy: &Army) -> i32 {
    let [low, high] = own.heights();
    let mut value = 0;
    for (rank, worth) in RANKS.into_iter().enumerate() {
        let men = (low >> (8 * rank) & 0xff).count_ones() + 2 * (high >> (8 * rank) & 0xff).count_ones();
        value += worth * men as i32;
    }
    let [open_roads, defenders] = attackers(own, enemy);
    value + OPEN_ROAD * open_roads - DEFENDER * defenders
}

/// Counts, for the men beyond the middle, those with an open road, and the defenders in front of the others.
#[inline]
pub(super) fn attackers(own: &Army, enemy: &Army) -> [i32; 2] {
    let mut attackers = own.occupied() & 0xffff_ffff_0000_0000;
    let defenders = enemy.occupied();
    let mut counts = [0; 2];
    while attackers != 0 {
        let cell = attackers.trailing_zeros();
        attackers &= attackers - 1;
        match (defenders & ahead(cell)).count_ones() as i32 {
            0 => counts[0] += 1,
            before => counts[1] += before,
        }
    }
    counts
}

/// The cells of higher ranks on this cell's file and the neighbouring files.
#[inline]
fn ahead(cell: u32) -> u64 {
    let file = 0x0101_0101_0101_0101_u64 << (cell & 7);
    let left = (file & !0x0101_0101_0101_0101) >> 1;
    let right = (file & !0x8080_8080_8080_8080) << 1;
    (file | left | right) & (u64::MAX << (cell & 56)) << 8
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_lies_ahead_is_three_files_wide() {
        assert_eq!(super::ahead(0), 0x0303_0303_0303_0300);
        assert_eq!(super::ahead(55), 0xc0 << 56);
        assert_eq!(super::ahead(60), 0);
    }
}
