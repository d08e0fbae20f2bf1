//! Runs a single test in a child process, to check what a process writes.

use std::process::{Command, Output};

/// The command of the test `module`::`test` in a child process with the environment variable `variable` set.
pub fn command(module: &str, test: &str, variable: &str) -> Command {
    let module = module.split_once("::").map_or("", |(_, module)| module);
    let mut command = Command::new(std::env::current_exe().expect("the test's own executable"));
    command.args([&format!("{module}::{test}"), "--nocapture", "--quiet"]).env(variable, "1");
    command
}

/// Runs the test `module`::`test` in a child process with the environment variable `variable` set.
pub fn child(module: &str, test: &str, variable: &str) -> Output {
    let output = command(module, test, variable).output().expect("it starts");
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"), "{output:?}");
    output
}

/// As [`child`], but returns standard error.
pub fn errors_of_child(module: &str, test: &str, variable: &str) -> String {
    String::from_utf8(child(module, test, variable).stderr).expect("text")
}
