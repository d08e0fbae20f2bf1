//! `referee check`: right programs follow every step, and each wrong one is told what is wrong and where it is written.

use super::support::run;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// A player in Python of the project's test data.
fn python(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../test-data/players");
    folder.join(name).canonicalize().unwrap().display().to_string()
}

/// Checks a program in these seconds. Returns the exit code and the report.
fn check(seconds: &str, game: &str, command: &str, language: &str) -> (Option<i32>, String) {
    let output = run(&["check", game, command, "--language", language, "--seconds", seconds]);
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code(), text)
}

/// Checks a copy of a player in Python with one text replaced by another, on a busy machine.
fn changed(game: &str, player: &str, from: &str, to: &str) -> (Option<i32>, String) {
    changed_within("36", game, player, from, to)
}

/// The same in these seconds.
fn changed_within(seconds: &str, game: &str, player: &str, from: &str, to: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(python(player)).unwrap();
    assert!(text.contains(from), "{player} has no {from}");
    let path = folder.path().canonicalize().unwrap().join("bot.py");
    fs::write(&path, text.replace(from, to)).unwrap();
    check(seconds, game, &format!("python3 {}", path.display()), "en")
}

/// The same for a program in C. `None` where there is no compiler.
fn changed_in_c(game: &str, source: &str, from: &str, to: &str) -> Option<(Option<i32>, String)> {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(python("../class/make.py").replace("make.py", source)).unwrap();
    assert!(text.contains(from), "{source} has no {from}");
    let path = folder.path().canonicalize().unwrap().join("bot");
    fs::write(path.with_extension("c"), text.replace(from, to)).unwrap();
    let built = Command::new("cc").args(["-w", "-o"]).arg(&path).arg(path.with_extension("c")).status();
    if !built.is_ok_and(|status| status.success()) {
        println!("skipped: there is no cc here");
        return None;
    }
    Some(check("9", game, &path.display().to_string(), "en"))
}

#[test]
fn right_programs_follow_the_protocol_of_their_course() {
    for (game, player) in [("connect5", "connect5.py"), ("uttt", "uttt.py"), ("moules", "moules.py")] {
        let (code, text) = check("36", game, &format!("python3 {}", python(player)), "fr");
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
        let (code, text) = check("36", game, player, "en");
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
        let (code, text) = changed_within("9", "connect5", player, from, to);
        assert!(text.contains(told), "{to}: {text}");
        assert_eq!(code, Some(i32::from(!told.contains("tool accepts"))), "{to}: {text}");
        assert!(text.contains("« "), "the sentence of the assignment: {text}");
    }
}

#[test]
fn wrong_programs_of_each_game_are_told_what_is_wrong() {
    // These answer, so that a long time costs nothing, and a busy machine may start Python slowly.
    let in_python = [
        ("connect5", "print(*choose(grid)", "print('thinking'); print(*choose(grid)", "standard error"),
        ("moules", "print(choose", "print('E', file=wire); print(choose", "one line a question"),
        ("moules", "choose(line, me), file", "choose(line, me).lower(), file", "capital letters"),
        ("moules", "    me = int", "    sys.exit('no number'); me = int", "exit code 1: no number"),
        ("othello", "print(f\"=", "print('= \\n'); print(f\"=", "a second answer"),
        ("uttt", "    print(position", "    print('move', cell); print(position", "more than the integer"),
        ("uttt", "    print(position", "    print(cell); return; print(position", "the number of a cell"),
        (
            "gounki",
            "def main():",
            "def main():\n    import missing_module",
            "No module named 'missing_module'",
        ),
    ];
    for (game, from, to, told) in in_python {
        let (code, text) = changed(game, &format!("{game}.py"), from, to);
        assert!(code == Some(1) && text.contains(told), "{game}, {to}: {text}");
    }
    let twice = "\"%d %d\\n%d %d\\n\", r, c, r, c";
    let in_c = [
        ("connect5", "bot.c", "fflush(stdout);", "", "stays in a buffer"),
        ("connect5", "bot.c", "\"%d %d\\n\", r, c", twice, "one line a question"),
        ("connect5", "bot.c", "int main(void) {", "int main(void) { abort();", "signal 6"),
        ("gounki", "courses/gounki.c", "number++) {", "number++) { *(volatile int *)0;", "signal 11"),
        ("moules", "courses/moules.c", "\"E\\n\"", "\"E\"", "the end of the line is missing"),
        ("othello", "courses/othello.c", "= %s\\n\\n", "= %s", "the end of its line is missing"),
        (
            "othello",
            "courses/othello.c",
            "strcpy(answer, \"pass\")",
            "strcpy(answer, \"a1\")",
            "illegal move",
        ),
        ("uttt", "courses/uttt.c", "\".XO\"", "\".xo\"", ": expected \""),
    ];
    for (game, source, from, to, told) in in_c {
        let Some((code, text)) = changed_in_c(game, source, from, to) else { return };
        assert!(code == Some(1) && text.contains(told), "{game} in C, {to}: {text}");
    }
}

