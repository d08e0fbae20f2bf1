//! The measured tournament of evaluation functions.

use anyhow::{Context, Result, ensure};
use std::str::FromStr;

/// The results of a round-robin tournament.
#[derive(Debug)]
pub(super) struct Tournament {
    /// From weakest to strongest, by their score against all others.
    pub(super) players: Vec<Player>,
    pairings: Vec<Pairing>,
}

/// An evaluation function, or random play, as a player.
#[derive(Debug)]
pub(super) struct Player {
    robot: String,
    /// The name in tables.
    pub(super) name: String,
    /// The score against all others, in percent.
    pub(super) score: f64,
    /// Half the width of the 95 % interval in percent, for independent games.
    pub(super) margin: f64,
}

#[derive(Debug)]
struct Pairing {
    players: [String; 2],
    games: u32,
    /// The first player's points. A stopped game counts one half.
    points: f64,
}

impl FromStr for Tournament {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut pairings = Vec::new();
        for (number, line) in text.lines().enumerate().skip(1) {
            pairings.push(
                pairing(line).with_context(|| format!("heuristiques.tsv, line {}: {line}", number + 1))?,
            );
        }
        ensure!(!pairings.is_empty(), "heuristiques.tsv: no results; scripts/heuristiques.sh measures them");
        let mut robots: Vec<&String> = pairings.iter().flat_map(|pairing| &pairing.players).collect();
        robots.sort();
        robots.dedup();
        let mut players: Vec<Player> = robots.into_iter().map(|robot| player(robot, &pairings)).collect();
        ensure!(
            players.len() * (players.len() - 1) / 2 == pairings.len(),
            "heuristiques.tsv: a pair is missing"
        );
        players.sort_by(|a, b| a.score.total_cmp(&b.score));
        Ok(Self { players, pairings })
    }
}

fn pairing(line: &str) -> Result<Pairing> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [a, b, games, wins, stopped] = fields[..].try_into().context("expected five fields")?;
    let (games, wins, stopped): (u32, u32, u32) = (games.parse()?, wins.parse()?, stopped.parse()?);
    ensure!(games > 0 && wins + stopped <= games, "more wins than games");
    let points = f64::from(wins) + f64::from(stopped) / 2.0;
    Ok(Pairing { players: [a.to_owned(), b.to_owned()], games, points })
}

fn player(robot: &str, pairings: &[Pairing]) -> Player {
    let (mut points, mut games) = (0.0, 0.0);
    for pairing in pairings {
        if let Some(own) = pairing.points_of(robot) {
            points += own;
            games += f64::from(pairing.games);
        }
    }
    let score: f64 = points / games;
    Player {
        robot: robot.to_owned(),
        name: robot.rsplit(':').next().unwrap_or(robot).to_owned(),
        score: 100.0 * score,
        margin: 196.0 * (score * (1.0 - score) / games).sqrt(),
    }
}

impl Pairing {
    fn points_of(&self, robot: &str) -> Option<f64> {
        match self.players.iter().position(|player| player == robot)? {
            0 => Some(self.points),
            _ => Some(f64::from(self.games) - self.points),
        }
    }
}

impl Tournament {
    /// Returns the number of games of each pair.
    pub(super) fn games_a_pair(&self) -> u32 {
        self.pairings[0].games
    }

    /// Returns the first player's score against the second, in percent.
    pub(super) fn between(&self, a: &Player, b: &Player) -> Option<f64> {
        let pairing = self.pairings.iter().find(|pairing| {
            pairing.players.contains(&a.robot) && pairing.players.contains(&b.robot) && a.robot != b.robot
        })?;
        Some(100.0 * pairing.points_of(&a.robot)? / f64::from(pairing.games))
    }

    /// Describes in French the score of player `name` against `other`, and the scores of both against all players.
    ///
    /// # Errors
    /// If there is no player of that name.
    pub(super) fn against(&self, name: &str, other: &str) -> Result<String> {
        let player = |name: &str| {
            let found = self.players.iter().find(|player| player.name == name);
            found.with_context(|| format!("heuristiques.tsv: no player {name}"))
        };
        let (player, other) = (player(name)?, player(other)?);
        Ok(format!(
            "elle a {} % des points contre **{}**, et {} % contre toutes les autres, où **{}** en a {} %",
            rounded(self.between(player, other).context("heuristiques.tsv: a pair is missing")?),
            other.name,
            rounded(player.score),
            other.name,
            rounded(other.score),
        ))
    }

    /// Summarises the outcome in one sentence.
    pub(super) fn summary(&self) -> String {
        let [.., second, first] = &self.players[..] else { return String::new() };
        let direct = self.between(first, second).unwrap_or_default();
        format!(
            "La première est **{}**, avec {} % des points contre toutes les autres ; la deuxième, **{}**, en a {} %, et {} % contre elle.",
            first.name,
            rounded(first.score),
            second.name,
            rounded(second.score),
            rounded(100.0 - direct)
        )
    }
}

/// Formats a percentage with two decimals.
pub(super) fn rounded(percent: f64) -> String {
    format!("{percent:.0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_of_all_games_of_a_player() {
        let text = "robot\tadversaire\tparties\tgagnées\tarrêtées\n\
                    r:a\tr:b\t10\t2\t2\nr:a\tr:c\t10\t0\t0\nr:b\tr:c\t10\t5\t0\n";
        let tournament: Tournament = text.parse().unwrap();
        let scores: Vec<_> =
            tournament.players.iter().map(|player| (player.name.as_str(), player.score)).collect();
        assert_eq!(scores, [("a", 15.0), ("b", 60.0), ("c", 75.0)]);
        assert_eq!(tournament.between(&tournament.players[1], &tournament.players[0]), Some(70.0));
        assert_eq!(
            tournament.against("b", "c").unwrap(),
            "elle a 50 % des points contre **c**, et 60 % contre toutes les autres, où **c** en a 75 %"
        );
        assert!(tournament.against("b", "d").is_err());
        assert!(text.replace("10\t0\t0", "10\t9\t2").parse::<Tournament>().is_err());
        assert!("\n".parse::<Tournament>().is_err());
    }
}
