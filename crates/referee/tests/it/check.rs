//! `referee check`: right programs follow every step, and each wrong one is told what is wrong and where it is written.

use super::support::run;
use std::fs;
use std::path::Path;

/// A player in Python of the project's test data.
fn python(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/players");
    folder.join(name).canonicalize().unwrap().display().to_string()
}

/// Checks a program. Returns the exit code and the report.
fn check(game: &str, command: &str, language: &str) -> (Option<i32>, String) {
    let output = run(&["check", game, command, "--language", language]);
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

/// Checks a copy of a player in Python with one text replaced by another.
fn changed(game: &str, player: &str, from: &str, to: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(python(player)).unwrap();
    assert!(text.contains(from), "{player} has no {from}");
    let path = folder.path().canonicalize().unwrap().join("bot.py");
    fs::write(&path, text.replace(from, to)).unwrap();
    check(game, &format!("python3 {}", path.display()), "en")
}

#[test]
fn right_programs_follow_the_protocol_of_their_course() {
    for (game, player) in [("connect5", "connect5.py"), ("uttt", "uttt.py"), ("moules", "moules.py")] {
        let (code, text) = check(game, &format!("python3 {}", python(player)), "fr");
        // The player of uttt only plays.
        let violations = text.matches("FAUX").count();
        assert_eq!((code, violations), if game == "uttt" { (Some(1), 2) } else { (Some(0), 0) }, "{text}");
        assert!(text.contains("respectent le protocole"), "{text}");
    }
}

#[test]
fn our_own_programs_follow_the_protocol_of_their_course() {
    for (game, player) in [
        ("connect5", "connect5-joueur"),
        ("uttt", "uttt"),
        ("gounki", "gounki"),
        ("moules", "moules-client"),
        ("othello", "tournoi:othello-player tournoi --joueur {seat} --depth {depth}"),
    ] {
        let (code, text) = check(game, player, "en");
        assert_eq!(code, Some(0), "{game}: {text}");
    }
}

#[test]
fn a_wrong_program_is_told_what_is_wrong_and_which_sentence_says_so() {
    let player = "connect5.py";
    for (from, to, told) in [
        ("flush=True", "flush=False", "the output stays in a buffer: flush it after each line"),
        ("\\nREADY\"", "\\nReady\"", "the course's tool accepts Ready, the text asks for READY"),
        ("\\nREADY\"", "\\nPRET\"", "READY did not come"),
        ("print(*choose(grid)", "print(*reversed(choose(grid))", "the row comes before the column"),
        ("print(*choose(grid)", "print(choose(grid)", "these are not two numbers with a blank between"),
        ("            return\n", "            __import__('time').sleep(60)\n", "it still runs 1.5 s later"),
        ("def choose(grid):", "def choose(grid):\n    import time; time.sleep(1.3)", "too late"),
    ] {
        let (code, text) = changed("connect5", player, from, to);
        assert!(text.contains(told), "{to}: {text}");
        assert_eq!(code, Some(i32::from(!told.contains("tool accepts"))), "{to}: {text}");
        assert!(text.contains("« "), "the sentence of the assignment: {text}");
    }
}

#[test]
fn what_crashes_is_quoted_and_what_the_sandbox_refused_is_told() {
    let (code, text) = check("gounki", "sh -c 'echo oops >&2; exit 3'", "fr");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("il s'est terminé (code 3) : oops"), "{text}");
    let (_, text) = changed("uttt", "uttt.py", "import random\n", "import random, socket; socket.socket()\n");
    assert!(text.contains("PermissionError"), "{text}");
    let told = text.contains("refused by the sandbox: tried to open the network: a TCP socket (IPv4)");
    assert!(told || text.contains("not reported"), "{text}");
    let output = run(&["check", "uttt", "dialogue:cat"]);
    assert_eq!(output.status.code(), Some(1), "the course starts no dialogue");
}
