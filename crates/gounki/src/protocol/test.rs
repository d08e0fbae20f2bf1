//! Test mode, `-t`: moves on standard input, boards on standard output, no prompt.

use super::board::{Style, draw};
use super::{french, heading, result};
use crate::rules::{Game, Notation};
use std::io::{BufRead, Write};
use wire::{Failure, LineReader};

/// The longest input line in bytes; the longest move has twelve characters.
pub const LONGEST_LINE: usize = 256;

/// Plays the moves of `input` from the position of `game`. The end of input is the normal end, even if the game is not
/// over.
///
/// # Errors
/// Exit code 2 at the first line that is not a move, 1 at the first illegal move.
pub fn run(mut game: Game, input: impl BufRead, mut output: impl Write) -> Result<(), Failure> {
    output.write_all(draw(game.position(), None, Style::Ascii).as_bytes())?;
    if let Some(winner) = game.position().winner() {
        writeln!(output, "{}", result(winner))?;
    }
    output.flush()?;
    let mut lines = LineReader::new(input, LONGEST_LINE);
    while let Some(text) =
        lines.text().map_err(|error| Failure::input(format!("entrée : {}", french::line(&error))))?
    {
        let text = text.trim();
        if text.is_empty() {
            continue;
        }
        let notation: Notation = match text.parse() {
            Ok(notation) => notation,
            Err(error) => return Err(Failure::input(format!("ligne {} : {error}", lines.line()))),
        };
        let mv = match game.position().find(&notation) {
            Ok(mv) => mv,
            Err(refusal) => {
                let line = lines.line();
                return Err(Failure::run(format!("ligne {line} : coup impossible {notation} : {refusal}")));
            }
        };
        let number = game.number();
        game.play(mv);
        writeln!(output, "\n{}", heading(number, mv))?;
        output.write_all(draw(game.position(), Some(mv), Style::Ascii).as_bytes())?;
        if let Some(winner) = game.position().winner() {
            writeln!(output, "{}", result(winner))?;
        }
        output.flush()?;
    }
    Ok(())
}
