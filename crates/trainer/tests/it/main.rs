//! The commands that play and measure in one process, each on its smallest task.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

use assert_cmd::cargo::cargo_bin_cmd;

mod puzzles;

/// Returns the command's output.
fn trainer(words: &str) -> String {
    let output = cargo_bin_cmd!("trainer").args(words.split(' ')).output().unwrap();
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_match_of_gounki_is_the_same_each_time_it_is_played_at_fixed_depth() {
    let played = || trainer("gounki match robot:alphabeta:1 robot:aleatoire --games 4 --opening 4 --seed 3");
    let told = played();
    assert!(told.starts_with("A robot:alphabeta:1"), "{told}");
    assert!(told.contains("games 4: A won 4, stopped 0,"), "{told}");
    assert_eq!(told.lines().nth(1), played().lines().nth(1));
}

#[test]
fn the_exact_search_of_gounki_counts_the_nodes_of_all_positions() {
    let told = trainer("gounki exact --depth 1");
    assert!(told.contains("51 positions to depth 1"), "{told}");
}

#[test]
fn fitted_weights_of_gounki_are_printed_as_the_player_embeds_them() {
    let told = trainer("gounki fit --games 4 --nodes 20 --threads 1 --robot robot:aleatoire");
    assert!(told.starts_with("//! Written by `trainer gounki fit`: 4 games at 20 nodes a move, "), "{told}");
    assert!(told.contains("pub(super) const CHECKSUM: u64 = 0x"), "{told}");
    assert!(told.ends_with(",\n];\n"), "{told}");
}

#[test]
fn a_match_in_the_maze_gives_every_seat_and_refuses_nothing() {
    let told = trainer("moules match --a gourmand --b gourmand --maps 1 --width 4");
    assert!(told.contains("over 1 maps × 4 seats"), "{told}");
    assert!(told.contains(" 0 moves that the game does not allow"), "{told}");
}

#[test]
fn a_maze_is_emptied_alone_in_about_the_listed_number_of_turns() {
    let told = trainer("moules solo --maps 1 --width 50 --plan-only");
    let first: Vec<_> = told.lines().next().unwrap().split(' ').collect();
    let (turns, listed): (u32, u32) = (first[3].parse().unwrap(), first[5].parse().unwrap());
    assert!(turns > 0 && turns <= listed + 10, "{told}");
}

#[test]
fn the_server_answers_scripted_clients_for_as_many_turns_as_told() {
    assert!(trainer("moules server --turns 40").starts_with("40 turns in "));
}

#[test]
fn a_match_of_uttt_counts_both_sides_of_every_opening() {
    let told = trainer("uttt match monte-carlo,lines monte-carlo,boards --pairs 1 --nodes 20");
    assert!(told.starts_with("monte-carlo,lines against monte-carlo,boards, 20 nodes: +"), "{told}");
    let counts: u32 = told
        .split_whitespace()
        .filter_map(|word| word.trim_end_matches(',').strip_prefix(['+', '=', '-'])?.parse::<u32>().ok())
        .sum();
    assert_eq!(counts, 2, "{told}");
}

#[test]
fn positions_near_the_end_of_uttt_are_solved() {
    let told = trainer("uttt solve --ply 58 --count 2 --nodes 100000");
    assert!(told.starts_with("ply 58: 2 of 2 solved, "), "{told}");
    // No game has as many moves as the grid has cells.
    let output = cargo_bin_cmd!("trainer").args(["uttt", "solve", "--ply", "81"]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && told.contains("no position after 81 random moves"), "{told}");
}

#[test]
fn a_network_of_gounki_is_fitted_to_positions_of_self_play() {
    let folder = tempfile::tempdir().unwrap();
    let [records, again, weights] = ["records", "again", "weights"].map(|name| folder.path().join(name));
    for out in [&records, &again] {
        let told =
            trainer(&format!("gounki self-play --games 12 --nodes 60 --seed 4 --out {}", out.display()));
        assert!(told.starts_with("12 games, "), "{told}");
    }
    let bytes = std::fs::read(&records).unwrap();
    assert!(bytes.len() > 40 * 72 && bytes == std::fs::read(&again).unwrap());
    let told =
        trainer(&format!("gounki network {} --epochs 2 --out {}", records.display(), weights.display()));
    let losses: Vec<f32> =
        told.lines().filter_map(|line| line.split_once("loss ")?.1.split_once(',')?.0.parse().ok()).collect();
    assert!(losses.len() == 2 && losses[1] < losses[0], "{told}");
    let fitted = std::fs::read(&weights).unwrap();
    assert_eq!(fitted.len(), gounki::evaluation::network::BYTES);
    // They are not lost with the output.
    std::fs::remove_file(&weights).unwrap();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("trainer"));
    command.args(["gounki", "network", "--epochs", "2", "--out"]).args([&weights, &records]);
    let output = command.stdout(full).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), told.contains("No space left")), (Some(1), true), "{told}");
    assert!(std::fs::read(&weights).unwrap() == fitted);

    std::fs::write(&records, &bytes[..bytes.len() - 1]).unwrap();
    let output =
        cargo_bin_cmd!("trainer").args(["gounki", "network", "--out", "x"]).arg(&records).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("not a whole number of records"));
}

