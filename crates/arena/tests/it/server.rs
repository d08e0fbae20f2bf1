//! An arena that runs for a test, and a client that says exactly what it is told to.

use crate::client::answer;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub use crate::client::{Answer, exchange, wait};

/// Two people at the seats.
pub const TWO: [&str; 2] = ["person", "person"];

/// A connection that stays, as a browser's does.
pub struct Connection<'a> {
    arena: &'a Arena,
    reader: BufReader<TcpStream>,
}

impl<'a> Connection<'a> {
    pub fn open(arena: &'a Arena) -> Self {
        let stream = TcpStream::connect(&arena.address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self { arena, reader: BufReader::new(stream) }
    }

    pub fn get(&mut self, path: &str) -> Answer {
        let address = &self.arena.address;
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept-Language: en\r\n\r\n");
        self.reader.get_mut().write_all(request.as_bytes()).unwrap();
        answer(&mut self.reader)
    }

    /// An answer, and how long it took to arrive.
    pub fn post(&mut self, path: &str, body: &Value) -> (Answer, Duration) {
        let text = body.to_string();
        let (address, token, length) = (&self.arena.address, &self.arena.token, text.len());
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nAccept-Language: en\r\nX-Arena-Token: {token}\r\n\
             Content-Length: {length}\r\n\r\n{text}"
        );
        let began = Instant::now();
        self.reader.get_mut().write_all(request.as_bytes()).unwrap();
        let answer = answer(&mut self.reader);
        (answer, began.elapsed())
    }
}

/// A running arena.
pub struct Arena {
    process: Child,
    pub address: String,
    pub token: String,
}

impl Arena {
    /// Starts one with these arguments and waits until it answers.
    pub fn start(arguments: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_arena"))
            .args(["--port", "0"])
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = host(line.split_whitespace().nth(1).expect(&line));
        let mut arena = Self { process, address, token: String::new() };
        let home = arena.get("/").body;
        let at = home.find("name=\"token\" content=\"").unwrap() + 22;
        arena.token = home[at..at + 32].to_owned();
        arena
    }

    /// Processor time of the arena itself, without its engines.
    pub fn processor(&self) -> Duration {
        self.processor_of(self.process.id()).unwrap()
    }

    /// Processor time of a process, while it is there.
    pub fn processor_of(&self, pid: u32) -> Option<Duration> {
        let ticks: u64 =
            stat(pid)?.split_whitespace().skip(11).take(2).map(|n| n.parse::<u64>().unwrap()).sum();
        // The kernel counts a hundred ticks a second for programs, whatever its own clock.
        Some(Duration::from_millis(10 * ticks))
    }

    /// Stops the arena for a time.
    pub fn stop_for(&self, time: Duration) {
        let send = |signal| kill_process(Pid::from_child(&self.process), signal).unwrap();
        send(Signal::STOP);
        std::thread::sleep(time);
        send(Signal::CONT);
    }

    /// The processes that the arena has started.
    pub fn children(&self) -> Vec<u32> {
        let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let parent = |pid: u32| stat(pid)?.split_whitespace().nth(1)?.parse::<u32>().ok();
        pids.filter(|&pid| parent(pid) == Some(self.process.id())).collect()
    }

