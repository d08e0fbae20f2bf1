use super::answer::{Answerer, Request};
use search_core::Stopwatch;
use std::io::{BufRead, Write};
use wire::{Failure, LineReader, put_line};

/// The longest line accepted in bytes, more than any position needs; longer lines are refused before they are read
/// whole.
const LONGEST_LINE: usize = 1024;

/// Reads one integer a line and writes one answer a line until the input ends. Spaces around an integer are ignored.
///
/// # Errors
/// Bad input (exit code 2, with the line number), or an output that is closed.
pub fn dialogue(
    answerer: &mut Answerer,
    input: impl BufRead,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let mut lines = LineReader::new(input, LONGEST_LINE);
    loop {
        let request = match lines.text() {
            Ok(None) => return Ok(()),
            Ok(Some(line)) => line.trim().parse::<Request>(),
            Err(error) => return Err(Failure::input(error)),
        };
        let clock = Stopwatch::start();
        let request = request.map_err(|error| Failure::input(format!("line {}: {error}", lines.line())))?;
        put_line(output, &answerer.answer(&request, &clock).to_string())?;
    }
}
