//! Tournaments whose pairings depend on results: Swiss, knockout, and a course's ranking with replayed ties.

use super::options::PlayOptions;
use super::outputs::together;
use super::play::{Prepared, ToTheEnd};
use super::players::{self, Written};
use crate::pairing::{Round, Swiss, bracket};
use crate::ranking::{ByTheCourse, REPLAYS, all_pairs};
use crate::report::table::{Bracket, knockout, rounds};
use crate::schedule::Schedule;
use courses::options::GameOptions;
use courses::record::Record;
use courses::registry::Game;
use std::collections::BTreeMap;
use std::ops::Range;
use wire::Failure;

/// A run played in rounds.
pub struct Rounds<'a, 'b> {
    prepared: &'a mut Prepared<'b>,
    /// The numbers of games and of openings used so far.
    games: u64,
    openings: u64,
}

/// The result of a meeting for its two players.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Meeting {
    /// The points of both players.
    pub points: [f64; 2],
    /// The course's score.
    pub score: [f64; 2],
}

impl Meeting {
    /// Returns the side with more points.
    fn winner_by_points(&self) -> Option<usize> {
        ahead(self.points)
    }

    /// Returns the side with more points, or with the better course's score if the points are equal.
    fn winner(&self) -> Option<usize> {
        self.winner_by_points().or_else(|| ahead(self.score))
    }
}

/// Returns the side with the greater value.
fn ahead(values: [f64; 2]) -> Option<usize> {
    match values[0].total_cmp(&values[1]) {
        std::cmp::Ordering::Less => Some(1),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(0),
    }
}

/// Maximum number of further openings in a drawn knockout meeting. After them the course's score decides, then the
/// better seed.
const MORE: u64 = 3;

impl<'a, 'b> Rounds<'a, 'b> {
    /// Creates a run before its first game.
    pub fn new(prepared: &'a mut Prepared<'b>) -> Self {
        Self { prepared, games: 0, openings: 0 }
    }

    /// Plays every pair on `openings` openings, from both sides.
    fn meet(&mut self, pairs: &[(usize, usize)], openings: u64) -> Result<Vec<Meeting>, Failure> {
        let seed = self.prepared.hall.head.seed;
        let schedule = Schedule::of_pairs(pairs, self.games, self.openings, seed);
        let numbers = self.games..self.games + openings * 2 * pairs.len() as u64;
        (self.games, self.openings) = (numbers.end, self.openings + openings);
        self.check(&schedule, &numbers)?;
        let Prepared { hall, players, .. } = &mut *self.prepared;
        hall.play(players, &schedule, numbers.clone(), &mut ToTheEnd)?;
        let mut meetings: BTreeMap<(usize, usize), Meeting> = BTreeMap::new();
        let mut played = 0;
        for record in hall.records.iter().filter(|record| numbers.contains(&record.game)) {
            played += 1;
            let (first, second) =
                (record.seats[0].min(record.seats[1]), record.seats[0].max(record.seats[1]));
            let meeting = meetings.entry((first, second)).or_default();
            for (seat, &player) in record.seats.iter().enumerate() {
                meeting.points[usize::from(player == second)] += record.played.points[seat];
                meeting.score[usize::from(player == second)] += record.played.score[seat];
            }
        }
        if played < numbers.end - numbers.start {
            // The run was interrupted. The caller reports the games so far.
            return Err(hall.verdict().err().unwrap_or_else(|| Failure::run("games are missing")));
        }
        let turned = |&(a, b): &(usize, usize)| {
            let meeting = meetings.get(&(a.min(b), a.max(b))).copied().unwrap_or_default();
            if a < b {
                meeting
            } else {
                Meeting { points: reversed(meeting.points), score: reversed(meeting.score) }
            }
        };
        Ok(pairs.iter().map(turned).collect())
    }

    /// Checks that the recorded games are those that this run would play.
    fn check(&self, schedule: &Schedule, numbers: &Range<u64>) -> Result<(), Failure> {
        let wrong = |record: &&Record| {
            numbers.contains(&record.game) && schedule.job(record.game).seats != record.seats
        };
        match self.prepared.hall.records.iter().find(wrong) {
            Some(record) => {
                let name = |&player: &usize| self.prepared.hall.head.names[player].as_str();
                let names = record.seats.iter().map(name).collect::<Vec<_>>().join(" and ");
                Err(Failure::input(format!(
                    "game {} of the record is of {names}, who do not meet there",
                    record.game + 1
                )))
            }
            None => Ok(()),
        }
    }

    /// Prints the results, with the outcome of the rounds above them.
    fn finish(&mut self, played: Result<String, Failure>) -> Result<(), Failure> {
        self.prepared.hall.close();
        let text = match played {
            Ok(text) => text,
            Err(failure) => {
                // An interrupted run reports its results so far.
                if self.prepared.hall.records.is_empty() {
                    return Err(failure);
                }
                return self.prepared.hall.end(together([self.prepared.tell(), Err(failure)]));
            }
        };
        let told = if text.is_empty() { Ok(()) } else { wire::print(wire::printable(&format!("{text}\n"))) };
        self.prepared.hall.end(together([told, self.prepared.tell()]))
    }

