//! The engine's side of the analysis protocol.

use super::{ERROR, Info, MAX_LINE, READY, Request, Value};
use crate::{Failure, LineError, LineReader, PendingLines, put_line};
use std::fmt;
use std::io::{BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// A player that can analyse positions in its own notation.
pub trait Analyst {
    /// A parsed position.
    type Position;
    /// An error in a position's text. The client gets it as one line.
    type Error: fmt::Display;

    /// Parses a position.
    ///
    /// # Errors
    /// The fault in the text.
    fn read(&self, text: &str) -> Result<Self::Position, Self::Error>;

    /// Analyses the position until the listener's stop flag is set, and reports each result to the listener.
    fn analyse(&mut self, position: &Self::Position, listener: &mut Listener<'_>);
}

/// The client of an analysis.
pub struct Listener<'a> {
    /// Set when the analysis must stop.
    pub stop: &'a AtomicBool,
    moves: usize,
    time: Time<'a>,
    report: &'a mut dyn FnMut(&Info),
}

/// The time of an analysis.
#[derive(Clone, Copy)]
enum Time<'a> {
    Since(Instant),
    Told(&'a dyn Fn() -> Duration),
}

impl Time<'_> {
    fn elapsed(self) -> Duration {
        match self {
            Self::Since(began) => began.elapsed(),
            Self::Told(elapsed) => elapsed(),
        }
    }
}

impl<'a> Listener<'a> {
    /// A client that wants the best `moves` moves. Reported times count from this call.
    pub fn new(moves: usize, stop: &'a AtomicBool, report: &'a mut dyn FnMut(&Info)) -> Self {
        Self { stop, moves, time: Time::Since(Instant::now()), report }
    }

    /// As [`new`](Self::new), with the time since the analysis began, for programs without the system's clock.
    pub fn timed(
        moves: usize,
        stop: &'a AtomicBool,
        elapsed: &'a dyn Fn() -> Duration,
        report: &'a mut dyn FnMut(&Info),
    ) -> Self {
        Self { stop, moves, time: Time::Told(elapsed), report }
    }

    /// Returns the time since the analysis began.
    pub fn clock(&self) -> impl Fn() -> Duration + use<'a> {
        let time = self.time;
        move || time.elapsed()
    }

    /// The number of moves to report.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Reports the best moves of an iteration, best first, each with its value and principal variation.
    pub fn report<M: fmt::Display>(
        &mut self,
        depth: u32,
        nodes: u64,
        lines: impl IntoIterator<Item = (Value, impl IntoIterator<Item = M>)>,
    ) {
        let millis = self.time.elapsed().as_millis() as u64;
        for (nth, (value, line)) in lines.into_iter().enumerate().take(self.moves) {
            let line = line.into_iter().map(|mv| mv.to_string()).collect();
            (self.report)(&Info { rank: nth + 1, depth, value, nodes, millis, line });
        }
    }
}

/// Answers requests until the input ends. A second thread reads, so that every new line stops the running analysis.
///
/// # Errors
/// Failed writes; exit code 2 for a line that is too long or an input that fails.
pub fn serve<A: Analyst>(
    analyst: &mut A,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let waiting = Arc::new(PendingLines::default());
    let (lines, heard) = mpsc::sync_channel(READ_AHEAD);
    let reader_waiting = Arc::clone(&waiting);
    let reading = std::thread::Builder::new().spawn(move || read_lines(input, &reader_waiting, &lines));
    reading.map_err(|error| Failure::no_thread(&error))?;
    let mut position = None;
    for line in heard {
        waiting.take();
        match line.map_err(Failure::input)?.parse() {
            Ok(Request::Position(text)) => match analyst.read(&text) {
                Ok(read) => {
                    position = Some(read);
                    put_line(output, READY)?;
                }
                Err(error) => put_line(output, &format!("{ERROR}{}", one_line(&error.to_string())))?,
            },
            Ok(Request::Analyse(moves)) => {
                let Some(position) = &position else {
                    put_line(output, &format!("{ERROR}no position"))?;
                    continue;
                };
                let mut written = Ok(());
                let mut report = |info: &Info| {
                    if written.is_ok() {
                        written = put_line(output, &info.to_string());
                    }
                };
                analyst.analyse(position, &mut Listener::new(moves, waiting.stop(), &mut report));
                written?;
            }
            Ok(Request::Stop) => {}
            Err(error) => put_line(output, &format!("{ERROR}{error}"))?,
        }
    }
    Ok(())
}

