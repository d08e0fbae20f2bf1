//! Commands with a time limit, and line-by-line dialogues with processes.

use super::Place;
use crate::hand_in::progress;
use crate::peer::children::{self, Running};
use anyhow::{Context, Result, bail, ensure};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time limit of a command, which no check exceeds even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

impl Place<'_> {
    /// Creates a command in the folder `below`, relative to the archive's root.
    pub(crate) fn command(&self, below: &str, program: &str) -> Command {
        let folder = self.folder.join(below);
        let path = Path::new(program);
        // "./joueur" is relative to the command's folder.
        let mut command = match path.strip_prefix("./") {
            Ok(name) => Command::new(folder.join(name)),
            Err(_) => Command::new(path),
        };
        command.current_dir(folder);
        command.envs(self.conditions.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Returns true if a tool of the course's machine is installed here.
    pub(crate) fn exists(&self, tool: &str) -> bool {
        let version = if tool == "javac" || tool == "java" { "-version" } else { "--version" };
        quiet_output(self.command("", tool).arg(version)).is_ok_and(|output| output.status.success())
    }

    /// Runs a plain `make`. Returns false if `make` is not installed.
    pub(crate) fn make(&mut self, below: &str) -> Result<bool> {
        if !self.exists("make") {
            self.saw("make est introuvable : rien n'a été compilé ni joué");
            return Ok(false);
        }
        let start = Instant::now();
        // The variables of an enclosing make are not set on the course's machine.
        let mut make = self.command(below, "make");
        make.env_remove("MAKEFLAGS").env_remove("MAKELEVEL");
        let output = self
            .show_during("make", || progress::output(&mut make, &|line| self.show(line)))
            .context("make")?;
        succeed(output, "make")?;
        self.saw(format!("make : compilé sans réseau en {:.0} s", start.elapsed().as_secs_f64()));
        Ok(true)
    }
}

/// Runs a command to its end, without input.
pub(crate) fn quiet_output(command: &mut Command) -> std::io::Result<Output> {
    progress::output(command, &|_| {})
}

/// Returns the output of a command that succeeded.
pub(crate) fn succeed(output: Output, what: &str) -> Result<String> {
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{what}: {}: {}", output.status, errors.trim());
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a command to its end with this input.
pub(crate) fn run(command: &mut Command, input: &str) -> Result<Output> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = children::start(command).with_context(|| format!("{command:?}"))?;
    // A program that does not read all of it may close the pipe.
    let _ = child.stdin.take().context("a pipe")?.write_all(input.as_bytes());
    Ok(progress::output_of(child, &|_| {})?)
}

/// A dialogue with a process, line by line.
pub(crate) struct Dialogue {
    child: Option<Running>,
    output: Option<Box<dyn Write>>,
    lines: Receiver<std::io::Result<String>>,
}

impl Dialogue {
    pub(crate) fn start(command: &mut Command) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = children::start(command).with_context(|| format!("{command:?}"))?;
        let input = child.stdin.take().context("a pipe")?;
        let output = child.stdout.take().context("a pipe")?;
        Ok(Self { child: Some(child), output: Some(Box::new(input)), lines: read(output) })
    }

    pub(crate) fn over(input: impl Read + Send + 'static, output: impl Write + 'static) -> Self {
        Self { child: None, output: Some(Box::new(output)), lines: read(input) }
    }

    pub(crate) fn tell(&mut self, text: &str) -> Result<()> {
        let output = self.output.as_mut().context("the conversation is over")?;
        output.write_all(text.as_bytes())?;
        Ok(output.flush()?)
    }

    /// Returns the next line.
    pub(crate) fn hear(&self) -> Result<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Ok(line?),
            Err(_) => bail!("no answer"),
        }
    }

    /// Closes the input and waits for a successful exit.
    pub(crate) fn end(mut self) -> Result<()> {
        self.output = None;
        if let Some(child) = self.child.take() {
            wait(child)?;
        }
        Ok(())
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn read(input: impl Read + Send + 'static) -> Receiver<std::io::Result<String>> {
    let (sender, receiver) = channel();
    // Without a thread nobody sends, and no line is heard.
    let _ = thread::Builder::new().spawn(move || {
        for line in BufReader::new(input).split(b'\n') {
            let text = line.map(|line| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned());
            if sender.send(text).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Waits for a successful exit, and kills the process at the time limit.
pub(crate) fn wait(mut child: Running) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait()? {
            ensure!(status.success(), "{status}");
            return Ok(());
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill()?;
    child.wait()?;
    bail!("it does not end")
}

/// Returns a port that is free at the moment.
pub(crate) fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Retries until success or the time limit.
pub(crate) fn retry<T>(mut attempt: impl FnMut() -> std::io::Result<T>) -> Result<T> {
    let start = Instant::now();
    loop {
        match attempt() {
            Ok(value) => return Ok(value),
            Err(error) if start.elapsed() > PATIENCE => return Err(error.into()),
            Err(_) => thread::sleep(Duration::from_millis(10)),
        }
    }
}
