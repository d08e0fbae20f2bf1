//! The progress of a run: where there is no terminal, a line now and then.

use crate::support::{eventually, referee};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

/// The first line of progress of a run that is then interrupted.
fn first_line(line: &str) -> String {
    let mut command = referee(&line.split(' ').collect::<Vec<_>>());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut text = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut text).unwrap();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    eventually("an interrupted run ends", || child.try_wait().unwrap().is_some());
    text
}

#[test]
fn a_line_tells_games_time_elo_and_the_tests_likelihood() {
    let line = "sprt uttt --a builtin:random --b builtin:random --elo0 0 --elo1 0.001 --games 999999 --concurrency 1";
    let told = first_line(line);
    for word in [" games, ", " left, ", "LLR ", " in [-2.94, 2.94], ", "Elo "] {
        assert!(told.contains(word), "no \"{word}\" in \"{told}\"");
    }
    let told = first_line("match uttt --a builtin:random --b builtin:first --games 999999 --concurrency 1");
    for word in ["/1000000 games, ", ", +", " =", "Elo "] {
        assert!(told.contains(word), "no \"{word}\" in \"{told}\"");
    }
}
