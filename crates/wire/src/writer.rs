use std::io::{self, Write};

/// Writes `line` and a line feed in one write, and flushes: the peer sees the whole line or nothing.
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
