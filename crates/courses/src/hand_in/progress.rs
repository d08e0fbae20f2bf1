//! Progress of long commands: shows each package when cargo begins to compile it.

use crate::peer::children::{self, Running};
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

/// A function that shows a line of progress.
pub type Show<'a> = &'a dyn Fn(&str);

/// Runs a command to its end like [`Command::output`], and shows each package that it compiles.
///
/// # Errors
/// If the command does not start, or its output cannot be read.
pub fn output(command: &mut Command, show: Show<'_>) -> std::io::Result<Output> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    output_of(children::start(command)?, show)
}

/// Waits for the end of a program whose outputs are pipes.
///
/// # Errors
/// If its output cannot be read.
pub fn output_of(mut child: Running, show: Show<'_>) -> std::io::Result<Output> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    // Both pipes are read at the same time, so that neither fills up.
    let read = move || {
        let mut bytes = Vec::new();
        stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut bytes)).map(|_| bytes)
    };
    let reader = match std::thread::Builder::new().spawn(read) {
        Ok(reader) => reader,
        Err(error) => {
            child.kill()?;
            child.wait()?;
            return Err(error);
        }
    };
    let mut errors = Vec::new();
    if let Some(stderr) = stderr {
        let mut lines = BufReader::new(stderr);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line)? > 0 {
            if let Some(package) = compiled(&String::from_utf8_lossy(&line)) {
                show(&format!("compile {package}"));
            }
            errors.append(&mut line);
        }
    }
    let stdout = reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    Ok(Output { status: child.wait()?, stdout, stderr: errors })
}

/// Returns the package and version in a line of cargo that begins a compilation.
fn compiled(line: &str) -> Option<String> {
    let mut words = line.trim().strip_prefix("Compiling ")?.split(' ');
    Some(format!("{} {}", words.next()?, words.next()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn packages_are_shown_and_both_outputs_kept() {
        let shown = RefCell::new(Vec::new());
        let script = "echo '   Compiling rand v0.9.1' >&2; echo out; echo 'error: no' >&2; exit 3";
        let output = output(Command::new("sh").args(["-c", script]), &|line| {
            shown.borrow_mut().push(line.to_owned());
        });
        let output = output.unwrap();
        assert_eq!(*shown.borrow(), ["compile rand v0.9.1"]);
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(3), &b"out\n"[..]));
        assert!(output.stderr.ends_with(b"error: no\n") && output.stderr.starts_with(b"   Compiling"));
    }
}
