//! The maze for tests: goes east, as the course's own client does. Arguments: host, port, name.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut wire = TcpStream::connect(format!("{}:{}", words[0], words[1]))?;
    let mut lines = BufReader::new(wire.try_clone()?).lines();
    wire.write_all(format!("{}\n", words[2]).as_bytes())?;
    lines.next();
    while let Some(Ok(line)) = lines.next() {
        if line == "FIN" {
            break;
        }
        wire.write_all(b"E\n")?;
    }
    Ok(())
}
