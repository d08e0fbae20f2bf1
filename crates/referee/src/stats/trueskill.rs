//! TrueSkill ratings from games of three or four players, which use the whole order of ranks.
//!
//! Source: R. Herbrich, T. Minka, T. Graepel, "TrueSkill: a Bayesian skill rating system", 2007.

use super::Z95;
use serde::{Deserialize, Serialize};
use skillratings::MultiTeamOutcome;
use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating, trueskill_multi_team};

/// A skill with its interval, on TrueSkill's scale: 25 before the first game, and a lead of 4.2 wins three games of
/// four.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// The mean of the belief.
    pub mean: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
}

impl Skill {
    /// Formats `27.3 [25.1, 29.5]`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{:.1} [{:.1}, {:.1}]", self.mean, self.low, self.high)
    }
}

/// A game: its players with their ranks from 1. Tied players share a rank.
pub type Ranks = Vec<(usize, usize)>;

/// Returns the skills of all players after these games. Programs do not learn between games, so skills are assumed to
/// be fixed.
pub fn skills<'a>(players: usize, games: impl Iterator<Item = &'a Ranks> + Clone) -> Vec<Skill> {
    let mut config = TrueSkillConfig::new();
    config.dynamics_factor = 0.0;
    config.draw_probability = shared(games.clone());
    let mut known = vec![TrueSkillRating::new(); players];
    for ranks in games {
        let before: Vec<[TrueSkillRating; 1]> = ranks.iter().map(|&(player, _)| [known[player]]).collect();
        let teams: Vec<(&[TrueSkillRating], MultiTeamOutcome)> = before
            .iter()
            .zip(ranks)
            .map(|(team, &(_, rank))| (&team[..], MultiTeamOutcome::new(rank)))
            .collect();
        let after = trueskill_multi_team(&teams, &config, None).expect("no weights, no wrong weights");
        for (&(player, _), team) in ranks.iter().zip(after) {
            known[player] = team[0];
        }
    }
    let skill = |rating: TrueSkillRating| {
        let half = Z95 * rating.uncertainty;
        Skill { mean: rating.rating, low: rating.rating - half, high: rating.rating + half }
    };
    known.into_iter().map(skill).collect()
}

/// Returns the share of adjacent players in a game's order that are tied, with a prior of one in ten.
fn shared<'a>(games: impl Iterator<Item = &'a Ranks>) -> f64 {
    let (mut neighbours, mut equal) = (10.0, 1.0);
    for ranks in games {
        let mut order: Vec<usize> = ranks.iter().map(|&(_, rank)| rank).collect();
        order.sort_unstable();
        neighbours += order.len().saturating_sub(1) as f64;
        equal += order.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64;
    }
    equal / neighbours
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn one_game_of_four_has_the_published_skills() {
        // The free-for-all of four new players in the documentation of the Python package trueskill (0.10 draws, with a
        // dynamics factor too small to matter in these digits).
        let game = vec![(2, 3), (0, 1), (3, 4), (1, 2)];
        let skills = skills(4, [game].iter());
        for (skill, (mean, deviation)) in
            skills.iter().zip([(33.207, 6.348), (27.401, 5.787), (22.599, 5.787), (16.793, 6.348)])
        {
            assert!((skill.mean - mean).abs() < 0.35, "{skills:?}");
            assert!(((skill.high - skill.mean) / Z95 - deviation).abs() < 0.1, "{skills:?}");
        }
    }

    #[test]
    fn intervals_hold_the_truth_about_as_often_as_they_say() {
        const TRUE: [f64; 4] = [29.0, 26.0, 24.0, 21.0];
        let beta = 25.0 / 6.0;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        // A sum of twelve uniform numbers is close enough to normal.
        let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
        let (mut held, runs) = (0, 100);
        for _ in 0..runs {
            let games: Vec<Ranks> = (0..60)
                .map(|_| {
                    let shown: Vec<f64> = TRUE.iter().map(|skill| skill + beta * normal()).collect();
                    let rank = |mine: f64| 1 + shown.iter().filter(|&&other| other > mine).count();
                    shown.iter().enumerate().map(|(player, &mine)| (player, rank(mine))).collect()
                })
                .collect();
            let skills = skills(4, games.iter());
            held += skills.iter().zip(TRUE).filter(|(s, truth)| (s.low..=s.high).contains(truth)).count();
        }
        let share = held as f64 / (4 * runs) as f64;
        println!("{share} of the intervals hold the truth");
        assert!((0.85..=1.0).contains(&share), "{share}");
    }

    #[test]
    fn shared_ranks_bring_players_together() {
        let apart = vec![vec![(0, 1), (1, 2), (2, 3)]; 10];
        let level = vec![vec![(0, 1), (1, 1), (2, 3)]; 10];
        let gap = |games: &[Ranks]| {
            let skills = skills(3, games.iter());
            skills[0].mean - skills[1].mean
        };
        assert!(gap(&level).abs() < 0.5 && gap(&apart) > 3.0, "{} {}", gap(&level), gap(&apart));
    }
}
