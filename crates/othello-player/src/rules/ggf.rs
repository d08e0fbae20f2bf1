//! Game records in the Generic Game Format, as NBoard and the Othello servers write them.
//!
//! A record is `(;GM[Othello]PB[name]PW[name]TY[8]BO[8 cells side]B[F5/eval/time]W[D6]…;)`. Only the board and the
//! moves matter to a player; the names are kept, other properties are skipped.

use super::board::{BoardError, Side};
use super::game::{Game, IllegalMove};
use super::mv::{Move, MoveError};
use std::fmt;

/// The longest record that is read, in bytes.
pub const MAX_RECORD: usize = 65_536;

/// A game and who played it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// The player of black.
    pub black: String,
    /// The player of white.
    pub white: String,
    /// The moves.
    pub game: Game,
}

/// The text is no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// It does not begin with `(;` or a bracket stays open.
    #[error("a game record begins with \"(;\" and ends with \";)\"")]
    Frame,
    /// A property without its value.
    #[error("\"{0}\" is no property of a game record: B[F5] expected")]
    Property(String),
    /// Another game, or another board than eight by eight.
    #[error("{0}[{1}] is not Othello on 8 × 8")]
    Game(&'static str, String),
    /// The board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// No board before the first move.
    #[error("no board (BO[…]) stands before the first move")]
    NoBoard,
    /// A move.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move against the rules.
    #[error("move {0}: {1}")]
    Illegal(usize, IllegalMove),
}

/// The record that stands at the beginning of `text`.
///
/// # Errors
/// The first fault in it.
pub fn parse(text: &str) -> Result<Record, RecordError> {
    let mut rest = text.trim_start().strip_prefix("(;").ok_or(RecordError::Frame)?;
    let mut record = Record::default();
    let mut begun = false;
    loop {
        rest = rest.trim_start();
        if rest.starts_with(";)") || rest.starts_with(')') {
            return if begun { Ok(record) } else { Err(RecordError::NoBoard) };
        }
        if let Some(after) = rest.strip_prefix(';') {
            rest = after;
            continue;
        }
        let (name, value, after) = property(rest)?;
        rest = after;
        match name {
            "GM" if !value.eq_ignore_ascii_case("othello") => {
                return Err(RecordError::Game("GM", quote(&value)));
            }
            "TY" if !value.starts_with('8') => return Err(RecordError::Game("TY", quote(&value))),
            "PB" => record.black = value,
            "PW" => record.white = value,
            "BO" => {
                let cells = value.trim_start().strip_prefix("8 ");
                let cells = cells.ok_or_else(|| RecordError::Game("BO", quote(&value)))?;
                record.game = Game::new(cells.parse()?);
                begun = true;
            }
            "B" | "W" => {
                if !begun {
                    return Err(RecordError::NoBoard);
                }
                let side = if name == "B" { Side::Black } else { Side::White };
                let mv: Move = value.split('/').next().unwrap_or_default().trim().parse()?;
                let number = record.game.played().len() + 1;
                record.game.play_as(side, mv).map_err(|error| RecordError::Illegal(number, error))?;
            }
            _ => {}
        }
    }
}

/// The first property of `text`: name, value, and what follows it.
fn property(text: &str) -> Result<(&str, String, &str), RecordError> {
    let bad = || RecordError::Property(quote(text));
    let open = text.find('[').ok_or(RecordError::Frame)?;
    let name = &text[..open];
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(bad());
    }
    let mut value = String::new();
    let mut escaped = false;
    for (at, symbol) in text[open + 1..].char_indices() {
        match symbol {
            '\\' if !escaped => escaped = true,
            ']' if !escaped => return Ok((name, value, &text[open + 1 + at + 1..])),
            _ => {
                value.push(symbol);
                escaped = false;
            }
        }
    }
    Err(RecordError::Frame)
}

fn quote(text: &str) -> String {
    text.chars().take(24).collect()
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (black, white) = (escape(&self.black), escape(&self.white));
        let board = self.game.start().to_string().replace('X', "*");
        write!(f, "(;GM[Othello]PC[othello-player]PB[{black}]PW[{white}]")?;
        if self.game.is_over() {
            write!(f, "RE[{:+}.00]", self.game.board().margin_of(Side::Black))?;
        } else {
            write!(f, "RE[?]")?;
        }
        write!(f, "TY[8]BO[8 {board}]")?;
        for (mv, board) in self.game.played() {
            let side = if board.side == Side::Black { 'B' } else { 'W' };
            match mv.square() {
                Some(square) => write!(f, "{side}[{}]", square.to_string().to_uppercase())?,
                None => write!(f, "{side}[PA]")?,
            }
        }
        write!(f, ";)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RECORD: &str = "(;GM[Othello]PC[NBoard]DT[2003-03-12 18:05:01 GMT]PB[Ro\\]se]PW[Chris]RE[?]TI[5:00]TY[8]\
        BO[8 ---------------------------O*------*O--------------------------- *]B[F5//0.01]W[F6/1.2]B[e6];)";

    #[test]
    fn a_record_keeps_its_players_and_moves() {
        let record = parse(RECORD).unwrap();
        assert_eq!((record.black.as_str(), record.white.as_str()), ("Ro]se", "Chris"));
        let moves: Vec<_> = record.game.played().iter().map(|(mv, _)| mv.to_string()).collect();
        assert_eq!(moves, ["f5", "f6", "e6"]);
        assert_eq!(parse(&record.to_string()), Ok(record));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, complaint) in [
            ("GM[Othello]", "a game record begins with \"(;\" and ends with \";)\""),
            ("(;GM[Othello", "a game record begins with \"(;\" and ends with \";)\""),
            ("(;GM[Go];)", "GM[Go] is not Othello on 8 × 8"),
            ("(;BO[10 --];)", "BO[10 --] is not Othello on 8 × 8"),
            ("(;B[F5];)", "no board (BO[…]) stands before the first move"),
            ("(;GM[Othello];)", "no board (BO[…]) stands before the first move"),
            ("(; [x];)", "\"[x];)\" is no property of a game record: B[F5] expected"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), complaint, "{text}");
        }
        let illegal = RECORD.replace("W[F6/1.2]", "W[A1]");
        assert_eq!(parse(&illegal).unwrap_err().to_string(), "move 2: white may not play a1");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,200}") {
            let _ = parse(&text);
        }

        #[test]
        fn nothing_near_a_record_makes_it_panic(cut in 0..RECORD.len(), at in 0..RECORD.len(), new in "[\\[\\];()A-Z0-9é ]{0,3}") {
            let _ = parse(&RECORD[..cut]);
            let _ = parse(&format!("{}{new}{}", &RECORD[..at], &RECORD[at..]));
        }
    }
}
