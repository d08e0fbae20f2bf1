//! Game records in the Generic Game Format, as NBoard and the Othello servers write them
//! (<https://www.skatgame.net/mburo/ggsa/ggf>).
//!
//! A record is `(;GM[Othello]PB[name]PW[name]RE[+2]TY[8]BO[8 cells side]B[F5/eval/time]W[D6]…;)`. An archive may begin
//! with the number of boards, `2 (;…;)(;…;)`. Properties unrelated to the game itself are skipped.

use super::board::{BoardError, Side};
use super::game::{Game, IllegalMove};
use super::mv::{Move, MoveError};
use std::fmt;
use wire::properties::{Part, Reader, SyntaxError, escape};

/// The longest record on one line, in bytes.
pub const MAX_RECORD: usize = 65_536;

/// A game with its players and result.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The place of the game (`PC`).
    pub place: String,
    /// The date (`DT`), as written; empty if unknown.
    pub date: String,
    /// Black's name.
    pub black: String,
    /// White's name.
    pub white: String,
    /// Black's margin in discs; `None` if the game has no result.
    pub result: Option<f64>,
    /// A comment before the first move.
    pub comment: String,
    /// The board and the moves.
    pub game: Game,
    /// Annotations of the first moves. Of those that are read only the comments are known.
    pub notes: Vec<Note>,
}

/// An annotation of a move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Note {
    /// The mover's evaluation, in discs.
    pub score: Option<f64>,
    /// The mover's time, in seconds.
    pub seconds: Option<f64>,
    /// A comment, or an empty text.
    pub comment: String,
}

