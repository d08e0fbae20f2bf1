use super::{Direction, Move};

/// A client's line as the server interprets it. Every line is valid: the original server spends the turn on an unknown
/// one, and so does this server on lines that crash the original (an empty line, `B--E-E`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// The move, or `None` if the line does nothing.
    pub action: Option<Move>,
    /// True if the line counts as one of the passes that end a match: its first letter is `C`.
    pub is_pass: bool,
}

impl Command {
    /// The command that the server plays for a player who is late or gone.
    pub const PASS: Self = Self { action: Some(Move::Stay), is_pass: true };

    /// Parses a line without its ending. The bytes need not be UTF-8.
    ///
    /// Words are separated by hyphens. The first word must match exactly. Of the others only the first letter counts,
    /// and surplus words are ignored.
    pub fn read(line: &[u8]) -> Self {
        let mut words = line.split(|&byte| byte == b'-');
        let head = words.next().unwrap_or_default();
        let mut letter = || words.next().map(|word| word.first().map(|&byte| char::from(byte)));
        let action = match head {
            b"C" => Some(Move::Stay),
            b"F" => letter().flatten().and_then(Direction::from_letter).map(Move::Jump),
            b"B" => {
                let mut steps = [None; 3];
                let mut whole = true;
                for step in &mut steps {
                    match letter() {
                        // An empty word before another one crashes the original. Here the line does nothing.
                        Some(None) => whole = false,
                        Some(Some(letter)) => *step = Direction::from_letter(letter),
                        None => {}
                    }
                }
                whole.then_some(Move::Beer(steps))
            }
            &[byte] => Direction::from_letter(char::from(byte)).map(Move::Step),
            _ => None,
        };
        Self { action, is_pass: line.first() == Some(&b'C') }
    }
}

impl From<Move> for Command {
    fn from(action: Move) -> Self {
        Self { action: Some(action), is_pass: action == Move::Stay }
    }
}
