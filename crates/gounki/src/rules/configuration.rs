use super::{Army, Cell, Colour, Position, Stack};
use std::fmt;

/// A board as in the course's files: 64 codes from a1 to h8, one per line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configuration {
    white: Army,
    black: Army,
}

/// The reason why lines are not a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigurationError {
    /// A line is not one of the nineteen codes.
    #[error("ligne {line} (case {cell}) : « {code} » n'est pas un code de pièce (V0, B1 à B9 ou N1 à N9)")]
    Code {
        /// The line's number, from 1.
        line: usize,
        /// The cell of this line.
        cell: Cell,
        /// The offending text, shortened.
        code: String,
    },
    /// There are fewer than 64 lines.
    #[error("la configuration a {0} lignes au lieu de 64")]
    TooShort(usize),
    /// There is a 65th line.
    #[error("ligne {line} : « {text} » est de trop, une configuration a 64 lignes")]
    TooLong {
        /// The line's number, from 1.
        line: usize,
        /// The offending text, shortened.
        text: String,
    },
    /// The board is empty.
    #[error("la configuration est vide : aucun pion blanc ni noir")]
    Empty,
}

impl Configuration {
    /// The board of a position.
    #[must_use]
    pub fn of(position: &Position) -> Self {
        let view = match position.to_move() {
            Colour::White => *position,
            Colour::Black => position.other_view(),
        };
        Self { white: view.own, black: view.enemy }
    }

    /// The position with this board and this player to move.
    #[must_use]
    pub fn position(&self, to_move: Colour) -> Position {
        Position::new(self.white, self.black, to_move)
    }

    /// Parses 64 codes, one per item. Blank items after the last one are ignored.
    ///
    /// # Errors
    /// The number of the first invalid line.
    pub fn from_codes<'a>(codes: impl IntoIterator<Item = &'a str>) -> Result<Self, ConfigurationError> {
        let mut codes = codes.into_iter().map(str::trim).enumerate();
        let mut configuration = Self { white: Army::default(), black: Army::default() };
        for cell in Cell::all() {
            let Some((index, code)) = codes.next() else {
                return Err(ConfigurationError::TooShort(cell.index()));
            };
            let line = index + 1;
            let wrong = || ConfigurationError::Code { line, cell, code: shorten(code) };
            match *code.as_bytes() {
                [b'V', b'0'] => {}
                [owner @ (b'B' | b'N'), digit @ b'1'..=b'9'] => {
                    let stack = Stack::from_code(digit - b'0').ok_or_else(wrong)?;
                    let army =
                        if owner == b'B' { &mut configuration.white } else { &mut configuration.black };
                    army.add(cell, stack);
                }
                _ => return Err(wrong()),
            }
        }
        if let Some((index, text)) = codes.find(|(_, text)| !text.is_empty()) {
            return Err(ConfigurationError::TooLong { line: index + 1, text: shorten(text) });
        }
        if configuration.white.occupied() | configuration.black.occupied() == 0 {
            return Err(ConfigurationError::Empty);
        }
        Ok(configuration)
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(12).collect()
}

impl std::str::FromStr for Configuration {
    type Err = ConfigurationError;

    fn from_str(text: &str) -> Result<Self, ConfigurationError> {
        Self::from_codes(text.lines())
    }
}

/// Writes the 64 lines of the file.
impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for cell in Cell::all() {
            let (white, black) = (self.white.at(cell), self.black.at(cell));
            if !white.is_empty() {
                writeln!(f, "B{}", white.code())?;
            } else if !black.is_empty() {
                writeln!(f, "N{}", black.code())?;
            } else {
                writeln!(f, "V0")?;
            }
        }
        Ok(())
    }
}
