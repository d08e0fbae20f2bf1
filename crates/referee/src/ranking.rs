//! The order that a course gives by scores: everybody against everybody, summed up, ties replayed at other depths.

use courses::record::Record;
use courses::store::{CourseRanking, Head};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Maximum number of further depths at which ties are replayed.
pub const REPLAYS: u16 = 3;

/// The sums of a tournament so far.
#[derive(Debug, Clone, PartialEq)]
pub struct ByTheCourse {
    /// A player's sum at each depth that it played, the ranking's own depth first.
    pub sums: Vec<Vec<f64>>,
    /// The depth of the ranking.
    pub depth: u16,
}

impl ByTheCourse {
    /// Returns the sums of a run with this ranking. A depth counts once all its games are played.
    #[must_use]
    pub fn of(head: &Head, records: &[Record]) -> Option<Self> {
        let CourseRanking { games, depth } = head.ranking?;
        let by_number: BTreeMap<u64, &Record> = records.iter().map(|record| (record.game, record)).collect();
        let mut ranking = Self { sums: vec![vec![]; head.names.len()], depth };
        let mut pairs = all_pairs(&(0..head.names.len()).collect::<Vec<_>>());
        let games_a_pair = games / (pairs.len() as u64).max(1);
        let mut first = 0;
        for level in 0..=usize::from(REPLAYS) {
            let numbers = first..first + games_a_pair * pairs.len() as u64;
            let played: Option<Vec<&Record>> =
                numbers.clone().map(|number| by_number.get(&number).copied()).collect();
            let Some(played) = played.filter(|played| !played.is_empty()) else { break };
            for record in played {
                ranking.add(record, level);
            }
            first = numbers.end;
            pairs = ranking.tied();
        }
        Some(ranking)
    }

    fn add(&mut self, record: &Record, level: usize) {
        let [red, blue] = [record.seats[0], record.seats[1]];
        let margin = record.played.score[0] - record.played.score[1];
        for (player, margin) in [(red, margin), (blue, -margin)] {
            self.sums[player].resize(level + 1, 0.0);
            self.sums[player][level] += margin;
        }
    }

    /// Returns the pairs of players with equal sums at every depth so far.
    #[must_use]
    pub fn tied(&self) -> Vec<(usize, usize)> {
        ties(&self.sums).iter().flat_map(|tied| all_pairs(tied)).collect()
    }

    /// Returns the players from best to worst.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let before = |a: &[f64], b: &[f64]| {
            let differ = a.iter().zip(b).map(|(a, b)| b.total_cmp(a)).find(|order| order.is_ne());
            differ.unwrap_or(Ordering::Equal)
        };
        let mut order: Vec<usize> = (0..self.sums.len()).collect();
        order.sort_by(|&a, &b| before(&self.sums[a], &self.sums[b]));
        order
    }
}

/// Returns all pairs of these players.
#[must_use]
pub fn all_pairs(players: &[usize]) -> Vec<(usize, usize)> {
    let behind = |(nth, &first): (usize, &usize)| {
        players[nth + 1..].iter().map(move |&second| (first, second)).collect()
    };
    players.iter().enumerate().flat_map(|of| -> Vec<(usize, usize)> { behind(of) }).collect()
}

/// Returns the groups of players with equal sums at every depth so far.
fn ties(sums: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (player, sum) in sums.iter().enumerate() {
        match groups.iter_mut().find(|group| sums[group[0]] == *sum) {
            Some(group) => group.push(player),
            None => groups.push(vec![player]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_equal_at_every_depth_is_tied() {
        let sums = [vec![4.0], vec![4.0, 2.0], vec![-8.0], vec![4.0, 2.0], vec![4.0]];
        assert_eq!(ties(&sums), [vec![0, 4], vec![1, 3]]);
        assert_eq!(all_pairs(&[0, 4, 7]), [(0, 4), (0, 7), (4, 7)]);
        let ranking = ByTheCourse { sums: vec![vec![4.0, -2.0], vec![8.0], vec![4.0, 2.0]], depth: 5 };
        assert_eq!(ranking.order(), [1, 2, 0]);
        assert!(ranking.tied().is_empty());
    }
}
