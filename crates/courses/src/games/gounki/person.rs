//! The person opposite the robot: types moves, and looks for the robot's on the display.
//!
//! A display is made for people. What is certain of it: the robot's move stands somewhere in the assignment's notation,
//! on a line that is complete. So the first word that is a legal move of the robot is its move; the person's own moves,
//! repeated by many programs, are not legal for the robot, for their men are not its own.

use super::{Move, Notation, Position};
use crate::course::GameSetup;
use crate::duel::{Answer, Driver, Question};
use crate::fault::{Fault, Kind, Trouble, excerpt};
use crate::one_shot::Temporary;
use crate::peer::{Command, Ended, Peer};
use std::time::Instant;

pub struct AgainstRobot<'a> {
    peer: Peer<'a>,
    /// The number of the game's moves that the program knows.
    known: usize,
    /// The configuration's file, deleted with this.
    _file: Option<Temporary>,
}

impl<'a> AgainstRobot<'a> {
    /// Starts the program with `-B` and `-N`, and `-c` where the game does not begin at its beginning. A word of the
    /// command that begins with `robot` is the robot's type.
    pub fn begin(
        game: &GameSetup<'a>,
        command: &Command,
        seat: usize,
        configuration: Option<String>,
    ) -> Result<Self, Trouble> {
        let mut command = command.clone();
        let given = command.words.iter().skip(1).position(|word| word.starts_with("robot"));
        let robot = given.map_or_else(|| "robot".to_owned(), |at| command.words.remove(at + 1));
        let types = if seat == 0 { [robot.as_str(), "humain"] } else { ["humain", robot.as_str()] };
        command.words.extend(["-B", types[0], "-N", types[1]].map(str::to_owned));
        let file = configuration.map(|text| Temporary::holding(&text, "conf")).transpose()?;
        if let Some(file) = &file {
            command.words.extend(["-c".to_owned(), file.path().to_string_lossy().into_owned()]);
        }
        Ok(Self { peer: game.start(&command, seat)?, known: 0, _file: file })
    }

    /// Reads the display until the robot's move is there.
    fn look(&mut self, position: &Position, deadline: Instant) -> Result<Move, Trouble> {
        let mut last = String::new();
        let shown = self.peer.find_line(deadline, |line| {
            let mv = find(position, line);
            if mv.is_none() && !line.trim().is_empty() {
                line.clone_into(&mut last);
            }
            mv
        });
        shown.map_err(|trouble| match trouble {
            Trouble::Fault(fault) if fault.kind == Kind::Hang && !last.is_empty() => {
                let detail = format!("no legal move was shown; the last line was \"{}\"", excerpt(&last));
                Fault::new(Kind::Hang, detail).into()
            }
            Trouble::Fault(fault) if fault.kind == Kind::Crash && !last.is_empty() => {
                let detail = format!("{}; the last line was \"{}\"", fault.detail, excerpt(&last));
                Fault::new(Kind::Crash, detail).into()
            }
            trouble => trouble,
        })
    }
}

/// The first word of a line that is a legal move.
fn find(position: &Position, line: &str) -> Option<Move> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && !"-+*#".contains(c))
        .map(|word| word.trim_matches('-'))
        .filter(|word| word.len() >= 3)
        .filter_map(|word| word.parse::<Notation>().ok())
        .find_map(|notation| position.find(&notation).ok())
}

impl Driver<Position> for AgainstRobot<'_> {
    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Move>, Trouble> {
        let deadline = question.deadline();
        let began = Instant::now();
        if question.played.len() > self.known {
            let mv = question.played.last().expect("there is one").mv;
            self.peer.send(format!("{mv}\n").as_bytes(), deadline)?;
        }
        self.known = question.played.len() + 1;
        let mv = self.look(question.position, deadline)?;
        Ok(Answer { mv, time: began.elapsed(), told: self.peer.told() })
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_robots_move_is_found_wherever_it_stands_on_the_line() {
        let position = Position::initial();
        for line in ["Coup 1 (blanc) : a2-b3", "a2-b3", "\u{1b}[1mLe robot joue a2-b3.\u{1b}[0m", "> (a2-b3)"]
        {
            assert_eq!(find(&position, line).map(|mv| mv.to_string()), Some("a2-b3".into()), "{line}");
        }
        // The person's own move, an impossible one, a board's edge, an empty line.
        for line in ["Coup 2 (noir) : g7-g6", "a2-a5", "    a b c d e f g h", "", "1 | C R C R | 1"] {
            assert_eq!(find(&position, line), None, "{line}");
        }
    }
}
