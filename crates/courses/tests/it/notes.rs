//! Notes on moves in the notations that have them.

use courses::notation;
use courses::note::{Note, Notes, Symbol};
use courses::record::{Played, Record};
use courses::registry;

/// Returns a game with these notes, by its first legal moves.
fn record(course: &str, opening: &str, notes: Notes) -> Record {
    let game = registry::find(course).unwrap();
    let mut play = game.open(opening, 2).unwrap();
    while play.moves().len() < 6 {
        let at = play.moves().len();
        let mut path = Vec::new();
        loop {
            let click = play.next(at, &path).remove(0);
            match play.press(at, &path, &click, courses::drawing::Language::English) {
                courses::play::Clicked::Chosen(clicks) => path = clicks,
                courses::play::Clicked::Move(text) => break play.play(&text).unwrap(),
                courses::play::Clicked::Refused(why) => panic!("{course}: {click}: {why}"),
            }
        }
    }
    let played = Played { moves: play.moves().to_vec(), notes, points: vec![0.0; 2], ..Played::default() };
    Record {
        game: 0,
        group: 0,
        course: course.to_owned(),
        seats: vec![0, 1],
        names: vec!["a".to_owned(), "b".to_owned()],
        opening: opening.to_owned(),
        seed: 1,
        played,
    }
}

#[test]
fn every_notation_gives_back_the_notes_that_it_can_hold() {
    let comment = "a ] bracket \\ and (a; semicolon) % \u{e9}\u{1f42f}";
    let mut notes: Notes =
        Symbol::ALL.map(|symbol| Note::new(Some(symbol), "", comment)).into_iter().enumerate().collect();
    notes.remove(2);
    for (course, opening) in [("othello", ""), ("connect5", "9x9"), ("gounki", ""), ("uttt", "")] {
        let text = notation::all(&[record(course, opening, notes.clone())]);
        let read = notation::of(&text).unwrap().read(&text, 9).unwrap().remove(0);
        assert_eq!(read.moves.len(), 6, "{text}");
        assert_eq!(read.notes, notes, "{text}");
    }
}

#[test]
fn labels_are_names_of_nodes_in_sgf_and_stand_before_the_comment_elsewhere() {
    let notes: Notes = vec![(1, Note::new(None, "Tiger]", "two\nlines")), (3, Note::new(None, "B", ""))];
    let read = |course: &str, opening: &str| {
        let text = notation::all(&[record(course, opening, notes.clone())]);
        notation::of(&text).unwrap().read(&text, 9).unwrap().remove(0).notes
    };
    assert_eq!(read("connect5", "9x9"), notes);
    let joined = |lines: &str| vec![(1, Note::new(None, "", lines)), (3, Note::new(None, "", "B"))];
    assert_eq!(read("othello", ""), joined("Tiger]: two\nlines"));
    assert_eq!(read("uttt", ""), joined("Tiger]: two lines"));
}

#[test]
fn a_stone_that_becomes_part_of_the_position_takes_its_note_along() {
    let text = "(;GM[4]SZ[9]C[the game];B[aa]C[gone];AW[bb];B[cc]C[with]BM[2];W[dd])";
    let read = notation::of(text).unwrap().read(text, 9).unwrap().remove(0);
    assert_eq!((read.comment.as_str(), read.moves.join(" ").as_str()), ("the game", "c3 d4"));
    assert_eq!(read.notes, [(0, Note::new(Some(Symbol::Blunder), "", "with"))]);
}

#[test]
fn no_more_notes_are_read_than_a_game_may_have() {
    let moves: String = (0..600)
        .map(|nth| {
            format!(";{}[{}{}]C[x]", if nth % 2 == 0 { 'B' } else { 'W' }, letter(nth % 26), letter(nth / 26))
        })
        .collect();
    let text = format!("(;GM[4]SZ[26]{moves})");
    let read = notation::of(&text).unwrap().read(&text, 9).unwrap().remove(0);
    assert_eq!((read.moves.len(), read.notes.len()), (600, courses::note::MOST));
    let moves: String = (0..600).map(|_| "40 {x} ").collect();
    let text = format!("[Event \"uttt\"]\n\n{moves}*\n");
    let read = notation::of(&text).unwrap().read(&text, 9).unwrap().remove(0);
    assert_eq!((read.moves.len(), read.notes.len()), (600, courses::note::MOST));
}

fn letter(nth: usize) -> char {
    char::from(b'a' + nth as u8)
}
