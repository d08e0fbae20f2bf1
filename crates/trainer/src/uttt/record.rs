use crate::records::{self, value};
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
        Ok(Self { state: State::try_from(integer)?, value: value(bytes, 24)?, result: value(bytes, 28)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Record as _;

    #[test]
    fn a_record_is_read_as_it_was_written_and_no_value_beyond_certainty_is() {
        let record = Record { state: State::default(), value: -0.25, result: 1.0 };
        let mut bytes = Vec::new();
        record.append_to(&mut bytes);
        assert_eq!(Record::parse(&bytes).unwrap(), record);
        for (at, number) in [(24, f32::NAN), (28, -1.5)] {
            let mut damaged = bytes.clone();
            damaged[at..at + 4].copy_from_slice(&number.to_le_bytes());
            assert!(Record::parse(&damaged).is_err(), "{number} at {at}");
        }
    }
}
