//! Decodes a stream piece by piece: a pipe, a connection, a file read by lines.

use std::io::{self, BufRead, Read};

/// Drops the byte order marks at the start of a stream (joined files may have two), and converts UTF-16 that has one to UTF-8. Other bytes stay as
/// they are.
#[derive(Debug, Default)]
pub struct StreamDecoder {
    coding: Coding,
    /// Bytes of an incomplete mark or of an incomplete unit.
    held: Vec<u8>,
    /// The first half of a surrogate pair.
    high: Option<u16>,
    /// True after the first unit of UTF-16 that is no mark.
    has_begun: bool,
}

/// The encoding of a stream.
#[derive(Debug, Clone, Copy, Default)]
enum Coding {
    /// Not known before the first bytes.
    #[default]
    Unknown,
    /// No conversion.
    Bytes,
    /// UTF-16, by the function that joins two bytes.
    Wide(fn([u8; 2]) -> u16),
}

impl StreamDecoder {
    /// Decodes the next piece of the stream and appends it to `into`. Up to three bytes may be held back for the next
    /// piece.
    pub fn decode(&mut self, bytes: &[u8], into: &mut Vec<u8>) {
        let mut rest = bytes;
        loop {
            match self.coding {
                Coding::Bytes => return into.extend_from_slice(rest),
                Coding::Wide(unit) => return rest.iter().for_each(|&byte| self.half(byte, unit, into)),
                Coding::Unknown => {
                    let Some((&byte, after)) = rest.split_first() else { return };
                    rest = after;
                    self.held.push(byte);
                    self.recognise(into);
                }
            }
        }
    }

    /// Appends the rest of a stream that has ended. Half a character becomes U+FFFD.
    pub fn finish(&mut self, into: &mut Vec<u8>) {
        if matches!(self.coding, Coding::Unknown) {
            into.append(&mut self.held);
            return;
        }
        let halves = usize::from(self.high.take().is_some()) + std::mem::take(&mut self.held).len();
        (0..halves).for_each(|_| put(char::REPLACEMENT_CHARACTER, into));
    }

    /// Returns true if the bytes to come stay as they are.
    fn is_plain(&self) -> bool {
        matches!(self.coding, Coding::Bytes)
    }

    /// Sets the encoding as soon as the held bytes are a mark or cannot become one.
    fn recognise(&mut self, into: &mut Vec<u8>) {
        self.coding = match self.held[..] {
            [0xef] | [0xef, 0xbb] | [0xfe] | [0xff] => return,
            // Another mark may follow.
            [0xef, 0xbb, 0xbf] => Coding::Unknown,
            [0xff, 0xfe] => Coding::Wide(u16::from_le_bytes),
            [0xfe, 0xff] => Coding::Wide(u16::from_be_bytes),
            _ => {
                into.append(&mut self.held);
                Coding::Bytes
            }
        };
        self.held.clear();
    }

    /// Takes half of a unit of UTF-16.
    fn half(&mut self, byte: u8, unit: fn([u8; 2]) -> u16, into: &mut Vec<u8>) {
        self.held.push(byte);
        let &[first, second] = &self.held[..] else { return };
        self.held.clear();
        let unit = unit([first, second]);
        if !self.has_begun && unit == 0xfeff {
            return;
        }
        self.has_begun = true;
        let high = self.high.take();
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
            if high.is_some() {
                put(char::REPLACEMENT_CHARACTER, into);
            }
            return;
        }
        for symbol in char::decode_utf16(high.into_iter().chain([unit])) {
            put(symbol.unwrap_or(char::REPLACEMENT_CHARACTER), into);
        }
    }
}

/// Appends a character as UTF-8.
fn put(symbol: char, into: &mut Vec<u8>) {
    into.extend_from_slice(symbol.encode_utf8(&mut [0; 4]).as_bytes());
}

/// A reader whose bytes pass through a [`StreamDecoder`].
#[derive(Debug)]
pub(crate) struct Decoded<R> {
    pub(crate) reader: R,
    decoder: StreamDecoder,
    /// Decoded bytes, consumed up to `at`.
    ready: Vec<u8>,
    at: usize,
}

impl<R: BufRead> Decoded<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self { reader, decoder: StreamDecoder::default(), ready: Vec::new(), at: 0 }
    }

    /// True if decoded bytes are not consumed yet.
    pub(crate) fn is_ahead(&self) -> bool {
        self.at < self.ready.len()
    }
}

impl<R: BufRead> BufRead for Decoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.is_ahead() {
            self.ready.clear();
            self.at = 0;
            if self.decoder.is_plain() {
                return self.reader.fill_buf();
            }
            while self.ready.is_empty() {
                let bytes = self.reader.fill_buf()?;
                if bytes.is_empty() {
                    self.decoder.finish(&mut self.ready);
                    break;
                }
                let count = bytes.len();
                self.decoder.decode(bytes, &mut self.ready);
                self.reader.consume(count);
            }
        }
        Ok(&self.ready[self.at..])
    }

    fn consume(&mut self, count: usize) {
        if self.is_ahead() {
            self.at += count;
        } else {
            self.reader.consume(count);
        }
    }
}

impl<R: BufRead> Read for Decoded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes a stream that comes in pieces of this length.
    fn decoded(bytes: &[u8], length: usize) -> Vec<u8> {
        let (mut decoder, mut text) = (StreamDecoder::default(), Vec::new());
        bytes.chunks(length).for_each(|piece| decoder.decode(piece, &mut text));
        decoder.finish(&mut text);
        text
    }

    #[test]
    fn a_stream_in_pieces_of_any_length_gives_the_same_text() {
        let text = "Zoé 𝄞\nà\n";
        let wide = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
            "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
        };
        let marked = format!("\u{feff}{text}").into_bytes();
        for stream in [text.as_bytes().to_vec(), marked, wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
            for length in 1..=stream.len() {
                assert_eq!(decoded(&stream, length), text.as_bytes(), "{stream:x?} by {length}");
            }
        }
    }

    #[test]
    fn what_is_no_mark_and_what_is_cut_short_is_kept() {
        for stream in
            [&b""[..], b"\xef", b"\xef\xbb", b"\xef\xbbx", b"\xff", b"\xffx", b"a\xef\xbb\xbf", b"\xe9\n"]
        {
            for length in 1..4 {
                assert_eq!(decoded(stream, length), stream);
            }
        }
        assert_eq!(decoded(b"\xff\xfea\0\0\xd8b", 1), "a\u{fffd}\u{fffd}".as_bytes());
        assert_eq!(decoded(b"\xff\xfe\0\xd8\0\xd8\0\xdc", 1), "\u{fffd}\u{10000}".as_bytes());
    }
}
