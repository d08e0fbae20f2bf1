//! The distinct games of a run.
//!
//! Two deterministic players repeat their game when an opening recurs. A repeated game is not new evidence: it counts
//! for the course's points, but not for Elo, TrueSkill and sequential tests.

use crate::stats::elo::Estimate;
use crate::stats::rating::Meeting;
use crate::stats::trueskill::Ranks;
use courses::record::Record;
use courses::results::Tally;
use std::collections::{BTreeMap, HashMap};

/// The distinct games of a run. Among equal games the one with the lowest number counts, in whatever order they end.
#[derive(Debug, Clone, Default)]
pub struct Evidence {
    /// The lowest game number for each [`Record::line`].
    first: HashMap<u64, u64>,
    /// Results by unit (a pair of games, or a single game) and by the two players, the lower number first.
    units: BTreeMap<(u64, usize, usize), Vec<Single>>,
    /// Games of more than two players, by number.
    tables: BTreeMap<u64, (u64, Ranks)>,
    /// Results by pair of players, for the one with the lower number, which is first.
    duels: BTreeMap<(usize, usize), Tally>,
    games: u64,
}

/// The result of two players in one game.
#[derive(Debug, Clone, Copy)]
struct Single {
    game: u64,
    line: u64,
    /// Points of the player with the lower number.
    points: f64,
}

impl Evidence {
    /// Adds a game. `ranks` are its players' ranks, from 1.
    pub fn add(&mut self, record: &Record, ranks: Ranks) {
        let (game, line) = (record.game, record.line());
        self.games += 1;
        let earlier = self.first.get(&line).copied();
        if earlier.is_none_or(|earlier| game < earlier) {
            self.first.insert(line, game);
        }
        let of_two = ranks.len() == 2;
        // Games of more than two players are independent: seats rotate, and no two games cancel an opening.
        let unit = if of_two { record.group } else { game };
        for (nth, &(player, rank)) in ranks.iter().enumerate() {
            for &(other, others) in &ranks[nth + 1..] {
                let points = match rank.cmp(&others) {
                    std::cmp::Ordering::Less => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Greater => 0.0,
                };
                let (low, high, points) =
                    if player < other { (player, other, points) } else { (other, player, 1.0 - points) };
                let singles = self.units.entry((unit, low, high)).or_default();
                singles.push(Single { game, line, points });
                if earlier.is_none() {
                    let distinct = distinct(&self.first, singles);
                    let duel = self.duels.entry((low, high)).or_default();
                    duel.add(points);
                    if let (true, Some((first, second))) = (of_two, pair(distinct)) {
                        duel.add_pair(first, second);
                    }
                }
            }
        }
        if ranks.len() > 2 {
            self.tables.insert(game, (line, ranks));
        }
        if earlier.is_some_and(|earlier| game < earlier) {
            self.count_again();
        }
    }

    /// Recounts after a game that a game already counted repeats, because the evidence moves to another unit.
    fn count_again(&mut self) {
        self.duels.clear();
        for (&(_, low, high), singles) in &self.units {
            let duel = self.duels.entry((low, high)).or_default();
            distinct(&self.first, singles).for_each(|points| duel.add(points));
            if let Some((first, second)) = pair(distinct(&self.first, singles)) {
                duel.add_pair(first, second);
            }
        }
    }

    /// Returns the number of games that repeat another one.
    #[must_use]
    pub fn repeated(&self) -> u64 {
        self.games - self.first.len() as u64
    }

    /// Returns the distinct games of two players, for the first.
    #[must_use]
    pub fn duel(&self, first: usize, second: usize) -> Option<Tally> {
        let tally = *self.duels.get(&(first.min(second), first.max(second)))?;
        Some(if first < second { tally } else { tally.reversed() })
    }

    /// Returns the estimated difference between two players, for the first.
    #[must_use]
    pub fn estimate(&self, first: usize, second: usize) -> Option<Estimate> {
        Estimate::of(&self.duel(first, second)?)
    }

    /// Returns all distinct results. A pair with only one game played, or new, counts as a single game.
    #[must_use]
    pub fn meetings(&self) -> Vec<Meeting> {
        let meeting = |(&(_, first, second), singles): (&(u64, usize, usize), &Vec<Single>)| {
            let (points, games) = distinct(&self.first, singles)
                .fold((0.0, 0.0), |(points, games), of| (points + of, games + 1.0));
            (games > 0.0).then_some(Meeting { first, second, points, games })
        };
        self.units.iter().filter_map(meeting).collect()
    }

