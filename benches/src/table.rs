//! The table of a game's evaluation functions, from criterion's times and the node counts of the searches.

use serde_json::Value;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The widest bar, in terminal cells.
const WIDEST: f64 = 16.0;

/// A game's evaluation functions, and the player options that select one in a quick match.
pub struct Game {
    /// The game's name, as in the benchmark groups.
    pub name: &'static str,
    /// The names of all evaluation functions, including the default.
    pub evaluations: Vec<String>,
    /// The evaluation function that the game's player uses by default.
    pub default: String,
    /// The player's options; `{}` is replaced by the evaluation's name.
    pub options: &'static str,
}

impl Game {
    /// A game with some evaluation functions.
    pub fn new<E: Display + Default + Copy>(name: &'static str, all: &[E], options: &'static str) -> Self {
        let evaluations = all.iter().map(E::to_string).collect();
        Self { name, evaluations, default: E::default().to_string(), options }
    }
}

/// A row of the table. `None` for values that were not measured.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// The evaluation function.
    pub evaluation: String,
    /// Mean time in nanoseconds a position.
    pub nanoseconds: Option<f64>,
    /// Nodes of the fixed search.
    pub nodes: Option<u64>,
    /// The change of the time since the previous run, as a fraction: lower bound, estimate and upper bound.
    pub change: Option<[f64; 3]>,
    /// The cell of an optional last column.
    pub strength: Option<String>,
}

/// Criterion's folder: `CRITERION_HOME`, or `criterion` in the target folder of this executable.
#[must_use]
pub fn criterion_folder() -> PathBuf {
    let target = || {
        let own = env::current_exe().ok()?;
        // target/release/deps/NAME or target/release/NAME
        let build = own.ancestors().find(|folder| folder.join("deps").is_dir())?;
        Some(build.parent()?.to_owned())
    };
    let in_target = || env::var_os("CARGO_TARGET_DIR").map(PathBuf::from).or_else(target);
    let home = env::var_os("CRITERION_HOME").map(PathBuf::from);
    home.unwrap_or_else(|| in_target().unwrap_or_else(|| "target".into()).join("criterion"))
}

/// The file of a search's node count, next to criterion's own files.
pub(crate) fn nodes_file(game: &str, evaluation: &str) -> PathBuf {
    criterion_folder().join(format!("search_{game}")).join(evaluation).join("nodes.txt")
}

/// Reads the rows of a game from criterion's folder.
#[must_use]
pub fn rows(game: &Game) -> Vec<Row> {
    let folder = criterion_folder();
    let row = |evaluation: &String| Row {
        evaluation: evaluation.clone(),
        nanoseconds: nanoseconds(&folder, game.name, evaluation),
        nodes: fs::read_to_string(nodes_file(game.name, evaluation))
            .ok()
            .and_then(|text| text.trim().parse().ok()),
        change: change(&folder, game.name, evaluation),
        strength: None,
    };
    game.evaluations.iter().map(row).collect()
}

