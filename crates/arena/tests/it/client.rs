//! A client that says exactly what it is told to, and waits.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// A server's answer to an HTTP request.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
    /// The length of the body as transferred, in bytes.
    pub length: usize,
}

/// Sends a request as it stands and reads the whole answer.
pub fn exchange(address: &str, request: &str) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    answer(&mut BufReader::new(stream))
}

/// Reads one answer.
pub fn answer(reader: &mut BufReader<TcpStream>) -> Answer {
    let mut head = String::new();
    let mut length = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 || line == "\r\n" {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse::<usize>().ok();
        }
        head.push_str(&line);
    }
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
    let mut body = Vec::new();
    match length {
        Some(length) => {
            body.resize(length, 0);
            reader.read_exact(&mut body).unwrap();
        }
        None => {
            reader.read_to_end(&mut body).unwrap();
        }
    }
    Answer { status, head, length: body.len(), body: String::from_utf8_lossy(&body).into_owned() }
}

/// Waits until something is there.
#[track_caller]
pub fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(120);
    let mut pause = Duration::from_millis(2);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} never came");
        std::thread::sleep(pause);
        pause = (2 * pause).min(Duration::from_millis(30));
    }
}
