use crate::records::{self, value};
use anyhow::{Result, ensure};
use gounki::rules::{Army, Cell, Colour, Position, Stack};

/// A position, the search's value and the game's result, both for the mover, from −1 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Record {
    /// The position from the mover's side, so that White is to move.
    pub position: Position,
    pub value: f32,
    pub result: f32,
}

/// Added to the digit of the opponent's stacks.
const ENEMY: u8 = 10;

/// One byte a cell from a1 to h8, the digit of a configuration file, then two floats.
impl records::Record for Record {
    const BYTES: usize = 72;

    fn append_to(&self, bytes: &mut Vec<u8>) {
        let (own, enemy) = (self.position.own(), self.position.enemy());
        bytes.extend(Cell::all().map(|cell| match (own.at(cell), enemy.at(cell)) {
            (Stack::EMPTY, Stack::EMPTY) => 0,
            (Stack::EMPTY, stack) => ENEMY + stack.code(),
            (stack, _) => stack.code(),
        }));
        bytes.extend_from_slice(&self.value.to_le_bytes());
        bytes.extend_from_slice(&self.result.to_le_bytes());
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let mut armies = [Army::default(); 2];
        for (cell, &byte) in Cell::all().zip(bytes) {
            let stack = Stack::from_code(byte % ENEMY).expect("ten digits");
            ensure!(byte < 2 * ENEMY && byte != ENEMY, "a record with {byte} on a cell");
            armies[usize::from(byte / ENEMY)].add(cell, stack);
        }
        let [own, enemy] = armies;
        let position = Position::new(own, enemy, Colour::White);
        Ok(Self { position, value: value(bytes, 64)?, result: value(bytes, 68)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Record as _;
    use search_core::Position as _;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let mut position = Position::initial();
        for ply in 0..9 {
            let moves = position.move_list();
            position.play(moves[7 * ply % moves.len()]);
        }
        let position = Position::new(*position.own(), *position.enemy(), Colour::White);
        let record = Record { position, value: -0.25, result: 1.0 };
        let mut bytes = Vec::new();
        record.append_to(&mut bytes);
        assert_eq!(bytes.len(), Record::BYTES);
        assert_eq!(Record::parse(&bytes).unwrap(), record);
    }

    #[test]
    fn what_no_record_has_is_refused() {
        let mut bytes = Vec::new();
        Record { position: Position::initial(), value: 0.0, result: -1.0 }.append_to(&mut bytes);
        for (at, wrong) in [(20, 10), (20, 20), (63, 255), (67, 0x40), (71, 0x7f)] {
            let mut damaged = bytes.clone();
            damaged[at] = wrong;
            assert!(Record::parse(&damaged).is_err(), "{wrong} at {at}");
        }
    }
}
