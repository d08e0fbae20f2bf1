//! The standing of a run: every player's results, in total and against each other.

use crate::evidence::Evidence;
use crate::stats::elo::Estimate;
use crate::stats::rating::{Rating, quick_ratings, ratings};
use crate::stats::trueskill::{Skill, skills};
use courses::record::Record;
use courses::results::{Line, Tally, places};
use courses::store::Head;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// All results of a run.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// Results by player.
    pub lines: Vec<Line>,
    /// Results by pair of players, for the one with the lower number, which is first.
    pub duels: BTreeMap<(usize, usize), Tally>,
    /// Pairs with one game played: the points of the lower-numbered player, by group.
    open: BTreeMap<(u64, usize, usize), f64>,
    /// The distinct games, on which Elo and TrueSkill are based.
    pub evidence: Evidence,
    /// Points of the first player and number of games, by opening.
    pub openings: BTreeMap<String, (f64, u64)>,
    /// Number of moves of each game.
    pub lengths: Vec<usize>,
    /// Number of games.
    pub games: u64,
    /// Points by seat.
    pub by_seat: Vec<f64>,
    /// Number of games without a result, which a record from elsewhere may hold.
    pub unfinished: u64,
    is_hurried: bool,
    /// The ratings after the latest game, once they are asked for.
    ratings: OnceLock<Vec<Rating>>,
}

impl Standing {
    /// Creates the standing of `players` players before the first game.
    #[must_use]
    pub fn new(players: usize) -> Self {
        Self { lines: vec![Line::default(); players], ..Self::default() }
    }

