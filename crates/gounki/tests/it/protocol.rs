//! Tests the executable: test mode, play mode, files, exit codes.

use assert_cmd::Command;
use gounki::protocol::file;
use gounki::rules::{Game, Position};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::Position as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn data(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/gounki")).join(name)
}

/// Runs the executable; returns its standard output, its standard error and its exit code.
fn gounki(arguments: &[&str], input: &[u8]) -> (String, String, i32) {
    let output = Command::cargo_bin("gounki").unwrap().args(arguments).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn exits_with(arguments: &[&str], input: &[u8], code: i32, message: &str) {
    let (_, stderr, got) = gounki(arguments, input);
    assert_eq!((got, stderr.lines().count()), (code, usize::from(code != 0)), "{arguments:?}: {stderr}");
    assert!(stderr.contains(message), "{arguments:?}: {stderr}");
}

#[test]
#[cfg(unix)]
fn memory_that_the_system_refuses_is_one_line() {
    let limited = "ulimit -v 400000; exec \"$0\" -t --table 4000";
    let program = env!("CARGO_BIN_EXE_gounki");
    let output = std::process::Command::new("sh").args(["-c", limited, program]).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{told}");
    assert!(told.contains("--table : le système refuse 4000 Mio de mémoire"), "{told}");
}

#[test]
fn test_mode_plays_the_example_of_the_assignment() {
    let moves = std::fs::read(data("assignment_example.txt")).unwrap();
    let (stdout, stderr, code) = gounki(&["-t"], &moves);
    assert_eq!((stderr.as_str(), code), ("", 0));
    let expected = std::fs::read_to_string(data("assignment_example.out")).unwrap();
    assert_eq!(stdout, expected);
}

#[test]
fn test_mode_ends_well_at_the_end_of_input_whatever_the_line_endings() {
    for input in ["", "\n\n", "a2-b3", "a2-b3\n", "a2-b3\r\n\r\ng7-g6\r\n", "  a2-b3  \n"] {
        exits_with(&["-t"], input.as_bytes(), 0, "");
    }
}

#[test]
fn test_mode_refuses_what_it_cannot_read_with_2() {
    for input in [
        &b"a2-b3 x\n"[..],
        b"a2b3\n",
        b"A2-B3\n",
        b"a2-b9\n",
        b"a2-b3\0\n",
        b"\xff\xfe\n",
        b"a2+b3-b4-b5-b6\n",
        &[b'a'; 100_000],
    ] {
        exits_with(&["-t"], input, 2, "");
    }
    exits_with(&["-t"], b"a2-b3\n\nbonjour\n", 2, "ligne 3 : « bonjour » n'est pas un coup");
}

#[test]
fn test_mode_refuses_what_cannot_be_played_with_1() {
    exits_with(&["-t"], b"b2-b4\n", 1, "ligne 1 : coup impossible b2-b4 : b4 est à 2 pas");
    exits_with(&["-t"], b"a7-a6\n", 1, "appartient à l'adversaire");
    exits_with(&["-t"], b"a2-b3\nbonjour", 2, "ligne 2");
}

#[test]
fn nothing_can_be_played_after_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fin.conf");
    let mut codes = vec!["V0"; 64];
    codes[56] = "B2";
    codes[63] = "N1";
    std::fs::write(&path, codes.join("\n")).unwrap();
    let path = path.to_str().unwrap();
    let (stdout, _, code) = gounki(&["-t", "-c", path], b"a8#\n\n");
    assert!(code == 0 && stdout.ends_with("Partie terminée : les blancs gagnent.\n"), "{stdout}");
    exits_with(&["-t", "-c", path], b"a8#\nh8-h7\n", 1, "la partie est finie");
    exits_with(&["--meilleur-coup", path], b"", 0, "");
}

#[test]
fn perft_prints_its_count() {
    assert_eq!(gounki(&["--perft", "3"], b"").0, "53892\n");
    let initial = data("initial.conf");
    assert_eq!(gounki(&["--perft", "2", "-c", initial.to_str().unwrap()], b"").0, "1296\n");
}

