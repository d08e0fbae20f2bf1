//! A sixth game, which only an example knows: judged, marked, drawn, watched, replayed and analysed as the five are.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The example with these arguments. It is the referee, the arena and the player.
fn sixth(arguments: &[&str]) -> Command {
    let referee = PathBuf::from(env!("CARGO_BIN_EXE_referee"));
    let mut command = Command::new(referee.with_file_name("examples").join("sixth_game"));
    command.args(arguments);
    command
}

fn stdout(arguments: &[&str]) -> String {
    let output = sixth(arguments).output().expect("cargo builds the examples of a package with its tests");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}\n{errors}", output.status);
    String::from_utf8(output.stdout).expect("text")
}

/// Sends a request and returns the whole answer.
fn ask(place: &str, token: &str, request: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(place).unwrap();
    let head = format!(
        "{request} HTTP/1.1\r\nHost: {place}\r\nConnection: close\r\nAccept-Language: en\r\nX-Arena-Token: {token}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut text = String::new();
    let _ = stream.read_to_string(&mut text);
    text
}

/// Asks until the answer contains a text.
fn wait(place: &str, path: &str, expected: &str) -> String {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let answer = ask(place, "", &format!("GET {path}"), "");
        if answer.contains(expected) {
            return answer;
        }
        assert!(Instant::now() < deadline, "{path} never shows {expected}: {answer}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A process that ends with its test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_second_answer_to_a_line_is_a_fault() {
    let own = sixth(&[]).get_program().to_str().unwrap().to_owned();
    let twice =
        format!("twice=sh -c '{own} | while read -r move; do printf \"%s\\n%s\\n\" $move $move; done'");
    // Slow enough that the second answer is there before the next question.
    let slow = format!("slow=sh -c '{own} | while read -r move; do sleep 0.3; printf \"%s\\n\" $move; done'");
    let report = stdout(&["match", "tictactoe", "--a", &twice, "--b", &slow, "--games", "2", "--quiet"]);
    assert!(report.contains("protocol error") && report.contains("a second answer"), "{report}");
}

#[test]
fn two_processes_play_a_sixth_game_and_its_record_is_drawn_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (record, page) = (folder.path().join("record.jsonl"), folder.path().join("page.html"));
    let (record, page) = (record.to_str().unwrap(), page.to_str().unwrap());
    let files = ["--record", record, "--html", page, "--quiet"];
    let players = ["match", "tictactoe", "--a", "one=own", "--b", "two=own", "--games", "4"];
    let report = stdout(&[&players[..], &files[..]].concat());
    assert!(report.contains("4 games") && report.matches(" none").count() == 2, "no faults: {report}");
    let text = std::fs::read_to_string(page).unwrap();
    assert!(text.contains("class=\"board tictactoe\"") && text.contains("class=\"man dark\""), "{text}");
    let replay = stdout(&["replay", record, "--game", "1"]);
    assert!(replay.contains("the board is full"), "perfect players draw: {replay}");
    let notation = folder.path().join("games.pgn");
    stdout(&["report", record, "--notation", notation.to_str().unwrap()]);
    assert!(std::fs::read_to_string(notation).unwrap().contains("[Event \"tictactoe\"]"));
}

#[test]
fn a_sixth_game_has_its_marks() {
    let card = stdout(&["mark", "tictactoe", "--player", "own", "--quick"]);
    assert!(card.contains("draws against a perfect player") && card.contains("10.0 / 10"), "{card}");
    let card =
        stdout(&["mark", "tictactoe", "--player", "sh -c 'while read board; do echo a3; done'", "--quick"]);
    assert!(card.contains("illegal move"), "{card}");
}

#[test]
fn a_sixth_game_is_watched_while_it_is_played() {
    let players = ["match", "tictactoe", "--a", "one=own", "--b", "two=own", "--games", "200"];
    let mut child =
        sixth(&[&players[..], &["--live", "0", "--pace", "50", "--concurrency", "1", "--quiet"]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let _child = Running(child);
    let place = said.trim_end().strip_prefix("referee: live at http://").expect(&said).trim_end_matches('/');
    wait(place, "/watch/view", "class=\"board tictactoe\"");
}

#[test]
fn a_sixth_game_is_played_and_analysed_in_the_arena() {
    let mut child = sixth(&["arena", "--port", "0", "--no-data"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let _child = Running(child);
    let place = line.trim_end().strip_prefix("arena: http://").expect(&line).trim_end_matches('/');
    let home = ask(place, "", "GET /", "");
    assert!(home.contains("value=\"tictactoe\"") && home.contains("Tic-tac-toe"), "its card: {home}");
    let token = home.split("name=\"token\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    let post = |path: &str, body: &Value| ask(place, token, &format!("POST {path}"), &body.to_string());
    let enter = |wish: &Value| {
        let answer = post("/new", wish);
        let body = answer.split("\r\n\r\n").nth(1).unwrap();
        let answer: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        answer["room"].as_str().unwrap().to_owned()
    };
    // A person begins, and the example's own player answers.
    let room = enter(&json!({ "game": "tictactoe", "seats": ["person", "own"], "start": "" }));
    post(&format!("{room}/act"), &json!({ "do": "press", "click": "a1", "path": [] }));
    wait(place, &format!("{room}/view"), "data-length=\"2\"");
    // Search-core sees that x, to move, wins: c1 completes the row.
    let start = "a1 a2 b1 b2";
    let room = enter(
        &json!({ "game": "tictactoe", "mode": "study", "seats": ["person", "person"], "start": start }),
    );
    let view = wait(place, &format!("{room}/view"), "proven win in 1 ply");
    assert!(view.contains(" data-line=\"c1\""), "{view}");
    // A finished game of a file is looked at move by move.
    let pgn = "[Event \"tictactoe\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. a1 a2 2. b1 b2 3. c1 1-0\n";
    let answer = ask(place, token, "POST /open", pgn);
    let room = answer
        .split("\"room\":\"")
        .nth(1)
        .unwrap_or_else(|| panic!("{answer}"))
        .split(['"', '?'])
        .next()
        .unwrap();
    wait(place, &format!("{room}/view"), "data-length=\"5\"");
}