/// The number of lines read ahead of the answers: an `analyse` and the line that stops it. Lines may be long, so no
/// more are kept in memory.
const READ_AHEAD: usize = 2;

/// Sends every line up to the first read error. The end of input counts as a pending line.
fn read_lines(
    input: impl BufRead,
    waiting: &PendingLines,
    lines: &mpsc::SyncSender<Result<String, LineError>>,
) {
    let mut reader = LineReader::new(input, MAX_LINE);
    loop {
        let line = reader.text().map(|line| line.map(str::to_owned)).transpose();
        waiting.add();
        let Some(line) = line else { return };
        let last = line.is_err();
        if lines.send(line).is_err() || last {
            return;
        }
    }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests {
    use super::*;
    use std::convert::Infallible;
    use std::io;
    use std::sync::atomic::Ordering;

    #[test]
    fn a_listener_says_how_many_moves_are_to_be_seen() {
        let stop = AtomicBool::new(false);
        assert_eq!(Listener::new(3, &stop, &mut |_| {}).moves(), 3);
    }

    /// An analyst that accepts one position and reports one line for it.
    struct Parrot;

    impl Analyst for Parrot {
        type Position = String;
        type Error = &'static str;

        fn read(&self, text: &str) -> Result<String, &'static str> {
            if text == "bad" { Err("no\nposition") } else { Ok(text.to_owned()) }
        }

        fn analyse(&mut self, position: &String, listener: &mut Listener<'_>) {
            listener.time = Time::Since(Instant::now() + Duration::from_secs(60));
            let values = [Value::Draw, Value::of_search(Some(3), -1.0), Value::Draw];
            listener.report(1, 9, values.map(|value| (value, [position])));
        }
    }

    #[test]
    fn the_dialogue_answers_positions_and_analyses() {
        let input = "analyse 1\nposition bad\nposition p\nanalyse 2\nstop\nnonsense\n";
        let mut output = Vec::new();
        serve(&mut Parrot, io::Cursor::new(input), &mut output).unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "error no position\nerror no position\nready\ninfo rank 1 depth 1 score draw 0 nodes 9 time 0 line p\n\
             info rank 2 depth 1 score loss 3 nodes 9 time 0 line p\n\
             error \"nonsense\" is not part of the analysis protocol\n"
        );
    }

    /// An analyst that thinks until it is stopped, and panics after ten seconds.
    struct Patient {
        /// Receives the state of the stop flag at the beginning of each analysis.
        began: mpsc::Sender<bool>,
        /// If set, reading a position waits until the sender is dropped.
        read: Option<mpsc::Receiver<()>>,
    }

    impl Analyst for Patient {
        type Position = ();
        type Error = Infallible;

        fn read(&self, _: &str) -> Result<(), Infallible> {
            if let Some(read) = &self.read {
                // The sender is dropped at the end of input; the reading thread needs a moment to count it.
                let _ = read.recv();
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        }

        fn analyse(&mut self, (): &(), listener: &mut Listener<'_>) {
            let is_stopped = || listener.stop.load(Ordering::Relaxed);
            self.began.send(is_stopped()).unwrap();
            let began = Instant::now();
            while !is_stopped() {
                assert!(began.elapsed() < Duration::from_secs(10), "nobody stops the analysis");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// An input that yields each line as soon as it is sent.
    struct Pipe(mpsc::Receiver<&'static str>);

    impl io::Read for Pipe {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let line = self.0.recv().unwrap_or_default();
            buffer[..line.len()].copy_from_slice(line.as_bytes());
            Ok(line.len())
        }
    }

    /// An input that drops its sender when it has been read to the end.
    struct Ending(&'static [u8], Option<mpsc::Sender<()>>);

    impl io::Read for Ending {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                self.1 = None;
            }
            self.0.read(buffer)
        }
    }

    #[test]
    fn a_stop_or_an_end_that_was_read_before_the_analysis_began_stops_it() {
        for input in ["position p\nanalyse 3\nstop\n", "position p\nanalyse 3\n"] {
            let (at_end, read) = mpsc::channel();
            let (began, flags) = mpsc::channel();
            let input = Ending(input.as_bytes(), Some(at_end));
            let mut output = Vec::new();
            let mut analyst = Patient { began, read: Some(read) };
            serve(&mut analyst, io::BufReader::new(input), &mut output).unwrap();
            assert_eq!((output.as_slice(), flags.recv()), (&b"ready\n"[..], Ok(true)));
        }
    }

    /// An endless input that counts its reads, up to a given number.
    struct Flood(Arc<std::sync::atomic::AtomicUsize>, usize);

    impl io::Read for Flood {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let line = b"position p\n";
            if self.0.fetch_add(1, Ordering::Relaxed) == self.1 {
                return Ok(0);
            }
            buffer[..line.len()].copy_from_slice(line);
            Ok(line.len())
        }
    }

    #[test]
    fn no_more_is_read_than_is_answered() {
        /// Records how many lines had been read when the first position was parsed.
        struct Late(Arc<std::sync::atomic::AtomicUsize>, std::cell::Cell<usize>);
        impl Analyst for Late {
            type Position = ();
            type Error = Infallible;

            fn read(&self, _: &str) -> Result<(), Infallible> {
                if self.1.get() == 0 {
                    std::thread::sleep(Duration::from_millis(50));
                    self.1.set(self.0.load(Ordering::Relaxed));
                }
                Ok(())
            }

            fn analyse(&mut self, (): &(), _: &mut Listener<'_>) {}
        }
        let count = Arc::new(std::sync::atomic::AtomicUsize::new(0));
        let mut analyst = Late(Arc::clone(&count), std::cell::Cell::new(0));
        let mut output = Vec::new();
        serve(&mut analyst, io::BufReader::new(Flood(count, 1000)), &mut output).unwrap();
        assert_eq!(output.len(), "ready\n".len() * 1000, "and all of it is answered");
        assert!((1..=READ_AHEAD + 3).contains(&analyst.1.get()), "{} lines", analyst.1.get());
    }

    #[test]
    fn an_analysis_goes_on_until_the_next_line() {
        let (lines, input) = mpsc::channel();
        let (began, flags) = mpsc::channel();
        let server = std::thread::spawn(move || {
            let mut output = Vec::new();
            let mut analyst = Patient { began, read: None };
            serve(&mut analyst, io::BufReader::new(Pipe(input)), &mut output).map(|()| output)
        });
        lines.send("position p\nanalyse 3\n").unwrap();
        assert_eq!(flags.recv(), Ok(false));
        lines.send("position q\nanalyse 3\n").unwrap();
        assert_eq!(flags.recv(), Ok(false), "what came before is answered");
        lines.send("stop\n").unwrap();
        drop(lines);
        assert_eq!(server.join().unwrap().unwrap(), b"ready\nready\n");
    }

    #[test]
    fn what_is_no_request_is_an_error_and_an_endless_line_the_last() {
        let mut input = b"\xef\xbb\xbfposition p\nstop \xff\nposition p\n".to_vec();
        input.resize(input.len() + MAX_LINE + 2, b'x');
        let mut output = Vec::new();
        let failure = serve(&mut Parrot, io::Cursor::new(input), &mut output).unwrap_err();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "ready\nerror \"stop \u{fffd}\" is not part of the analysis protocol\nready\n"
        );
        let complaint = format!("line 4 is longer than {MAX_LINE} bytes");
        assert_eq!((failure.to_string(), failure.code()), (complaint, 2));
    }
}