    /// Iterates over the distinct games of more than two players.
    pub fn tables(&self) -> impl Iterator<Item = &Ranks> + Clone {
        let is_first = |(game, (line, _)): &(&u64, &(u64, Ranks))| self.first.get(line) == Some(*game);
        self.tables.iter().filter(is_first).map(|(_, (_, ranks))| ranks)
    }

    /// Returns true if games have more than two players.
    #[must_use]
    pub fn is_of_many(&self) -> bool {
        !self.tables.is_empty()
    }

    /// Returns a sentence on repeated games, or `None` if there are none.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let (repeated, games) = (self.repeated(), self.games);
        let what = if self.is_of_many() { "TrueSkill" } else { "Elo" };
        (repeated > 0).then(|| {
            let distinct = games - repeated;
            format!("{distinct} of {games} games are distinct; repeated games add nothing to {what}")
        })
    }
}

/// Returns the points of the games of a unit that repeat no other.
fn distinct(first: &HashMap<u64, u64>, singles: &[Single]) -> impl Iterator<Item = f64> {
    singles.iter().filter(|of| first.get(&of.line) == Some(&of.game)).map(|of| of.points)
}

/// Returns the points of a unit of exactly two games.
fn pair(mut distinct: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let pair = (distinct.next()?, distinct.next()?);
    distinct.next().is_none().then_some(pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use courses::record::Played;

    fn record(game: u64, opening: &str, moves: &str, won: bool) -> Record {
        let turned = game % 2 == 1;
        let points = if won != turned { vec![1.0, 0.0] } else { vec![0.0, 1.0] };
        Record {
            game,
            group: game / 2,
            course: "test".into(),
            seats: if turned { vec![1, 0] } else { vec![0, 1] },
            names: vec!["a".into(), "b".into()],
            opening: opening.into(),
            seed: game,
            played: Played {
                moves: moves.split_whitespace().map(str::to_owned).collect(),
                score: points.clone(),
                points,
                ..Played::default()
            },
        }
    }

    fn counted(records: &[Record]) -> (Tally, u64, Vec<(f64, f64)>) {
        let mut evidence = Evidence::default();
        for record in records {
            let ranks = record.seats.iter().zip(&record.played.points);
            evidence.add(
                record,
                ranks.map(|(&seat, &points)| (seat, if points > 0.5 { 1 } else { 2 })).collect(),
            );
        }
        let meetings = evidence.meetings().iter().map(|of| (of.points, of.games)).collect();
        (evidence.duel(0, 1).unwrap(), evidence.repeated(), meetings)
    }

    #[test]
    fn a_repeated_game_adds_nothing_however_its_opening_is_spelt() {
        let spelt = ["f5d6", "F5D6", "f5 d6", " f5  D6 "];
        let records: Vec<Record> = (0..34u64)
            .map(|game| {
                let moves = if game % 2 == 0 { "c3 d3" } else { "c4 d3" };
                record(game, spelt[(game / 2) as usize % 4], moves, true)
            })
            .collect();
        let (tally, repeated, meetings) = counted(&records);
        assert_eq!((tally.wins, tally.pairs, repeated), (2, [0, 0, 0, 0, 1], 32));
        assert_eq!(meetings, [(2.0, 2.0)]);
        // The opening's last move may also be the game's first one.
        let shorter = record(34, "f5", "d6 c3 d3", true);
        assert_eq!(counted(&[records[0].clone(), shorter]).1, 1);
        // Numbers of cells stay separate.
        assert_eq!(counted(&[record(0, "", "1 12", true), record(2, "", "11 2", true)]).1, 0);
    }

    #[test]
    fn what_counts_does_not_hang_on_the_order_in_which_games_end() {
        let mut records = vec![
            record(0, "x", "a b", true),
            record(1, "x", "c d", false),
            record(2, "x", "a b", true),
            record(3, "x", "e f", true),
            record(4, "x", "g h", true),
            record(5, "x", "e f", true),
        ];
        let sorted = counted(&records);
        assert_eq!((sorted.0.pairs, sorted.1), ([0, 0, 1, 0, 0], 2));
        assert_eq!(sorted.2, [(1.0, 2.0), (1.0, 1.0), (1.0, 1.0)]);
        for turn in 0..6 {
            records.rotate_left(turn);
            assert_eq!(counted(&records), sorted);
            records.reverse();
            assert_eq!(counted(&records), sorted);
        }
    }

    #[test]
    fn a_game_whose_moves_are_let_go_of_keeps_its_line() {
        let record = record(0, "f5", "d6 c3", true);
        let mut short = record.clone();
        short.forget_moves();
        assert!(short.played.moves.is_empty());
        assert_eq!((short.line(), short.played.length()), (record.line(), 2));
    }
}
