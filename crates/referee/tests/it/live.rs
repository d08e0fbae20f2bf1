//! The page of a run: what a browser gets while games are played.

use crate::support::referee;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

/// A run with a page, and where that is.
fn run_with_page(line: &str) -> (Child, String) {
    let arguments: Vec<&str> = line.split(' ').collect();
    let mut child = referee(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let place = said.trim_end().strip_prefix("referee: live at http://").expect(&said);
    (child, place.trim_end_matches('/').to_owned())
}

fn ask(place: &str, request: &str) -> TcpStream {
    let mut stream = TcpStream::connect(place).unwrap();
    stream.write_all(format!("{request} HTTP/1.1\r\nHost: {place}\r\n\r\n").as_bytes()).unwrap();
    stream
}

fn answer(place: &str, request: &str) -> String {
    let mut text = String::new();
    ask(place, request).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_browser_follows_a_maze_to_the_end_of_the_run() {
    let (mut child, place) = run_with_page(
        "tournament moules --player builtin:greedy --player builtin:random --rounds 1 --turns 60 --concurrency 1 \
         --quiet --live 0 --pace 5",
    );
    let page = answer(&place, "GET /");
    assert!(page.starts_with("HTTP/1.1 200 OK") && page.contains("new EventSource('events')"), "{page}");
    assert!(answer(&place, "GET /other").starts_with("HTTP/1.1 404"));
    assert!(answer(&place, "POST /").starts_with("HTTP/1.1 405"));
    assert!(answer(&place, "GET /state").contains("25x17"));
    let lines = BufReader::new(ask(&place, "GET /events")).lines();
    let messages: Vec<Value> = lines
        .map_while(Result::ok)
        .filter_map(|line| Some(serde_json::from_str(line.strip_prefix("data: ")?).unwrap()))
        .collect();
    assert!(messages.len() > 5, "{} messages", messages.len());
    let boards: Vec<&Value> =
        messages.iter().map(|m| &m["tables"][0]).filter(|table| !table.is_null()).collect();
    for board in &boards {
        assert!(board["board"]["maze"].as_str().unwrap().starts_with("25x17/"), "{board}");
        assert_eq!(board["board"]["purses"].as_array().unwrap().len(), 2);
    }
    assert!(boards[0]["moves"].as_u64() < boards[boards.len() - 1]["moves"].as_u64());
    let last = &messages[messages.len() - 1];
    assert_eq!(last["over"], true);
    assert_eq!((&last["standing"]["games"], &last["standing"]["total"]), (&2.into(), &2.into()));
    assert_eq!(last["standing"]["rows"][0]["name"], "greedy");
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_page_where_nobody_may_listen_is_an_error() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let line =
        ["match", "uttt", "--a", "builtin:first", "--b", "builtin:random", "--games", "2", "--live", &port];
    let output = crate::support::run(&line);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot listen on 127.0.0.1:"));
}
