use crate::Failure;
use std::fmt::{self, Display};
use std::io::{self, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Writes `line` and a line feed with one call, and flushes. The peer never sees half a line.
///
/// # Errors
/// Those of the writer.
pub fn put_line<W: Write + ?Sized>(writer: &mut W, line: &str) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line.as_bytes());
    bytes.push(b'\n');
    writer.write_all(&bytes)?;
    writer.flush()
}

/// Writes `text` to standard output and flushes.
///
/// # Errors
/// A closed pipe is a [`Failure`] with exit code 0 and no message; any other error has exit code 1.
pub fn print(text: impl Display) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    output.write_all(text.to_string().as_bytes())?;
    Ok(output.flush()?)
}

/// Writes `line` and a line feed to standard output, and flushes.
///
/// # Errors
/// As [`print()`].
pub fn print_line(line: impl Display) -> Result<(), Failure> {
    Ok(put_line(&mut io::stdout().lock(), &line.to_string())?)
}

/// Writes `line` to standard error, in the order of the calls, as [`printable`] shows it. A failed write is ignored. After
/// [`write_notes_in_background`] it returns at once.
pub fn note(line: impl Display) {
    let line = printable(&line.to_string()).to_string();
    match NOTES.get() {
        None => write_note(&line),
        Some(notes) => {
            UNWRITTEN.fetch_add(1, Ordering::SeqCst);
            if notes.try_send(line).is_err() {
                UNWRITTEN.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }
}

fn write_note(line: &str) {
    let _ = put_line(&mut io::stderr().lock(), line);
}

/// The thread that writes the notes of a server.
static NOTES: OnceLock<SyncSender<String>> = OnceLock::new();
/// The number of notes that the thread has not written yet.
static UNWRITTEN: AtomicUsize = AtomicUsize::new(0);

/// From now on [`note`] never blocks, for servers: a thread writes the notes, and those that find its queue full are dropped.
pub fn write_notes_in_background() {
    /// The length of the queue.
    const QUEUE: usize = 4096;
    let (sender, notes) = sync_channel::<String>(QUEUE);
    let write = move || {
        for line in notes {
            write_note(&line);
            UNWRITTEN.fetch_sub(1, Ordering::SeqCst);
        }
    };
    // Without a thread the notes are written as before.
    if thread::Builder::new().name("notes".into()).spawn(write).is_ok() {
        let _ = NOTES.set(sender);
    }
}

/// Waits a moment for the notes that are not written yet, before the program ends.
pub(crate) fn finish_notes() {
    const PATIENCE: Duration = Duration::from_millis(500);
    let deadline = Instant::now() + PATIENCE;
    while UNWRITTEN.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(1));
    }
}

/// True for a character that controls a terminal or the layout of the text around it: control characters, directional
/// marks (Unicode Annex 9), line separators and the byte order mark.
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    let is_layout = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}'
    );
    c.is_control() || is_layout
}

/// Displays text of unknown origin safely: [unprintable](is_unprintable) characters other than line feeds become
/// U+FFFD.
#[must_use]
pub fn printable(text: &str) -> impl Display + '_ {
    struct Printable<'a>(&'a str);
    impl Display for Printable<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            use fmt::Write as _;
            self.0
                .chars()
                .try_for_each(|c| f.write_char(if is_unprintable(c) && c != '\n' { '\u{fffd}' } else { c }))
        }
    }
    Printable(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_drive_a_terminal_is_replaced_and_lines_stay() {
        assert_eq!(printable("a\x1b[2J\tb\nc\u{9b}d").to_string(), "a\u{fffd}[2J\u{fffd}b\nc\u{fffd}d");
        assert_eq!(printable("a\u{202e}b\u{2069}é").to_string(), "a\u{fffd}b\u{fffd}é");
    }

    #[test]
    fn texts_and_lines_reach_standard_output_and_notes_standard_error() {
        const CHILD: &str = "WIRE_WRITER_CHILD";
        if std::env::var_os(CHILD).is_some() {
            print("a text").unwrap();
            print_line(", a line").unwrap();
            note("a note");
            return;
        }
        let output = crate::testing::child(module_path!(), "texts_and_lines", CHILD);
        assert!(String::from_utf8(output.stdout).unwrap().contains("a text, a line\n"));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "a note\n");
    }

    #[test]
    fn a_note_in_the_background_waits_for_no_reader() {
        const CHILD: &str = "WIRE_NOTES_CHILD";
        if std::env::var_os(CHILD).is_some() {
            write_notes_in_background();
            note("first");
            (0..10_000).for_each(|_| note("a note of some length ".repeat(5)));
            let began = Instant::now();
            finish_notes();
            assert!(began.elapsed() < Duration::from_secs(10));
            return;
        }
        let mut unread = crate::testing::command(module_path!(), "a_note_in_the_background", CHILD);
        let mut child =
            unread.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        while child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline || child.kill().is_err(), "it waits for a reader");
            thread::sleep(Duration::from_millis(10));
        }
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success() && output.stderr.starts_with(b"first\n"), "{:?}", output.status);
    }
}
