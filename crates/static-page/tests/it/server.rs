//! A plain web server for a folder, as any web host is.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A server of a folder on this machine. It can be made to answer nothing, as a network that is gone.
pub struct Folder {
    pub address: String,
    gone: Arc<AtomicBool>,
}

impl Folder {
    pub fn serve(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let gone = Arc::new(AtomicBool::new(false));
        let (folder, is_gone) = (folder.to_path_buf(), Arc::clone(&gone));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if !is_gone.load(Ordering::Relaxed) {
                    let folder = folder.clone();
                    std::thread::spawn(move || answer(&stream, &folder));
                }
            }
        });
        Self { address, gone }
    }

    /// From now on every connection is closed without an answer.
    pub fn go(&self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

fn answer(mut stream: &TcpStream, folder: &Path) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.find(String::is_empty);
    let wanted = first.split(' ').nth(1).unwrap_or("/").split('?').next().unwrap_or("/").to_owned();
    let mut path: PathBuf = folder.join(wanted.trim_start_matches('/'));
    if wanted.ends_with('/') {
        path.push("index.html");
    }
    let (status, body) = match std::fs::read(&path) {
        Ok(body) => ("200 OK", body),
        Err(_) => ("404 Not Found", b"nothing here".to_vec()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        kind(&path),
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}
