//! Matches with four hostile clients: one floods, one is silent, one sends single bytes, one sends junk and
//! disconnects.

use anyhow::{Result, bail};
use clap::Args;
use moules_client::protocol::event::Event;
use moules_client::protocol::server::{Pace, host};
use moules_client::rules::{Game, Settings};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The server's time limit for an answer.
const TIMEOUT: Duration = Duration::from_millis(20);

/// Arguments of `hostile`.
#[derive(Debug, Args)]
pub struct Hostile {
    /// Seconds after which no new match is started.
    #[arg(long, default_value_t = 60, value_parser = crate::numbers::number::<u64>())]
    seconds: u64,
}

impl Hostile {
    /// Plays matches. Prints their number and turns, the longest turn, and the peak memory of the process.
    ///
    /// # Errors
    /// If a match does not end properly, the network fails, or the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let start = Instant::now();
        let (mut matches, mut turns, mut longest) = (0, 0, Duration::ZERO);
        while start.elapsed() < Duration::from_secs(self.seconds) {
            let clients = [flood, be_silent, drip, leave]
                .into_iter()
                .map(|client| std::thread::Builder::new().spawn(move || client(address)))
                .collect::<std::io::Result<Vec<_>>>()?;
            let settings =
                Settings { players: 4, maze_seed: matches, item_seed: matches, ..Settings::default() };
            let game = Game::new(settings.generate()?, Some(50));
            let mussels = game.mussels_left();
            let mut last = Instant::now();
            let game = host(&listener, game, Pace { delay: Duration::ZERO, timeout: TIMEOUT }, |event| {
                if matches!(event, Event::Turn(..)) {
                    longest = longest.max(last.elapsed());
                }
                last = Instant::now();
            })?;
            if game.end().is_none() || game.mussels_left() > mussels {
                bail!("a match did not end as it should");
            }
            matches += 1;
            turns += game.turns();
            for client in clients {
                // A hostile client's own error does not matter.
                let _ = client.join();
            }
        }
        Ok(wire::print_line(format_args!(
            "{matches} matches, {turns} turns, the longest {longest:?}; {}",
            most_memory()
        ))?)
    }
}

/// Sends commands and lines that are far too long until it is disconnected.
fn flood(server: SocketAddr) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(server)?;
    stream.set_write_timeout(Some(Duration::from_secs(1)))?;
    let commands = b"N\nE\nB--E-E\n\n\xff\xfe\nF-\n".repeat(400);
    loop {
        stream.write_all(&commands)?;
    }
}

/// Reads everything and sends nothing.
fn be_silent(server: SocketAddr) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(server)?;
    std::io::copy(&mut stream, &mut std::io::sink()).map(|_| ())
}

/// Sends single bytes, and never ends a line.
fn drip(server: SocketAddr) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(server)?;
    loop {
        stream.write_all(b"N")?;
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for its number, sends junk, and disconnects.
fn leave(server: SocketAddr) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(server)?;
    stream.write_all(b"leaver\n")?;
    stream.read_exact(&mut [0; 2])?;
    stream.write_all(&[b'-'; 5000])
}

/// Returns the peak memory of this process, empty if the system does not report it.
fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.map_or_else(String::new, |line| line.split_whitespace().collect::<Vec<_>>().join(" "))
}
