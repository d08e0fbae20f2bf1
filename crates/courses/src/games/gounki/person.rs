//! The driver for interactive programs: types the person's moves, and finds the robot's moves in the display.
//!
//! Displays differ. The robot's move is printed somewhere in the assignment's notation, on a complete line, so the
//! first word that is a legal move of the robot is its move. The person's own moves, which many programs repeat, are
//! not legal for the robot. The assignment only requires the board, so if no move is printed, it is read off the board.

use super::shown::Boards;
use super::{Configuration, Move, Notation, Position};
use crate::course::{GameSetup, in_time};
use crate::duel::{Answer, Driver, Question};
use crate::fault::{Fault, Kind, Trouble, excerpt};
use crate::one_shot::Temporary;
use crate::peer::{Command, Ended, Peer};
use std::time::{Duration, Instant};

/// Rest without output after which a program that has just started counts as one that keeps its output in a buffer.
const UNFLUSHED: Duration = Duration::from_millis(300);

pub struct AgainstRobot<'a> {
    peer: Peer<'a>,
    /// The number of the game's moves that the program knows.
    known: usize,
    /// The position that the game began from.
    start: Position,
    boards: Boards,
    /// True once the program has printed a move.
    writes_moves: bool,
    /// The configuration file, deleted on drop.
    _file: Option<Temporary>,
}

impl<'a> AgainstRobot<'a> {
    /// Starts the program with `-B` and `-N`, and with `-c` if the game does not start at the initial position. A word
    /// of the command that begins with `robot` is the robot's type.
    pub fn begin(
        game: &GameSetup<'a>,
        command: &Command,
        seat: usize,
        start: Position,
    ) -> Result<Self, Trouble> {
        let configuration = (start != Position::initial()).then(|| Configuration::of(&start).to_string());
        let mut command = command.clone();
        let given = command.words.iter().skip(1).position(|word| word.starts_with("robot"));
        let robot = given.map_or_else(|| "robot".to_owned(), |at| command.words.remove(at + 1));
        let types = if seat == 0 { [robot.as_str(), "humain"] } else { ["humain", robot.as_str()] };
        command.words.extend(["-B", types[0], "-N", types[1]].map(str::to_owned));
        let file = configuration.map(|text| Temporary::holding(&text, "conf")).transpose()?;
        if let Some(file) = &file {
            let path = file.read_by(&mut command);
            command.words.extend(["-c".to_owned(), path]);
        }
        let mut peer = game.start(&command, seat)?;
        // The program waits for the person without output: most C programs keep it in a buffer.
        if peer.is_silent(UNFLUSHED, in_time(game.conditions.start_up))? {
            peer.close(b"");
            peer = game.start(&Command { terminal: true, ..command }, seat)?;
        }
        let boards = Boards::default();
        Ok(Self { peer, known: 0, start, boards, writes_moves: false, _file: file })
    }

    /// Reads the display until the robot's move is found.
    fn look(&mut self, position: &Position, deadline: Instant) -> Result<Move, Trouble> {
        let mut last = String::new();
        let Self { peer, boards, start, writes_moves, .. } = self;
        let shown = peer.find_line(deadline, |line| {
            let written = find(position, line);
            *writes_moves |= written.is_some();
            let drawn = boards.hear(line, start, position).filter(|_| !*writes_moves);
            let mv = written.or(drawn);
            if mv.is_none() && !line.trim().is_empty() {
                line.clone_into(&mut last);
            }
            mv
        });
        shown.map_err(|trouble| match trouble {
            Trouble::Fault(fault) if fault.kind == Kind::Hang && !last.is_empty() => {
                let detail = format!(
                    "no legal move was written or shown on a board; the last line was \"{}\"",
                    excerpt(&last)
                );
                Fault::new(Kind::Hang, detail).into()
            }
            trouble => trouble,
        })
    }
}

/// Returns the first word of a line that is a legal move.
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
            let ply = question.played.last().expect("there is one");
            let Self { peer, boards, start, .. } = self;
            // The rest of the display of the robot's last move: a move in it is no answer to the next one.
            peer.refuse_unasked(|line| {
                ply.before.and_then(|before| boards.hear(line, start, &before));
                false
            })?;
            peer.send(format!("{}\n", ply.mv).as_bytes(), deadline)?;
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
        // The person's move, an impossible one, a board's edge, an empty line.
        for line in ["Coup 2 (noir) : g7-g6", "a2-a5", "    a b c d e f g h", "", "1 | C R C R | 1"] {
            assert_eq!(find(&position, line), None, "{line}");
        }
    }
}