    /// Plays a Swiss tournament.
    pub fn swiss(&mut self, rounds: Option<u64>, openings: u64) -> Result<(), Failure> {
        let players = self.prepared.players.len();
        let rounds = rounds.unwrap_or_else(|| u64::from(players.next_power_of_two().ilog2()).max(1));
        let meetings = rounds.saturating_mul(players as u64 / 2);
        self.prepared.hall.begin(meetings.saturating_mul(openings).saturating_mul(2))?;
        let played = self.play_swiss(rounds, openings);
        self.finish(played)
    }

    fn play_swiss(&mut self, count: u64, openings: u64) -> Result<String, Failure> {
        let mut swiss = Swiss::new(self.prepared.players.len());
        for _ in 0..count {
            let Round { pairs, byes } = swiss.round();
            let meetings = self.meet(&pairs, openings)?;
            for (&(a, b), meeting) in pairs.iter().zip(meetings) {
                swiss.points[a] += meeting.points[0];
                swiss.points[b] += meeting.points[1];
                swiss.met.insert((a.min(b), a.max(b)));
            }
            for bye in byes {
                // A bye counts as a won meeting.
                swiss.points[bye] += 2.0 * openings as f64;
                swiss.byes.insert(bye);
            }
        }
        Ok(rounds(&self.prepared.hall.head.names, &swiss, count, self.prepared.language))
    }

    /// Plays a knockout tournament.
    pub fn knockout(&mut self, openings: u64) -> Result<(), Failure> {
        let players = self.prepared.players.len() as u64;
        self.prepared.hall.begin((players - 1).saturating_mul(openings).saturating_mul(2))?;
        let played = self.play_knockout(openings);
        self.finish(played)
    }

    fn play_knockout(&mut self, openings: u64) -> Result<String, Failure> {
        let mut round = bracket(self.prepared.players.len());
        let mut told: Vec<Vec<Bracket>> = Vec::new();
        loop {
            let pairs: Vec<(usize, usize)> =
                round.iter().filter_map(|&(first, second)| Some((first, second?))).collect();
            let mut meetings = self.meet(&pairs, openings)?;
            for _ in 0..MORE {
                let open: Vec<usize> =
                    (0..pairs.len()).filter(|&nth| meetings[nth].winner_by_points().is_none()).collect();
                if open.is_empty() {
                    break;
                }
                let again: Vec<(usize, usize)> = open.iter().map(|&nth| pairs[nth]).collect();
                for (nth, more) in open.into_iter().zip(self.meet(&again, 1)?) {
                    for side in 0..2 {
                        meetings[nth].points[side] += more.points[side];
                        meetings[nth].score[side] += more.score[side];
                    }
                }
            }
            let mut meetings = meetings.into_iter();
            let decided: Vec<Bracket> = round
                .iter()
                .map(|&(first, second)| {
                    let meeting = second.and_then(|_| meetings.next());
                    let better = second.is_none_or(|second| first < second);
                    let won = meeting.and_then(|meeting| meeting.winner()).unwrap_or(usize::from(!better));
                    let winner = if won == 0 { first } else { second.unwrap_or(first) };
                    Bracket { first, second, points: meeting.map(|meeting| meeting.points), winner }
                })
                .collect();
            let winners: Vec<usize> = decided.iter().map(|of| of.winner).collect();
            told.push(decided);
            if winners.len() == 1 {
                return Ok(knockout(&self.prepared.hall.head.names, &told, self.prepared.language));
            }
            round = winners.chunks(2).map(|pair| (pair[0], pair.get(1).copied())).collect();
        }
    }

    /// Plays a round robin with the course's ranking: by the sum of the first seat's score minus the second's. Tied players play again at
    /// other depths.
    pub fn by_the_course(&mut self, game: Game, written: &[Written], openings: u64) -> Result<(), Failure> {
        let pairs = all_pairs(&(0..self.prepared.players.len()).collect::<Vec<_>>());
        self.prepared.hall.begin(openings.saturating_mul(2 * pairs.len() as u64))?;
        let played = self.play_by_the_course(game, written, pairs, openings);
        self.finish(played)
    }

    fn play_by_the_course(
        &mut self,
        game: Game,
        written: &[Written],
        mut pairs: Vec<(usize, usize)>,
        openings: u64,
    ) -> Result<String, Failure> {
        let options = self.prepared.hall.options;
        let depth = options.games.depth;
        for replays in 0..=REPLAYS {
            if replays > 0 {
                self.at_depth(game, written, options, depth.saturating_add(replays))?;
            }
            self.meet(&pairs, openings)?;
            let hall = &self.prepared.hall;
            pairs =
                ByTheCourse::of(&hall.head, &hall.records).map(|ranking| ranking.tied()).unwrap_or_default();
            if pairs.is_empty() {
                break;
            }
        }
        self.at_depth(game, written, options, depth)?;
        // The results begin with the ranking itself.
        Ok(String::new())
    }

    /// Returns the course and its players at another depth.
    fn at_depth(
        &mut self,
        game: Game,
        written: &[Written],
        options: &PlayOptions,
        depth: u16,
    ) -> Result<(), Failure> {
        let games = GameOptions { depth, ..options.timed() };
        let course = games.course(game, 2)?;
        let names: Vec<String> = self.prepared.players.iter().map(|player| player.name.clone()).collect();
        self.prepared.players = players::players(options, game, course.as_ref(), 2, written)?;
        for (player, name) in self.prepared.players.iter_mut().zip(names) {
            player.name = name;
        }
        self.prepared.hall.course = course;
        Ok(())
    }
}

fn reversed([first, second]: [f64; 2]) -> [f64; 2] {
    [second, first]
}