    /// The most memory that the arena itself has held, in bytes.
    pub fn most_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        1024 * line.trim_end_matches("kB").trim().parse::<u64>().unwrap()
    }

    pub fn get(&self, path: &str) -> Answer {
        let address = &self.address;
        let request = format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAccept-Language: en\r\n\r\n"
        );
        exchange(address, &request)
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.post_text(path, &body.to_string())
    }

    pub fn post_text(&self, path: &str, text: &str) -> Answer {
        let (address, token) = (&self.address, &self.token);
        let length = text.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAccept-Language: en\r\n\
             X-Arena-Token: {token}\r\nContent-Length: {length}\r\n\r\n{text}"
        );
        exchange(address, &request)
    }

    /// Opens a room and returns its path.
    pub fn open(&self, game: &str, seats: &[&str], start: &str) -> String {
        let wish = json!({ "game": game, "seats": seats, "start": start, "strength": "level 1" });
        self.enter(&wish)
    }

    /// Requests a new room with the settings `wish`, and returns its path.
    pub fn enter(&self, wish: &Value) -> String {
        let answer = self.post("/new", wish);
        assert_eq!(answer.status, 200, "{wish}: {}", answer.body);
        let answer: Value = serde_json::from_str(&answer.body).unwrap();
        answer["room"].as_str().unwrap().to_owned()
    }

    /// Opens a file, of one game, and returns the path of its room.
    pub fn upload(&self, text: &str) -> String {
        room_of(&self.post_text("/open", text).body)
    }

    /// Moves as a person does who clicks what may be clicked first, until the move is whole.
    pub fn press_first(&self, room: &str, mut view: String) {
        let mut path: Vec<String> = Vec::new();
        while let Some(click) = clicks(&view).into_iter().next() {
            let before: Vec<&str> = path.iter().map(String::as_str).collect();
            view = self.press(room, &click, &before);
            path = field(&view, "path").split_whitespace().map(str::to_owned).collect();
            if path.is_empty() {
                break;
            }
        }
    }

    pub fn press(&self, room: &str, click: &str, path: &[&str]) -> String {
        let answer =
            self.post(&format!("{room}/act"), &json!({ "do": "press", "click": click, "path": path }));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    pub fn act(&self, room: &str, what: &str) -> String {
        self.post(&format!("{room}/act"), &json!({ "do": what })).body
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The fields of `/proc/PID/stat` after the process's name.
fn stat(pid: u32) -> Option<String> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit(')').next().map(str::to_owned)
}

/// The path of the room that an answer names.
pub fn room_of(answer: &str) -> String {
    let path = answer.split('"').nth(3).unwrap_or_else(|| panic!("{answer}"));
    path.split('?').next().unwrap().to_owned()
}

/// Starts the maze's server for four players with a page, on free ports.
pub fn mazes_server() -> Child {
    let options = "moules --page 0 -port 0 --address 127.0.0.1 -nbJoueur 4 --affichage aucun";
    Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(options.split(' '))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Returns the changing part of a page of games that are played elsewhere.
pub fn watched(page: &str) -> String {
    let head = format!("GET /watch/view HTTP/1.1\r\nHost: {page}\r\nConnection: close\r\n\r\n");
    exchange(page, &head).body
}

/// The addresses of the page that a program of the maze's server opens: its first line of diagnostics.
pub fn links(run: &mut Child) -> Vec<String> {
    let mut line = String::new();
    BufReader::new(run.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let links = line.strip_prefix("arena: ").unwrap_or_else(|| panic!("{line}"));
    links.split_whitespace().map(str::to_owned).collect()
}

/// The host and port of a page's address.
pub fn host(link: &str) -> String {
    link.strip_prefix("http://").unwrap_or_else(|| panic!("{link}")).trim_end_matches('/').to_owned()
}

/// A field of a room's view.
pub fn field(view: &str, name: &str) -> String {
    let start = format!("data-{name}=\"");
    let at = view.find(&start).unwrap_or_else(|| panic!("no {name} in {view}")) + start.len();
    view[at..].split('"').next().unwrap().to_owned()
}

/// The folder of the project's executables, if this player is there.
pub fn player(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_BIN_EXE_arena")).parent()?;
    let own = folder.join(name);
    own.is_file().then_some(own)
}

/// A line that is seen even where the test passes: the harness captures only the print macros.
pub fn say(why: &str) {
    let _ = writeln!(std::io::stderr(), "arena: a test is skipped: {why}");
}

/// True where a player is built; where not, its test is skipped, and says so.
pub fn is_built(name: &str) -> bool {
    let built = player(name).is_some();
    if !built {
        say(&format!("{name} is not built: cargo build --workspace"));
    }
    built
}

/// A figure, for who asks for figures.
pub fn figure(text: &str) {
    if std::env::var_os("ARENA_FIGURES").is_some() {
        let _ = writeln!(std::io::stderr(), "arena: {text}");
    }
}

/// The elements of a view that can be clicked and lead to another position.
pub fn clicks(view: &str) -> Vec<String> {
    let after = |mark: &str| -> Vec<String> {
        view.split(mark).skip(1).filter_map(|rest| rest.split('"').next().map(str::to_owned)).collect()
    };
    [after("class=\"hit legal\" data-cell=\""), after("data-click=\"")].concat()
}

#[test]
fn an_output_that_fails_is_said_once_and_a_reader_that_left_is_not() {
    use std::process::{Command, Stdio};
    let arena = || Command::new(env!("CARGO_BIN_EXE_arena"));
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    for arguments in [&["--help"][..], &["moules", "-h"]] {
        let output = arena().args(arguments).stdout(full.try_clone().unwrap()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.starts_with("arena: standard output: ") && errors.lines().count() == 1, "{errors}");
        let mut child =
            arena().args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0), "{arguments:?}");
    }
}

/// The system's line on the arena's end of a connection, in columns (proc(5), `/proc/net/tcp`).
#[cfg(target_os = "linux")]
fn timer_of(arena: &Arena, client: &TcpStream) -> Option<String> {
    let port = |address: &str| u16::from_str_radix(address.rsplit(':').next()?, 16).ok();
    let ours = client.local_addr().unwrap().port();
    let theirs: u16 = arena.address.rsplit(':').next()?.parse().ok()?;
    let table = std::fs::read_to_string("/proc/net/tcp").unwrap();
    let mut rows = table.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let row = rows.find(|row| port(row[1]) == Some(theirs) && port(row[2]) == Some(ours))?;
    Some(row[5].to_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn a_browser_whose_machine_is_gone_is_noticed() {
    let arena = Arena::start(&["--no-data"]);
    let client = TcpStream::connect(&arena.address).unwrap();
    // Timer 2: the system will ask for a sign of life.
    let deadline = Instant::now() + Duration::from_secs(10);
    while !timer_of(&arena, &client).is_some_and(|timer| timer.starts_with("02:")) {
        assert!(Instant::now() < deadline, "{:?}", timer_of(&arena, &client));
        std::thread::sleep(Duration::from_millis(20));
    }
}
