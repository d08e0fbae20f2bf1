//! The audit of a file of puzzles by each game's second solver.

use super::file::{self, Puzzle};
use super::{Solved, Source};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Instant;
use wire::Progress;

/// The result of one puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// The solution reaches the goal, and nothing else does.
    Right,
    /// The solution does not reach the goal, or more can be reached.
    Wrong,
    /// Another move reaches the goal as well.
    Second,
}

fn verdict<S: Source>(source: &mut S, puzzle: &Puzzle) -> Result<Verdict> {
    let position = source.read(&puzzle.position).with_context(|| format!("puzzle {}", puzzle.name()))?;
    let Solved { moves, is_surpassed } = source.solve(&position, puzzle.goal);
    let is_right = moves.iter().any(|mv| mv == puzzle.best());
    Ok(match moves.len() {
        1 if is_right && !is_surpassed => Verdict::Right,
        _ if is_right && !is_surpassed => Verdict::Second,
        _ => Verdict::Wrong,
    })
}

/// Audits puzzles, names those that fail, prints the counts, and writes those that pass to `out`.
pub(super) fn audit<S: Source>(source: &mut S, puzzles: &[Puzzle], out: Option<&Path>) -> Result<()> {
    let start = Instant::now();
    let mut progress = Progress::default();
    let (mut right, mut wrong, mut second) = (Vec::new(), 0, 0);
    for puzzle in puzzles {
        match verdict(source, puzzle)? {
            Verdict::Right => right.push(puzzle.clone()),
            Verdict::Wrong => {
                wrong += 1;
                progress.line(format_args!("wrong: {puzzle}"));
            }
            Verdict::Second => {
                second += 1;
                progress.line(format_args!("second solution: {puzzle}"));
            }
        }
    }
    progress.line(format_args!(
        "{} puzzles: {wrong} wrong, {second} with a second solution; {:.1} s",
        puzzles.len(),
        start.elapsed().as_secs_f64()
    ));
    if let Some(path) = out {
        file::write(path, "# audited by trainer puzzles --audit", &right)?;
    }
    progress.end()?;
    if out.is_none() && wrong + second > 0 {
        bail!("{} puzzles fail the audit", wrong + second);
    }
    Ok(())
}

/// Returns the names of the puzzles that fail, each with its verdict.
pub(super) fn failures<S: Source>(source: &mut S, puzzles: &[Puzzle]) -> Result<Vec<String>> {
    let mut failed = Vec::new();
    for puzzle in puzzles {
        let verdict = verdict(source, puzzle)?;
        if verdict != Verdict::Right {
            failed.push(format!("{}: {verdict:?}", puzzle.name()));
        }
    }
    Ok(failed)
}

/// Returns the names of the puzzles whose position is an image of an earlier one.
pub(super) fn alike<S: Source>(source: &S, puzzles: &[Puzzle]) -> Result<Vec<String>> {
    let mut seen = BTreeSet::new();
    let mut alike = Vec::new();
    for puzzle in puzzles {
        if !seen.insert(source.signature(&source.read(&puzzle.position)?)) {
            alike.push(puzzle.name());
        }
    }
    Ok(alike)
}
