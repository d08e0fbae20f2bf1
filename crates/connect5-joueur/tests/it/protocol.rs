//! The executable, as the course's tool starts it.

use assert_cmd::cargo::cargo_bin;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn executable() -> Command {
    Command::new(cargo_bin!("connect5-joueur"))
}

/// Runs it with this input to its end.
fn converse(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = executable()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// The lines after READY.
fn answers(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let mut lines = text.lines().map(str::to_owned);
    assert!(lines.by_ref().any(|line| line == "READY"), "no READY: {text}");
    lines.collect()
}

const CORNER: &str = "5 5\nN0B00\nN0B00\nN0B00\nN0B00\n00000\n";

#[test]
fn it_greets_answers_and_ends_at_a_zero() {
    let output = converse(&[], format!("{CORNER}2000\n{CORNER}50\n0\n").as_bytes());
    assert_eq!(answers(&output), ["4 0", "4 0"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let greeting = String::from_utf8(output.stdout).unwrap();
    assert!(greeting.lines().next().is_some_and(|line| !line.is_empty() && line != "READY"));
}

#[test]
fn an_end_of_input_and_a_shutdown_end_it_too() {
    for end in ["", "shutdown\n", "0 ", "SHUTDOWN"] {
        let output = converse(&[], format!("{CORNER}0\n{end}").as_bytes());
        assert_eq!((answers(&output), output.status.code()), (vec!["4 0".to_owned()], Some(0)), "{end:?}");
    }
}

#[test]
fn bytes_that_editions_of_the_tool_add_change_nothing() {
    let noisy = format!(" {}1000\r\n0", CORNER.replace("\n", "\0\r\n").replacen("5 5\0", "5   5", 1));
    assert_eq!(answers(&converse(&[], noisy.as_bytes())), ["4 0"]);
}

#[test]
fn a_full_grid_is_answered_and_the_dialogue_goes_on() {
    let output = converse(&[], format!("1 2\nNB\n100\n{CORNER}0\n0\n").as_bytes());
    assert_eq!(answers(&output), ["0 0", "4 0"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
}

#[test]
fn a_warning_that_nobody_can_read_ends_nothing() {
    let mut command = executable();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(b"2 6\nNNNN00\n000000\n100\n0\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((answers(&output), output.status.code()), (vec!["0 4".to_owned()], Some(0)));
}

#[test]
fn odd_counts_are_played_with_a_warning() {
    let output = converse(&[], b"2 6\nNNNN00\n000000\n100\n0\n");
    assert_eq!(answers(&output), ["0 4"], "white has fewer stones: it stops the five");
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
}

#[test]
fn every_small_grid_has_an_answer() {
    for (rows, columns) in [(1, 1), (1, 2), (1, 5), (1, 9), (9, 1), (2, 2), (4, 4), (3, 20)] {
        let request =
            format!("{rows} {columns}\n{}20\n0\n", format!("{}\n", "0".repeat(columns)).repeat(rows));
        let answer = &answers(&converse(&[], request.as_bytes()))[0];
        let (row, column) = answer.split_once(' ').unwrap();
        assert!(row.parse::<usize>().unwrap() < rows && column.parse::<usize>().unwrap() < columns);
    }
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for (input, word) in [
        ("x\n", "rows columns"),
        ("5 5\nN0B00\nN0B0\n", "4 cells"),
        ("1 1\n?\n5\n", "'?'"),
        ("1024 5\n", "1023"),
        ("99999999999999999999999 5\n", "rows columns"),
        ("1 1\n0\nsoon\n", "milliseconds"),
        ("1 1\n0\n", "ended"),
    ] {
        let output = converse(&[], input.as_bytes());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{input:?}");
        assert!(stderr.lines().count() == 1 && stderr.contains(word), "{input:?}: {stderr}");
    }
}

#[test]
fn arguments_are_checked() {
    for arguments in [
        &["--eval", "none"][..],
        &["70000"],
        &["x"],
        &["1199", "1200"],
        &["--table", "0"],
        &["--equipe", "/nowhere/at/all"],
        &["--address", "127.0.0.1"],
        &["--unknown"],
        &["--piskvork", "1199"],
    ] {
        let output = converse(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
    let help = converse(&["--help"], b"");
    assert!(help.status.success() && String::from_utf8(help.stdout).unwrap().starts_with("usage:"));
}

#[test]
fn another_team_replaces_the_built_in_one() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "Ada, 1, ada@example.org\nAlan, 2, alan@example.org\n").unwrap();
    let output = converse(&["--equipe", file.path().to_str().unwrap(), "--eval", "lines"], b"0\n");
    assert_eq!(output.stdout, b"Ada, 1, ada@example.org\nAlan, 2, alan@example.org\nREADY\n");
}

/// A server on a port of its own.
struct Server {
    child: Child,
    port: u16,
    /// What it says after its first line.
    stderr: Option<thread::JoinHandle<String>>,
}

impl Server {
    /// Under the course's limit of 512 MB of address space.
    fn start() -> Self {
        Self::start_with("")
    }

    fn start_with(options: &str) -> Self {
        let mut child = Command::new("sh")
            .args(["-c", &format!("ulimit -v 524288 && exec \"$0\" 0 --address 127.0.0.1 {options}")])
            .arg(executable().get_program())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let port = line.trim().rsplit(':').next().unwrap().parse().unwrap();
        // Somebody must read on, or a server with much to tell would wait.
        let stderr = thread::spawn(move || {
            let mut rest = String::new();
            let _ = stderr.read_to_string(&mut rest);
            rest
        });
        Self { child, port, stderr: Some(stderr) }
    }

    fn connect(&self) -> Client {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        Client { reader: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    fn greeted(&self) -> Client {
        let mut client = self.connect();
        client.wait_for_ready();
        client
    }

    /// Its exit code, once it has ended by itself.
    fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Client {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

impl Client {
    fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).unwrap();
    }

    /// The next line; empty at the end of the connection.
    fn line(&mut self) -> String {
        let mut line = String::new();
        let _ = self.reader.read_line(&mut line);
        line.trim_end().to_owned()
    }

    fn wait_for_ready(&mut self) {
        while self.line() != "READY" {}
    }
}

/// A middle game, and what it is asked in: 200,000 positions, then 2,000.
const MIDDLE: &str = "9 9\n000000000\n000000000\n000N00000\n00BNB0000\n000BN0000\n0000NB000\n000000000\n000000000\n000000000\n";
const LONG_THEN_SHORT: [&str; 2] = ["200\n", "2\n"];

/// Moves, scores and positions, as `--report` tells them.
fn reports(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_once("depth ").map(|(_, report)| report)).collect()
}

#[test]
fn nothing_is_kept_between_requests() {
    let long_then_short: String = LONG_THEN_SHORT.iter().map(|time| format!("{MIDDLE}{time}")).collect();
    let options = ["--nodestime", "1000", "--report"];
    let asked = |options: &[&str], input: String| {
        String::from_utf8(converse(options, input.as_bytes()).stderr).unwrap()
    };
    let worn = asked(&options, long_then_short.clone());
    let fresh = asked(&options, format!("{MIDDLE}2\n"));
    assert_eq!(reports(&worn).len(), 2);
    assert_eq!(reports(&worn)[1], reports(&fresh)[0]);
    let kept = asked(&[&options[..], &["--keep-table"]].concat(), long_then_short);
    assert_ne!(reports(&kept)[1], reports(&fresh)[0], "a table that is kept knows more");
}

#[test]
fn nothing_is_kept_between_requests_over_tcp() {
    let told = |requests: &[String]| {
        let mut server = Server::start_with("--nodestime 1000 --report");
        let mut client = server.greeted();
        for request in requests {
            client.send(request);
            client.line();
        }
        client.send("shutdown\n");
        server.wait();
        server.stderr.take().unwrap().join().unwrap()
    };
    let worn = told(&LONG_THEN_SHORT.map(|time| format!("{MIDDLE}{time}")));
    let fresh = told(&[format!("{MIDDLE}2\n")]);
    assert_eq!(reports(&worn).len(), 2, "{worn}");
    assert_eq!(reports(&worn)[1], reports(&fresh)[0]);
}

/// A grid of this size with one stone on it.
fn one_stone(side: usize) -> String {
    let row = "0".repeat(side) + "\n";
    let mut text = format!("{side} {side}\n{}", row.repeat(side));
    let middle = text.len() - side / 2 * (side + 1) - side / 2;
    text.replace_range(middle..middle + 1, "N");
    text
}

#[test]
fn the_largest_grid_is_answered_near_its_stone_in_time() {
    let grid = one_stone(1023);
    let stone = grid.split_once('\n').unwrap().1.find('N').unwrap();
    for millis in [0, 20, 2_000] {
        let answers = answers(&converse(&[], format!("{grid}{millis}\n0\n").as_bytes()));
        let (row, column) = answers[0].split_once(' ').unwrap();
        let away = |text: &str, stone: usize| text.parse::<usize>().unwrap().abs_diff(stone);
        let far = away(row, stone / 1024).max(away(column, stone % 1024));
        assert!(far == 1 || far == 2 && millis > 1_000, "{answers:?}");
    }
}

#[test]
fn large_grids_of_all_clients_together_stay_within_the_memory() {
    let mut server = Server::start();
    let mut clients: Vec<Client> = (0..4).map(|_| server.greeted()).collect();
    let request = format!("{}3000\n", one_stone(1023));
    clients.iter_mut().for_each(|client| client.send(&request));
    let answered = clients.iter_mut().filter_map(|client| (!client.line().is_empty()).then_some(())).count();
    assert!((1..4).contains(&answered), "{answered} answered");
    let mut last = server.greeted();
    last.send("shutdown\n");
    assert_eq!(server.wait(), Some(0));
    let told = server.stderr.take().unwrap().join().unwrap();
    assert_eq!(told.lines().filter(|line| line.contains("memory")).count(), 4 - answered, "{told}");
}

#[test]
fn several_clients_are_served_at_once_and_a_zero_ends_one_of_them() {
    let mut server = Server::start();
    let (mut first, mut second) = (server.greeted(), server.greeted());
    first.send("5 5\nN0B00\n");
    second.send(&format!("{CORNER}500\n"));
    assert_eq!(second.line(), "4 0", "a half-sent request holds nobody up");
    first.send("N0B00\nN0B00\nN0B00\n00000\n0\n");
    assert_eq!(first.line(), "4 0");
    first.send("0\n");
    assert_eq!(first.line(), "");
    second.send(&format!("{CORNER}0\n"));
    assert_eq!(second.line(), "4 0");
    second.send("ShutDown\n");
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn a_server_on_an_address_of_its_own_is_shut_down_too() {
    let mut server = Server::start_with("--address 127.0.0.2");
    let stream = TcpStream::connect(("127.0.0.2", server.port)).unwrap();
    let mut client = Client { reader: BufReader::new(stream.try_clone().unwrap()), stream };
    client.wait_for_ready();
    client.send("shutdown\n");
    let began = std::time::Instant::now();
    while server.child.try_wait().unwrap().is_none() {
        assert!(began.elapsed() < Duration::from_secs(30), "nobody woke the listener");
        thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn bad_input_closes_its_own_connection_only() {
    let server = Server::start();
    let (mut bad, mut good) = (server.greeted(), server.greeted());
    bad.send("what is this\n");
    assert_eq!(bad.line(), "");
    let mut gone = server.greeted();
    gone.send("5 5\nN0B00\n");
    drop(gone);
    good.send(&format!("{CORNER}0\n"));
    assert_eq!(good.line(), "4 0");
}

#[test]
fn the_fifty_first_client_is_refused_and_nobody_else_notices() {
    let server = Server::start();
    let mut clients: Vec<Client> = (0..50).map(|_| server.greeted()).collect();
    // All of them think at once, and the memory is enough.
    let board = "000000000000\n".repeat(11) + "00000N000000\n";
    clients.iter_mut().for_each(|client| client.send(&format!("12 12\n{board}100\n")));
    assert!(clients.iter_mut().all(|client| client.line().split_once(' ').is_some()));
    let mut refused = (0..150).map(|_| server.connect().line());
    assert!(refused.all(|line| line.is_empty()));
    for client in &mut clients {
        client.send(&format!("{CORNER}0\n"));
        assert_eq!(client.line(), "4 0");
    }
    clients.truncate(49);
    // The seat is free again as soon as the server has seen the end of its connection.
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let mut client = server.connect();
        if !client.line().is_empty() {
            break;
        }
        assert!(Instant::now() < deadline, "the seat of a client that left stays taken");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_shutdown_does_not_wait_for_those_who_think() {
    let mut server = Server::start();
    let mut thinking = server.greeted();
    thinking.send(&format!("12 12\n{}60000\n", "000000000000\n".repeat(11) + "00000N000000\n"));
    let mut other = server.greeted();
    let start = Instant::now();
    other.send("shutdown\n");
    assert_eq!(server.wait(), Some(0));
    assert!(start.elapsed() < Duration::from_secs(1));
    assert_eq!(thinking.line().split(' ').filter(|word| !word.is_empty()).count() % 2, 0);
}

#[test]
fn a_port_in_use_is_a_clear_error() {
    let server = Server::start();
    let output = converse(&[&server.port.to_string(), "--address", "127.0.0.1"], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("cannot listen on 127.0.0.1"));
}
