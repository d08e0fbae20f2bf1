//! One table a game of its evaluation functions, out of what criterion measured, what the search benches counted, and a
//! quick match of each against the default: `scripts/evaluations.sh` runs all three.

use serde_json::Value;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

/// The widest bar, in cells of a terminal.
const WIDEST: f64 = 24.0;

/// A game's evaluation functions, and how its player is told to use one in a quick match.
struct Game {
    name: &'static str,
    evaluations: Vec<String>,
    default: String,
    /// The player's options; `{}` stands for the evaluation.
    options: &'static str,
}

fn game<E: Display + Default>(
    name: &'static str,
    all: impl IntoIterator<Item = E>,
    options: &'static str,
) -> Game {
    let evaluations = all.into_iter().map(|one| one.to_string()).collect();
    Game { name, evaluations, default: E::default().to_string(), options }
}

fn games() -> Vec<Game> {
    vec![
        game("connect5", connect5_joueur::evaluation::Evaluation::ALL.iter().copied(), "--eval {}"),
        game("gounki", gounki::evaluation::Evaluation::ALL.iter().copied(), "robot:alphabeta:3:{}"),
        game("moules", moules_client::evaluation::Evaluation::ALL.iter().copied(), "--eval {}"),
        game("othello", othello_player::evaluation::Evaluation::ALL.iter().copied(), "--depth 4 --eval {}"),
        game("uttt", uttt::evaluation::Evaluation::ALL.iter().copied(), "--nodes 500 --eval {}"),
    ]
}

/// Where the measurements lie.
struct Sources {
    /// Criterion's folder.
    criterion: PathBuf,
    /// The output of the search benches.
    log: String,
    referee: PathBuf,
    games: u32,
}

/// A table's row; what was not measured is `None`.
struct Row {
    evaluation: String,
    nanoseconds: Option<f64>,
    nodes: Option<u64>,
    score: Option<(f64, f64)>,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name, criterion, log, referee, count] = &arguments[..] else {
        eprintln!("usage: evaluations GAME CRITERION-FOLDER BENCH-LOG REFEREE GAMES");
        return ExitCode::from(2);
    };
    let all = games();
    let (Some(game), Ok(games)) = (all.iter().find(|game| game.name == name), count.parse()) else {
        eprintln!("evaluations: no game {name:?}, or no number of games {count:?}");
        return ExitCode::from(2);
    };
    let log = match fs::read_to_string(log) {
        Ok(log) => log,
        Err(error) => {
            eprintln!("evaluations: {log}: {error}");
            return ExitCode::from(2);
        }
    };
    let sources = Sources { criterion: criterion.into(), log, referee: referee.into(), games };
    let rows: Vec<Row> = game.evaluations.iter().map(|one| sources.row(game, one)).collect();
    print!("{}", table(game, &rows, games));
    ExitCode::SUCCESS
}

impl Sources {
    fn row(&self, game: &Game, evaluation: &str) -> Row {
        Row {
            evaluation: evaluation.to_owned(),
            nanoseconds: self.nanoseconds(game.name, evaluation),
            nodes: self.nodes(game.name, evaluation),
            score: (evaluation != game.default).then(|| self.score(game, evaluation)).flatten(),
        }
    }

    /// A position's evaluation, in the mean.
    fn nanoseconds(&self, game: &str, evaluation: &str) -> Option<f64> {
        // Criterion writes a group's slash as an underscore.
        let folder = self.criterion.join(format!("evaluation_{game}")).join(evaluation).join("new");
        let read = |file: &str| serde_json::from_slice::<Value>(&fs::read(folder.join(file)).ok()?).ok();
        let all = read("estimates.json")?["mean"]["point_estimate"].as_f64()?;
        Some(all / read("benchmark.json")?["throughput"]["Elements"].as_f64()?)
    }

