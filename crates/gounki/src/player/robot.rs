use super::Settings;
use crate::evaluation::Evaluation;
use search_core::Depth;
use std::fmt;
use std::str::FromStr;
use wire::UnknownName;

/// The kinds of robots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Robot {
    /// `aleatoire`: plays any legal move.
    Random,
    /// `glouton`: maximises the evaluation after its move.
    Greedy,
    /// `minimax:N`: plain min-max at N plies.
    Minimax(Depth),
    /// `alphabeta:N`: alpha-beta at N plies, with the value of plain min-max.
    AlphaBeta(Depth),
    /// `niveau:K`: from 1 (beginner) to 10 (the best robot).
    Level(u8),
    /// `meilleur`: the strongest robot within the limits of a move.
    Best,
}

impl Robot {
    /// The largest depth of plain min-max: with about 50 moves per position, each ply takes 50 times the last one's
    /// time.
    pub const DEEPEST_MINIMAX: Depth = 6;
    /// The largest depth of alpha-beta.
    pub const DEEPEST_ALPHA_BETA: Depth = 30;
    /// The highest level.
    pub const LEVELS: u8 = 10;
}

/// The text is not a robot. The message is French, as is the command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("robot inconnu : « {text} » : {problem}")]
pub struct UnknownRobot {
    text: String,
    problem: Problem,
}

/// The reason why the text is not a robot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Problem {
    #[error(
        "robot, robot:meilleur[:EVAL], robot:aleatoire, robot:glouton[:EVAL], robot:minimax:N[:EVAL], \
         robot:alphabeta:N[:EVAL] ou robot:niveau:K est attendu"
    )]
    Name,
    #[error("il manque {what} après « {name} »")]
    Missing { what: &'static str, name: String },
    #[error("{what} est un nombre de 1 à {most}, et non « {number} »")]
    Number { what: &'static str, most: i32, number: String },
    #[error(transparent)]
    Evaluation(#[from] UnknownName),
    #[error("« {0} » est de trop")]
    Rest(String),
}

/// Parses `robot`, or `robot:` followed by `meilleur[:EVAL]`, `aleatoire`, `glouton[:EVAL]`, `minimax:N[:EVAL]`,
/// `alphabeta:N[:EVAL]` or `niveau:K`.
impl FromStr for Settings {
    type Err = UnknownRobot;

    fn from_str(text: &str) -> Result<Self, UnknownRobot> {
        parse(text).map_err(|problem| UnknownRobot { text: text.chars().take(40).collect(), problem })
    }
}

fn parse(text: &str) -> Result<Settings, Problem> {
    let mut settings = Settings::default();
    let mut parts = text.split(':');
    if parts.next() != Some("robot") {
        return Err(Problem::Name);
    }
    let Some(name) = parts.next() else { return Ok(settings) };
    let mut number = |what: &'static str, most: i32| {
        let number = parts.next().ok_or_else(|| Problem::Missing { what, name: name.to_owned() })?;
        match number.parse::<i32>() {
            Ok(value) if (1..=most).contains(&value) => Ok(value),
            _ => Err(Problem::Number { what, most, number: number.to_owned() }),
        }
    };
    let takes_evaluation = match name {
        "meilleur" => true,
        "aleatoire" => {
            settings.robot = Robot::Random;
            false
        }
        "glouton" => {
            settings.robot = Robot::Greedy;
            true
        }
        "minimax" => {
            settings.robot = Robot::Minimax(number("la profondeur", Robot::DEEPEST_MINIMAX)?);
            true
        }
        "alphabeta" => {
            settings.robot = Robot::AlphaBeta(number("la profondeur", Robot::DEEPEST_ALPHA_BETA)?);
            true
        }
        "niveau" => {
            settings.robot = Robot::Level(number("le niveau", Robot::LEVELS.into())? as u8);
            false
        }
        _ => return Err(Problem::Name),
    };
    if takes_evaluation && let Some(evaluation) = parts.next() {
        settings.evaluation = evaluation.parse()?;
    }
    match parts.next() {
        Some(rest) => Err(Problem::Rest(rest.to_owned())),
        None => Ok(settings),
    }
}

/// Writes the settings as the command line takes them.
impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.robot {
            Robot::Random => write!(f, "robot:aleatoire"),
            Robot::Greedy => write!(f, "robot:glouton:{}", self.evaluation),
            Robot::Minimax(depth) => write!(f, "robot:minimax:{depth}:{}", self.evaluation),
            Robot::AlphaBeta(depth) => write!(f, "robot:alphabeta:{depth}:{}", self.evaluation),
            Robot::Level(level) => write!(f, "robot:niveau:{level}"),
            Robot::Best if self.evaluation == Evaluation::default() => write!(f, "robot"),
            Robot::Best => write!(f, "robot:meilleur:{}", self.evaluation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_robot_is_named_with_its_parameters() {
        let robot = |text: &str| text.parse::<Settings>().unwrap();
        assert_eq!(robot("robot").robot, Robot::Best);
        assert_eq!(robot("robot:niveau:10").robot, Robot::Level(10));
        let minimax = robot("robot:minimax:4:percee");
        assert_eq!((minimax.robot, minimax.evaluation), (Robot::Minimax(4), Evaluation::Breakthrough));
        assert_eq!(minimax.to_string(), "robot:minimax:4:percee");
    }

    #[test]
    fn a_wrong_name_says_what_is_wrong() {
        for (text, problem) in [
            ("humain?", "robot, robot:meilleur[:EVAL]"),
            ("robot:minimax", "il manque la profondeur"),
            ("robot:minimax:0", "un nombre de 1 à 6"),
            ("robot:minimax:7", "un nombre de 1 à 6"),
            ("robot:niveau:11", "un nombre de 1 à 10"),
            ("robot:niveau:3:somme", "est de trop"),
            ("robot:glouton:beaute", "évaluation inconnue : « beaute » (armee,"),
        ] {
            let error = text.parse::<Settings>().unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(robot)?(:(minimax|alphabeta|niveau|glouton|[0-9a-z]{0,12})){0,4}") {
            if let Ok(settings) = text.parse::<Settings>() {
                prop_assert_eq!(settings.to_string().parse::<Settings>(), Ok(settings));
            }
        }
    }
}