#[test]
fn wrong_arguments_are_refused_with_2() {
    exits_with(&["-B", "martien"], b"", 2, "robot inconnu : « martien »");
    exits_with(&["-B"], b"", 2, "il manque la valeur de l'option « -B » (--help");
    exits_with(&["--perft", "-1"], b"", 2, "un nombre de 0 à 12 est attendu");
    exits_with(&["--perft", "99999999999999999999"], b"", 2, "un nombre de 0 à 12 est attendu");
    exits_with(&["--zut"], b"", 2, "option inconnue : « --zut »");
    exits_with(&["-t", "-B", "robot"], b"", 2, "incompatibles avec -t");
    exits_with(&["-c", "/nulle/part"], b"", 2, "/nulle/part : aucun fichier ni dossier de ce nom");
    exits_with(&["-c", "/"], b"", 2, "c'est un dossier");
    exits_with(&["-t", "reste"], b"", 2, "« reste » est de trop");
    exits_with(&["--heuristique=1"], b"", 2, "ne prend pas de valeur");
    exits_with(&["-t", "--threads", "2"], b"", 2, "--threads ne sert qu'à --analyse");
    exits_with(&["--eval", "beaute"], b"", 2, "évaluation inconnue");
}

#[test]
fn help_is_help() {
    for option in ["-h", "--help", "--aide"] {
        let (stdout, _, code) = gounki(&[option], b"");
        assert!(code == 0 && stdout.contains("-B TYPE, -N TYPE"));
        assert!(stdout.lines().all(|line| line.chars().count() <= 100));
    }
}

#[test]
fn a_damaged_configuration_is_refused_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.conf");
    let lines: Vec<String> =
        std::fs::read_to_string(data("initial.conf")).unwrap().lines().map(str::to_owned).collect();
    for (text, message) in [
        (lines[..63].join("\n"), "63 lignes au lieu de 64"),
        (lines.join("\n") + "\nV0\n", "ligne 65"),
        (lines.join("\n").replacen("B2", "B0", 1), "ligne 2 (case b1)"),
        ("V0\n".repeat(64), "vide"),
        (String::new(), "vide"),
        ("x".repeat(10_000), "dépasse 256 octets"),
    ] {
        std::fs::write(&path, text).unwrap();
        exits_with(&["-t", "-c", path.to_str().unwrap()], b"", 2, message);
    }
}

#[test]
fn two_people_play_undo_save_and_load() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("partie.txt");
    let save = save.to_str().unwrap();
    let entries = format!(
        "a2-b3\ng7-g6\nb2-b3\nannuler 2\nrejouer\nhistorique\ncoups a1\nsauver {save}\nzut\nb8-b7\nquitter\n"
    );
    let (stdout, stderr, code) = gounki(&[], entries.as_bytes());
    assert_eq!((code, stderr.as_str()), (0, ""));
    for expected in [
        "Coup 3 (blanc) : b2-b3",
        "2 coups annulés.",
        "1 coup rejoué.",
        "Coup 1 (blanc) : a2-b3\nCoup 2 (noir) : g7-g6\n",
        "coups possibles :\n  a1-a2",
        "Partie sauvegardée",
        "« zut » n'est pas un coup",
        "Coup impossible : le pion en b8 appartient à l'adversaire.",
        "Au revoir.",
    ] {
        assert!(stdout.contains(expected), "{expected}: {stdout}");
    }
    let (stdout, ..) = gounki(&["-c", save], b"historique\nquitter\n");
    assert!(stdout.contains("Coup 2 (noir) : g7-g6\n"), "{stdout}");
    let (stdout, ..) = gounki(&[], format!("charger {save}\nquitter\n").as_bytes());
    assert!(stdout.contains("partie chargée (2 coups)"), "{stdout}");
}