#[test]
fn a_check_of_a_program_that_hangs_ends_soon() {
    let hangs = [
        (
            "othello",
            "othello.py",
            "answer = \"pass\" if",
            "import time; time.sleep(60); answer = \"pass\" if",
            "no answer",
        ),
        (
            "moules",
            "moules.py",
            "def choose(line, me):",
            "def choose(line, me):\n    while True: pass",
            "it wrote nothing",
        ),
        ("uttt", "uttt.py", "def main():", "def main():\n    while True: pass", "did not end in time"),
    ];
    for (game, player, from, to, told) in hangs {
        let began = Instant::now();
        let (code, text) = changed_within("9", game, player, from, to);
        assert!(code == Some(1) && text.contains(told), "{game}: {text}");
        // Nine seconds, and the ends of processes on a busy machine.
        assert!(began.elapsed() < Duration::from_secs(15), "{game}: {:?}", began.elapsed());
    }
}

#[test]
fn what_crashes_is_quoted_and_what_the_sandbox_refused_is_told() {
    let (code, text) = check("36", "gounki", "sh -c 'echo oops >&2; exit 3'", "fr");
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("il s'est terminé (code 3) : oops"), "{text}");
    let (_, text) = changed("uttt", "uttt.py", "import random\n", "import random, socket; socket.socket()\n");
    assert!(text.contains("PermissionError"), "{text}");
    let told = text.contains("refused by the sandbox: tried to open the network: a TCP socket (IPv4)");
    assert!(told || text.contains("not reported"), "{text}");
}

#[test]
fn a_player_that_cannot_be_used_so_is_a_bad_argument() {
    for (arguments, told) in [
        ("check uttt dialogue:cat", "expected the command that the course starts"),
        ("check othello builtin:first", "othello is played by processes"),
        ("mark uttt --quick --player tcp:127.0.0.1:1", "only a command can be marked so"),
        ("match uttt --games 2 --a tcp:127.0.0.1:1 --b builtin:first", "uttt knows commands"),
        ("match connect5 --games 2 --a java:x --b builtin:first", "connect5 knows commands"),
        ("match othello --games 2 --a tcp:127.0.0.1:1 --b builtin:first", "othello is played by processes"),
        ("match othello --games 2 --a tournoi:cat --b builtin:first", "--openings none"),
        (
            "match othello --games 2 --a java:x --b builtin:first --openings none",
            "expected java:CLASSPATH CLASS",
        ),
        ("match gounki --games 2 --a tcp:127.0.0.1:1 --b builtin:first", "gounki is played by"),
    ] {
        let output = run(&arguments.split(' ').collect::<Vec<_>>());
        let errors = String::from_utf8(output.stderr).unwrap();
        let is_told = errors.lines().last().is_some_and(|line| line.contains(told));
        assert!(output.status.code() == Some(2) && is_told, "{arguments}: {errors}");
    }
}
