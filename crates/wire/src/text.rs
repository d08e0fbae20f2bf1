//! Decodes text from outside: UTF-8, UTF-16 with a byte order mark, or Latin-1.

mod stream;

pub(crate) use stream::Decoded;
pub use stream::StreamDecoder;

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;

/// The largest file that is read as text, in bytes.
pub const MAX_FILE: u64 = 64 << 20;

/// The reason why a file cannot be read as text.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The file is longer than the limit.
    #[error("longer than {0} bytes")]
    TooLong(u64),
    /// The system could not read the file.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads a file of at most `limit` bytes and [decodes](decode) it.
///
/// # Errors
/// [`TextError`].
pub fn read_file(path: &Path, limit: u64) -> Result<String, TextError> {
    read_bytes(path, limit).map(|bytes| decode(&bytes))
}

/// Reads a file of at most `limit` bytes, which is [opened](crate::file::open) without waiting.
///
/// # Errors
/// [`TextError`].
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, TextError> {
    let mut bytes = Vec::new();
    crate::file::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(TextError::TooLong(limit)) } else { Ok(bytes) }
}

/// Decodes a file or an upload and drops its byte order mark. Each line that is not UTF-8 is read as Latin-1, because
/// files joined from several sources may mix both.
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    let (mut decoder, mut text) = (StreamDecoder::default(), Vec::with_capacity(bytes.len()));
    decoder.decode(bytes, &mut text);
    decoder.finish(&mut text);
    match String::from_utf8(text) {
        Ok(text) => text,
        Err(error) => error.as_bytes().split_inclusive(|&byte| byte == b'\n').map(line).collect(),
    }
}

/// Returns true if a text begins with a byte order mark, of UTF-8 or UTF-16.
#[must_use]
pub fn is_marked(bytes: &[u8]) -> bool {
    [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"].iter().any(|mark| bytes.starts_with(mark))
}

/// Decodes one line: as UTF-8 if valid, else as Latin-1.
#[must_use]
pub fn line(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(latin1).collect()),
    }
}

/// Decodes a byte of Latin-1 as browsers do: 80 to 9f are the characters of Windows-1252 (WHATWG Encoding Standard),
/// among them the euro sign, œ and the curly quotes.
fn latin1(byte: u8) -> char {
    const SIGNS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => SIGNS[usize::from(byte - 0x80)],
        _ => byte.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_encoding_gives_the_same_text() {
        let text = "André, œuf: 5 €\nB";
        let utf16 = |bytes: fn(u16) -> [u8; 2]| {
            "\u{feff}\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
        };
        let encoded: [Vec<u8>; 6] = [
            [b"\xef\xbb\xbf\xef\xbb\xbf", text.as_bytes()].concat(),
            text.as_bytes().to_vec(),
            [b"\xef\xbb\xbf", text.as_bytes()].concat(),
            b"Andr\xe9, \x9cuf: 5 \x80\nB".to_vec(),
            utf16(u16::to_le_bytes),
            utf16(u16::to_be_bytes),
        ];
        for bytes in encoded {
            assert_eq!(decode(&bytes), text, "{bytes:x?}");
        }
    }

    #[test]
    fn each_line_has_an_encoding_of_its_own() {
        assert_eq!(decode(b"Andr\xc3\xa9\nAndr\xe9\n"), "André\nAndré\n");
    }

    #[test]
    fn broken_text_is_read_and_a_file_over_the_bound_is_not() {
        assert_eq!(decode(b"\xff\xfea\0\0\xd8b"), "a\u{fffd}\u{fffd}");
        assert_eq!(decode(b""), "");
        let error = |path: &str, limit| read_file(Path::new(path), limit).unwrap_err();
        assert_eq!(
            error(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"), 9).to_string(),
            "longer than 9 bytes"
        );
        #[cfg(unix)]
        assert_eq!(error("/dev/zero", 9).to_string(), "not a plain file");
        assert!(matches!(error("/nowhere", 9), TextError::Io(_)));
    }
}
