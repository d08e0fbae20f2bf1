//! Games as text, and the errors in them.

use super::*;
use crate::course::OpeningSet;
use crate::duel::Rules;
use crate::games::connect5::Connect5;
use search_core::Position as _;

fn one(text: &str) -> Result<Written, SgfError> {
    read(&mut Reader::new(text)).map(|game| game.expect("a game"))
}

fn words(text: &str) -> (String, String) {
    let game = one(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    (game.opening, game.moves.join(" "))
}

fn both(opening: &str, moves: &str) -> (String, String) {
    (opening.to_owned(), moves.to_owned())
}

#[test]
fn the_main_line_is_read() {
    let text = "(;GM[4]FF[4]SZ[30:15]PB[a\\]b]PW[c]RE[W+R]C[it; ends (here) ;)];B[aa]C[no];W[bb](;B[Ac])(;B[cc];W[dd]))\n( ;SZ[9];B[ii])";
    let mut reader = Reader::new(text);
    let game = read(&mut reader).unwrap().unwrap();
    assert_eq!((game.names.join(" "), game.comment.as_str()), ("a]b c".to_owned(), "it; ends (here) ;)"));
    assert_eq!((game.opening.as_str(), game.moves.join(" ").as_str()), ("15x30", "a1 b2 aa3"));
    assert_eq!(game.points, Some([0.0, 1.0]));
    let game = read(&mut reader).unwrap().unwrap();
    assert_eq!((game.opening.as_str(), game.moves.join(" ").as_str()), ("9x9", "i9"));
    assert_eq!(read(&mut reader), Ok(None));
}

#[test]
fn old_files_spell_names_out() {
    let game = one("(;GaMe[4]SiZe[9]PlayerBlack[Ana]pw[Bo];Black[aa];w[bb])").unwrap();
    assert_eq!((game.names.join(" "), game.moves.join(" ")), ("Ana Bo".to_owned(), "a1 b2".to_owned()));
    assert_eq!(game.opening, "9x9");
}

#[test]
fn positions_are_set_up_with_lists_and_rectangles() {
    assert_eq!(words("(;SZ[3:2]AB[ca][ab]AW[aa]PL[W];W[bb])"), both("2x3 @B0N/N00", "b2"));
    assert_eq!(words("(;SZ[3:2]AB[ca]PL[];W[bb])"), both("2x3 @00N/000", "b2"));
    assert_eq!(words("(;SZ[4]AB[aa:cb]AE[bb:ba]AW[aa])"), both("4x4 @B0N0/N0N0/0000/0000", ""));
    // Also within a game: the earlier moves become part of the position.
    assert_eq!(words("(;SZ[3];B[aa];AW[bb];B[cc])"), both("3x3 @N00/0B0/000", "c3"));
}

#[test]
fn no_stone_changes_its_colour() {
    let two = "(;GM[4]FF[4]SZ[3];B[bb];B[cc];W[aa])";
    assert_eq!(words(two), both("3x3 @000/0N0/00N", "a1"));
    assert_eq!(words("(;SZ[3];W[aa];B[bb];W[cc])"), both("3x3 @B00/000/000", "b2 c3"));
    assert_eq!(words("(;SZ[3];W[aa];B[bb];W[cc];W[ab];B[ac];W[ba])"), both("3x3 @B00/BN0/00B", "a3 b1"));
    assert_eq!(words("(;SZ[3]AB[aa][ba]PL[B];B[bb];W[cc])"), both("3x3 @NN0/0N0/000", "c3"));
    // The game itself gives the same colours.
    let (opening, moves) = words(two);
    let rules = Connect5::new(3, 3, OpeningSet::single(""));
    let mut position = rules.start(&opening).unwrap();
    position.play(rules.read(&position, &moves).unwrap());
    assert_eq!(position.stone(Cell::at(0, 0, 3)), Some(Color::White));
}

#[test]
fn a_pass_is_passed_over() {
    for pass in ["W[]", "W[tt]", "W[ ]"] {
        assert_eq!(words(&format!("(;SZ[3];B[aa];{pass};B[bb];W[cc])")), both("3x3 @N00/0N0/000", "c3"));
        assert_eq!(words(&format!("(;SZ[3];B[aa];{pass})")), both("3x3", "a1"));
    }
    assert_eq!(words("(;SZ[20];B[tt])"), both("20x20", "t20"));
}

#[test]
fn what_cannot_be_read_is_named() {
    for (text, error) in [
        ("(;B[aa];W[a])", "move 2: \"a\" is no point: two letters expected, the column and the row"),
        ("(;B[a1])", "move 1: \"a1\" is no point: two letters expected, the column and the row"),
        ("(;SZ[3];B[aa];W[ad])", "move 2: \"ad\" lies outside the 3 x 3 grid"),
        ("(;B[aa];W[bb];B[aa])", "move 3: a1 is taken"),
        ("(;SZ[3]AB[ad])", "a stone that is set up: \"ad\" lies outside the 3 x 3 grid"),
        ("(;SZ[3]AB[aa]PL[B])", "PL: the colour with fewer stones moves, black where both have as many"),
        ("(;PL[R])", "PL[R] is no colour: B or W expected"),
        ("(;SZ[x])", "SZ[x] is no size: SZ[15], or columns and rows, SZ[20:15]"),
        ("(;SZ[0])", "a grid of 0 x 0 is not between 1 x 1 and 1023 x 1023"),
        ("(;GM[1];B[aa])", "GM[1] is not gomoku, GM[4]"),
        ("(;B[aa]", "the game that begins here is not closed"),
        ("(;B[aa", "the game that begins here is not closed"),
    ] {
        assert_eq!(one(text).unwrap_err().to_string(), error, "{text}");
    }
}
