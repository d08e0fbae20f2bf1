use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use uttt::rules::{Integer, State};

/// A position of a game, what the search thought of it, and how the game ended; both for the mover, from −1 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    pub state: State,
    pub value: f32,
    pub result: f32,
}

/// Three words of the integer, and two floats.
const BYTES: usize = 32;

pub fn append(records: &[Record], out: &mut BufWriter<File>) -> Result<()> {
    for record in records {
        for word in record.state.integer().words() {
            out.write_all(&word.to_le_bytes())?;
        }
        out.write_all(&record.value.to_le_bytes())?;
        out.write_all(&record.result.to_le_bytes())?;
    }
    Ok(())
}

pub fn read(path: &Path) -> Result<Vec<Record>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(bytes.len() % BYTES == 0, "{}: not a whole number of records", path.display());
    bytes.chunks_exact(BYTES).map(|chunk| parse(chunk).with_context(|| path.display().to_string())).collect()
}

fn parse(chunk: &[u8]) -> Result<Record> {
    let word = |nth: usize| u64::from_le_bytes(chunk[8 * nth..8 * nth + 8].try_into().expect("eight bytes"));
    let float = |at: usize| f32::from_le_bytes(chunk[at..at + 4].try_into().expect("four bytes"));
    let integer =
        Integer::from_words([word(0), word(1), word(2)]).context("a record of more than 169 bits")?;
    Ok(Record { state: State::try_from(integer)?, value: float(24), result: float(28) })
}
