//! Pairings that hang on results: rounds of a Swiss system, the bracket of a knockout.

use std::collections::BTreeSet;

/// A round: who meets, and who has nobody to meet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Round {
    /// Players by number, the better placed first.
    pub pairs: Vec<(usize, usize)>,
    /// The players with a bye.
    pub byes: Vec<usize>,
}

/// A Swiss tournament so far; players are numbered by their seeds.
#[derive(Debug, Clone, Default)]
pub struct Swiss {
    /// Points, those of byes among them.
    pub points: Vec<f64>,
    /// The pairs that met, the lower number first.
    pub met: BTreeSet<(usize, usize)>,
    /// The players that had a bye.
    pub byes: BTreeSet<usize>,
}

/// Steps after which pairing without rematches is given up: no tournament of a sane length needs so many.
const STEPS: usize = 200_000;

impl Swiss {
    /// So many players, without a game.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { points: vec![0.0; players], ..Self::default() }
    }

    /// The players by points, then by seed.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|&a, &b| self.points[b].total_cmp(&self.points[a]).then(a.cmp(&b)));
        order
    }

    /// The next round: within each group of equal points the upper half meets the lower one in order, who is left over
    /// floats to the next group, and nobody meets anybody twice while that can be had. With an odd number the last one
    /// without a bye has it.
    #[must_use]
    pub fn round(&self) -> Round {
        let mut order = self.order();
        let mut byes = Vec::new();
        if order.len() % 2 == 1 {
            let free = order.iter().rposition(|player| !self.byes.contains(player));
            byes.push(order.remove(free.unwrap_or(order.len() - 1)));
        }
        let mut pairs = Vec::new();
        let mut steps = STEPS;
        if !self.pair(&order, true, &mut pairs, &mut steps) {
            pairs.clear();
            let mut endless = usize::MAX;
            self.pair(&order, false, &mut pairs, &mut endless);
        }
        Round { pairs, byes }
    }

    /// Pairs the players left in `order`, if that can be had.
    fn pair(&self, order: &[usize], fresh: bool, pairs: &mut Vec<(usize, usize)>, steps: &mut usize) -> bool {
        let Some(&first) = order.first() else { return true };
        for at in self.candidates(order) {
            let other = order[at];
            if fresh && self.met.contains(&(first.min(other), first.max(other))) {
                continue;
            }
            if *steps == 0 {
                return false;
            }
            *steps -= 1;
            let rest: Vec<usize> = order[1..].iter().copied().filter(|&player| player != other).collect();
            pairs.push((first, other));
            if self.pair(&rest, fresh, pairs, steps) {
                return true;
            }
            pairs.pop();
        }
        false
    }

    /// Whom the first of `order` might meet, the best first: the top of the lower half of its group and those behind it,
    /// then those before it, then the next groups.
    fn candidates(&self, order: &[usize]) -> Vec<usize> {
        let points = self.points[order[0]];
        let group = order.iter().take_while(|&&player| self.points[player] == points).count();
        let half = (group / 2).max(1);
        (half..group).chain((1..half.min(group)).rev()).chain(group.max(1)..order.len()).collect()
    }

    /// The sum of the points of everybody that a player met (Buchholz).
    #[must_use]
    pub fn buchholz(&self, player: usize) -> f64 {
        let other = |&(a, b): &(usize, usize)| match player {
            player if player == a => Some(b),
            player if player == b => Some(a),
            _ => None,
        };
        self.met.iter().filter_map(other).map(|other| self.points[other]).sum()
    }
}

/// The bracket of the first round: seeds by number, the best far apart, byes to the best; in the order in which winners
/// meet. `None` is a bye.
#[must_use]
pub fn bracket(players: usize) -> Vec<(usize, Option<usize>)> {
    let mut seeds = vec![0];
    while seeds.len() < players.max(2) {
        let last = 2 * seeds.len() - 1;
        seeds = seeds.iter().flat_map(|&seed| [seed, last - seed]).collect();
    }
    seeds.chunks(2).map(|pair| (pair[0], Some(pair[1]).filter(|&other| other < players))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_upper_half_meets_the_lower_half() {
        let swiss = Swiss::new(8);
        assert_eq!(swiss.round().pairs, [(0, 4), (1, 5), (2, 6), (3, 7)]);
    }

    #[test]
    fn groups_of_equal_points_meet_and_nobody_twice() {
        let mut swiss = Swiss::new(5);
        let first = swiss.round();
        assert_eq!(
            (first.pairs.as_slice(), first.byes.as_slice()),
            ([(0, 2), (1, 3)].as_slice(), [4].as_slice())
        );
        swiss.met.extend([(0, 2), (1, 3)]);
        swiss.byes.insert(4);
        swiss.points = vec![2.0, 2.0, 0.0, 0.0, 2.0];
        let second = swiss.round();
        // 0, 1 and 4 lead; the last without a bye is 3, and 4 floats to 2.
        assert_eq!(
            (second.pairs.as_slice(), second.byes.as_slice()),
            ([(0, 1), (4, 2)].as_slice(), [3].as_slice())
        );
        assert_eq!(swiss.buchholz(0), 0.0);
        assert_eq!(swiss.buchholz(2), 2.0);
    }

    #[test]
    fn every_round_is_whole_and_nobody_meets_twice() {
        for players in [4, 7, 10, 16] {
            let mut swiss = Swiss::new(players);
            for round in 0..players / 2 {
                let Round { pairs, byes } = swiss.round();
                let seen: BTreeSet<usize> =
                    pairs.iter().flat_map(|&(a, b)| [a, b]).chain(byes.iter().copied()).collect();
                assert_eq!((seen.len(), byes.len()), (players, players % 2));
                swiss.byes.extend(byes);
                for &(a, b) in &pairs {
                    assert!(
                        swiss.met.insert((a.min(b), a.max(b))),
                        "{players}: {a} and {b} met before round {round}"
                    );
                    swiss.points[a.min(b)] += 1.0;
                }
            }
        }
    }

    #[test]
    fn rematches_come_only_when_everybody_met() {
        let mut swiss = Swiss::new(2);
        swiss.met.insert((0, 1));
        assert_eq!(swiss.round().pairs, [(0, 1)]);
    }

    #[test]
    fn the_best_seeds_meet_last_and_have_the_byes() {
        assert_eq!(bracket(2), [(0, Some(1))]);
        assert_eq!(bracket(8), [(0, Some(7)), (3, Some(4)), (1, Some(6)), (2, Some(5))]);
        assert_eq!(bracket(5), [(0, None), (3, Some(4)), (1, None), (2, None)]);
    }
}
