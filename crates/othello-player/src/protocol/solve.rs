//! The `solve` command: prints number, score, move, nodes and time of each problem of a file.

use crate::endgame::Goal;
use crate::player::{Player, Settings};
use crate::rules::{Move, obf};
use search_core::{Control, Limits, Report, Score, Stop, Stopwatch};
use std::io::{BufReader, Write};
use std::path::Path;
use std::time::Duration;
use wire::{Failure, LineReader, put_line};

/// Solves every problem of `file`: the exact score, or the winner only.
///
/// # Errors
/// Exit code 2 if the file cannot be read or a line is not a problem; 1 if a score differs from the file's.
pub fn run(file: &Path, settings: Settings, goal: Goal, output: &mut dyn Write) -> Result<(), Failure> {
    let name = file.display();
    let opened = wire::file::open(file).map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let mut lines = LineReader::new(BufReader::new(opened), obf::MAX_LINE);
    let mut player = Player::new(settings);
    put_line(output, " no  empties  score  move           nodes    seconds")?;
    let (mut number, mut wrong, mut nodes, mut time) = (0, 0, 0, Duration::ZERO);
    loop {
        let at = lines.line() + 1;
        let Some(line) = lines.text().map_err(|error| Failure::input(format!("{name}: {error}")))? else {
            break;
        };
        let problem =
            obf::parse(line).map_err(|error| Failure::input(format!("{name}, line {at}: {error}")))?;
        let Some(problem) = problem else { continue };
        number += 1;
        let position = problem.board.position;
        player.new_game();
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let report =
            player.solve(&position, goal, &control).map_err(|Stop| Failure::run("the search was stopped"))?;
        let of_goal = |score: i16| if goal == Goal::Winner { score.signum() } else { score };
        let expected = problem
            .best_score()
            .map(of_goal)
            .filter(|&score| i32::from(score) * Score::POINT != report.score.value());
        wrong += u32::from(expected.is_some());
        nodes += report.nodes;
        time += report.elapsed;
        put_line(output, &line_of(number, position.empties(), &report, expected))?;
    }
    put_line(output, &format!("all {:>33} {:>10.3}", nodes, time.as_secs_f64()))?;
    if wrong > 0 {
        return Err(Failure::run(format!("{wrong} of {number} scores differ from the file's")));
    }
    Ok(())
}

fn line_of(number: u32, empties: u32, report: &Report<Move>, expected: Option<i16>) -> String {
    let score = report.score.value() / Score::POINT;
    let mv = report.best.map_or_else(|| "-".into(), |mv| mv.to_string());
    let seconds = report.elapsed.as_secs_f64();
    let note = expected.map_or_else(String::new, |expected| format!("  the file says {expected:+}"));
    format!("{number:>3} {empties:>8} {score:>+6}  {mv:<4} {:>15} {seconds:>10.3}{note}", report.nodes)
}