#[test]
fn a_file_that_is_too_large_is_refused_before_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let large = folder.path().join("large");
    std::fs::File::create(&large).unwrap().set_len(1 << 40).unwrap();
    for words in ["uttt fit --out x", "connect5 lost", "othello course --labelled", "moules foresee"] {
        let words = words.split(' ').map(std::ffi::OsStr::new).chain([large.as_os_str()]);
        let output = cargo_bin_cmd!("trainer").args(words).current_dir(&folder).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(1) && told.ends_with("larger than 1024 MB\n"), "{told}");
    }
}

#[test]
fn a_journal_without_a_game_counts_nothing() {
    let empty = tempfile::NamedTempFile::new().unwrap();
    for options in [&["--margins"][..], &[]] {
        let line = ["moules", "foresee"];
        let command = &mut cargo_bin_cmd!("trainer");
        let output = command.args(line).arg(empty.path()).args(options).output().unwrap();
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    }
}

#[test]
fn a_setting_without_an_evaluation_is_refused_with_one_line() {
    let output = cargo_bin_cmd!("trainer").args(["uttt", "match", "monte-carlo", "x"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
}

#[test]
fn a_number_of_threads_out_of_range_is_refused() {
    for words in ["gounki fit --threads=18446744073709551615", "gounki match robot robot --threads=0"] {
        let output = cargo_bin_cmd!("trainer").args(words.split(' ')).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("1..=64"), "{output:?}");
    }
}

#[test]
fn numbers_that_would_overflow_are_refused() {
    for words in [
        "connect5 play --games 1 --nodes 9223372036854775807",
        "gounki self-play --nodes 20 --games 18446744073709551615",
        "gounki self-play --games 1 --nodes 20 --seed 18446744073709551615",
        "othello play --depth 1 --games 18446744073709551615",
        "puzzles uttt --seed 18446744073709551615",
    ] {
        let words = [&words.split(' ').collect::<Vec<_>>()[..], &["--out", "/nowhere/out"]].concat();
        let output = cargo_bin_cmd!("trainer").args(&words).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && told.contains("is not in 0..="), "{words:?}: {told}");
    }
}

#[test]
fn only_paths_are_taken_for_files() {
    let folder = tempfile::tempdir().unwrap();
    let output = std::fs::File::create(folder.path().join("2")).unwrap();
    let words = "gounki self-play --games 2 --nodes 20 --out games";
    // The standard output has the name of a number, beside a file of the command.
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_trainer"));
    let command = command.args(words.split(' ')).current_dir(&folder).stdout(output);
    assert!(command.status().unwrap().success());
    assert!(folder.path().join("games").metadata().unwrap().len() > 0);
}

#[test]
fn no_file_of_a_folder_that_is_read_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("games.wtb");
    std::fs::write(&game, "games").unwrap();
    let words = ["othello", "fit", "--wthor", folder.path().to_str().unwrap(), "--weights"];
    let output = cargo_bin_cmd!("trainer").args(words).arg(&game).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && told.contains("--weights"), "{told}");
    assert_eq!(std::fs::read(&game).unwrap(), b"games");
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_work() {
    let words = "uttt fit --out /nowhere/weights /nowhere/records";
    let output = cargo_bin_cmd!("trainer").args(words.split(' ')).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.starts_with("trainer: /nowhere/weights: "), "{told}");
}

#[test]
#[cfg(unix)]
fn a_signal_leaves_no_half_a_file() {
    use std::os::unix::process::ExitStatusExt;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("records").display().to_string();
    let entries = || std::fs::read_dir(folder.path()).unwrap().count();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("trainer"))
        .args(["uttt", "self-play", "--games", "1000000", "--out", &out])
        .spawn()
        .unwrap();
    let wait = |message: &str, is_done: &mut dyn FnMut() -> bool| {
        let start = std::time::Instant::now();
        while !is_done() {
            assert!(start.elapsed().as_secs() < 60, "{message}");
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    };
    wait("the file is begun", &mut || entries() == 1);
    let sent = std::process::Command::new("kill").arg(child.id().to_string()).status();
    assert!(sent.is_ok_and(|status| status.success()));
    wait("the signal ends it", &mut || child.try_wait().unwrap().is_some());
    assert_eq!((child.wait().unwrap().signal(), entries()), (Some(15), 0));
}
