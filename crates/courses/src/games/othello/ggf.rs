//! Reads and writes GGF.

use super::{Begun, Coloured};
use crate::notation::tree::{Tree, archive};
use crate::notation::{Notation, ReadError, Written, comment, note, result, root_comment, seconds, thought};
use crate::player::clean_name;
use crate::record::{About, Record};
use othello_player::rules::ggf::{self, Note, RecordError};
use othello_player::rules::{Board, Game};
use wire::properties::Reader;

/// The Generic Game Format, for games of Othello.
pub struct Ggf;

impl Notation for Ggf {
    fn is_of(&self, text: &str) -> bool {
        Tree::of(text) == Some(Tree::Named)
    }

    fn read(&self, text: &str, most: usize) -> Result<Vec<Written>, ReadError> {
        archive(text, most, read, |error| match error {
            RecordError::Syntax(error) => Some(error.line()),
            _ => None,
        })
    }

    fn write(&self, record: &Record) -> Option<String> {
        Some(write(record))
    }

    fn extension(&self) -> Option<&'static str> {
        Some("ggf")
    }
}

/// Writes a record as GGF, with red as black. Moves from the first illegal one on are omitted.
#[must_use]
pub fn write(record: &Record) -> String {
    let none = Begun { start: Board::START, moves: Vec::new(), position: Coloured(Board::START) };
    let begun = Begun::of(&record.opening).unwrap_or(none);
    let mut game = Game::new(begun.start);
    let mut notes = vec![Note::default(); begun.moves.len()];
    // An opening is always legal.
    begun.moves.iter().for_each(|&(_, mv)| _ = game.play(mv));
    for (nth, mv) in record.played.moves.iter().enumerate() {
        if !mv.parse().is_ok_and(|mv| game.play(mv).is_ok()) {
            break;
        }
        let thought = thought(record, nth);
        notes.push(Note {
            score: thought.and_then(|thought| thought.score),
            seconds: thought.map(|_| seconds(record, nth)),
            comment: comment(&note(record, nth).plain(), thought),
        });
    }
    let [black, white] =
        [0, 1].map(|seat| record.names.get(seat).map_or_else(String::new, |name| clean_name(name)));
    let margin = || record.played.score[0] - record.played.score[1];
    let About { date, result: stated, .. } = &record.played.about;
    // The game goes on, as far as its rules say: its file may know more.
    let result = if result(record) == "*" { stated.parse().ok() } else { Some(margin()) };
    let (place, date, comment) = ("referee".to_owned(), date.clone(), root_comment(record).to_owned());
    ggf::Record { place, date, black, white, result, comment, game, notes }.to_file()
}

/// Reads the next game of an archive. Returns `None` after the last.
///
/// # Errors
/// The first error.
pub fn read(reader: &mut Reader<'_>) -> Result<Option<Written>, RecordError> {
    let Some(read) = ggf::next(reader)? else { return Ok(None) };
    let board = read.game.start();
    let opening = match board == Board::START {
        true => String::new(),
        false => format!("@{}", board.to_string().split_whitespace().collect::<String>()),
    };
    let points = |margin: f64| match margin {
        0.0 => [0.5, 0.5],
        margin if margin > 0.0 => [1.0, 0.0],
        _ => [0.0, 1.0],
    };
    let notes = read.notes.iter().map(|note| crate::note::Note::from_plain(&note.comment)).enumerate();
    let notes = notes.filter(|(_, note)| !note.is_empty());
    let stated = read.result.map_or_else(String::new, |margin| format!("{margin:+}"));
    Ok(Some(Written {
        about: About::new(&read.date, &stated, &read.comment),
        course: "othello".to_owned(),
        names: [read.black, read.white].iter().map(|name| clean_name(name)).collect(),
        opening,
        moves: read.game.played().iter().map(|(mv, _)| mv.to_string()).collect(),
        comment: read.comment,
        points: read.result.map(points),
        notes: notes.take(crate::note::MOST).collect(),
        ..Written::default()
    }))
}