#[test]
fn a_damaged_save_leaves_the_running_game_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abime.txt");
    std::fs::write(&path, "partie de gounki\ncoups\na2-b3\na2-b3\n").unwrap();
    let path = path.to_str().unwrap();
    let (stdout, ..) = gounki(&[], format!("b2-b3\ncharger {path}\nhistorique\nquitter\n").as_bytes());
    assert!(stdout.contains("la partie continue : ligne 4 : coup impossible a2-b3"), "{stdout}");
    assert!(stdout.contains("\nCoup 1 (blanc) : b2-b3\n"), "{stdout}");
}

#[test]
fn a_damaged_configuration_inside_a_game_is_told_with_the_line_it_begins_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("abime.txt");
    let codes = "V0\n".repeat(2) + "X7\n" + &"V0\n".repeat(61);
    std::fs::write(&path, format!("partie de gounki\nblanc : humain\nconfiguration\n{codes}coups\n"))
        .unwrap();
    let (stdout, ..) = gounki(&[], format!("charger {}\nquitter\n", path.display()).as_bytes());
    assert!(stdout.contains("configuration à partir de la ligne 4 : ligne 3 (case c1) : « X7 »"), "{stdout}");
}

#[test]
fn the_end_of_input_in_mid_game_is_told_and_the_game_saved() {
    exits_with(&[], b"a2-b3\n", 1, "fin de l'entrée en cours de partie");
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("partie.txt");
    let save = save.to_str().unwrap();
    exits_with(&["--sauver", save], b"a2-b3\n", 1, "partie sauvegardée dans");
    assert!(std::fs::read_to_string(save).unwrap().ends_with("coups\na2-b3\n"));
    std::fs::remove_file(save).unwrap();
    // A byte that is not text makes an unknown command; an endless line ends the input.
    let endless = [&b"a2-b3\n\xe9\n"[..], &[b'x'; 1 << 20]].concat();
    exits_with(&["--sauver", save], &endless, 2, "partie sauvegardée dans");
    assert!(std::fs::read_to_string(save).unwrap().ends_with("coups\na2-b3\n"));
}

#[test]
#[cfg(unix)]
fn a_signal_while_a_robot_thinks_saves_the_game() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("partie.txt");
    for (signal, code) in [("INT", 1), ("TERM", 143)] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_gounki"))
            .args(["-N", "robot", "--time", "600000", "--sauver"])
            .arg(&save)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut person = run.stdin.take().unwrap();
        person.write_all(b"a2-b3\n").unwrap();
        let lines = BufReader::new(run.stdout.take().unwrap()).lines().map_while(Result::ok);
        let mut lines = lines.skip_while(|line| !line.contains("a2-b3"));
        assert!(lines.next().is_some());
        // The board after the move must appear before the robot thinks.
        assert!(lines.by_ref().any(|line| line.trim_start().starts_with("a  ")));
        std::thread::sleep(std::time::Duration::from_millis(50));
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(run.id().to_string()).status();
        assert!(sent.unwrap().success());
        assert_eq!(run.wait().unwrap().code(), Some(code));
        let mut said = String::new();
        run.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(said.contains("partie interrompue") && said.contains("partie sauvegardée dans"), "{said}");
        assert!(std::fs::read_to_string(&save).unwrap().ends_with("coups\na2-b3\n"));
    }
}

#[test]
fn an_evaluation_is_for_the_robots_that_state_none_and_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("partie.txt");
    let input = format!("sauver {}\nquitter\n", save.display());
    for (name, saved) in [
        ("robot", "robot:meilleur:armee"),
        ("robot:minimax:2", "robot:minimax:2:armee"),
        ("robot:minimax:2:reseau", "robot:minimax:2:reseau"),
        ("robot:niveau:4", "robot:niveau:4"),
    ] {
        gounki(&["-N", name, "--eval", "armee"], input.as_bytes());
        let text = std::fs::read_to_string(&save).unwrap();
        assert!(text.contains(&format!("noir : {saved}\n")), "{name}: {text}");
    }
    std::fs::write(&save, "partie de gounki\nblanc : tonton\ncoups\n").unwrap();
    exits_with(&["-c", save.to_str().unwrap()], b"", 2, "partie.txt : robot inconnu : « tonton »");
}

