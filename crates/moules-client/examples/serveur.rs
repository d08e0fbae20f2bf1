//! Turns a second of the server with four scripted clients over TCP, answering at once.
//!
//! `cargo run --release -p moules-client --example serveur -- [TURNS]`

use moules_client::protocol::server::{Pace, host};
use moules_client::rules::{Game, Settings};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let turns: u64 = std::env::args().nth(1).map_or(Ok(50_000), |turns| turns.parse())?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let clients: Vec<_> = (0..4)
        .map(|client| {
            std::thread::spawn(move || -> std::io::Result<()> {
                let mut stream = TcpStream::connect(address)?;
                stream.set_nodelay(true)?;
                writeln!(stream, "client {client}")?;
                let mut lines = BufReader::new(stream.try_clone()?);
                let mut line = String::new();
                loop {
                    line.clear();
                    if lines.read_line(&mut line)? == 0 || line == "FIN\n" {
                        return Ok(());
                    }
                    // The first line is the number.
                    if line.len() > 8 {
                        stream.write_all(b"N\n")?;
                    }
                }
            })
        })
        .collect();
    let state = Settings { players: 4, ..Settings::default() }.generate()?;
    let game = Game::new(state, Some(turns / 4));
    let pace = Pace { delay: Duration::ZERO, timeout: Duration::from_secs(2) };
    let mut start = Instant::now();
    let game = host(&listener, game, pace, |event| {
        if matches!(event, moules_client::protocol::server::Event::Started(..)) {
            start = Instant::now();
        }
    })?;
    let seconds = start.elapsed().as_secs_f64();
    println!("{} turns in {seconds:.2} s: {:.0} turns a second", game.turns(), game.turns() as f64 / seconds);
    for client in clients {
        client.join().map_err(|_| "a client panicked")??;
    }
    Ok(())
}
