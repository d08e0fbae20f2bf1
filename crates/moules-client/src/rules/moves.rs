use super::Direction;
use std::fmt;
use std::str::FromStr;

/// A command that the rules know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Move {
    /// `C`: stays, and counts as a pass.
    Stay,
    /// One step. A step into a dune uses the turn.
    Step(Direction),
    /// `F-d`: two cells at once, with a frite.
    Jump(Direction),
    /// `B-a-b-c`: three steps in order, with a beer. `None` is `C`.
    Beer([Option<Direction>; 3]),
}

/// An error for a text that is not a command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not a command: expected N, S, E, O, C, F-<d> or B-<d>-<d>-<d>")]
pub struct MoveError {
    /// The start of the text.
    text: String,
}

impl FromStr for Move {
    type Err = MoveError;

    /// Parses the exact form that a client should send. [`Command`](super::Command) parses what clients do send.
    fn from_str(text: &str) -> Result<Self, MoveError> {
        let bad = || MoveError { text: text.chars().take(40).collect() };
        let mut words = text.split('-').map(single);
        let head = words.next().flatten().ok_or_else(bad)?;
        let mut letter = || words.next().flatten();
        let mv = match head {
            'C' => Self::Stay,
            'F' => Self::Jump(letter().and_then(Direction::from_letter).ok_or_else(bad)?),
            'B' => {
                let mut steps = [None; 3];
                for step in &mut steps {
                    *step = match letter() {
                        Some('C') => None,
                        Some(other) => Some(Direction::from_letter(other).ok_or_else(bad)?),
                        None => return Err(bad()),
                    };
                }
                Self::Beer(steps)
            }
            other => Self::Step(Direction::from_letter(other).ok_or_else(bad)?),
        };
        if words.next().is_some() { Err(bad()) } else { Ok(mv) }
    }
}

/// Returns the character of a word of one character.
fn single(word: &str) -> Option<char> {
    let mut chars = word.chars();
    chars.next().filter(|_| chars.next().is_none())
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |step: Option<Direction>| step.map_or('C', Direction::letter);
        match *self {
            Self::Stay => f.write_str("C"),
            Self::Step(direction) => write!(f, "{}", direction.letter()),
            Self::Jump(direction) => write!(f, "F-{}", direction.letter()),
            Self::Beer([a, b, c]) => write!(f, "B-{}-{}-{}", letter(a), letter(b), letter(c)),
        }
    }
}
