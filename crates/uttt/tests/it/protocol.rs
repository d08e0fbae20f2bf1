use crate::{EXAMPLE, state};
use assert_cmd::Command;
use proptest::prelude::*;
use search_core::Position;
use std::io::{BufReader, Read};
use std::process::{Command as Process, Stdio};
use uttt::player::{Player, Settings};
use uttt::protocol::{Answerer, dialogue};

fn uttt(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uttt"));
    command.args(arguments).env_remove("UTTT_TIME_MS");
    command
}

fn answer(arguments: &[&str]) -> String {
    let output = uttt(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Checks for exit code 2, one line on standard error that holds `reason`, and no standard output.
fn refused(arguments: &[&str], reason: &str) {
    let output = uttt(arguments).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
    assert!(message.contains(reason) && message.lines().count() == 1, "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
#[cfg(unix)]
fn memory_and_threads_that_the_system_refuses_are_one_line() {
    let limited = "ulimit -v 400000; exec \"$0\" --table 4000 0";
    let output = Process::new("sh").args(["-c", limited, env!("CARGO_BIN_EXE_uttt")]).output().unwrap();
    let told = "uttt: --table: the system refuses 4000 MiB of memory\n";
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(2), told));
    // A stack that no system has.
    let output = uttt(&["analyse"]).env("RUST_MIN_STACK", (1_u64 << 46).to_string()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.starts_with("uttt: no thread can be started: ") && told.lines().count() == 1, "{told}");
}

#[test]
fn a_position_is_answered_with_the_position_after_a_winning_move() {
    let wins = [
        "330716890198477834926403213994701218254008155997460\n",
        "319024877099830611580773735332970962541009996973332\n",
    ];
    assert!(wins.contains(&answer(&[EXAMPLE]).as_str()));
}

#[test]
fn the_answer_is_one_legal_move_and_nothing_else() {
    let text = answer(&["0", "--time", "50"]);
    let next = state(text.strip_suffix('\n').unwrap());
    assert_eq!(next.occupied(), 1);
}

#[test]
fn a_finished_position_is_answered_with_itself() {
    let over = "330716890198477834926403213994701218254008155997460";
    assert_eq!(answer(&[over]), format!("{over}\n"));
}

#[test]
fn an_empty_board_may_carry_any_last_move() {
    let with_last_81 = (num_bigint::BigUint::from(81_u32) << 162_u32).to_string();
    assert_eq!(state(answer(&["--nodes", "500", &with_last_81]).trim_end()).occupied(), 1);
    assert_eq!(answer(&["a", "0", &with_last_81]), format!("{with_last_81} \n"));
    assert_eq!(answer(&["a", "1", &with_last_81]).lines().nth(1), answer(&["a", "1", "0"]).lines().nth(1));
}

#[test]
fn the_example_of_the_assignment_is_drawn() {
    let picture = answer(&["p", EXAMPLE]);
    assert_eq!(picture.lines().last(), Some(" o  x  o | .  .  x | X  x  . "));
    assert!(picture.ends_with('\n') && picture.lines().all(|line| line.len() == 29));
}

#[test]
fn the_example_of_the_assignment_has_two_children() {
    assert_eq!(
        answer(&["a", "1", EXAMPLE]),
        format!(
            "{EXAMPLE} \n319024877099830611580773735332970962541009996973332 \
             330716890198477834926403213994701218254008155997460 \n"
        )
    );
}

#[test]
fn bad_input_is_refused_with_one_line_and_exit_code_2() {
    refused(&[], "expected an integer");
    refused(&[""], "found nothing");
    refused(&["x"], "not a decimal integer");
    refused(&["12a"], "not a decimal integer");
    refused(&["-5"], "negative");
    refused(&["p", "-5"], "negative");
    refused(&[&"9".repeat(51)], "more than 169 bits");
    refused(&[&"1".repeat(100_000)], "more than 169 bits");
    refused(&["3"], "cell 80 holds 3");
    let last_81 = (num_bigint::BigUint::from(81_u32) << 162_u32) + 1_u32;
    refused(&[&last_81.to_string()], "the last move is 81");
    refused(&["a"], "expected `a DEPTH INT`");
    refused(&["a", "1"], "expected `a DEPTH INT`");
    refused(&["a", "x", "0"], "DEPTH");
    refused(&["a", "99999999999999999999", "0"], "DEPTH");
    refused(&["a", "1", "0", "0"], "expected `a DEPTH INT`");
    refused(&["p"], "expected `p INT`");
    refused(&["0", "0"], "unexpected argument");
    refused(&["--time", "0", "0"], "--time");
    refused(&["--time", "soon", "0"], "--time");
    refused(&["--time"], "--time");
    refused(&["--eval", "none", "0"], "boards, lines, network");
    refused(&["--search", "none", "0"], "alpha-beta");
    refused(&["--kernel", "none", "0"], "portable");
    refused(&["--bogus"], "--bogus");
}

#[test]
fn a_bad_time_in_the_environment_is_refused() {
    let output = uttt(&["0"]).env("UTTT_TIME_MS", "1s").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("UTTT_TIME_MS"));
    assert!(uttt(&["0"]).env("UTTT_TIME_MS", "20").output().unwrap().status.success());
}

#[test]
#[cfg(unix)]
fn arguments_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStringExt;
    let bytes = std::ffi::OsString::from_vec(vec![b'1', 0xff]);
    let output = Command::new(env!("CARGO_BIN_EXE_uttt")).arg(bytes).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn help_is_printed_on_demand() {
    assert!(answer(&["--help"]).contains("uttt a DEPTH INT"));
    assert_eq!(answer(&["-h"]), answer(&["--help"]));
}

#[test]
fn the_dialogue_answers_line_by_line() {
    let output = uttt(&["-", "--nodes", "300"])
        .write_stdin(format!("0\r\n{EXAMPLE}\n330716890198477834926403213994701218254008155997460"))
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(state(lines[0]).occupied(), 1);
    assert!(state(lines[1]).outcome().is_some());
    assert_eq!(lines[2], "330716890198477834926403213994701218254008155997460");
}

#[test]
fn the_dialogue_ends_at_a_bad_line_and_names_it() {
    for (input, reason) in [
        (b"330716890198477834926403213994701218254008155997460\nno\n0\n".to_vec(), "line 2"),
        (b"\n".to_vec(), "line 1"),
        (b"0\0\n".to_vec(), "line 1"),
        (b"\xff\n".to_vec(), "line 1"),
        (vec![b'1'; 1 << 20], "line 1"),
    ] {
        let output = uttt(&["-", "--nodes", "10"]).write_stdin(input).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(reason) && message.lines().count() == 1, "{message}");
    }
}

