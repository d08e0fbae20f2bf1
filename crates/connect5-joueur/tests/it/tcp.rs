//! The executable as a TCP server.

use crate::protocol::{CORNER, LONG_THEN_SHORT, MIDDLE, converse, executable, one_stone, reports};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A server process on its own port.
struct Server {
    child: Child,
    port: u16,
    /// The output on standard error after its first line.
    stderr: Option<thread::JoinHandle<String>>,
}

impl Server {
    /// Starts a server under the course's limit of 512 MB of address space.
    fn start() -> Self {
        Self::start_with("")
    }

    fn start_with(options: &str) -> Self {
        Self::start_telling("", options, "")
    }

    /// Starts a server with this `PLAYER_INFO` in its environment, after these words of a shell.
    fn start_telling(telling: &str, options: &str, limits: &str) -> Self {
        let mut child = Command::new("sh")
            .env("PLAYER_INFO", telling)
            .args(["-c", &format!("ulimit -v 524288 {limits}&& exec \"$0\" 0 --address 127.0.0.1 {options}")])
            .arg(executable().get_program())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (port, mut stderr) = port_of(&mut child);
        // Read continuously, or a server with much output would block.
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

    /// Waits for the server to end and returns its exit code.
    fn wait(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

/// Reads the port from the first line of a server's standard error.
fn port_of(child: &mut Child) -> (u16, BufReader<std::process::ChildStderr>) {
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    (line.trim().rsplit(':').next().unwrap().parse().unwrap(), stderr)
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

    /// Returns the next line, empty at the end of the connection.
    fn line(&mut self) -> String {
        let mut line = String::new();
        let _ = self.reader.read_line(&mut line);
        line.trim_end().to_owned()
    }

    fn wait_for_ready(&mut self) {
        while self.line() != "READY" {}
    }
}

#[test]
fn searches_are_logged_after_the_clients_address() {
    let mut server = Server::start_telling("moves", "", "");
    let mut client = server.greeted();
    let address = client.stream.local_addr().unwrap();
    client.send(&format!("{CORNER}0\n"));
    assert_eq!(client.line(), "4 0");
    client.send("shutdown\n");
    server.wait();
    let told = server.stderr.take().unwrap().join().unwrap();
    let line = format!("connect5-joueur: {address}: info rank 1 depth 0 score win 1 nodes 0 time ");
    assert!(told.starts_with(&line) && told.ends_with(" line a5\n"), "{told}");
}

#[test]
fn a_client_that_leaves_while_its_answer_is_thought_of_is_no_failure_of_the_standard_output() {
    let mut server = Server::start();
    let mut gone = server.connect();
    gone.send(&format!("{MIDDLE}300\n"));
    // Unread input makes the close a connection reset.
    gone.stream.peek(&mut [0]).unwrap();
    thread::sleep(Duration::from_millis(50));
    drop(gone);
    thread::sleep(Duration::from_millis(300));
    server.greeted().send("shutdown\n");
    server.wait();
    let told = server.stderr.take().unwrap().join().unwrap();
    assert!((told.contains("left") || told.contains("reset")) && !told.contains("standard output"), "{told}");
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
    // All clients think at once, and the memory is enough.
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
    // The place is free once the server has seen the end of its connection.
    assert!(is_served_within(&server, 10), "the seat of a client that left stays taken");
}

#[test]
fn a_server_with_few_descriptors_has_fewer_places_and_refuses_the_rest() {
    let server = Server::start_telling("", "--idle 20", "&& ulimit -n 25 ");
    let mut clients: Vec<Client> = std::iter::repeat_with(|| server.connect()).take(20).collect();
    let is_served = |client: &mut Client| !client.line().is_empty();
    let served = clients.iter_mut().position(|client| !is_served(client)).expect("one is refused");
    assert!((4..=7).contains(&served), "{served} clients are served");
    assert!(!clients.iter_mut().skip(served + 1).any(is_served), "the others are refused");
    assert!(is_served_within(&server, 20), "a silent client gives its place up");
}

#[test]
fn silent_clients_hold_no_place_for_ever() {
    let server = Server::start_with("--idle 20");
    let mut silent: Vec<Client> = (0..50).map(|_| server.greeted()).collect();
    // One of them is being answered, and one has just been: neither is silent.
    silent[0].send(&format!("12 12\n{}6000\n", "000000000000\n".repeat(11) + "00000N000000\n"));
    thread::sleep(Duration::from_millis(1500));
    silent[1].send(&format!("{CORNER}0\n"));
    assert_eq!(silent[1].line(), "4 0");
    for _ in 0..3 {
        server.greeted();
    }
    assert!(silent[0].line().split_once(' ').is_some());
    silent[1].send(&format!("{CORNER}0\n"));
    assert_eq!(silent[1].line(), "4 0");
    let mut closed = silent.iter_mut().skip(2).map(|client| {
        client.stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        client.stream.peek(&mut [0]).is_ok_and(|bytes| bytes == 0)
    });
    assert!(closed.any(|closed| closed), "a silent client gave its place up");
    // Without anybody who wants the place its time is up all the same.
    let server = Server::start_with("--idle 1");
    assert_eq!(server.greeted().line(), "");
}

/// A request that is thought about for an hour.
fn long_request() -> String {
    format!("12 12\n{}00000BN00000\n3600000\n", "000000000000\n".repeat(11))
}

fn is_served_within(server: &Server, seconds: u64) -> bool {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < deadline {
        if !server.connect().line().is_empty() {
            return true;
        }
        thread::sleep(Duration::from_millis(50));
    }
    false
}

#[test]
fn clients_that_went_away_with_a_question_hold_no_place() {
    let server = Server::start();
    // Their greeting is unread, so their connections are reset.
    let gone: Vec<Client> = (0..50).map(|_| server.connect()).collect();
    gone.into_iter().for_each(|mut client| client.send(&long_request()));
    assert!(is_served_within(&server, 20), "a search goes on for a client that is gone");
}

#[test]
fn clients_that_closed_their_end_or_think_for_long_give_a_place_up() {
    // Those that closed their end have three seconds, the others sixty.
    let server = Server::start_with("--idle 60");
    let mut waiting: Vec<Client> = (0..50).map(|_| server.greeted()).collect();
    for client in &mut waiting {
        client.send(&long_request());
    }
    assert!(!is_served_within(&server, 2), "all places are taken");
    for client in &waiting {
        client.stream.shutdown(std::net::Shutdown::Write).unwrap();
    }
    assert!(is_served_within(&server, 20));
    // So have those that send more than their request.
    let server = Server::start_with("--idle 60");
    let mut hasty: Vec<Client> = (0..50).map(|_| server.greeted()).collect();
    hasty.iter_mut().for_each(|client| client.send(&long_request()));
    thread::sleep(Duration::from_millis(500));
    hasty.iter_mut().for_each(|client| client.send("12 12\n"));
    assert!(is_served_within(&server, 20));
    let server = Server::start_with("--idle 4");
    let mut thinking: Vec<Client> = (0..50).map(|_| server.greeted()).collect();
    thinking.iter_mut().for_each(|client| client.send(&long_request()));
    assert!(is_served_within(&server, 20));
}

#[test]
fn notes_that_nobody_reads_hold_no_place() {
    let mut child = executable()
        .args(["0", "--address", "127.0.0.1"])
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (port, _unread) = port_of(&mut child);
    let server = Server { child, port, stderr: None };
    let (mut greeted, deadline) = (0, Instant::now() + Duration::from_secs(30));
    while greeted < 1_500 && Instant::now() < deadline {
        let mut client = server.connect();
        if !client.line().is_empty() {
            client.send(&format!("{}\n", "x".repeat(1_000)));
            greeted += 1;
        }
    }
    assert_eq!(greeted, 1_500);
}

#[test]
fn a_client_that_closed_its_end_is_answered() {
    let server = Server::start();
    let mut client = server.greeted();
    client.send(&long_request().replace("3600000", "1500"));
    client.stream.shutdown(std::net::Shutdown::Write).unwrap();
    assert!(client.line().split_once(' ').is_some());
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
