//! Marks in the formats of other systems, from one run.

use crate::support::{referee, run};
use std::fs;

/// A class of two programs that are not there, which takes no time to mark.
fn class(folder: &std::path::Path) -> String {
    let path = folder.join("class.csv");
    fs::write(&path, "name,command,matricule\nAna,./nowhere/a,007\n\"Bo, jr\",./nowhere/b,008\n").unwrap();
    path.display().to_string()
}

#[test]
fn one_run_fills_every_gradebook() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let line = ["mark", "uttt", "--quick", "--class", &class(folder.path())];
    let outputs = [("--moodle", "moodle.csv"), ("--junit", "junit.xml"), ("--csv", "all.csv")];
    let outputs: Vec<String> =
        outputs.iter().flat_map(|(option, name)| [(*option).into(), path(name)]).collect();
    let mut arguments: Vec<&str> = line.to_vec();
    arguments.extend(outputs.iter().map(String::as_str));
    arguments.push("--github");
    let summary = path("summary.md");
    fs::write(&summary, "# before\n").unwrap();
    let output = referee(&arguments).env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let moodle = fs::read_to_string(path("moodle.csv")).unwrap();
    assert!(
        moodle.starts_with("Full name,ID number,Grade,Maximum grade,Feedback comments\nAna,007,0.00,80.00,")
    );
    assert!(moodle.contains("\n\"Bo, jr\",008,"), "{moodle}");
    assert!(fs::read_to_string(path("junit.xml")).unwrap().contains("<testsuite name=\"Bo, jr\""));
    let summary = fs::read_to_string(summary).unwrap();
    assert!(summary.starts_with("# before\n## ") && summary.contains("\n### Ana: 0.0 / 80\n"), "{summary}");
    // The cards are between the commands that end and begin the reading of commands.
    let (before, after) = printed.split_once("\n::notice title=Ana::0.0 of 80 points\n").unwrap();
    assert!(after.contains("::notice title=Bo%2C jr::"), "{printed}");
    let mut closed = None;
    for line in before.lines().filter(|line| line.trim_start().starts_with("::")) {
        match &closed {
            None => match line.strip_prefix("::stop-commands::") {
                Some(token) => closed = Some(format!("::{token}::")),
                None => assert!(line.starts_with("::error title="), "{line}"),
            },
            Some(end) => {
                assert_eq!(line, end);
                closed = None;
            }
        }
    }
    assert_eq!(before.matches("::stop-commands::").count(), 2, "{printed}");
}

#[test]
fn a_format_that_cannot_hold_the_class_is_refused_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let class = class(folder.path());
    let output = folder.path().join("out").display().to_string();
    let told = |arguments: &[&str]| {
        let output = run(&[&["mark", "uttt", "--quick"], arguments].concat());
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(told(&["--class", &class, "--gradescope", &output]).contains("holds the result of one program"));
    let without = told(&["--player", "./nowhere", "--moodle", &output]);
    assert!(without.contains("\"./nowhere\" has neither id nor e-mail"), "{without}");
    assert!(told(&["--player", "./nowhere", "--github"]).contains("GITHUB_STEP_SUMMARY is not set"));
    // The step's summary is one of the outputs, and is looked at before a program is marked.
    let with_summary = |summary: &str, arguments: &[&str]| {
        let arguments =
            [&["mark", "uttt", "--quick", "--player", "./nowhere", "--github"], arguments].concat();
        let output = referee(&arguments).env("GITHUB_STEP_SUMMARY", summary).output().unwrap();
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(with_summary("", &[]).contains("the name of a file is empty"));
    assert!(with_summary("/nowhere/summary", &[]).contains("No such file"));
    for option in ["--record", "--html", "--csv", "--junit"] {
        let told = with_summary(&output, &[option, &output]);
        assert!(told.contains("would overwrite another file of this command"), "{option}: {told}");
    }
    for archive in ["/nowhere/a.zip", "/proc/a.zip"] {
        let output = run(&["mark", "uttt", "--autograder", archive]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}
