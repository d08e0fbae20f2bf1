use std::ffi::OsString;
use std::fmt::Display;
use std::process::ExitCode;

/// The reason why an executable ends early: one line for a person, and the exit code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    message: String,
    code: u8,
    /// True once the message stands on standard error.
    is_told: bool,
}

impl Failure {
    fn with(message: impl Display, code: u8) -> Self {
        Self { message: one_line(message), code, is_told: false }
    }

    /// The run or the peer failed: exit code 1.
    pub fn run(message: impl Display) -> Self {
        Self::with(message, 1)
    }

    /// The system has no thread left: exit code 1.
    #[must_use]
    pub fn no_thread(error: &std::io::Error) -> Self {
        Self::run(format!("no thread can be started: {error}"))
    }

    /// Bad arguments, a bad file or bad input: exit code 2.
    pub fn input(message: impl Display) -> Self {
        Self::with(message, 2)
    }

    /// A signal ended the run: exit code 128 plus the signal's number, as in a shell.
    pub fn signal(message: impl Display, number: u8) -> Self {
        Self::with(message, 128 | number)
    }

    /// Bad arguments, as reported by an argument parser. The first paragraph of `text` says what is wrong and becomes
    /// one line; the usage that follows is left to `--help`.
    #[must_use]
    pub fn usage(program: &str, text: &str) -> Self {
        let first = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
        let line = first.split_whitespace().collect::<Vec<_>>().join(" ");
        Self::input(format!("{line} ({program} --help)"))
    }

    /// The reader of standard output has gone: exit code 0 and no message.
    fn closed() -> Self {
        Self::with("the reader is gone", 0)
    }

    /// Appends `more` to the message.
    #[must_use]
    pub fn followed_by(mut self, more: impl Display) -> Self {
        self.message += &one_line(more);
        self
    }

    /// Writes the message to standard error now, as `program: message`, instead of at the end of the program, which may
    /// first serve viewers for as long as they like.
    #[must_use]
    pub fn told(self, program: &str) -> Self {
        // A signal that has ended the children may have caused the failure. It also ends the program.
        crate::file::wait_if_ending();
        if self.code != 0 && !self.is_told {
            crate::note(format!("{program}: {self}"));
        }
        Self { is_told: true, ..self }
    }

    /// The exit code of the process.
    #[must_use]
    pub fn code(&self) -> u8 {
        self.code
    }
}

/// Converts a failed write to standard output. A closed pipe ends the program silently.
impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::BrokenPipe => Self::closed(),
            _ => Self::run(format!("standard output: {error}")),
        }
    }
}

/// Joins the lines of a message: a diagnostic is always one line, whatever text it quotes.
fn one_line(message: impl Display) -> String {
    message.to_string().chars().map(|c| if crate::is_unprintable(c) { '\u{fffd}' } else { c }).collect()
}

/// Runs the body of an executable on its arguments, without the program's name. A failure is written to standard error
/// as `program: message`.
pub fn run(program: &str, body: impl FnOnce(Vec<OsString>) -> Result<(), Failure>) -> ExitCode {
    #[cfg(all(unix, feature = "signals"))]
    catch_signals_of_shortages();
    let done = body(std::env::args_os().skip(1).collect());
    // A signal that has ended the children may have caused the failure. It also ends the program.
    crate::file::wait_if_ending();
    let code = match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.told(program).code),
    };
    crate::writer::finish_notes();
    code
}

