use crate::text::Decoded;
use std::io::{self, BufRead};

/// The reason why no line could be read.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The line is longer than the reader's limit.
    #[error("line {line} is longer than {limit} bytes")]
    TooLong {
        /// The line's number, from 1.
        line: u64,
        /// The limit in bytes, without the line ending.
        limit: usize,
    },
    /// The reader failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads lines of bounded length. `\n` and `\r\n` both end a line, and the last line may lack its ending. A byte order
/// mark before the first line is skipped, and after one of UTF-16 the lines are converted to UTF-8.
#[derive(Debug)]
pub struct LineReader<R> {
    reader: Decoded<R>,
    limit: usize,
    line: u64,
    buffer: Vec<u8>,
    /// The last line that was requested as text.
    text: String,
    partial: bool,
    /// True while the rest of an overlong line is still to be skipped.
    overlong: bool,
}

impl<R: io::Read> LineReader<io::BufReader<R>> {
    /// True if bytes after the last line were read already.
    pub fn is_ahead(&self) -> bool {
        self.reader.is_ahead() || !self.reader.reader.buffer().is_empty()
    }
}

impl<R: BufRead> LineReader<R> {
    /// A reader of lines of at most `limit` bytes, endings not counted.
    pub fn new(reader: R, limit: usize) -> Self {
        Self {
            reader: Decoded::new(reader),
            limit,
            line: 0,
            buffer: Vec::new(),
            text: String::new(),
            partial: false,
            overlong: false,
        }
    }

    /// The number of the last line read, from 1; 0 before the first.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The bytes of the last line read; only the beginning of an overlong one.
    pub fn beginning(&self) -> &[u8] {
        &self.buffer[..self.buffer.len().min(self.limit)]
    }