/// Reads one of criterion's files on an evaluation function.
fn read(folder: &Path, game: &str, evaluation: &str, file: &str) -> Option<Value> {
    // Criterion replaces the slash of a group by an underscore.
    let path = folder.join(format!("evaluation_{game}")).join(evaluation).join(file);
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

fn nanoseconds(folder: &Path, game: &str, evaluation: &str) -> Option<f64> {
    let all = read(folder, game, evaluation, "new/estimates.json")?["mean"]["point_estimate"].as_f64()?;
    let benchmark = read(folder, game, evaluation, "new/benchmark.json")?;
    Some(all / benchmark["throughput"]["Elements"].as_f64()?)
}

fn change(folder: &Path, game: &str, evaluation: &str) -> Option<[f64; 3]> {
    let mean = &read(folder, game, evaluation, "change/estimates.json")?["mean"];
    let interval = &mean["confidence_interval"];
    let ends = [&interval["lower_bound"], &mean["point_estimate"], &interval["upper_bound"]];
    let [least, likeliest, greatest] = ends.map(Value::as_f64);
    Some([least?, likeliest?, greatest?])
}

/// Formats a game's table; `strength` is the title of the optional last column.
#[must_use]
pub fn text(title: &str, rows: &[Row], strength: Option<&str>) -> String {
    let cheapest = rows.iter().filter_map(|row| row.nanoseconds).fold(f64::INFINITY, f64::min);
    let dearest = rows.iter().filter_map(|row| row.nanoseconds).fold(0.0, f64::max);
    let strength_head = strength.map(|head| format!(" {head:>20}")).unwrap_or_default();
    let mut text = format!(
        "{title}\n{:<12} {:>11} {:>7} {:>10} {:>9}{strength_head}\n",
        "evaluation", "ns/position", "times", "nodes", "change %"
    );
    for row in rows {
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        // The length of a bar is the logarithm of the time, because the functions differ by orders of magnitude.
        let bar =
            row.nanoseconds.map_or(0.0, |own| (own / cheapest).ln() / (dearest / cheapest).ln().max(1e-9));
        let own = strength.map(|_| format!(" {:>20}", or_dash(row.strength.clone()))).unwrap_or_default();
        text += &format!(
            "{:<12} {:>11} {:>7} {:>10} {:>9}{own}  {}\n",
            row.evaluation,
            or_dash(row.nanoseconds.map(|own| format!("{own:.1}"))),
            or_dash(row.nanoseconds.map(|own| format!("{:.1}", own / cheapest))),
            or_dash(row.nodes.map(|nodes| nodes.to_string())),
            or_dash(row.change.map(percent)),
            "█".repeat(1 + (bar * WIDEST) as usize)
        );
    }
    text
}

/// Formats a change in percent, or as `≈` if its interval contains zero.
fn percent([least, likeliest, greatest]: [f64; 3]) -> String {
    if least <= 0.0 && greatest >= 0.0 { "≈".to_owned() } else { format!("{:+.1}", 100.0 * likeliest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_a_dash() {
        let row = |name: &str, nanoseconds, change| Row {
            evaluation: name.into(),
            nanoseconds,
            change,
            ..Row::default()
        };
        let rows = [
            row("a", Some(2.0), Some([0.01, 0.031, 0.05])),
            row("b", Some(8.0), Some([-0.01, 0.02, 0.05])),
            row("c", None, None),
        ];
        let text = text("chess", &rows, None);
        let cells = |nth: usize| text.lines().nth(nth).unwrap().split_whitespace().collect::<Vec<_>>();
        assert_eq!(cells(1), ["evaluation", "ns/position", "times", "nodes", "change", "%"]);
        assert_eq!(cells(2), ["a", "2.0", "1.0", "-", "+3.1", "█"]);
        assert_eq!(cells(3), ["b", "8.0", "4.0", "-", "≈", &"█".repeat(17)]);
        assert_eq!(cells(4), ["c", "-", "-", "-", "-", "█"]);
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }

    #[test]
    fn criterions_files_become_a_row() {
        let folder = tempfile::tempdir().unwrap();
        let of = folder.path().join("evaluation_chess/lines");
        for (file, text) in [
            ("new/estimates.json", r#"{"mean":{"point_estimate":300.0}}"#),
            ("new/benchmark.json", r#"{"throughput":{"Elements":100}}"#),
            (
                "change/estimates.json",
                r#"{"mean":{"confidence_interval":{"lower_bound":-0.5,"upper_bound":-0.3},"point_estimate":-0.4}}"#,
            ),
        ] {
            let path = of.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            wire::file::write(&path, text).unwrap();
        }
        assert_eq!(nanoseconds(folder.path(), "chess", "lines"), Some(3.0));
        assert_eq!(change(folder.path(), "chess", "lines").map(percent), Some("-40.0".to_owned()));
        assert_eq!(nanoseconds(folder.path(), "chess", "other"), None);
    }
}
