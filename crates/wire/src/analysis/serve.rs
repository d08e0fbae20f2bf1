//! The engine's side of the dialogue.

use super::{ERROR, Info, MAX_LINE, READY, Request, Value};
use crate::{Failure, LineError, LineReader, Waiting, put_line};
use std::fmt;
use std::io::{BufRead, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::time::Instant;

/// A player that analyses: its own text, its own search.
pub trait Analyst {
    /// A position that was read.
    type Position;

    /// Reads a position.
    ///
    /// # Errors
    /// With what is wrong in it.
    fn read(&self, text: &str) -> Result<Self::Position, String>;

    /// Thinks on about a position until the lookout's flag is set, and tells it of what it finds.
    fn analyse(&mut self, position: &Self::Position, lookout: &mut Lookout<'_>);
}

/// The analyst of a position.
pub struct Lookout<'a> {
    /// Set when nobody looks any more.
    pub stop: &'a AtomicBool,
    moves: usize,
    began: Instant,
    tell: &'a mut dyn FnMut(&Info),
}

impl<'a> Lookout<'a> {
    /// Somebody who wants to see the best `moves` moves, from now on.
    pub fn new(moves: usize, stop: &'a AtomicBool, tell: &'a mut dyn FnMut(&Info)) -> Self {
        Self { stop, moves, began: Instant::now(), tell }
    }

    /// The number of moves to show.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Tells of the best moves of a depth, the best first, each with its value and line.
    pub fn tell<M: fmt::Display>(
        &mut self,
        depth: u32,
        nodes: u64,
        lines: impl IntoIterator<Item = (Value, impl IntoIterator<Item = M>)>,
    ) {
        let millis = self.began.elapsed().as_millis() as u64;
        for (nth, (value, line)) in lines.into_iter().enumerate().take(self.moves) {
            let line = line.into_iter().map(|mv| mv.to_string()).collect();
            (self.tell)(&Info { rank: nth + 1, depth, value, nodes, millis, line });
        }
    }
}

/// Holds the dialogue until the input ends. Lines are read beside the search, so that each stops it.
///
/// # Errors
/// Those of the output; exit code 2 for a line that is too long, and where the input fails.
pub fn serve<A: Analyst>(
    analyst: &mut A,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let waiting = Arc::new(Waiting::default());
    let (lines, heard) = mpsc::sync_channel(READ_AHEAD);
    let reader_waiting = Arc::clone(&waiting);
    let reading = std::thread::Builder::new().spawn(move || read_lines(input, &reader_waiting, &lines));
    reading.map_err(Failure::run)?;
    let mut position = None;
    for line in heard {
        waiting.take();
        match line.map_err(Failure::input)?.parse() {
            Ok(Request::Position(text)) => match analyst.read(&text) {
                Ok(read) => {
                    position = Some(read);
                    put_line(output, READY)?;
                }
                Err(error) => put_line(output, &format!("{ERROR}{}", one_line(&error)))?,
            },
            Ok(Request::Analyse(moves)) => {
                let Some(position) = &position else {
                    put_line(output, &format!("{ERROR}no position"))?;
                    continue;
                };
                let mut written = Ok(());
                let mut tell = |info: &Info| {
                    if written.is_ok() {
                        written = put_line(output, &info.to_string());
                    }
                };
                analyst.analyse(position, &mut Lookout::new(moves, waiting.stop(), &mut tell));
                written?;
            }
            Ok(Request::Stop) => {}
            Err(error) => put_line(output, &format!("{ERROR}{error}"))?,
        }
    }
    Ok(())
}

/// Lines that wait for their answer before the input is read further: an order to analyse, and what stops it. A line may
/// be long, so there are no more.
const READ_AHEAD: usize = 2;

/// Sends every line until the last that can be read; the end of input waits like a line.
fn read_lines(input: impl BufRead, waiting: &Waiting, lines: &mpsc::SyncSender<Result<String, LineError>>) {
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
mod tests {
    use super::*;
    use std::io;
    use std::sync::atomic::Ordering;
    use std::time::Duration;

    #[test]
    fn a_lookout_says_how_many_moves_are_to_be_seen() {
        let stop = AtomicBool::new(false);
        assert_eq!(Lookout::new(3, &stop, &mut |_| {}).moves(), 3);
    }

    /// Knows one position and finds one line in it.
    struct Parrot;

    impl Analyst for Parrot {
        type Position = String;

        fn read(&self, text: &str) -> Result<String, String> {
            if text == "bad" { Err("no\nposition".to_owned()) } else { Ok(text.to_owned()) }
        }

        fn analyse(&mut self, position: &String, lookout: &mut Lookout<'_>) {
            lookout.began = Instant::now() + Duration::from_secs(60);
            let values = [Value::Draw, Value::of_search(Some(3), -1.0), Value::Draw];
            lookout.tell(1, 9, values.map(|value| (value, [position])));
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
             error \"nonsense\" is no line of an analysis\n"
        );
    }

    /// Thinks until it is stopped; panics where nobody stops it.
    struct Patient {
        /// Whether the flag was set as each analysis began.
        began: mpsc::Sender<bool>,
        /// Waits for this before it has read a position.
        read: Option<mpsc::Receiver<()>>,
    }

    impl Analyst for Patient {
        type Position = ();

        fn read(&self, _: &str) -> Result<(), String> {
            if let Some(read) = &self.read {
                // The sender goes with the input's end; then the reader takes note of it.
                let _ = read.recv();
                std::thread::sleep(Duration::from_millis(20));
            }
            Ok(())
        }

        fn analyse(&mut self, (): &(), lookout: &mut Lookout<'_>) {
            let is_stopped = || lookout.stop.load(Ordering::Relaxed);
            self.began.send(is_stopped()).unwrap();
            let began = Instant::now();
            while !is_stopped() {
                assert!(began.elapsed() < Duration::from_secs(10), "nobody stops the analysis");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }

    /// Gives the lines that come, each at once.
    struct Pipe(mpsc::Receiver<&'static str>);

    impl io::Read for Pipe {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let line = self.0.recv().unwrap_or_default();
            buffer[..line.len()].copy_from_slice(line.as_bytes());
            Ok(line.len())
        }
    }

    /// Says that the input is at its end by letting the sender go.
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

    /// Lines without end until somebody says that it is enough, counted.
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
        /// Notes how many lines were read when it is asked for the first of them.
        struct Late(Arc<std::sync::atomic::AtomicUsize>, std::cell::Cell<usize>);
        impl Analyst for Late {
            type Position = ();

            fn read(&self, _: &str) -> Result<(), String> {
                if self.1.get() == 0 {
                    std::thread::sleep(Duration::from_millis(50));
                    self.1.set(self.0.load(Ordering::Relaxed));
                }
                Ok(())
            }

            fn analyse(&mut self, (): &(), _: &mut Lookout<'_>) {}
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
            "ready\nerror \"stop \u{fffd}\" is no line of an analysis\nready\n"
        );
        let complaint = format!("line 4 is longer than {MAX_LINE} bytes");
        assert_eq!((failure.to_string(), failure.code()), (complaint, 2));
    }
}
