//! As much of HTTP as a page and its events need: a bounded request in, an answer out, a thread a connection.

use super::{BETWEEN_BOARDS, Shared};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Connections at once.
const MOST: usize = 64;
/// Bytes of a request: a browser sends under a thousand.
const REQUEST: u64 = 16 * 1024;
/// How long a connection may take to say or to read anything.
const PATIENCE: Duration = Duration::from_secs(5);

const PAGE: &str = include_str!("page.html");
/// Nothing is loaded from anywhere, and names of players are never code.
const HEADERS: &str = "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:\r\nConnection: close\r\n";

/// Answers until the process ends.
pub fn serve(listener: &TcpListener, shared: &Arc<Shared>) {
    let open = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        // What could not be accepted may come again; without room for it there is nothing to do meanwhile.
        let Ok(mut stream) = stream else {
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        let _ = stream.set_read_timeout(Some(PATIENCE));
        let _ = stream.set_write_timeout(Some(PATIENCE));
        if open.fetch_add(1, Ordering::Relaxed) >= MOST {
            let _ = answer(&mut stream, "503 Service Unavailable", "text/plain", "too many browsers\n");
            open.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (shared, open) = (Arc::clone(shared), Arc::clone(&open));
        std::thread::spawn(move || {
            // A browser that goes away ends its own connection only.
            let _ = converse(&mut stream, &shared);
            open.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

fn converse(stream: &mut TcpStream, shared: &Shared) -> io::Result<()> {
    let Some(request) = request(stream)? else {
        return answer(stream, "400 Bad Request", "text/plain", "no request\n");
    };
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if method != "GET" {
        return answer(stream, "405 Method Not Allowed", "text/plain", "only GET\n");
    }
    match target.split('?').next().unwrap_or_default() {
        "/" => answer(stream, "200 OK", "text/html; charset=utf-8", PAGE),
        "/state" => {
            let message = shared.lock().message();
            answer(stream, "200 OK", "application/json", &message)
        }
        "/events" => {
            shared.lock().listeners += 1;
            let heard = events(stream, shared);
            shared.lock().listeners -= 1;
            shared.changed.notify_all();
            heard
        }
        _ => answer(stream, "404 Not Found", "text/plain", "nothing here\n"),
    }
}

/// The first line of a request, read to its empty line; `None` when it is none.
fn request(stream: &TcpStream) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut bounded = stream.take(REQUEST);
    let mut chunk = [0; 1024];
    while !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
        let count = bounded.read(&mut chunk)?;
        if count == 0 {
            return Ok(None);
        }
        bytes.extend_from_slice(&chunk[..count]);
    }
    let line = bytes.split(|&byte| byte == b'\r').next().unwrap_or_default();
    Ok(std::str::from_utf8(line).ok().map(str::to_owned))
}

fn answer(stream: &mut TcpStream, status: &str, kind: &str, body: &str) -> io::Result<()> {
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{HEADERS}\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes())
}

/// The newest state, again and again, until the run is over.
fn events(stream: &mut TcpStream, shared: &Shared) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.write_all(
        format!("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{HEADERS}\r\n").as_bytes(),
    )?;
    let mut seen = 0;
    loop {
        let (version, message, over) = shared.newer(seen);
        seen = version;
        match message {
            Some(message) => stream.write_all(format!("data: {message}\n\n").as_bytes())?,
            None => stream.write_all(b":\n\n")?,
        }
        if over {
            return Ok(());
        }
        std::thread::sleep(BETWEEN_BOARDS);
    }
}