#[test]
fn a_reader_who_has_seen_enough_of_the_tree_is_no_error() {
    let mut process = Process::new(env!("CARGO_BIN_EXE_uttt"))
        .args(["a", "9", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut head = [0; 1000];
    BufReader::new(process.stdout.take().unwrap()).read_exact(&mut head).unwrap();
    assert!(head.starts_with(b"0 \n1461501637330902918203684832716283019655932542976 "));
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn every_kernel_of_this_processor_can_be_asked_for() {
    for kernel in uttt::tree::Kernel::ALL {
        let output = uttt(&["a", "2", "0", "--kernel", kernel.name()]).output().unwrap();
        if kernel.is_available() {
            assert_eq!(String::from_utf8(output.stdout).unwrap(), answer(&["a", "2", "0"]));
        } else {
            println!("skipped: this processor has no {kernel}");
            assert_eq!(output.status.code(), Some(2));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_input_of_the_dialogue_is_a_panic(input in proptest::collection::vec(any::<u8>(), 0..200)) {
        let settings = Settings { table_bytes: 1 << 12, ..Settings::default() };
        let mut answerer = Answerer::new(Player::new(settings), search_core::Limits::depth(1));
        let _ = dialogue(&mut answerer, input.as_slice(), &mut Vec::new());
    }
}

#[test]
fn a_position_is_solved_on_demand() {
    assert_eq!(answer(&["solve", EXAMPLE]), "o wins in 1 ply\ncells 54\n");
    let over = "330716890198477834926403213994701218254008155997460";
    assert_eq!(answer(&["solve", over]), "o wins: the game is over\n");
    assert_eq!(answer(&["solve", "0", "--nodes", "1000"]), "unknown\n");
    assert_eq!(answer(&["solve", EXAMPLE, "--threads", "2"]), "o wins in 1 ply\ncells 54\n");
    assert_eq!(answer(&["solve", "0", "--nodes", "1000", "--threads", "2"]), "unknown\n");
    refused(&["solve"], "expected `solve INT`");
    assert_eq!(answer(&["solve", EXAMPLE, "--threads", "3"]), "o wins in 1 ply\ncells 54\n");
    refused(&["solve", EXAMPLE, "--threads", "0"], "--threads");
    for play in [&[EXAMPLE, "--threads", "2"][..], &["-", "--threads", "2"]] {
        refused(play, "a move is searched on one thread");
    }
    refused(&["solve", EXAMPLE, "--depth", "3"], "not --depth");
    uttt(&["analyse", "--threads", "2"]).write_stdin("").assert().success();
}

#[test]
fn the_courses_own_command_line_works() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/python/tp1_matricule1_matricule2.py");
    if Process::new("python3").arg("--version").output().is_err() {
        println!("skipped: no python3 here");
        return;
    }
    let python = |arguments: &[&str]| {
        let mut process = Process::new("python3");
        process.arg(script).args(arguments).env("UTTT", env!("CARGO_BIN_EXE_uttt")).output().unwrap()
    };
    assert_eq!(String::from_utf8(python(&["p", EXAMPLE]).stdout).unwrap(), answer(&["p", EXAMPLE]));
    assert_eq!(String::from_utf8(python(&["a", "2", EXAMPLE]).stdout).unwrap(), answer(&["a", "2", EXAMPLE]));
    assert_eq!(String::from_utf8(python(&[EXAMPLE]).stdout).unwrap(), answer(&[EXAMPLE]));
    assert_eq!(python(&["no"]).status.code(), Some(2));
}

#[test]
#[cfg(target_os = "linux")]
fn the_time_of_a_process_that_answers_once_counts_from_its_start() {
    let busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; exec \"$@\"";
    let soonest = |limit: [&str; 2]| {
        let run = |_| {
            let begun = std::time::Instant::now();
            let mut process = Process::new("sh");
            process.args(["-c", busy, "sh", env!("CARGO_BIN_EXE_uttt"), "0"]).args(limit);
            assert!(process.stdout(Stdio::null()).status().unwrap().success());
            begun.elapsed().as_millis()
        };
        (0..4).map(run).min().unwrap()
    };
    let (before, whole) = (soonest(["--nodes", "1"]), soonest(["--time", "1000"]));
    // The shell's work counts, up to half of the limit. Otherwise the answer would take 950 ms longer than the shell.
    assert!(whole < before + 850, "{whole} ms in all, {before} ms of them before the search");
}

#[test]
fn the_largest_number_of_nodes_is_a_limit_like_any_other() {
    let next = state(answer(&[EXAMPLE, "--nodes", "18446744073709551615"]).trim_end());
    assert!(next.outcome().is_some());
}

#[test]
fn the_tables_size_has_bounds_and_changes_no_move() {
    assert_eq!(
        answer(&["0", "--nodes", "9", "--table", "9"]),
        answer(&["0", "--nodes", "9", "--table", "8"])
    );
    refused(&["0", "--table", "0"], "--table: expected a number from 1 to 65536, found \"0\"");
    refused(&["0", "--table", "+8"], "--table: expected a number from 1 to 65536, found \"+8\"");
}

/// Arbitrary cells, as a grader may write them, often with lines of both sides in one board.
fn any_position() -> impl Strategy<Value = uttt::rules::Integer> {
    (proptest::collection::vec(0..3_u64, 81), 0..81_usize).prop_map(|(cells, last)| {
        let mut integer = uttt::rules::Integer::default().with_last(last);
        for (cell, symbol) in cells.into_iter().enumerate() {
            integer.put(uttt::rules::Cell::new(cell).unwrap(), symbol);
        }
        integer
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A board in which both sides have a line belongs to x, for the tree, for play and for readers of their answers.
    #[test]
    fn impossible_boards_follow_one_rule_in_tree_and_play(integer in any_position()) {
        let position = uttt::rules::State::try_from(integer).unwrap();
        for board in 0..9 {
            let line = |side| uttt::rules::has_line(position.cells(side, board));
            let [x, o] = [uttt::rules::Side::X, uttt::rules::Side::O].map(|side| position.won(side) >> board & 1 == 1);
            prop_assert_eq!(x, line(uttt::rules::Side::X));
            prop_assert_eq!(o, line(uttt::rules::Side::O) && !x);
        }
        let mut children = Vec::new();
        for cell in position.move_list() {
            let mut child = position;
            child.play(cell);
            prop_assert_eq!(child, state(&child.integer().to_string()), "{} after {}", child, cell);
            children.push(child.integer().to_string());
        }
        let mut tree = Vec::new();
        uttt::tree::write(integer, &position, 1, uttt::tree::Kernel::best(), &mut tree).unwrap();
        let mut expected = format!("{integer} \n");
        if !children.is_empty() {
            expected += &(children.join(" ") + " \n");
        }
        prop_assert_eq!(String::from_utf8(tree).unwrap(), expected);
        let mut answerer = Answerer::new(
            Player::new(Settings { table_bytes: 1 << 16, ..Settings::default() }),
            search_core::Limits::nodes(200),
        );
        let request: uttt::protocol::Request = integer.to_string().parse().unwrap();
        let answered = answerer.answer(&request, &search_core::Stopwatch::start()).to_string();
        let expected = if children.is_empty() { vec![integer.to_string()] } else { children };
        let is_expected = expected.contains(&answered);
        prop_assert!(is_expected, "{} answers {}", answered, integer);
    }
}

#[test]
fn damage_anywhere_in_the_weights_shows() {
    use uttt::evaluation::network::{BYTES, Network, Path};
    let weights: &[u8; BYTES] = include_bytes!("../../src/evaluation/network.bin");
    assert!(Network::from_bytes(weights, Path::Portable).is_ok());
    for place in [0, BYTES / 2, BYTES - 12, BYTES - 1] {
        let mut damaged = *weights;
        damaged[place] ^= 1;
        let error = Network::from_bytes(&damaged, Path::Portable).unwrap_err().to_string();
        assert!(error.contains("the network's weights are damaged"), "{error}");
    }
}

#[test]
fn an_executable_with_damaged_weights_says_so() {
    let weights = include_bytes!("../../src/evaluation/network.bin");
    let mut program = std::fs::read(env!("CARGO_BIN_EXE_uttt")).unwrap();
    let start =
        program.windows(64).position(|bytes| bytes == &weights[..64]).expect("the weights as they are");
    program[start + 1000] ^= 0x10;
    let folder = tempfile::tempdir().unwrap();
    let (bytes, path) = (folder.path().join("bytes"), folder.path().join("uttt"));
    std::fs::write(&bytes, program).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_uttt"), &path).unwrap();
    // Another process writes the file: a child that a parallel test starts would hold our open file, which then cannot
    // be run.
    Command::new("cp").args([&bytes, &path]).assert().success();
    let output = Command::new(&path).arg("0").output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("weights are damaged") && message.lines().count() == 1, "{message}");
    assert!(output.stdout.is_empty());
}
