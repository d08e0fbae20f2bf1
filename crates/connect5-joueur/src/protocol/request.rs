//! The requests of the course's tool: a grid and the time for one move.
//!
//! Versions of the tool differ: rows may end in a NUL byte, lines in `\r\n`, and the dimension line may have leading or
//! repeated blanks. NUL bytes, carriage returns, blanks around a line and blank lines are ignored.

use crate::rules::{Grid, GridError};
use std::io::BufRead;
use std::time::Duration;
use wire::{LineError, LineReader};

/// Maximum length of a line in bytes: a row of the largest grid, with room for ignored bytes.
const LONGEST_LINE: usize = 4096;
/// Longer times are treated as this one.
const LONGEST_TIME: Duration = Duration::from_secs(24 * 3600);

/// A parsed input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Incoming {
    /// A position to answer.
    Request(Request),
    /// A line that begins with `0`, or the end of the input: the session is over.
    End,
    /// `shutdown`: the whole program should end.
    Shutdown,
}

/// A position and the time for its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The grid whose next move is requested.
    pub grid: Grid,
    /// The time for this move. Zero means at once.
    pub time: Duration,
}

/// An error in a request.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// A line is too long or cannot be read.
    #[error(transparent)]
    Line(#[from] LineError),
    /// A line is not the two dimensions.
    #[error("line {line}: {text:?} is not \"rows columns\"")]
    Dimensions {
        /// The line's number, from 1.
        line: u64,
        /// The line's text.
        text: String,
    },
    /// A row or the size of the grid is wrong.
    #[error("line {line}: {error}")]
    Grid {
        /// The line's number, from 1.
        line: u64,
        /// The reason why the line is not a grid.
        error: GridError,
    },
    /// A line is not the time.
    #[error("line {line}: {text:?} is not a time in milliseconds")]
    Time {
        /// The line's number, from 1.
        line: u64,
        /// The line's text.
        text: String,
    },
    /// The input ended inside a request.
    #[error("the input ended after line {line}, inside a request (expected {expected})")]
    Truncated {
        /// The last line's number, from 1.
        line: u64,
        /// The expected content.
        expected: &'static str,
    },
}

/// A reader of requests.
#[derive(Debug)]
pub struct RequestReader<R> {
    lines: LineReader<R>,
    /// The last line, without the ignored bytes.
    line: Vec<u8>,
}

impl<R: BufRead> RequestReader<R> {
    /// Creates a reader of requests.
    pub fn new(reader: R) -> Self {
        Self { lines: LineReader::new(reader, LONGEST_LINE), line: Vec::new() }
    }

    /// Returns the next request or command. Calls `begun` when its first line has arrived.
    ///
    /// # Errors
    /// [`RequestError`]. The rest of the input cannot be parsed after it.
    pub fn next(&mut self, begun: impl FnOnce()) -> Result<Incoming, RequestError> {
        if !self.read_line()? || self.line[0] == b'0' {
            return Ok(Incoming::End);
        }
        if self.line.eq_ignore_ascii_case(b"shutdown") {
            return Ok(Incoming::Shutdown);
        }
        begun();
        let mut grid = self.dimensions()?;
        for row in 0..grid.rows() {
            self.expect("a row")?;
            let line = self.lines.line();
            grid.set_row(row, &self.line).map_err(|error| RequestError::Grid { line, error })?;
        }
        self.expect("the time")?;
        Ok(Incoming::Request(Request { grid, time: self.time()? }))
    }

    fn dimensions(&self) -> Result<Grid, RequestError> {
        let line = self.lines.line();
        let text = self.text();
        let numbers: Option<Vec<usize>> =
            text.split_ascii_whitespace().map(|word| word.parse().ok()).collect();
        let Some(&[rows, columns]) = numbers.as_deref() else {
            return Err(RequestError::Dimensions { line, text });
        };
        Grid::new(rows, columns).map_err(|error| RequestError::Grid { line, error })
    }

