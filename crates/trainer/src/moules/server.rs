//! The server's turns a second with four scripted TCP clients that answer at once.

use anyhow::{Result, anyhow};
use clap::Args;
use moules_client::protocol::event::Event;
use moules_client::protocol::server::{Pace, host};
use moules_client::rules::{Game, Settings};
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// Arguments of `server`.
#[derive(Debug, Args)]
pub struct Server {
    /// Number of turns of the four clients together.
    #[arg(long, default_value_t = 50_000, value_parser = crate::numbers::number::<u64>())]
    turns: u64,
}

impl Server {
    /// Plays one match, and prints its turns a second.
    ///
    /// # Errors
    /// If the network fails, or the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let address = listener.local_addr()?;
        let clients = (0..4)
            .map(|number| std::thread::Builder::new().spawn(move || wait_always(address, number)))
            .collect::<std::io::Result<Vec<_>>>()?;
        let state = Settings { players: 4, ..Settings::default() }.generate()?;
        let game = Game::new(state, Some(self.turns / 4));
        let pace = Pace { delay: Duration::ZERO, timeout: Duration::from_secs(2) };
        let mut start = Instant::now();
        let game = host(&listener, game, pace, |event| {
            if matches!(event, Event::Started(..)) {
                start = Instant::now();
            }
        })?;
        let seconds = start.elapsed().as_secs_f64();
        for client in clients {
            client.join().map_err(|_| anyhow!("a client panicked"))??;
        }
        Ok(wire::print_line(format_args!(
            "{} turns in {seconds:.2} s: {:.0} turns a second",
            game.turns(),
            game.turns() as f64 / seconds
        ))?)
    }
}

/// Runs a client that answers every state by staying in its cell.
fn wait_always(server: SocketAddr, number: usize) -> std::io::Result<()> {
    let mut stream = TcpStream::connect(server)?;
    stream.set_nodelay(true)?;
    writeln!(stream, "client {number}")?;
    let mut lines = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    loop {
        line.clear();
        if lines.read_line(&mut line)? == 0 || line == "FIN\n" {
            return Ok(());
        }
        // The first line is the player number.
        if line.len() > 8 {
            stream.write_all(b"N\n")?;
        }
    }
}
