//! Sessions with a manager.

use super::*;
use proptest::prelude::*;

fn answers(input: impl AsRef<[u8]>) -> Vec<String> {
    let mut output = Vec::new();
    let settings = Settings { table_bytes: 1 << 16, ..Settings::default() };
    play(input.as_ref(), &mut output, settings).unwrap();
    let text = String::from_utf8(output).unwrap();
    text.lines().filter(|line| !line.starts_with("MESSAGE")).map(str::to_owned).collect()
}

#[test]
fn a_message_tells_of_the_search_before_the_move() {
    let mut output = Vec::new();
    let input = "START 9\nINFO max_node 500\nINFO rule 1\nBEGIN\n";
    play(input.as_bytes(), &mut output, Settings { table_bytes: 1 << 16, ..Settings::default() }).unwrap();
    let text = String::from_utf8(output).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[1].starts_with("MESSAGE depth ") && lines[1].contains(" score "), "{text}");
    assert!(lines[1].contains(&format!(" line {}", lines[2])), "{text}");
}

#[test]
fn a_game_is_started_and_every_move_answered() {
    let answers = answers("START 15\r\nINFO timeout_turn 0\nINFO rule 1\nBEGIN\nTURN 0,0\nEND\nBEGIN\n");
    assert_eq!(answers.len(), 3);
    assert_eq!(&answers[..2], ["OK", "7,7"]);
}

#[test]
fn coordinates_are_column_and_row() {
    let board = "BOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n0,2,2\n1,2,2\n2,2,2\nDONE\n";
    assert_eq!(answers(format!("RECTSTART 9,4\nINFO timeout_turn 50\n{board}")), ["OK", "4,0"]);
    assert_eq!(
        answers("RECTSTART 9,4\nTURN 3,8\nTURN 9,3\n")[1..],
        ["ERROR 3,8 is outside the board", "ERROR 9,3 is outside the board"]
    );
}

#[test]
fn a_position_is_kept_without_an_answer() {
    let board = "YXBOARD\n0,0,1\n1,0,1\n2,0,1\n0,2,2\n1,2,2\n2,2,2\nDONE\n";
    let game = format!("RECTSTART 9,4\nINFO timeout_turn 50\n{board}TURN 3,2\n");
    let told = answers(&game);
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[1], "4,2");
    assert_eq!(answers(board), ["ERROR no game has been started"]);
}

#[test]
fn an_opening_is_placed_and_answered() {
    let start = "START 15\nINFO timeout_turn 300\nINFO max_node 3000\nSWAP2BOARD\n";
    let told = answers(format!("{start}DONE\n"));
    let stones: Vec<&str> = told[1].split(' ').collect();
    assert_eq!(stones.len(), 3, "{told:?}");
    assert!(stones.iter().all(|stone| numbers::<2>(stone, "").is_ok_and(|at| at.iter().all(|&n| n < 15))));
    assert!(stones[0] != stones[1] && stones[1] != stones[2] && stones[0] != stones[2], "{told:?}");
    // Black has an open three, white nothing: whoever may choose takes black.
    let five = "5,5\n0,0\n6,5\n14,14\n7,5\nDONE\n";
    assert_eq!(answers(format!("{start}{five}TURN 4,5\n"))[1], "SWAP");
    // Black's stones lie in corners, white's is in the middle: white goes on.
    let told = answers(format!("{start}0,0\n7,7\n14,0\nDONE\nTURN 0,1\n"));
    assert!(told.len() == 3 && numbers::<2>(&told[1], "").is_ok(), "{told:?}");
    for wrong in ["1,1\nDONE\n", "1,1\n2,2\nDONE\n", "1,1\n2,2\n3,3\n4,4\nDONE\n"] {
        let told = answers(format!("{start}{wrong}"));
        assert!(told[1].starts_with("ERROR") && told[1].contains("SWAP2BOARD has none, 3 or 5"), "{told:?}");
    }
    assert_eq!(answers("START 1\nSWAP2BOARD\nDONE\n")[1], "ERROR the board is full");
    assert_eq!(answers("START 15\nINFO rule 0\nSWAP2BOARD\n1,1\n2,2\n3,3\nDONE\n").len(), 3);
}

#[test]
fn a_match_without_a_limit_leaves_the_time_of_a_move() {
    let mut game = Game::new(Settings::default());
    for line in ["timeout_turn 1000", "timeout_match 0", "time_left 0"] {
        game.inform(line).unwrap();
    }
    assert_eq!(game.allowance(), Duration::from_secs(1));
    game.inform("timeout_match 8000").unwrap();
    assert_eq!(game.allowance(), Duration::from_millis(500));
    game.inform("time_left 1600").unwrap();
    assert_eq!(game.allowance(), Duration::from_millis(100));
}