    fn time(&self) -> Result<Duration, RequestError> {
        let text = self.text();
        let Ok(millis) = text.parse::<i64>() else {
            return Err(RequestError::Time { line: self.lines.line(), text });
        };
        Ok(Duration::from_millis(millis.max(0) as u64).min(LONGEST_TIME))
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.line).into_owned()
    }

    fn expect(&mut self, expected: &'static str) -> Result<(), RequestError> {
        if self.read_line()? {
            Ok(())
        } else {
            Err(RequestError::Truncated { line: self.lines.line(), expected })
        }
    }

    /// Reads the next line that is not blank. Returns false at the end of the input.
    fn read_line(&mut self) -> Result<bool, RequestError> {
        while let Some(bytes) = self.lines.bytes()? {
            self.line.clear();
            self.line.extend(bytes.iter().filter(|&&byte| byte != 0 && byte != b'\r'));
            let trimmed = self.line.trim_ascii();
            if !trimmed.is_empty() {
                let start = self.line.len() - self.line.trim_ascii_start().len();
                let end = start + trimmed.len();
                self.line.truncate(end);
                self.line.drain(..start);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(input: &[u8]) -> Result<Incoming, RequestError> {
        RequestReader::new(input).next(|| {})
    }

    fn request(input: &[u8]) -> Request {
        match read(input) {
            Ok(Incoming::Request(request)) => request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_request_is_a_size_rows_and_a_time() {
        let request = request(b"2 3\n0N0\nB00\n1500\n");
        assert_eq!(request.grid.to_string(), "0N0\nB00\n");
        assert_eq!(request.time, Duration::from_millis(1500));
    }

    #[test]
    fn what_editions_of_the_tool_add_is_passed_over() {
        let plain = request(b"2 3\n0N0\nB00\n1500\n");
        for noisy in [
            &b"2 3\r\n0N0\r\nB00\r\n1500\r\n"[..],
            b"  2   3 \n0N0\0\nB00\0\n1500\n",
            b"\n2\t3\n\n0N0\0\r\nB00 \n\n 1500",
        ] {
            assert_eq!(request(noisy), plain, "{noisy:?}");
        }
    }

    #[test]
    fn a_zero_a_shutdown_and_the_end_of_the_input_end_it() {
        for input in [&b"0"[..], b"0\n", b" 0 0\n", b"", b"\n\n", b"0garbage\n"] {
            assert_eq!(read(input).unwrap(), Incoming::End, "{input:?}");
        }
        for input in [&b"shutdown\n"[..], b"Shutdown\r\n", b" SHUTDOWN"] {
            assert_eq!(read(input).unwrap(), Incoming::Shutdown, "{input:?}");
        }
    }

    #[test]
    fn a_time_may_be_zero_negative_or_very_long() {
        for (text, millis) in [("0", 0), ("-5", 0), ("9223372036854775807", LONGEST_TIME.as_millis() as u64)]
        {
            assert_eq!(request(format!("1 1\n0\n{text}\n").as_bytes()).time, Duration::from_millis(millis));
        }
    }

    #[test]
    fn an_error_says_where_and_what() {
        for (input, message) in [
            ("x\n", "line 1: \"x\" is not \"rows columns\""),
            ("5\n", "line 1: \"5\" is not \"rows columns\""),
            ("5 5 5\n", "line 1: \"5 5 5\" is not \"rows columns\""),
            ("-1 5\n", "line 1: \"-1 5\" is not \"rows columns\""),
            ("99999999999999999999 5\n", "line 1: \"99999999999999999999 5\" is not \"rows columns\""),
            ("5 0\n", "line 1: a grid of 5 x 0 is not between 1 x 1 and 1023 x 1023"),
            ("1024 5\n", "line 1: a grid of 1024 x 5 is not between 1 x 1 and 1023 x 1023"),
            ("1 3\n00\n10\n", "line 2: row 0 has 2 cells, expected 3"),
            ("1 3\n0000\n10\n", "line 2: row 0 has 4 cells, expected 3"),
            ("1 3\n0n0\n10\n", "line 2: row 0, column 1: 'n' is not 0, N or B"),
            ("1 3\n0N0\nsoon\n", "line 3: \"soon\" is not a time in milliseconds"),
            ("2 3\n0N0\n", "the input ended after line 2, inside a request (expected a row)"),
            ("1 3\n0N0\n", "the input ended after line 2, inside a request (expected the time)"),
        ] {
            assert_eq!(read(input.as_bytes()).unwrap_err().to_string(), message);
        }
        assert!(read(&[b'1'; 5000]).unwrap_err().to_string().contains("longer than"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = read(&bytes);
        }

        #[test]
        fn no_near_request_makes_it_panic(text in "[ 0-9]{0,5}\n?([0NB \r\0x]{0,6}\n){0,6}-?[0-9]{0,22}\n?") {
            let mut reader = RequestReader::new(text.as_bytes());
            while let Ok(Incoming::Request(_)) = reader.next(|| {}) {}
        }

        #[test]
        fn every_grid_survives_the_journey(
            rows in 1..12_usize, columns in 1..12_usize, cells in proptest::collection::vec(0..3_usize, 144), time in 0..9999_u64,
        ) {
            let mut text = format!("{rows} {columns}\n");
            for row in 0..rows {
                text.extend((0..columns).map(|column| ['0', 'N', 'B'][cells[12 * row + column]]));
                text.push('\n');
            }
            let parsed = request(format!("{text}{time}\n").as_bytes());
            prop_assert_eq!(format!("{rows} {columns}\n{}", parsed.grid), text);
            prop_assert_eq!(parsed.time, Duration::from_millis(time));
        }
    }
}