    /// Returns the standing after these games.
    pub fn of<'a>(players: usize, records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut standing = Self::new(players);
        for record in records {
            standing.add(record);
        }
        standing
    }

    /// Returns the standing of a run, without the replays of ties.
    #[must_use]
    pub fn of_run(head: &Head, records: &[Record]) -> Self {
        Self::of(head.names.len(), records.iter().filter(|record| head.counts(record.game)))
    }

    /// Adds a game. One without a result is only counted.
    pub fn add(&mut self, record: &Record) {
        let played = &record.played;
        if record.seats.len() > 1 && played.points.iter().all(|&points| points == 0.0) {
            self.unfinished += 1;
            return;
        }
        self.ratings.take();
        self.games += 1;
        self.lengths.push(played.length());
        let total: f64 = played.score.iter().sum();
        for (seat, &player) in record.seats.iter().enumerate() {
            let (points, score) = (played.points[seat], played.score[seat]);
            if self.by_seat.len() <= seat {
                self.by_seat.resize(seat + 1, 0.0);
            }
            self.by_seat[seat] += points;
            let line = &mut self.lines[player];
            line.games += 1;
            line.points += points;
            line.score_for += score;
            line.score_against += total - score;
            line.cpu = line.cpu.saturating_add(played.cpu.get(seat).copied().unwrap_or(0));
            line.ranks[rank_of(points, &played.points).min(3)] += 1;
            if record.seats.len() == 2 {
                line.tally.add(points);
            }
        }
        for (seat, fault) in &played.faults {
            *self.lines[record.seats[*seat]].faults.entry(fault.kind).or_default() += 1;
        }
        for (&player, times) in record.seats.iter().zip(played.times(record.seats.len())) {
            self.lines[player].times.add(&times);
        }
        let points: f64 = record
            .seats
            .iter()
            .zip(&played.points)
            .filter(|(player, _)| **player == 0)
            .map(|(_, p)| *p)
            .sum();
        if record.seats.contains(&0) {
            let of = self.openings.entry(record.opening.clone()).or_default();
            *of = (of.0 + points, of.1 + 1);
        }
        self.add_duels(record);
        let ranks = played.points.iter().map(|&points| 1 + rank_of(points, &played.points));
        self.evidence.add(record, record.seats.iter().copied().zip(ranks).collect());
    }

    /// Adds the results of every two players of a game. With more than two players, the better rank wins.
    fn add_duels(&mut self, record: &Record) {
        for (seat, &player) in record.seats.iter().enumerate() {
            for (other_seat, &other) in record.seats.iter().enumerate().skip(seat + 1) {
                let (mine, theirs) = (record.played.points[seat], record.played.points[other_seat]);
                let outcome = if mine > theirs {
                    1.0
                } else if mine < theirs {
                    0.0
                } else {
                    0.5
                };
                let (low, high, points) =
                    if player < other { (player, other, outcome) } else { (other, player, 1.0 - outcome) };
                let duel = self.duels.entry((low, high)).or_default();
                duel.add(points);
                if record.seats.len() == 2 {
                    match self.open.remove(&(record.group, low, high)) {
                        None => _ = self.open.insert((record.group, low, high), points),
                        Some(first) => {
                            duel.add_pair(first, points);
                            for player in [low, high] {
                                let (a, b) =
                                    if player == low { (first, points) } else { (1.0 - first, 1.0 - points) };
                                self.lines[player].tally.add_pair(a, b);
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns the estimated difference between two players, for the first, from their distinct games.
    #[must_use]
    pub fn estimate(&self, first: usize, second: usize) -> Option<Estimate> {
        self.evidence.estimate(first, second)
    }

    /// Returns the ratings of all players, from their distinct games.
    #[must_use]
    pub fn ratings(&self) -> &[Rating] {
        let rate = if self.is_hurried { quick_ratings } else { ratings };
        self.ratings.get_or_init(|| rate(self.lines.len(), &self.evidence.meetings()))
    }

    /// Leaves out the errors of the opponents' ratings, which take seconds for a thousand players and more.
    pub fn hurry(&mut self, is_hurried: bool) {
        self.is_hurried = is_hurried;
        self.ratings.take();
    }

    /// Returns the sentences that qualify the ratings.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let is_rough = self.is_hurried && !self.is_of_many();
        let rough = is_rough.then(|| {
            "interrupted: the intervals are approximate; `referee report` on a record gives exact ones"
                .to_owned()
        });
        let unfinished = match self.unfinished {
            0 => None,
            1 => Some("1 game without a result is not counted".to_owned()),
            count => Some(format!("{count} games without a result are not counted")),
        };
        self.evidence.remark().into_iter().chain(unfinished).chain(rough)
    }

    /// Returns true if games have more than two players.
    #[must_use]
    pub fn is_of_many(&self) -> bool {
        self.evidence.is_of_many()
    }

    /// Returns the skills of all players, if games have more than two players.
    #[must_use]
    pub fn skills(&self) -> Option<Vec<Skill>> {
        self.is_of_many().then(|| skills(self.lines.len(), self.evidence.tables()))
    }

    /// Returns the number of faults.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.lines.iter().flat_map(|line| line.faults.values()).sum()
    }

    /// Returns the players from best to worst, by points a game, then by the course's score.
    #[must_use]
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.lines.len()).collect();
        order.sort_by(|&a, &b| {
            let (a, b) = (self.value(a), self.value(b));
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1))
        });
        order
    }

    /// Returns the places of the players in [`order`](Self::order). Equal players share a place.
    #[must_use]
    pub fn places(&self) -> Vec<usize> {
        places(&self.order().into_iter().map(|player| self.value(player)).collect::<Vec<_>>())
    }

    /// Returns a player's points a game, and the course's score.
    fn value(&self, player: usize) -> (f64, f64) {
        let line = &self.lines[player];
        let games = line.games.max(1) as f64;
        (line.points / games, (line.score_for - line.score_against) / games)
    }
}

