//! Prints a table of a game's evaluation functions: the benches' measurements, and the score of each against the
//! default in a quick match. `scripts/evaluations.sh` runs both.

use benches::games;
use benches::table::{Game, rows, text};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name, referee, count] = &arguments[..] else {
        eprintln!("usage: evaluations GAME REFEREE GAMES");
        return ExitCode::from(2);
    };
    let all = games();
    let (Some(game), Ok(count)) = (all.iter().find(|game| game.name == name), count.parse()) else {
        eprintln!("evaluations: no game {name:?}, or no number of games {count:?}");
        return ExitCode::from(2);
    };
    let referee = PathBuf::from(referee);
    let mut rows = rows(game);
    for row in &mut rows {
        row.strength = if row.evaluation == game.default {
            Some("default".to_owned())
        } else {
            score(&referee, game, &row.evaluation, count)
        };
    }
    let title = format!("{}: {count} games each against {}", game.name, game.default);
    print!("{}", text(&title, &rows, Some("score % [95 %]")));
    ExitCode::SUCCESS
}

/// The score of `evaluation` against the default, as text.
fn score(referee: &Path, game: &Game, evaluation: &str, games: u32) -> Option<String> {
    let player = |name: &str| format!("{name}=own:{}", game.options.replace("{}", name));
    let json = env::temp_dir().join(format!("evaluations-{}.json", std::process::id()));
    let mut command = Command::new(referee);
    command.args(["match", game.name, "--quiet", "--time", "50", "--grace", "1000", "--force"]);
    command.args(["--games", &games.to_string(), "--a", &player(evaluation)]);
    command.args(["--b", &player(&game.default), "--json"]).arg(&json);
    let output = command.output().ok()?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
        return None;
    }
    let text = fs::read(&json).ok().and_then(|bytes| share(&serde_json::from_slice(&bytes).ok()?));
    let _ = fs::remove_file(&json);
    text
}

/// The score of the first pair of players in the referee's results, with its interval.
fn share(results: &Value) -> Option<String> {
    let elo = &results["duels"][0]["elo"];
    let [score, low, high] = ["score", "score_low", "score_high"].map(|key| elo[key].as_f64());
    Some(format!("{:.1} [{:.1}, {:.1}]", 100.0 * score?, 100.0 * low?, 100.0 * high?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_has_the_interval_of_the_referee() {
        let elo = serde_json::json!({ "score": 0.5, "score_low": 0.079, "score_high": 0.921 });
        let results = serde_json::json!({ "duels": [{ "elo": elo }] });
        assert_eq!(share(&results).as_deref(), Some("50.0 [7.9, 92.1]"));
        assert_eq!(share(&serde_json::json!({ "duels": [] })), None);
    }
}
