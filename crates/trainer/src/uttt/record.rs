use crate::records::{self, float};
use anyhow::{Context, Result};
use uttt::rules::{Integer, State};

/// A position, the search's value and the game's result, both for the mover, from −1 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    pub state: State,
    pub value: f32,
    pub result: f32,
}

/// Three words of the position's integer, then two floats.
impl records::Record for Record {
    const BYTES: usize = 32;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        for word in self.state.integer().words() {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.extend_from_slice(&self.value.to_le_bytes());
        bytes.extend_from_slice(&self.result.to_le_bytes());
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let word =
            |nth: usize| u64::from_le_bytes(bytes[8 * nth..8 * nth + 8].try_into().expect("eight bytes"));
        let integer =
            Integer::from_words([word(0), word(1), word(2)]).context("a record of more than 169 bits")?;
        Ok(Self { state: State::try_from(integer)?, value: float(bytes, 24), result: float(bytes, 28) })
    }
}