#[test]
fn the_last_move_can_be_taken_back() {
    let game = "START 5\nINFO timeout_turn 0\nBEGIN\nTAKEBACK 2,2\nTAKEBACK 2,2\nBEGIN\n";
    assert_eq!(answers(game), ["OK", "2,2", "OK", "ERROR 2,2 is not the last move", "2,2"]);
}

#[test]
fn other_rules_are_refused_clearly() {
    let refusal = "ERROR rule 0 is not supported, only rule 1 (exactly five)";
    assert_eq!(answers("START 15\nINFO rule 0\nBEGIN\n"), ["OK", refusal, refusal]);
}

#[test]
fn what_cannot_be_understood_is_an_error_and_the_game_goes_on() {
    let input = "BEGIN\nSTART\nSTART 0\nSTART 999999999999999999999\nJUMP 3\nSTART 6\nTURN 1,1,1\nRESTART\n";
    assert_eq!(
        answers(input),
        [
            "ERROR no game has been started",
            "ERROR \"\" is not a size",
            "ERROR a grid of 0 x 0 is not between 1 x 1 and 1023 x 1023",
            "ERROR \"999999999999999999999\" is not a size",
            "UNKNOWN command JUMP",
            "OK",
            "ERROR \"1,1,1\" is not column,row",
            "OK"
        ]
    );
}

#[test]
fn time_and_memory_are_taken_note_of() {
    let mut game = Game::new(Settings::default());
    for line in ["timeout_turn 1000", "time_left 8000", "max_memory 1048576", "folder /tmp"] {
        game.inform(line).unwrap();
    }
    assert_eq!(game.allowance(), Duration::from_millis(500));
    assert_eq!(game.player.settings().table_bytes, 1 << 19);
    game.inform("time_left 2147483647").unwrap();
    assert_eq!(game.allowance(), Duration::from_secs(1));
}

#[test]
fn positions_stand_for_the_time_of_a_move_where_they_are_asked_to() {
    let mut game = Game::new(Settings { nodes_per_milli: Some(10), ..Settings::default() });
    game.inform("timeout_turn 200").unwrap();
    assert_eq!(game.limits(), Limits::nodes(2_000));
    for (most, nodes) in [(500, 500), (5_000, 2_000)] {
        game.inform(&format!("max_node {most}")).unwrap();
        assert_eq!(game.limits(), Limits::nodes(nodes));
    }
}

#[test]
fn an_information_that_is_too_long_or_no_text_is_passed_over() {
    let long = |bytes: usize| format!("info folder {}", "/games".repeat(bytes / 6)).into_bytes();
    for information in [long(250), long(5_000), long(100_000), b"INFO folder /\xff\xfe".to_vec()] {
        let input = [b"START 5\n", &information[..], b"\nTURN 1,\xff\nRESTART\n"].concat();
        assert_eq!(answers(&input), ["OK", "ERROR \"1,\u{fffd}\" is not column,row", "OK"]);
    }
    let mut output = Vec::new();
    let too_long = "TURN ".to_owned() + &"1".repeat(5_000);
    assert_eq!(play(too_long.as_bytes(), &mut output, Settings::default()).unwrap_err().code(), 2);
}

#[test]
fn a_board_of_more_stones_than_cells_is_refused() {
    let stones = "0,0,1\n".repeat(100);
    let taken = "ERROR 0,0 is taken";
    assert_eq!(answers(format!("START 5\nBOARD\n{stones}DONE\nRESTART\n")), ["OK", taken, "OK"]);
    assert_eq!(answers(format!("BOARD\n{stones}DONE\n")), ["ERROR no game has been started"]);
    let (mut game, mut kept) = (Game::new(Settings::default()), Vec::new());
    game.start(5, 5).unwrap();
    for _ in 0..100 {
        game.keep(Stone { column: 0, row: 0, own: true }, &mut kept);
    }
    assert_eq!(kept.len(), 26);
}

#[test]
fn a_large_board_is_answered_beside_a_stone_where_there_is_no_time_to_set_it_up() {
    let mut output = Vec::new();
    let input = "START 1000\nINFO timeout_turn 50\nTURN 500,500\n";
    play(input.as_bytes(), &mut output, Settings::default()).unwrap();
    let text = String::from_utf8(output).unwrap();
    assert_eq!(text, "OK\nMESSAGE depth 0 score +0 nodes 0 line 499,499\n499,499\n");
}

proptest! {
    #[test]
    fn no_commands_make_it_panic(
        text in "((START|RECTSTART|TURN|BOARD|TAKEBACK|INFO|DONE|RESTART|ABOUT)[ ]?(rule|time_left)?[ ]?-?[0-9]{0,3}(,[0-9]{1,21})?\n){0,8}",
    ) {
        let text = format!("INFO timeout_turn 0\n{text}");
        let _ = play(text.as_bytes(), &mut Vec::new(), Settings { table_bytes: 64, ..Settings::default() });
    }
}
