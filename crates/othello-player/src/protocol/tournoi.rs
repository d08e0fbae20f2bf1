//! The course's tournament: one input line and one output line per call of `nextPlay`, either `column row`, both from
//! 0, or `null`.
//!
//! The framework calls the players in strict alternation. An input of `null` means that the opponent had no move, or
//! that red is called for the first time. An output of `null` means that we have no move.

use super::Engine;
use crate::rules::{Move, Side, Square};
use std::fmt::Display;
use std::io::{BufRead, Write};
use wire::{Failure, LineReader, put_line};

/// The longest input line, in bytes.
const MAX_LINE: usize = 64;

/// Plays `side` until the input ends.
///
/// # Errors
/// Exit code 2 for a line that is not a move, or an illegal move.
pub fn run(
    mut engine: Engine,
    side: Side,
    input: impl BufRead,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let mut lines = LineReader::new(input, MAX_LINE);
    loop {
        let number = lines.line() + 1;
        let Some(text) = lines.text().map_err(Failure::input)? else { return Ok(()) };
        let at_line = |message: &dyn Display| Failure::input(format!("line {number}: {message}"));
        let opponents = parse(text).map_err(|error| at_line(&error))?;
        let first_call = side == Side::Black && number == 1;
        if first_call {
            if opponents != Move::PASS {
                return Err(at_line(&"red moves first: null expected"));
            }
        } else if !(engine.game.is_over() && opponents == Move::PASS) {
            engine.game.play(opponents).map_err(|error| at_line(&error))?;
        }
        put_line(output, &answer(&mut engine)?)?;
    }
}

/// Plays and returns our move.
fn answer(engine: &mut Engine) -> Result<String, Failure> {
    if engine.game.is_over() {
        return Ok("null".into());
    }
    let mv = if engine.game.must_pass() { Some(Move::PASS) } else { engine.think().best };
    let mv = mv.ok_or_else(|| Failure::run("the search found no move"))?;
    engine.game.play(mv).map_err(Failure::run)?;
    Ok(mv.square().map_or_else(|| "null".into(), |square| format!("{} {}", square.column(), square.row())))
}

/// The line is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected \"column row\" from 0 to 7, or null, found \"{text}\"")]
struct NotAMove {
    /// The line without blanks at its ends.
    text: String,
}

/// Parses an input line.
fn parse(text: &str) -> Result<Move, NotAMove> {
    let text = text.trim();
    if text == "null" {
        return Ok(Move::PASS);
    }
    let mut numbers = text.split_ascii_whitespace().map(|number| number.parse::<u8>().ok());
    match (numbers.next(), numbers.next(), numbers.next()) {
        (Some(Some(column)), Some(Some(row)), None) => Square::at(column, row).map(Move::from),
        _ => None,
    }
    .ok_or_else(|| NotAMove { text: text.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_move_is_column_and_row_from_0() {
        assert_eq!(parse("2 3"), Ok("c4".parse().unwrap()));
        assert_eq!(parse(" null\t"), Ok(Move::PASS));
        for bad in ["", "2", "2 3 4", "8 0", "0 8", "-1 2", "null 2", "99999999999 1", "d3", "2,3", "2\x003"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,60}") {
            let _ = parse(&text);
        }
    }
}
