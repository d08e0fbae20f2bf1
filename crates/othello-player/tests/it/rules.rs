//! Tests the rules in the course's own terms.

use crate::data;
use othello_player::rules::{Board, Game, Move, Position, Side, Squares, perft};
use search_core::testing::{conforms, random_positions};
use search_core::{Outcome, Position as _};

/// The course's worked example, with white (○) to move: ● on c4, d4, c5, e5 and ○ on d3, e3, e4, d5.
const EXAMPLE: &str = "
    - - - - - - - -
    - - - - - - - -
    - - - O O - - -
    - - X X O - - -
    - - X O X - - -
    - - - - - - - -
    - - - - - - - -
    - - - - - - - -  O";

fn mv(text: &str) -> Move {
    text.parse().unwrap()
}

fn squares(set: u64) -> Vec<String> {
    Squares(set).map(|square| square.to_string()).collect()
}

#[test]
fn white_may_play_on_the_six_squares_of_the_course_s_example() {
    let board: Board = EXAMPLE.parse().unwrap();
    let mut legal = squares(board.position.legal());
    legal.sort();
    assert_eq!(legal, ["b3", "b4", "b5", "b6", "e6", "f5"]);
}

#[test]
fn playing_b5_gives_the_position_that_the_course_draws() {
    let board: Board = EXAMPLE.parse().unwrap();
    let after = Board { position: board.position.after(mv("b5")), side: board.side.other() };
    let drawn = "-------- -------- ---OO--- --OXO--- -OOOX--- -------- -------- --------".replace(' ', "");
    assert_eq!(after.to_string(), format!("{drawn} X"));
}

#[test]
fn the_game_begins_with_black_on_e4_and_d5() {
    assert_eq!(squares(Board::START.discs(Side::Black)), ["e4", "d5"]);
    assert_eq!(squares(Board::START.discs(Side::White)), ["d4", "e5"]);
    assert_eq!(Some(Position::START), Position::new(Position::START.own(), Position::START.opponent()));
}

#[test]
fn the_lines_of_play_are_counted_right() {
    let mut checked = 0;
    for line in data("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let (depth, count) = line.split_once(' ').unwrap();
        let depth: u32 = depth.parse().unwrap();
        // Depth 12 takes seconds; `othello-player perft 12` counts it.
        if depth <= if cfg!(debug_assertions) { 10 } else { 11 } {
            assert_eq!(perft(&Position::START, depth), count.parse::<u64>().unwrap(), "depth {depth}");
            checked += 1;
        }
    }
    assert!(checked >= 10);
}

#[test]
fn the_generic_count_leaves_out_games_that_ended_before() {
    // The shortest games end after nine plies.
    for depth in 0..=9 {
        assert_eq!(search_core::perft(&Position::START, depth), perft(&Position::START, depth));
    }
    assert_eq!(search_core::perft(&Position::START, 10) + 228, perft(&Position::START, 10));
}

#[test]
fn the_laws_of_a_position_hold() {
    conforms(&Position::START, 1, 40, 128);
    for line in data("ffo40-59.obf").lines().filter(|line| !line.starts_with('#')) {
        let problem = othello_player::rules::obf::parse(line).unwrap().unwrap();
        conforms(&problem.board.position, 2, 3, 64);
        for (mv, _) in problem.scores {
            assert!(problem.board.position.is_legal(mv), "{line}");
        }
    }
}

#[test]
fn a_player_without_a_move_passes_and_nobody_else_may() {
    // Black has h1 and owns a1; white cannot move until black does.
    let board: Board = format!("XO{} O", "-".repeat(62)).parse().unwrap();
    assert_eq!(board.position.legal(), 0);
    let mut game = Game::new(board);
    assert!(game.must_pass() && !game.is_over());
    game.play(Move::PASS).unwrap();
    assert_eq!(game.play(Move::PASS).unwrap_err().to_string(), "black has a move and may not pass");
    game.play(mv("c1")).unwrap();
    assert!(game.is_over());
    assert_eq!(game.play(Move::PASS).unwrap_err().to_string(), "the game is over");
    assert_eq!(game.undo(), Some(mv("c1")));
    assert_eq!(game.undo(), Some(Move::PASS));
    assert_eq!((game.undo(), game.board()), (None, board));
}

#[test]
fn a_peer_may_leave_a_pass_out() {
    let mut game = Game::new(format!("XO{} O", "-".repeat(62)).parse().unwrap());
    assert!(game.play_as(Side::Black, mv("d1")).is_err() && game.played().is_empty());
    game.play_as(Side::Black, mv("c1")).unwrap();
    assert_eq!(game.played().len(), 2);
}

#[test]
fn the_winner_is_given_the_empty_squares() {
    let wiped_out: Board = format!("XXX{} O", "-".repeat(61)).parse().unwrap();
    assert_eq!(wiped_out.position.outcome(), Some(Outcome::Margin(-64)));
    assert_eq!(wiped_out.margin_of(Side::Black), 64);
    let drawn: Board = format!("X-O{} X", "-".repeat(61)).parse().unwrap();
    assert_eq!(drawn.position.outcome(), Some(Outcome::Margin(0)));
    let full: Board = format!("{}{} O", "X".repeat(40), "O".repeat(24)).parse().unwrap();
    assert_eq!(full.position.outcome(), Some(Outcome::Margin(-16)));
}

#[test]
fn equal_positions_have_equal_keys_and_others_differ() {
    let positions = random_positions(&Position::START, 9, 2_000, 60);
    let mut keys: Vec<_> =
        positions.iter().map(|position| (position.key(), position.own(), position.opponent())).collect();
    keys.sort_unstable();
    keys.dedup();
    let distinct = keys.len();
    keys.dedup_by_key(|key| key.0);
    assert_eq!(keys.len(), distinct);
    // The low bits select the table's bucket, so they must differ too.
    let mut low: Vec<_> = keys.iter().map(|key| key.0 & 0xf_ffff).collect();
    low.sort_unstable();
    low.dedup();
    assert!(low.len() > distinct - 20, "{} of {distinct}", low.len());
}

#[test]
fn a_board_survives_its_text() {
    for position in random_positions(&Position::START, 4, 200, 60) {
        for side in [Side::Black, Side::White] {
            let board = Board { position, side };
            assert_eq!(board.to_string().parse(), Ok(board));
        }
    }
}
