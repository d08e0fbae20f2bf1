use super::cell::{Cell, Side};
use super::state::State;
use std::fmt;

/// A position drawn as the assignment prescribes: 11 lines of exactly 29 characters, each ended by a line feed, with
/// the last move in upper case.
#[derive(Debug, Clone, Copy)]
pub struct Picture<'a>(pub &'a State);

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..9 {
            if row > 0 && row % 3 == 0 {
                writeln!(f, "{:-<29}", "")?;
            }
            for column in 0..9 {
                if column > 0 && column % 3 == 0 {
                    f.write_str("|")?;
                }
                let cell = Cell::at(row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
                let last = self.0.last() == Some(cell);
                let symbol = match self.0.at(cell) {
                    None => '.',
                    Some(Side::X) if last => 'X',
                    Some(Side::X) => 'x',
                    Some(Side::O) if last => 'O',
                    Some(Side::O) => 'o',
                };
                write!(f, " {symbol} ")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
