//! The schedule: players, seats and opening as a function of the game's number.

use courses::seed::mix;
use courses::store::Format;

/// The games of a run. Each group of players plays each opening once from every rotation of its seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    groups: Vec<Vec<usize>>,
    seats: usize,
    seed: u64,
    /// The numbers of its first game and of its first opening.
    game: u64,
    opening: u64,
}

/// One game of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The game's number, from 0.
    pub game: u64,
    /// The number of the group of games with the same opening and players.
    pub group: u64,
    /// The players by seat.
    pub seats: Vec<usize>,
    /// The opening's number.
    pub opening: u64,
    /// The players' seed.
    pub seed: u64,
}

/// There are not enough players for a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{players} players for games of {seats}")]
pub struct TooFew {
    /// The number of players of the run.
    pub players: usize,
    /// The number of players of a game.
    pub seats: usize,
}

impl Schedule {
    /// Creates the schedule of `players` players with `seats` in each game.
    ///
    /// # Errors
    /// If there are fewer players than seats, or no seats.
    pub fn new(players: usize, seats: usize, format: Format, seed: u64) -> Result<Self, TooFew> {
        if seats == 0 || players < seats {
            return Err(TooFew { players, seats });
        }
        let mut groups = combinations(players, seats);
        if format == Format::Gauntlet {
            groups.retain(|group| group[0] == 0);
        }
        Ok(Self { groups, seats, seed, game: 0, opening: 0 })
    }

    /// Creates a schedule of pairs that starts at a game and an opening in the middle of a run. The game is the first
    /// of a group.
    #[must_use]
    pub fn of_pairs(pairs: &[(usize, usize)], game: u64, opening: u64, seed: u64) -> Self {
        let groups = pairs.iter().map(|&(first, second)| vec![first, second]).collect();
        Self { groups, seats: 2, seed, game, opening }
    }

    /// Returns the number of games for each opening.
    #[must_use]
    pub fn games_an_opening(&self) -> u64 {
        (self.groups.len() * self.seats) as u64
    }

    /// Returns the number of groups of players.
    #[must_use]
    pub fn groups(&self) -> u64 {
        self.groups.len() as u64
    }

    /// Returns the game of a number. There is one for every number.
    #[must_use]
    pub fn job(&self, game: u64) -> Job {
        let of_seats = self.seats as u64;
        let nth = game.saturating_sub(self.game) / of_seats;
        let opening = self.opening + nth / self.groups.len() as u64;
        let mut seats = self.groups[(nth % self.groups.len() as u64) as usize].clone();
        seats.rotate_left((game % of_seats) as usize);
        Job { game, group: game / of_seats, seats, opening, seed: mix(self.seed, game) }
    }
}

/// Returns all subsets of size `size` of `0..count`, in order.
fn combinations(count: usize, size: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut chosen: Vec<usize> = (0..size).collect();
    loop {
        all.push(chosen.clone());
        let Some(at) = (0..size).rev().find(|&at| chosen[at] + size - at < count) else { return all };
        chosen[at] += 1;
        for next in at + 1..size {
            chosen[next] = chosen[next - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_plays_every_opening_from_both_sides() {
        let schedule = Schedule::new(2, 2, Format::RoundRobin, 1).unwrap();
        let jobs: Vec<Job> = (0..4).map(|game| schedule.job(game)).collect();
        assert_eq!(
            jobs.iter().map(|job| job.seats.clone()).collect::<Vec<_>>(),
            [[0, 1], [1, 0], [0, 1], [1, 0]]
        );
        assert_eq!(jobs.iter().map(|job| job.opening).collect::<Vec<_>>(), [0, 0, 1, 1]);
        // A randomised player must not play the same game twice in a pair.
        assert_ne!(jobs[0].seed, jobs[1].seed);
    }

    #[test]
    fn a_round_robin_of_four_in_threes_rotates_every_seat() {
        let schedule = Schedule::new(4, 3, Format::RoundRobin, 1).unwrap();
        assert_eq!((schedule.groups(), schedule.games_an_opening()), (4, 12));
        let mut by_seat = [[0; 4]; 3];
        for game in 0..12 {
            for (seat, player) in schedule.job(game).seats.into_iter().enumerate() {
                by_seat[seat][player] += 1;
            }
        }
        assert_eq!(by_seat, [[3; 4]; 3]);
    }

    #[test]
    fn meetings_go_on_in_the_middle_of_a_run() {
        let schedule = Schedule::of_pairs(&[(3, 1), (0, 2)], 10, 7, 1);
        let jobs: Vec<_> = (10..16).map(|game| schedule.job(game)).collect();
        let seats: Vec<_> = jobs.iter().map(|job| (job.group, job.opening, job.seats.clone())).collect();
        let expected =
            [(5, 7, [3, 1]), (5, 7, [1, 3]), (6, 7, [0, 2]), (6, 7, [2, 0]), (7, 8, [3, 1]), (7, 8, [1, 3])];
        assert_eq!(seats, expected.map(|(group, opening, seats)| (group, opening, seats.to_vec())));
    }

    #[test]
    fn in_a_gauntlet_the_first_player_is_always_there() {
        let schedule = Schedule::new(5, 2, Format::Gauntlet, 1).unwrap();
        assert_eq!(schedule.games_an_opening(), 8);
        assert!((0..8).all(|game| schedule.job(game).seats.contains(&0)));
        assert!(Schedule::new(1, 2, Format::Gauntlet, 1).is_err());
    }
}