#[test]
fn nothing_is_taken_back_before_a_person_has_chosen() {
    let (stdout, ..) = gounki(&["-B", "robot:niveau:1"], b"annuler\nquitter\n");
    assert!(stdout.contains("Aucun coup à annuler."), "{stdout}");
    assert_eq!(stdout.matches("Coup 1 (blanc)").count(), 1, "{stdout}");
}

#[test]
fn saving_never_destroys_what_is_not_a_saved_game_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let save = |path: &Path| gounki(&[], format!("a2-b3\nsauver {}\nquitter\n", path.display()).as_bytes()).0;
    let whole = |path: &Path| std::fs::read_to_string(path).unwrap().ends_with("coups\na2-b3\n");

    std::fs::write(at("partie.tmp"), "précieux").unwrap();
    assert!(save(&at("partie")).contains("Partie sauvegardée") && whole(&at("partie")));
    assert_eq!(std::fs::read_to_string(at("partie.tmp")).unwrap(), "précieux");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
    assert!(save(folder.path()).contains("n'a pas pu être sauvegardée"));
}

#[test]
fn a_game_goes_on_in_its_file_and_in_no_other_that_was_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c");
    let name = path.to_str().unwrap();
    let configuration = std::fs::read_to_string(data("initial.conf")).unwrap();
    std::fs::write(&path, &configuration).unwrap();
    let arguments = ["-c", name, "--sauver", name];
    exits_with(&arguments, b"a2-b3\n", 2, "--sauver écraserait le fichier que -c charge");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), configuration);

    std::fs::remove_file(&path).unwrap();
    exits_with(&["--sauver", name], b"a2-b3\n", 1, "partie sauvegardée dans");
    exits_with(&arguments, b"g7-g6\n", 1, "partie sauvegardée dans");
    assert!(std::fs::read_to_string(&path).unwrap().ends_with("coups\na2-b3\ng7-g6\n"));
}

