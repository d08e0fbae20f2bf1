//! The executable, and what is left of a process.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// The referee with these arguments.
pub fn referee(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_referee"));
    // In English, whatever language the tester has.
    command.args(arguments).env("LC_ALL", "C");
    command
}

/// Runs it to its end.
pub fn run(arguments: &[&str]) -> Output {
    referee(arguments).output().expect("the referee starts")
}

/// Runs it to its end, which must be a good one; what it printed.
pub fn stdout(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// The number of living processes that have `needle` among their arguments.
pub fn processes(needle: &str) -> usize {
    let entries = fs::read_dir("/proc").expect("a Linux machine").flatten();
    entries
        .filter(|entry| {
            let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0).any(|word| word == needle.as_bytes())
        })
        .count()
}

/// Waits until `done`, a minute at most: machines that test are busy.
pub fn eventually(what: &str, mut done: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !done() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A child's own processor time in seconds, without its children's: fields 14 and 15 of proc_pid_stat(5), in
/// hundredths of a second.
pub fn own_time(child: &Child) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
    let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// The games of a record file: each line but the head, as JSON.
pub fn games(path: &Path) -> Vec<serde_json::Value> {
    let text = fs::read_to_string(path).expect("a record file");
    text.lines().skip(1).map(|line| serde_json::from_str(line).expect("a record")).collect()
}

/// A shell script as a player.
pub fn shell(script: &str) -> String {
    format!("sh -c '{}'", script.replace('\'', "'\\''"))
}

/// A player of connect5 that fills a grid from its corner, and does `first` before each answer; its time is in `$time`.
pub fn filler(first: &str) -> String {
    filler_after(":", first)
}

/// As [`filler`], and does `before` when it starts.
pub fn filler_after(before: &str, first: &str) -> String {
    let script = "BEFORE
        echo READY
        while read l c && [ \"$l\" != 0 ]; do
            y=0; m=
            while [ $y -lt $l ]; do
                read row
                if [ -z \"$m\" ]; then case $row in *0*) f=${row%%0*}; m=\"$y ${#f}\";; esac; fi
                y=$((y+1))
            done
            read time
            FIRST
            echo \"$m\"
        done";
    shell(&script.replace("BEFORE", before).replace("FIRST", first))
}
