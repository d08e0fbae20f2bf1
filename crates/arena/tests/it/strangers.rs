//! Requests of strangers, text that is never markup, bounds on what is sent.

use crate::server::{Arena, TWO, exchange, field, room_of, wait};
use serde_json::json;
use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

#[test]
fn nobody_else_changes_anything_here() {
    let arena = Arena::start(&["--no-data"]);
    let (address, token) = (&arena.address, &arena.token);
    let body = "{\"game\":\"uttt\",\"seats\":[\"person\",\"person\"]}";
    let post = |head: &str| {
        let length = body.len();
        let request = format!(
            "POST /new HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n{body}"
        );
        exchange(address, &request).status
    };
    let ours = format!("Host: {address}\r\nX-Arena-Token: {token}\r\n");
    assert_eq!(post(&ours), 200);
    assert_eq!(post(&format!("{ours}Origin: http://{address}\r\n")), 200);
    assert_eq!(post(&format!("{ours}Origin: http://evil.example\r\n")), 403);
    assert_eq!(post(&format!("{ours}Origin: null\r\n")), 403);
    assert_eq!(post(&format!("Host: evil.example\r\nX-Arena-Token: {token}\r\n")), 403);
    assert_eq!(post(&format!("Host: {address}\r\n")), 403);
    assert_eq!(post(&format!("Host: {address}\r\nX-Arena-Token: 0\r\n")), 403);
    let rebound = exchange(address, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(rebound.status, 403);
    let home = arena.get("/");
    let head = home.head.to_ascii_lowercase();
    assert!(head.contains("content-security-policy: default-src 'none'") && head.contains("nosniff"));
    assert!(!home.body.contains("style=\"") && !home.body.contains("onclick"), "the policy would refuse it");
    for path in ["/../Cargo.toml", "/r/..%2f..%2fetc%2fpasswd", "/r/000000000000", "/none"] {
        assert_eq!(arena.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_page_is_answered_under_the_names_that_were_given_with_the_usual_port_left_out() {
    let arena = Arena::start(&["--no-data", "--host", "arena.example:80", "--host", "other.example"]);
    let port = arena.address.rsplit(':').next().unwrap();
    let get = |host: &str| {
        exchange(&arena.address, &format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
            .status
    };
    for host in ["arena.example", "arena.example:80", "Arena.Example", &format!("other.example:{port}")] {
        assert_eq!(get(host), 200, "{host}");
    }
    for host in ["other.example", "evil.example", "arena.example:81", &format!("10.0.0.1:{port}")] {
        assert_eq!(get(host), 403, "{host}");
    }
    let token = &arena.token;
    let post = |origin: &str| {
        let body = "{\"game\":\"uttt\",\"seats\":[\"person\",\"person\"]}";
        let request = format!(
            "POST /new HTTP/1.1\r\nHost: arena.example\r\nOrigin: {origin}\r\nConnection: close\r\n\
             X-Arena-Token: {token}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        exchange(&arena.address, &request).status
    };
    assert_eq!((post("http://arena.example"), post("http://evil.example")), (200, 403));
}

#[test]
fn who_listens_on_every_address_is_reached_by_each_in_figures() {
    let arena = Arena::start(&["--no-data", "--port", "0.0.0.0:0"]);
    let port = arena.address.rsplit(':').next().unwrap();
    let get = |host: &str| {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        exchange(&format!("127.0.0.1:{port}"), &request).status
    };
    assert_eq!(get(&format!("192.168.1.7:{port}")), 200);
    assert_eq!(get(&format!("evil.example:{port}")), 403);
}

#[test]
fn bodies_and_texts_are_bounded() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("uttt", &TWO, "");
    assert_eq!(arena.post_text(&format!("{room}/act"), &"x".repeat(20_000)).status, 413);
    assert_eq!(arena.post_text("/open", "no game").status, 422);
    let long = json!({ "game": "othello", "seats": TWO, "start": "d3".repeat(20_000) });
    assert_eq!(arena.post("/new", &long).status, 422);
    let path: Vec<&str> = vec!["x"; 100];
    assert_eq!(field(&arena.press(&room, "0", &path), "say"), "too long");
}

#[test]
fn what_a_player_wrote_is_text_and_never_markup() {
    let arena = Arena::start(&["--no-data"]);
    let evil = "<script>alert(1)</script>";
    let sgf = format!("(;GM[4]FF[4]SZ[9]PB[{evil}]PW[\"onload=x];B[aa];W[bb])");
    let answer = arena.post_text("/open", &sgf);
    let room = room_of(&answer.body);
    let page = arena.get(&room).body;
    assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert(1)"), "{page}");
    let wish = json!({ "game": "uttt", "seats": [evil, "person"] });
    assert_eq!(arena.post("/new", &wish).status, 422);
    let link = arena.get("/?game=othello&start=%3Cscript%3Ealert(1)%3C%2Fscript%3E").body;
    assert!(!link.contains("<script>alert"), "{link}");
}

#[test]
fn an_engines_last_words_are_text_too() {
    let evil =
        "bad=sh -c 'echo \"<script>alert(2)</script>\"; echo \"<script>alert(3)</script>\" >&2; exit 3'";
    let arena = Arena::start(&["--no-data", "--player", evil]);
    let room = arena.open("connect5", &["bad", "person"], "");
    arena.get(&room);
    let view = wait("the fault", || {
        let view = arena.get(&format!("{room}/view")).body;
        (!field(&view, "say").contains("thinks")).then_some(view)
    });
    assert!(!view.contains("<script>alert"), "{view}");
}

#[test]
fn two_hundred_silent_connections_shut_nobody_out() {
    let arena = Arena::start(&["--no-data"]);
    let mut silent: Vec<TcpStream> = (0..200).map(|_| TcpStream::connect(&arena.address).unwrap()).collect();
    for (nth, stream) in silent.iter_mut().enumerate() {
        if nth % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
        }
    }
    let began = Instant::now();
    assert_eq!(arena.get("/").status, 200);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}