    /// The underlying reader, for instance to change its time-out.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.reader.reader
    }

    /// Returns the next line without its ending, as bytes; `None` at the end of input.
    ///
    /// A temporary failure of the reader (a time-out) loses nothing: the next call continues the same line.
    ///
    /// # Errors
    /// [`LineError::TooLong`] as soon as the limit is passed; the next call skips the rest of that line. Those of the
    /// reader.
    pub fn bytes(&mut self) -> Result<Option<&[u8]>, LineError> {
        if self.overlong {
            self.reader.skip_until(b'\n')?;
            self.overlong = false;
        }
        if !self.partial {
            self.buffer.clear();
            self.line += 1;
        }
        self.partial = false;
        loop {
            let available = match self.reader.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.partial = true;
                    return Err(error.into());
                }
            };
            if available.is_empty() {
                if self.buffer.is_empty() {
                    self.line -= 1;
                    return Ok(None);
                }
                break;
            }
            let end = available.iter().position(|&byte| byte == b'\n');
            let part = &available[..end.unwrap_or(available.len())];
            // One byte more than the limit, for a carriage return that belongs to the ending.
            if self.buffer.len() + part.len() > self.limit + 1 {
                let room = self.limit.saturating_sub(self.buffer.len());
                self.buffer.extend_from_slice(&part[..room]);
                self.reader.consume(room);
                self.overlong = true;
                return Err(self.too_long());
            }
            self.buffer.extend_from_slice(part);
            let used = part.len() + usize::from(end.is_some());
            self.reader.consume(used);
            if end.is_some() {
                break;
            }
        }
        if self.buffer.last() == Some(&b'\r') {
            self.buffer.pop();
        }
        if self.buffer.len() > self.limit {
            return Err(self.too_long());
        }
        Ok(Some(&self.buffer))
    }

    /// Returns the next line without its ending, as text; `None` at the end of input. Bytes that are not UTF-8 become
    /// U+FFFD, as in the courses' own tools: a name in Latin-1 is no reason to refuse a line.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes).
    pub fn text(&mut self) -> Result<Option<&str>, LineError> {
        if self.bytes()?.is_none() {
            return Ok(None);
        }
        self.text.clear();
        self.text.push_str(&String::from_utf8_lossy(&self.buffer));
        Ok(Some(&self.text))
    }

    fn too_long(&self) -> LineError {
        LineError::TooLong { line: self.line, limit: self.limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reads all lines. Returns them with the error that ends them, if there is one.
    fn lines(input: &[u8], limit: usize) -> (Vec<String>, Option<String>) {
        let mut reader = LineReader::new(io::BufReader::with_capacity(3, input), limit);
        let mut lines = Vec::new();
        loop {
            match reader.text() {
                Ok(Some(line)) => lines.push(line.to_owned()),
                Ok(None) => return (lines, None),
                Err(error) => return (lines, Some(error.to_string())),
            }
        }
    }

    fn expected(lines: &[&str], error: Option<&str>) -> (Vec<String>, Option<String>) {
        (lines.iter().map(|line| (*line).to_owned()).collect(), error.map(str::to_owned))
    }

    #[test]
    fn every_line_ending_ends_a_line_and_the_last_may_lack_its_own() {
        assert_eq!(lines(b"a\nbc\r\n\nlast", 10), expected(&["a", "bc", "", "last"], None));
    }

    #[test]
    fn a_line_over_the_bound_is_refused_and_its_ending_does_not_count() {
        assert_eq!(lines(b"1234\r\n", 4), expected(&["1234"], None));
        assert_eq!(lines(b"ok\n12345\n", 4), expected(&["ok"], Some("line 2 is longer than 4 bytes")));
        assert_eq!(lines(&[b'x'; 100_000], 4), expected(&[], Some("line 1 is longer than 4 bytes")));
    }

    #[test]
    fn behind_a_line_over_the_bound_comes_the_next_one() {
        let long = "x".repeat(100);
        for (input, capacity) in [("12345\nok", 3), ("123456\nok", 1), ("12345678\r\nok", 99), (&long, 7)] {
            let mut reader = LineReader::new(io::BufReader::with_capacity(capacity, input.as_bytes()), 4);
            assert!(matches!(reader.bytes(), Err(LineError::TooLong { line: 1, limit: 4 })), "{input}");
            assert_eq!(reader.beginning(), &input.as_bytes()[..4]);
            assert_eq!(reader.text().unwrap(), input.ends_with("ok").then_some("ok"), "{input}");
            assert_eq!(reader.line(), 1 + u64::from(input.ends_with("ok")));
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced_and_a_mark_before_the_first_line_is_left_out() {
        assert_eq!(lines(b"\xef\xbb\xbfa\xe9b\nok", 9), expected(&["a\u{fffd}b", "ok"], None));
        let later = lines(b"ok\n\xef\xbb\xbf", 9);
        assert_eq!(later, expected(&["ok", "\u{feff}"], None), "only the first line's");
    }

    #[test]
    fn lines_of_utf_16_are_converted() {
        let text = "\u{feff}Zoé Ċ\r\n12345678\n123456789\nend";
        let expected = expected(&["Zoé Ċ", "12345678"], Some("line 3 is longer than 8 bytes"));
        for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
            let wide: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
            assert_eq!(lines(&wide, 8), expected);
        }
    }

    /// A reader that alternates between a time-out and one byte.
    struct Stutter<'a>(&'a [u8], bool);
    impl io::Read for Stutter<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                io::Read::read(&mut self.0, &mut into[..1])
            } else {
                Err(io::ErrorKind::TimedOut.into())
            }
        }
    }

    #[test]
    fn a_line_that_comes_in_pieces_between_time_outs_is_whole() {
        let mut reader = LineReader::new(io::BufReader::new(Stutter(b"ab\r\nc", false)), 9);
        let mut lines = Vec::new();
        let mut failures = 0;
        loop {
            match reader.bytes() {
                Ok(Some(line)) => lines.push(line.to_vec()),
                Ok(None) => break,
                Err(LineError::Io(_)) => failures += 1,
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!((lines, reader.line()), (vec![b"ab".to_vec(), b"c".to_vec()], 2));
        assert_eq!(failures, 6);
    }

    proptest! {
        #[test]
        fn it_agrees_with_splitting_the_whole_text(text in "[a\r\n]{0,40}") {
            let whole: Vec<_> = text.lines().map(str::to_owned).collect();
            // `str::lines` keeps a lone carriage return at the very end; this reader takes it for an ending cut short.
            prop_assume!(!text.ends_with('\r'));
            prop_assert_eq!(lines(text.as_bytes(), 100), (whole, None));
        }
    }

    #[test]
    fn a_bound_may_change_and_an_interruption_is_nothing() {
        /// A reader that is interrupted before each byte.
        struct Interrupted<'a>(&'a [u8], bool);
        impl io::Read for Interrupted<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.1 = !self.1;
                if self.1 {
                    return Err(io::ErrorKind::Interrupted.into());
                }
                let end = self.0.len().min(1);
                buffer[..end].copy_from_slice(&self.0[..end]);
                self.0 = &self.0[end..];
                Ok(end)
            }
        }
        let text = Interrupted(b"abc\nabcd\n", false);
        let mut reader = LineReader::new(io::BufReader::new(text), 4);
        assert_eq!(reader.text().unwrap(), Some("abc"));
        assert_eq!(reader.text().unwrap(), Some("abcd"));
        assert_eq!(reader.text().unwrap(), None);
    }
}