#[test]
#[cfg(unix)]
fn a_game_that_may_not_be_written_is_told_and_played_on() {
    let folder = tempfile::tempdir().unwrap();
    let save = folder.path().join("partie");
    let output = Command::new("sh")
        .args(["-c", "ulimit -f 0; exec \"$0\""])
        .arg(assert_cmd::cargo::cargo_bin("gounki"))
        .write_stdin(format!("a2-b3\nsauver {}\nhistorique\nquitter\n", save.display()))
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", output.status);
    let (_, after) = stdout.split_once("n'a pas pu être sauvegardée").expect(&stdout);
    assert!(after.contains("a2-b3"), "{after}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
#[cfg(unix)]
fn saving_follows_links_and_leaves_devices_and_pipes_as_they_are() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let save = |path: &Path| gounki(&[], format!("a2-b3\nsauver {}\nquitter\n", path.display()).as_bytes()).0;

    std::fs::write(at("vraie"), "ancienne").unwrap();
    std::fs::set_permissions(at("vraie"), std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink("vraie", at("lien")).unwrap();
    assert!(save(&at("lien")).contains("Partie sauvegardée"));
    assert!(std::fs::symlink_metadata(at("lien")).unwrap().is_symlink());
    assert!(std::fs::read_to_string(at("vraie")).unwrap().ends_with("coups\na2-b3\n"));
    assert_eq!(std::fs::metadata(at("vraie")).unwrap().permissions().mode() & 0o777, 0o640);

    let made = std::process::Command::new("mkfifo").arg(at("tube")).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo");
    assert!(save(&at("tube")).contains("ce n'est pas un fichier ordinaire"));
    assert!(std::fs::symlink_metadata(at("tube")).unwrap().file_type().is_fifo());
    symlink("/dev/null", at("nul")).unwrap();
    assert!(save(&at("nul")).contains("ce n'est pas un fichier ordinaire"));
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn two_robots_play_a_game_to_its_end() {
    let arguments = ["-B", "robot:alphabeta:2", "-N", "robot:glouton:percee", "--seed", "3", "--ecart", "20"];
    let (stdout, _, code) = gounki(&arguments, b"");
    assert_eq!(code, 0);
    assert!(stdout.contains("Coup 1 (blanc) : ") && stdout.contains("Coup 2 (noir) : "));
    assert!(stdout.trim_end().ends_with("gagnent."), "{stdout}");
    assert_eq!(gounki(&arguments, b"").0, stdout, "the same seed gives the same game");
}

#[test]
fn a_person_asks_the_robot_for_advice_and_sees_the_heuristic() {
    let arguments = ["-N", "robot:niveau:3", "--nodes", "500", "--heuristique"];
    let (stdout, _, code) = gounki(&arguments, b"conseil\na2-b3\nannuler\nquitter\n");
    assert_eq!(code, 0);
    for expected in ["Coup conseillé : ", "Heuristique (reseau) : blanc ", "2 coups annulés."] {
        assert!(stdout.contains(expected), "{expected}: {stdout}");
    }
}

#[test]
fn the_best_move_of_a_file_is_one_line() {
    let example = data("assignment_example.txt");
    let (stdout, _, code) = gounki(&["--meilleur-coup", example.to_str().unwrap(), "--nodes", "2000"], b"");
    assert!(code == 0 && stdout.lines().count() == 1 && stdout.contains(['-', '+', '*', '#']), "{stdout}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_time_of_a_process_a_move_counts_from_its_start() {
    let begun = std::time::Instant::now();
    let mut process = std::process::Command::new("sh");
    // `exec` keeps the process number, so the time before it counts as start-up, up to half of the limit.
    process.args(["-c", "sleep 2.4; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_gounki"), "--time", "5000"]);
    process.arg("--meilleur-coup").arg(data("assignment_example.txt"));
    assert!(process.stdout(std::process::Stdio::null()).status().unwrap().success());
    // Without that cap, iterations would begin until 2.4 s plus three fifths of the limit, 5370 ms.
    let took = begun.elapsed().as_millis();
    assert!(took < 5200, "{took} ms");
}

/// A game of random moves, from the initial position or from the middle of another game.
fn random_game(seed: u64) -> Game {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut start = Position::initial();
    let (before, moves) = (random.random_range(0..20), random.random_range(0..30));
    for _ in 0..before {
        let list = start.move_list();
        let mut next = start;
        next.play(list[random.random_range(0..list.len())]);
        if next.is_over() {
            break;
        }
        start = next;
    }
    let mut game = Game::new(start);
    for _ in 0..moves {
        let list = game.position().move_list();
        if list.is_empty() {
            break;
        }
        game.play(list[random.random_range(0..list.len())]);
    }
    game
}

proptest! {
    #[test]
    fn a_game_that_was_written_is_read_back(seed: u64) {
        let game = random_game(seed);
        let loaded = file::read(file::text(&game, ["humain", "robot"]).as_bytes()).unwrap();
        prop_assert_eq!(loaded.content, file::Content::Game);
        prop_assert_eq!(loaded.game.position(), game.position());
        prop_assert_eq!(loaded.game.start(), game.start());
        prop_assert_eq!(loaded.game.played().len(), game.played().len());
        prop_assert_eq!(loaded.players, [Some("humain".to_owned()), Some("robot".to_owned())]);
    }

    #[test]
    fn a_damaged_file_is_read_or_refused(seed: u64, places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut: prop::sample::Index) {
        let mut text = file::text(&random_game(seed), ["humain", "humain"]).into_bytes();
        for (place, byte) in places {
            let place = place.index(text.len());
            text[place] = byte;
        }
        text.truncate(text.len() - cut.index(text.len()) / 4);
        if let Err(error) = file::read(&text[..]) {
            prop_assert!(!error.to_string().is_empty() && !error.to_string().contains('\n'));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = file::read(&bytes[..]);
    }
}
