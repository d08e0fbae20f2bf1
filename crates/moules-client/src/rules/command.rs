use super::{Direction, Move};

/// A client's line as the server understands it. Any line is one: what the original server does not know uses the
/// turn, and what kills it (an empty line, `B--E-E`) does the same here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Command {
    /// The action; `None`: nothing.
    pub action: Option<Move>,
    /// True if it counts among the passes that end a match: its first letter is `C`.
    pub is_pass: bool,
}

impl Command {
    /// The command of somebody who is late or gone.
    pub const PASS: Self = Self { action: Some(Move::Stay), is_pass: true };

    /// Reads a line without its ending, bytes that are no text among them.
    ///
    /// Words stand between hyphens. The first must be exactly a known one; of the others only the first letter
    /// counts, and words too many are ignored.
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
                        // An empty word before another one: the original dies here, nothing is done.
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
