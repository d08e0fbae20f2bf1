//! The driver for interactive programs: types the person's moves, and finds the robot's moves in the display.
//!
//! Displays differ. The robot's move is printed somewhere in the assignment's notation, on a complete line, so the first word
//! that is a legal move of the robot is its move, unless its line is a list of moves, or the next board shows that it was an
//! example, as of a prompt. The person's own moves, which many programs repeat, are not legal for the robot. The assignment
//! only requires the board, so if no move is printed, it is read off the board.

use super::shown::{Boards, Shown};
use super::{Configuration, Move, Notation, Position};
use crate::course::{GameSetup, in_time};
use crate::duel::{Answer, Driver, Question};
use crate::fault::{Fault, Kind, Trouble, excerpt};
use crate::one_shot::Temporary;
use crate::peer::{Command, Ended, Peer};
use std::collections::HashSet;
use std::time::{Duration, Instant};

/// Rest without output after which a program that has just started counts as one that keeps its output in a buffer.
const UNFLUSHED: Duration = Duration::from_millis(300);
/// Rest without output after which a program has no prompt.
const PROMPT: Duration = Duration::from_millis(300);
/// The time after a written move in which a board may show that it was not played: of a program that has drawn none after
/// its last move, and of the others.
const DOUBT: [Duration; 2] = [Duration::from_millis(200), Duration::from_secs(1)];
/// The longest wait after that for a program to rest that draws no boards.
const BUSY: Duration = Duration::from_secs(2);
/// The longest wait for the first prompt, of a program that never rests.
const ASKS: Duration = Duration::from_secs(5);

pub struct AgainstRobot<'a> {
    peer: Peer<'a>,
    /// The number of the game's moves that the program knows.
    known: usize,
    /// The position that the game began from.
    start: Position,
    boards: Boards,
    /// True once the program has printed a move.
    writes_moves: bool,
    /// True if a board is to be expected after its move.
    draws: bool,
    /// True if there is a move in what it writes before the person's, as an example. `None` before the first of these.
    has_examples: Option<bool>,
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
        Ok(Self {
            peer,
            known: 0,
            start,
            boards,
            writes_moves: false,
            draws: true,
            has_examples: None,
            _file: file,
        })
    }

    /// Reads the rest of the display of the robot's last move, from the position `before` the person's, and the prompt: a
    /// move in them is no answer to the next one. The prompt is waited for where it has an example and no board tells; on an
    /// overloaded machine a late one is still taken for an answer.
    fn hear_prompt(&mut self, before: Option<&Position>, deadline: Instant) -> Result<(), Trouble> {
        let Self { peer, boards, start, has_examples, .. } = self;
        let mut is_example = false;
        let mut is_read = boards.are_known();
        let mut hear = |line: &str| {
            is_example |= words(line).next().is_some();
            before.and_then(|before| boards.hear(line, start, before, &[]));
            boards.are_known()
        };
        peer.refuse_unasked(|line| {
            is_read = hear(line);
            false
        })?;
        if is_read || *has_examples == Some(false) {
            return Ok(());
        }
        // The first output may not be the prompt yet.
        let deadline = deadline.min(Instant::now() + ASKS);
        while !peer.is_silent(PROMPT, deadline)? {
            // A line may come in parts, and a prompt has no end.
            let text = peer.raw_line(Instant::now() + PROMPT)?;
            if text.is_empty() || hear(text.trim_end()) {
                break;
            }
        }
        has_examples.get_or_insert(is_example);
        Ok(())
    }

    /// Reads the display until the robot's move is found. Returns it with the time at which it was written or shown.
    fn look(&mut self, position: &Position, deadline: Instant) -> Result<(Move, Instant), Trouble> {
        let mut last = String::new();
        let mut signs = Signs::default();
        // The end of the wait for a board, once it was extended.
        let mut extended = None;
        loop {
            let Self { peer, boards, start, writes_moves, draws, .. } = self;
            let doubt = DOUBT[usize::from(*draws)];
            // A program that shows its search writes several.
            let until =
                signs.moves.last().map_or(deadline, |(_, at)| deadline.min(extended.unwrap_or(*at + doubt)));
            let heard = peer.find_line(until, |line| {
                if !line.trim().is_empty() {
                    line.clone_into(&mut last);
                }
                let count = signs.moves.len();
                let written = find(position, line);
                *writes_moves |= written.is_some();
                signs.moves.extend(written.map(|mv| (mv, Instant::now())));
                let moves: Vec<Move> = signs.moves.iter().map(|(mv, _)| *mv).collect();
                let shown = boards.hear(line, start, position, &moves);
                let found = signs.judge(shown, *writes_moves, boards.are_known() || *draws);
                let is_new = signs.moves.len() != count;
                found.map(Some).or_else(|| is_new.then_some(None))
            });
            match (heard, signs.moves.first()) {
                (Ok(None), _) => extended = None,
                (Ok(Some(found)), _) => {
                    *draws = signs.is_drawn;
                    return Ok(found);
                }
                // It may still think, or the machine be busy: the rest of its display is late.
                (Err(Trouble::Fault(fault)), Some(_)) if fault.kind == Kind::Hang && extended.is_none() => {
                    let shows = *draws && boards.are_known();
                    peer.settle(if shows { deadline } else { deadline.min(Instant::now() + BUSY) })?;
                    extended = Some(Instant::now() + PROMPT);
                }
                (Err(Trouble::Fault(_)), Some(&written)) => {
                    *draws = false;
                    return Ok(written);
                }
                (Err(Trouble::Fault(fault)), None) if fault.kind == Kind::Hang && !last.is_empty() => {
                    let last = excerpt(&last);
                    let detail = format!(
                        "no legal move was written or shown on a board; the last line was \"{last}\""
                    );
                    return Err(Fault::new(Kind::Hang, detail).into());
                }
                (Err(trouble), _) => return Err(trouble),
            }
        }
    }
}