/// The number of a game's points that are more than these.
fn rank_of(points: f64, all: &[f64]) -> usize {
    all.iter().filter(|&&other| other > points).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use courses::record::Played;
    use courses::thought::Thought;

    fn record(game: u64, seats: &[usize], points: &[f64]) -> Record {
        Record {
            game,
            group: game / 2,
            course: "test".into(),
            seats: seats.to_vec(),
            names: seats.iter().map(|seat| seat.to_string()).collect(),
            opening: format!("o{}", game / 2),
            seed: 1,
            played: Played { points: points.to_vec(), score: points.to_vec(), ..Played::default() },
        }
    }

    #[test]
    fn pairs_are_put_together_whatever_order_their_games_end_in() {
        let records = [
            record(2, &[0, 1], &[1.0, 0.0]),
            record(0, &[0, 1], &[0.5, 0.5]),
            record(3, &[1, 0], &[0.0, 1.0]),
            record(1, &[1, 0], &[1.0, 0.0]),
        ];
        let standing = Standing::of(2, &records);
        let tally = standing.duels[&(0, 1)];
        assert_eq!((tally.wins, tally.draws, tally.losses, tally.pairs), (2, 1, 1, [0, 1, 0, 0, 1]));
        assert_eq!(standing.lines[1].tally, tally.reversed());
        assert_eq!(standing.order(), [0, 1]);
        assert_eq!(standing.openings["o1"], (2.0, 2));
        let meetings: Vec<_> =
            standing.evidence.meetings().iter().map(|meeting| (meeting.points, meeting.games)).collect();
        assert_eq!(meetings, [(0.5, 2.0), (2.0, 2.0)]);
    }

    #[test]
    fn a_game_without_its_moves_counts_as_with_them() {
        let mut whole = record(0, &[1, 0], &[1.0, 0.0]);
        let thought = |depth, nodes| Some(Thought { depth, nodes, ..Thought::default() });
        whole.played.moves = ["a", "b", "c"].map(str::to_owned).into();
        (whole.played.movers, whole.played.micros) = (vec![0, 1, 0], vec![5, 7, 9]);
        whole.played.thoughts = vec![thought(Some(3), Some(100)), None, thought(None, Some(10))];
        let mut short = whole.clone();
        short.forget_times();
        assert!(short.played.moves.is_empty() && short.played.micros.is_empty());
        let [whole, short] = [whole, short].map(|record| Standing::of(2, &[record]));
        assert_eq!((&short.lines, &short.lengths), (&whole.lines, &whole.lengths));
        let line = &short.lines[1];
        assert_eq!(
            (line.times.moves, line.times.micros, line.times.slowest, line.times.told.nodes),
            (2, 14, 9, 110)
        );
        assert_eq!(short.evidence.duel(0, 1), whole.evidence.duel(0, 1));
    }

    #[test]
    fn a_game_without_a_result_is_no_draw() {
        let standing = Standing::of(2, &[record(0, &[0, 1], &[1.0, 0.0]), record(1, &[1, 0], &[0.0, 0.0])]);
        assert_eq!((standing.games, standing.lines[0].games, standing.duels[&(0, 1)].draws), (1, 1, 0));
        assert_eq!(standing.remarks().collect::<Vec<_>>(), ["1 game without a result is not counted"]);
    }

    #[test]
    fn in_a_game_of_four_everybody_met_everybody() {
        let standing = Standing::of(4, &[record(0, &[2, 0, 3, 1], &[1.0, 0.667, 0.333, 0.0])]);
        assert_eq!(standing.duels.len(), 6);
        assert_eq!(standing.duels[&(0, 2)].losses, 1);
        assert_eq!(standing.lines[3].ranks, [0, 0, 1, 0]);
        assert_eq!(standing.order(), [2, 0, 3, 1]);
        assert!(standing.ratings()[2].elo > standing.ratings()[1].elo);
        let skills = standing.skills().unwrap();
        assert!(
            [2, 0, 3, 1].windows(2).all(|pair| skills[pair[0]].mean > skills[pair[1]].mean),
            "{skills:?}"
        );
        assert_eq!(Standing::of(2, &[record(0, &[0, 1], &[1.0, 0.0])]).skills(), None);
    }
}