    fn nodes(&self, game: &str, evaluation: &str) -> Option<u64> {
        let begin = format!("search/{game}/{evaluation}: ");
        let line = self.log.lines().find_map(|line| line.strip_prefix(&begin))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// The share of the points against the default, in hundredths, and its 95 % error over pairs.
    fn score(&self, game: &Game, evaluation: &str) -> Option<(f64, f64)> {
        let player = |name: &str| format!("{name}=own:{}", game.options.replace("{}", name));
        let json = env::temp_dir().join(format!("evaluations-{}.json", std::process::id()));
        let mut command = Command::new(&self.referee);
        command.args(["match", game.name, "--quiet", "--time", "50", "--grace", "1000", "--force"]);
        command.args(["--games", &self.games.to_string(), "--a", &player(evaluation)]);
        command.args(["--b", &player(&game.default), "--json"]).arg(&json);
        let output = command.output().ok()?;
        if !output.status.success() {
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            return None;
        }
        let score = pairs_score(&json);
        let _ = fs::remove_file(&json);
        score
    }
}

/// The score of the first duel in a referee's results.
fn pairs_score(json: &Path) -> Option<(f64, f64)> {
    let results: Value = serde_json::from_slice(&fs::read(json).ok()?).ok()?;
    let pairs = results["duels"][0]["tally"]["pairs"].as_array()?;
    let counts: Vec<f64> = pairs.iter().filter_map(Value::as_f64).collect();
    mean_and_error(&counts)
}

/// From the number of pairs with 0, ½, 1, 1½ and 2 points.
fn mean_and_error(counts: &[f64]) -> Option<(f64, f64)> {
    let total: f64 = counts.iter().sum();
    let share = |nth: usize| nth as f64 / 4.0;
    let mean = counts.iter().enumerate().map(|(nth, count)| share(nth) * count).sum::<f64>() / total;
    let spread = |(nth, count): (usize, &f64)| count * (share(nth) - mean).powi(2);
    let variance = counts.iter().enumerate().map(spread).sum::<f64>() / (total - 1.0).max(1.0);
    (total > 0.0).then(|| (100.0 * mean, 196.0 * (variance / total).sqrt()))
}

fn table(game: &Game, rows: &[Row], games: u32) -> String {
    let cheapest = rows.iter().filter_map(|row| row.nanoseconds).fold(f64::INFINITY, f64::min);
    let dearest = rows.iter().filter_map(|row| row.nanoseconds).fold(0.0, f64::max);
    let mut text = format!(
        "{}: {games} games each against {}\n{:<12} {:>11} {:>9} {:>12} {:>14}\n",
        game.name, game.default, "evaluation", "ns/position", "times", "nodes", "score %"
    );
    for row in rows {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        let score = match row.score {
            Some((mean, error)) => format!("{mean:.1} ± {error:.1}"),
            None if row.evaluation == game.default => "default".into(),
            None => "-".into(),
        };
        // A bar as long as the logarithm of the time: the functions differ by orders of magnitude.
        let bar =
            row.nanoseconds.map_or(0.0, |own| (own / cheapest).ln() / (dearest / cheapest).ln().max(1e-9));
        text += &format!(
            "{:<12} {:>11} {:>9} {:>12} {:>14}  {}\n",
            row.evaluation,
            or_dash(row.nanoseconds.map(|own| format!("{own:.1}"))),
            or_dash(row.nanoseconds.map(|own| format!("{:.1}", own / cheapest))),
            or_dash(row.nodes.map(|nodes| nodes.to_string())),
            score,
            "█".repeat(1 + (bar * WIDEST) as usize)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_give_a_share_and_its_error() {
        assert_eq!(mean_and_error(&[0.0, 0.0, 10.0, 0.0, 0.0]), Some((50.0, 0.0)));
        let (mean, error) = mean_and_error(&[5.0, 0.0, 0.0, 0.0, 5.0]).unwrap();
        assert!((mean - 50.0).abs() < 1e-9 && (error - 196.0 * (0.25 / 9.0_f64).sqrt()).abs() < 1e-9);
        assert_eq!(mean_and_error(&[0.0; 5]), None);
    }

    #[test]
    fn what_was_not_measured_is_a_dash() {
        let game = game("uttt", uttt::evaluation::Evaluation::ALL.iter().copied(), "");
        let row =
            |name: &str, nanoseconds| Row { evaluation: name.into(), nanoseconds, nodes: None, score: None };
        let text = table(&game, &[row("a", Some(2.0)), row("b", Some(8.0)), row("c", None)], 10);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2].split_whitespace().collect::<Vec<_>>(), ["a", "2.0", "1.0", "-", "-", "█"]);
        assert!(lines[3].contains("4.0") && lines[3].ends_with(&"█".repeat(25)), "{text}");
        assert!(lines[4].starts_with("c") && lines[4].contains('-'), "{text}");
    }
}