/// The signs of the robot's move so far.
#[derive(Debug, Default)]
struct Signs {
    /// The legal moves that were written or drawn, with their times.
    moves: Vec<(Move, Instant)>,
    /// True once a board has shown a move.
    is_drawn: bool,
}

impl Signs {
    /// Takes account of what a board shows, and returns the move once it is certain. A program that `writes` its moves may
    /// still do so; one that `draws` boards may still show that a written move was not played.
    fn judge(&mut self, shown: Option<Shown>, writes: bool, draws: bool) -> Option<(Move, Instant)> {
        match shown {
            Some(Shown::Move(drawn)) => {
                self.is_drawn = true;
                let now = Instant::now();
                // Where it has written several moves, the board alone tells which one it plays.
                let (written, others) = self.moves.iter().partition::<Vec<_>, _>(|(mv, _)| *mv == drawn);
                if let (Some(&&written), true) = (written.last(), others.is_empty()) {
                    return Some(written);
                }
                if !written.is_empty() || !writes {
                    return Some((drawn, now));
                }
                self.moves = vec![(drawn, now)];
            }
            Some(Shown::Before) => self.moves.clear(),
            None => {}
        }
        let is_certain = !draws || self.is_drawn && self.moves.len() > 1;
        self.moves.first().filter(|_| is_certain).copied()
    }
}

/// Returns the words of a line that may be moves, in small letters or capitals.
pub fn words(line: &str) -> impl Iterator<Item = Notation> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && !"-+*#".contains(c))
        .map(|word| word.trim_matches('-'))
        .filter(|word| word.len() >= 3)
        .filter_map(|word| word.to_ascii_lowercase().parse().ok())
}

/// Returns the first word of a line that is a legal move. A line with many is a list of what can be played.
fn find(position: &Position, line: &str) -> Option<Move> {
    /// Maximum number of different legal moves on a line that tells the robot's: the moves that it expects may follow.
    const MOST: usize = 8;
    let moves: Vec<Move> = words(line).filter_map(|notation| position.find(&notation).ok()).collect();
    let different: HashSet<&Move> = moves.iter().collect();
    moves.first().filter(|_| different.len() <= MOST).copied()
}

impl Driver<Position> for AgainstRobot<'_> {
    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Move>, Trouble> {
        let typed = question.played.last().filter(|_| question.played.len() > self.known);
        if let Some(ply) = typed {
            self.hear_prompt(ply.before.as_ref(), question.deadline())?;
        }
        let deadline = question.deadline();
        let began = Instant::now();
        if let Some(ply) = typed {
            self.peer.send(format!("{}\n", ply.mv).as_bytes(), deadline)?;
        }
        self.known = question.played.len() + 1;
        let (mv, at) = self.look(question.position, deadline)?;
        Ok(Answer { mv, time: at - began, told: self.peer.told() })
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::Position as _;

    #[test]
    fn a_robots_move_is_found_wherever_it_stands_on_the_line() {
        let position = Position::initial();
        let said = "\u{1b}[1mLe robot joue a2-b3.\u{1b}[0m";
        for line in ["Coup 1 (blanc) : a2-b3", "a2-b3", said, "> (a2-b3)", "COUP : A2-B3"] {
            assert_eq!(find(&position, line).map(|mv| mv.to_string()), Some("a2-b3".into()), "{line}");
        }
        let moves = || position.move_list().into_iter().map(|mv| mv.to_string());
        let list = moves().take(9).collect::<Vec<_>>().join(" ");
        assert_eq!(find(&position, &list), None);
        let foreseen = moves().take(8).chain(moves().take(8)).collect::<Vec<_>>().join(" ");
        assert_eq!(find(&position, &foreseen).map(|mv| mv.to_string()), moves().next());
        // The person's move, an impossible one, a board's edge, an empty line.
        for line in ["Coup 2 (noir) : g7-g6", "a2-a5", "    a b c d e f g h", "", "1 | C R C R | 1"] {
            assert_eq!(find(&position, line), None, "{line}");
        }
    }

    #[test]
    fn of_a_program_that_writes_several_moves_the_time_is_that_of_its_board() {
        let moves = Position::initial().move_list();
        let early = Instant::now();
        std::thread::sleep(Duration::from_millis(1));
        for (written, is_early) in [(&[0][..], true), (&[0, 0], true), (&[0, 1], false), (&[1, 0], false)] {
            let moves_of = written.iter().map(|&nth| (moves[nth], early)).collect();
            let mut signs = Signs { moves: moves_of, is_drawn: false };
            let found = signs.judge(Some(Shown::Move(moves[0])), true, true).unwrap();
            assert_eq!((found.0, found.1 == early), (moves[0], is_early), "{written:?}");
        }
    }
}
