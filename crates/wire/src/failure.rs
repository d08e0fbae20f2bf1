use std::ffi::OsString;
use std::fmt::Display;
use std::process::ExitCode;

/// Why an executable ends before its work is done: one line for a person, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    message: String,
    code: u8,
}

impl Failure {
    /// The run or the peer failed: exit code 1.
    pub fn run(message: impl Display) -> Self {
        Self { message: one_line(message), code: 1 }
    }

    /// Bad arguments, a bad file or bad input: exit code 2.
    pub fn input(message: impl Display) -> Self {
        Self { message: one_line(message), code: 2 }
    }

    /// The exit code of the process.
    pub fn code(&self) -> u8 {
        self.code
    }
}

/// A failed write to standard output: the reader of our output is gone, or the disk is full.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::run(error)
    }
}

/// Diagnostics are one line each, whatever text they quote.
fn one_line(message: impl Display) -> String {
    message.to_string().chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Runs the body of an executable on its arguments (the program's name left out), and reports a failure as
/// `program: message` on standard error.
pub fn run(program: &str, body: impl FnOnce(Vec<OsString>) -> Result<(), Failure>) -> ExitCode {
    match body(std::env::args_os().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{program}: {failure}");
            ExitCode::from(failure.code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_stays_on_one_line_whatever_it_quotes() {
        assert_eq!(Failure::input("bad \"a\nb\0\"").to_string(), "bad \"a\u{fffd}b\u{fffd}\"");
        assert_eq!(Failure::input("x").code(), 2);
        assert_eq!(Failure::run("x").code(), 1);
    }
}
