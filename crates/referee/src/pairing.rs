//! Pairings that depend on results: the rounds of a Swiss tournament, the bracket of a knockout.

use std::collections::BTreeSet;

/// The pairings of a round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Round {
    /// Pairs of players by number, the better placed first.
    pub pairs: Vec<(usize, usize)>,
    /// The players with a bye.
    pub byes: Vec<usize>,
}

/// The state of a Swiss tournament. Players are numbered by their seeds.
#[derive(Debug, Clone, Default)]
pub struct Swiss {
    /// Points, including those of byes.
    pub points: Vec<f64>,
    /// The pairs that met, the lower number first.
    pub met: BTreeSet<(usize, usize)>,
    /// The players that had a bye.
    pub byes: BTreeSet<usize>,
}

/// Maximum number of steps in a search for pairings without rematches, more than any reasonable tournament needs.
const STEPS: usize = 200_000;

impl Swiss {
    /// Creates a tournament of `players` players before its first game.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { points: vec![0.0; players], ..Self::default() }
    }

    /// Returns the players by points, then by seed.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.points.len()).collect();
        order.sort_by(|&a, &b| self.points[b].total_cmp(&self.points[a]).then(a.cmp(&b)));
        order
    }

    /// Returns the next round. Within each group of equal points the upper half meets the lower half in order, and an
    /// odd player floats to the next group. There are no rematches if that is possible. With an odd number, the last
    /// player without a bye gets one.
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

    /// Pairs the players left in `order`. Returns false if that is impossible.
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

    /// Returns the possible opponents of the first in `order`, best first: the top of the lower half of its group and
    /// those after it, then those before it, then the next groups.
    fn candidates(&self, order: &[usize]) -> Vec<usize> {
        let points = self.points[order[0]];
        let group = order.iter().take_while(|&&player| self.points[player] == points).count();
        let half = (group / 2).max(1);
        (half..group).chain((1..half.min(group)).rev()).chain(group.max(1)..order.len()).collect()
    }

    /// Returns the Buchholz score of each player: the sum of the points of all opponents.
    #[must_use]
    pub fn buchholz(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.points.len()];
        for &(a, b) in &self.met {
            sums[a] += self.points[b];
            sums[b] += self.points[a];
        }
        sums
    }
}

/// Returns the bracket of the first round, in the order in which winners meet: seeds by number, the best far apart,
/// byes to the best. `None` is a bye.
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
        // 0, 1 and 4 lead. 3 is the last without a bye, and 4 floats to 2.
        assert_eq!(
            (second.pairs.as_slice(), second.byes.as_slice()),
            ([(0, 1), (4, 2)].as_slice(), [3].as_slice())
        );
        assert_eq!(swiss.buchholz()[0], 0.0);
        assert_eq!(swiss.buchholz()[2], 2.0);
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