/// The reason why a text is not a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// The text has no game.
    #[error("a game record begins with \"(;\" and ends with \";)\"")]
    Frame,
    /// The properties cannot be parsed.
    #[error(transparent)]
    Syntax(#[from] SyntaxError),
    /// The game is not Othello on 8 × 8.
    #[error("{0}[{1}] is not Othello on 8 × 8")]
    Game(&'static str, String),
    /// The side with fewer discs wins.
    #[error("TY[{0}] is anti-Othello, where the fewer discs win")]
    Anti(String),
    /// The board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// There is no board before the first move.
    #[error("no board (BO[…]) before the first move")]
    NoBoard,
    /// A move is not a square.
    #[error("move {0}: {1}")]
    Move(usize, MoveError),
    /// A move is illegal.
    #[error("move {0}: {1}")]
    Illegal(usize, IllegalMove),
}

/// Parses the first record of a text.
///
/// # Errors
/// The first fault in it.
pub fn parse(text: &str) -> Result<Record, RecordError> {
    next(&mut Reader::new(text)).and_then(|record| record.ok_or(RecordError::Frame))
}

/// Returns the next record of an archive; `None` after the last.
///
/// # Errors
/// The first fault in it.
pub fn next(reader: &mut Reader<'_>) -> Result<Option<Record>, RecordError> {
    let mut record = Record::default();
    let mut begun = false;
    while let Some(part) = reader.next_part()? {
        let (name, value) = match part {
            Part::Property(name, value) => (name, value),
            Part::Begin | Part::Node => continue,
            Part::End if begun => return Ok(Some(record)),
            Part::End => return Err(RecordError::NoBoard),
        };
        match name {
            "GM" if !value.trim().eq_ignore_ascii_case("othello") => {
                return Err(RecordError::Game("GM", quote(&value)));
            }
            "TY" => check_type(&value)?,
            "PC" => record.place = value.into_owned(),
            "DT" => record.date = value.into_owned(),
            "PB" => record.black = value.into_owned(),
            "PW" => record.white = value.into_owned(),
            "RE" => record.result = result(&value),
            "C" | "CO" if record.game.played().is_empty() && record.comment.is_empty() => {
                record.comment = value.into_owned();
            }
            "C" | "CO" if !record.game.played().is_empty() => {
                record.notes.resize(record.game.played().len(), Note::default());
                if let Some(note) = record.notes.last_mut() {
                    note.comment.push_str(&value);
                }
            }
            "BO" => {
                let cells = value
                    .trim_start()
                    .strip_prefix('8')
                    .filter(|cells| cells.starts_with(char::is_whitespace));
                let cells = cells.ok_or_else(|| RecordError::Game("BO", quote(&value)))?;
                record.game = Game::new(cells.parse()?);
                begun = true;
            }
            "B" | "W" if !begun => return Err(RecordError::NoBoard),
            "B" | "W" => {
                let side = if name == "B" { Side::Black } else { Side::White };
                play(&mut record.game, side, value.split('/').next().unwrap_or_default().trim())?;
            }
            _ => {}
        }
    }
    Ok(None)
}

/// Plays a move of a record. An empty text is a pass; passes after the end of the game are ignored.
fn play(game: &mut Game, side: Side, text: &str) -> Result<(), RecordError> {
    let number = game.played().len() + 1;
    let mv = if text.is_empty() { Ok(Move::PASS) } else { text.parse::<Move>() };
    let mv = mv.map_err(|error| RecordError::Move(number, error))?;
    if mv == Move::PASS && game.is_over() {
        return Ok(());
    }
    game.play_as(side, mv).map_err(|error| RecordError::Illegal(number, error))
}

/// Checks the game type: letters for the pairing, the board size, and letters for variants (`s8r18`: synchronised games
/// of 8 × 8 from random positions of 18 discs).
fn check_type(value: &str) -> Result<(), RecordError> {
    let rest = value.trim().trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let size = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    match rest.split_at(size) {
        ("8", variant) if variant.contains('a') => Err(RecordError::Anti(quote(value))),
        ("8", _) => Ok(()),
        _ => Err(RecordError::Game("TY", quote(value))),
    }
}

/// Parses black's margin: `+12.00`, `-3:r` (resigned), `0`.
fn result(value: &str) -> Option<f64> {
    let margin = value.split(':').next().unwrap_or_default().trim().parse::<f64>();
    margin.ok().filter(|margin| margin.abs() <= 64.0)
}

fn quote(text: &str) -> String {
    text.chars().take(24).collect()
}

impl Record {
    /// The record as a file, with a property that names its encoding.
    #[must_use]
    pub fn to_file(&self) -> String {
        self.to_string().replacen("(;GM[Othello]", "(;GM[Othello]CA[UTF-8]", 1) + "\n"
    }
}

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [place, black, white] = [&self.place, &self.black, &self.white].map(|text| escape(text));
        let board = self.game.start().to_string().replace('X', "*");
        write!(f, "(;GM[Othello]PC[{place}]")?;
        if !self.date.is_empty() {
            write!(f, "DT[{}]", escape(&self.date))?;
        }
        write!(f, "PB[{black}]PW[{white}]")?;
        match self.result {
            Some(margin) => write!(f, "RE[{margin:+}]")?,
            None => write!(f, "RE[?]")?,
        }
        write!(f, "TY[8]BO[8 {board}]")?;
        if !self.comment.is_empty() {
            write!(f, "C[{}]", escape(&self.comment))?;
        }
        for (ply, (mv, board)) in self.game.played().iter().enumerate() {
            let side = if board.side == Side::Black { 'B' } else { 'W' };
            let name =
                mv.square().map_or_else(|| "PA".to_owned(), |square| square.to_string().to_uppercase());
            write!(f, "{side}[{name}")?;
            match self.notes.get(ply).unwrap_or(&Note::default()) {
                Note { score: None, seconds: None, comment } if comment.is_empty() => write!(f, "]")?,
                Note { score, seconds, comment } => {
                    let score = score.map(|score| format!("{score:.2}")).unwrap_or_default();
                    let seconds = seconds.map(|seconds| format!("/{seconds:.3}")).unwrap_or_default();
                    write!(f, "/{score}{seconds}]")?;
                    if !comment.is_empty() {
                        write!(f, "CO[{}]", escape(comment))?;
                    }
                }
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
        assert_eq!(record.place, "NBoard");
        assert_eq!(parse(&record.to_string()), Ok(record));
    }

    const BOARD: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";

    #[test]
    fn archives_of_the_servers_are_read() {
        let one =
            format!("( ; GM[Othello]\nTY[s8r18]RE[-3.00:r]{BOARD}\nC[well played ;)]B[d3//1.0]\nW[c5];)");
        let two = format!("2 {one}{one}\n1 {one}\n");
        let mut reader = Reader::new(&two);
        let mut read = Vec::new();
        while let Some(record) = next(&mut reader).unwrap() {
            read.push((record.game.played().len(), record.comment, record.result));
        }
        assert_eq!(read, vec![(2, "well played ;)".to_owned(), Some(-3.0)); 3]);
    }

    #[test]
    fn no_move_changes_its_colour() {
        let error = |moves: &str| parse(&format!("(;{BOARD}{moves};)")).unwrap_err().to_string();
        assert_eq!(error("W[d3]"), "move 1: white may not play d3: it is black's turn");
        assert_eq!(error("B[d3]B[c5]"), "move 2: black may not play c5: it is white's turn");
        assert_eq!(error("B[d3]W[]"), "move 2: white has a move and may not pass");
        assert_eq!(error("B[d3]W[z9]"), "move 2: expected a square from a1 to h8, found \"z9\"");
    }

    #[test]
    fn passes_may_be_written_left_out_or_empty() {
        // A black disc ends a row between white's discs and the corner, so white must pass.
        let board = format!("BO[8 -O*{}-O* *]", "-".repeat(58));
        let moves = |text: &str| {
            let record = parse(&format!("(;{board}{text};)")).unwrap();
            record.game.played().iter().map(|(mv, _)| mv.to_string()).collect::<Vec<_>>().join(" ")
        };
        for text in ["B[a1]B[f8]", "B[a1]W[]B[f8]", "B[a1]W[PA]B[f8]W[pass]"] {
            assert_eq!(moves(text), "a1 pass f8", "{text}");
        }
    }

    #[test]
    fn a_record_for_a_file_names_its_encoding() {
        let record = parse(RECORD).unwrap();
        assert!(record.to_file().starts_with("(;GM[Othello]CA[UTF-8]PC["));
        assert_eq!(parse(&record.to_file()), Ok(record));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, complaint) in [
            ("GM[Othello]", "a game record begins with \"(;\" and ends with \";)\""),
            ("(;GM[Othello", "the game that begins here is not closed"),
            ("(;GM[Othello]", "the game that begins here is not closed"),
            ("(;TY[10];)", "TY[10] is not Othello on 8 × 8"),
            ("(;TY[s8a];)", "TY[s8a] is anti-Othello, where the fewer discs win"),
            ("(;GM[Go];)", "GM[Go] is not Othello on 8 × 8"),
            ("(;BO[10 --];)", "BO[10 --] is not Othello on 8 × 8"),
            ("(;B[F5];)", "no board (BO[…]) before the first move"),
            ("(;GM[Othello];)", "no board (BO[…]) before the first move"),
            ("(; [x];)", "expected a property such as PB[name], found \"[x];)\""),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), complaint, "{text}");
        }
        let illegal = RECORD.replace("W[F6/1.2]", "W[A1]");
        assert_eq!(parse(&illegal).unwrap_err().to_string(), "move 2: white may not play a1");
    }

    proptest! {
        #[test]
        fn any_name_is_read_back(names in prop::collection::vec("(;\\)|\\]|\\\\|\n|\0|\u{202e}|🦀|.){0,12}", 3)) {
            let [black, white, comment] = [0, 1, 2].map(|nth: usize| names[nth].clone());
            let record = Record { black, white, comment, ..parse(RECORD).unwrap() };
            prop_assert_eq!(parse(&record.to_string()), Ok(record));
        }

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