/// Like [`run`], with the body in a thread of its own: the first thread, which the system prefers, hears signals even while
/// the body waits for a file system that hangs.
pub fn run_apart(program: &str, body: impl FnOnce(Vec<OsString>) -> Result<(), Failure> + Send) -> ExitCode {
    /// In bytes, as a first thread usually has.
    const STACK: usize = 8 << 20;
    run(program, |words| {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().name(program.to_owned()).stack_size(STACK);
            let body =
                thread.spawn_scoped(scope, || body(words)).map_err(|error| Failure::no_thread(&error))?;
            body.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// Lets a write fail, like any other, if the file may not grow further (`ulimit -f`): the signal would end the program.
/// Lets a program whose memory is used up (`ulimit -v`) end with exit code 1. The standard library has then written
/// why, and aborts.
///
/// The signals are caught: an ignored one would stay ignored in every program that this one starts.
#[cfg(all(unix, feature = "signals"))]
fn catch_signals_of_shortages() {
    use signal_hook::consts::{SIGABRT, SIGXFSZ};
    use signal_hook::flag;
    use std::sync::{Arc, atomic::AtomicBool};
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let _ = flag::register_conditional_shutdown(SIGABRT, 1, Arc::new(AtomicBool::new(true)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_apart_has_a_thread_of_its_own() {
        let mut name = None;
        let code = run_apart("prog", |_| {
            name = std::thread::current().name().map(str::to_owned);
            Err(Failure::input("x"))
        });
        assert_eq!(
            (name.as_deref(), format!("{code:?}")),
            (Some("prog"), format!("{:?}", ExitCode::from(2)))
        );
    }

    #[test]
    fn a_message_stays_on_one_line_whatever_it_quotes() {
        assert_eq!(Failure::input("bad \"a\nb\0\"").to_string(), "bad \"a\u{fffd}b\u{fffd}\"");
        assert_eq!(Failure::input("x").code(), 2);
        assert_eq!(Failure::run("x").code(), 1);
        assert_eq!(Failure::signal("x", 15).code(), 143);
        let more = Failure::input("x").followed_by("; y\n");
        assert_eq!((more.to_string(), more.code()), ("x; y\u{fffd}".to_owned(), 2));
    }

    #[test]
    fn a_reader_that_left_is_no_failure_and_a_full_disk_is() {
        let of = |kind: std::io::ErrorKind| Failure::from(std::io::Error::from(kind));
        assert_eq!(
            (of(std::io::ErrorKind::BrokenPipe).code(), of(std::io::ErrorKind::StorageFull).code()),
            (0, 1)
        );
        assert!(of(std::io::ErrorKind::StorageFull).to_string().starts_with("standard output: "));
    }

    #[test]
    fn a_parsers_text_becomes_one_line() {
        let text = "error: unexpected\n  argument\n\nUsage: x";
        assert_eq!(Failure::usage("x", text).to_string(), "unexpected argument (x --help)");
    }

    #[cfg(all(unix, feature = "signals"))]
    #[test]
    fn a_program_without_memory_ends_with_code_1_and_says_so() {
        const CHILD: &str = "WIRE_MEMORY_CHILD";
        if std::env::var_os(CHILD).is_some() {
            run("prog", |_| {
                // More than any machine has.
                drop(std::hint::black_box(Vec::<u8>::with_capacity(isize::MAX as usize)));
                Ok(())
            });
        }
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let test = "failure::tests::a_program_without_memory_ends_with_code_1_and_says_so";
        let output = child.args([test, "--nocapture"]).env(CHILD, "1").env_remove("RUST_BACKTRACE").output();
        let output = output.unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("memory allocation of"), "{errors}");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }

    #[test]
    fn a_failed_body_ends_with_its_code_and_one_line_and_a_closed_pipe_with_none() {
        const CHILD: &str = "WIRE_FAILURE_CHILD";
        let ended = |failure: Failure| format!("{:?}", run("prog", |_| Err(failure)));
        if std::env::var_os(CHILD).is_some() {
            for failure in [Failure::input("bad"), Failure::run("gone"), Failure::closed()] {
                let code = ExitCode::from(failure.code());
                assert_eq!(ended(failure), format!("{code:?}"));
            }
            return;
        }
        assert_eq!(format!("{:?}", run("prog", |_| Ok(()))), format!("{:?}", ExitCode::SUCCESS));
        let errors = crate::testing::errors_of_child(module_path!(), "a_failed_body", CHILD);
        assert_eq!(errors, "prog: bad\nprog: gone\n");
    }
}
