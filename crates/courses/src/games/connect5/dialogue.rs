//! The course's dialogue: team lines and `READY`, then a grid and a time in, `row column` out.
//!
//! Lines are read as in the course's tool: `READY` in any case and alone on its line; the first two numbers of an
//! answer, whatever follows; and 0 0 for anything else.

use super::Position;
use crate::course::{GameSetup, in_time};
use crate::duel::{Answer, Driver, Question, two_numbers};
use crate::fault::{Fault, Trouble, excerpt};
use crate::peer::{Command, Ended, Heard, Peer, declines};
use crate::sandbox::Network;
use connect5_joueur::protocol::team::{PRET, READY};
use connect5_joueur::rules::Cell;
use std::net::{Ipv4Addr, TcpListener};
use std::time::Instant;

/// Maximum number of team lines, more than any team has.
const TEAM_LINES: usize = 100;

/// A dialogue with a player of the course.
pub struct Dialogue<'a> {
    peer: Peer<'a>,
    /// The word that ends the team's lines.
    ready: &'static str,
    /// True if unrequested lines answer the next question, as in the course's tool.
    reads_all: bool,
    /// The first unreadable answer. A player that writes one often writes many.
    unreadable: Option<Fault>,
    remarks: Vec<&'static str>,
    farewell: &'static str,
}

impl<'a> Dialogue<'a> {
    pub(super) fn new(peer: Peer<'a>, ready: &'static str) -> Self {
        Self { peer, ready, reads_all: false, unreadable: None, remarks: Vec::new(), farewell: "0\n" }
    }

    /// Starts a server on a free port, `{port}` in its command or else its last argument, and connects to it.
    pub(super) fn with_server(game: &GameSetup<'a>, command: &Command, seat: usize) -> Result<Self, Trouble> {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|socket| socket.local_addr());
        let port = free.map_err(|error| Trouble::Referee(format!("a free port: {error}")))?.port();
        let mut command = command.clone();
        if !command.words.iter().any(|word| word.contains("{port}")) {
            command.words.push("{port}".to_owned());
        }
        let mut command = command.filled(&[("port", port.to_string())]);
        command.network = Network::Server(port);
        let mut peer = game.start(&command, seat)?;
        peer.call(port, in_time(game.conditions.start_up))?;
        // The line 0 ends a conversation, and this one the server.
        Ok(Self { farewell: "shutdown\n", ..Self::new(peer, READY) })
    }

    /// Treats each line as an answer, even if it was printed before the question, as the course's tool does.
    #[must_use]
    pub fn reading_all(self) -> Self {
        Self { reads_all: true, ..self }
    }

    /// Returns true while input may come from the player.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.peer.is_open()
    }

    /// Takes the answer that counted as 0 0, and the deviations from the assignment, since the last call.
    pub fn take_notes(&mut self) -> (Option<Fault>, Vec<&'static str>) {
        (self.unreadable.take(), std::mem::take(&mut self.remarks))
    }
}

/// Parses the first two words of a line as numbers, as in the course's tool. The flag is true if more follows.
fn cell(line: &str) -> Option<((i64, i64), bool)> {
    let mut words = line.split([' ', '\t', '\r', '\x0c']).filter(|word| !word.is_empty());
    let mut number = || words.next()?.parse::<i32>().ok().map(i64::from);
    let cell = (number()?, number()?);
    Some((cell, words.next().is_some()))
}

impl Driver<Position> for Dialogue<'_> {
    /// Waits for the word that ends the team's lines.
    fn greet(&mut self, deadline: Instant) -> Result<(), Trouble> {
        let Self { peer, ready, remarks, .. } = self;
        let mut lines = 0;
        let is_ready = |text: &str| [READY, PRET].iter().any(|word| text.trim().eq_ignore_ascii_case(word));
        let read = |line: &str| {
            lines += 1;
            match line {
                _ if line.eq_ignore_ascii_case(ready) => {
                    if line != *ready {
                        remarks.push("READY is not in capitals");
                    }
                    Heard::Answer(true)
                }
                _ if lines == TEAM_LINES => Heard::Answer(false),
                // A player that writes the word otherwise, or takes its start for a question, waits for its first grid.
                _ if is_ready(line) || declines(line) => Heard::Refusal,
                _ => Heard::Aside,
            }
        };
        let unready = |line: &str| Fault::protocol(format!("\"{}\" is not \"{ready}\" alone", excerpt(line)));
        if peer.answer(deadline, None, read, unready)? {
            return Ok(());
        }
        Err(Fault::protocol(format!("no {ready} in its first {TEAM_LINES} lines")).into())
    }

    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Cell>, Trouble> {
        let geometry = question.position.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let time = question.allowance.map_or(0, |time| time.as_millis());
        let request = format!("{rows} {columns}\n{}{time}\n", question.position.to_grid());
        let mut early = "";
        if !self.reads_all {
            self.peer.refuse_unasked(|line| two_numbers(line).is_some())?;
        } else if self.peer.unasked(0)?.is_some() {
            early = ", printed before the question";
        }
        let deadline = question.deadline();
        let began = Instant::now();
        self.peer.send(request.as_bytes(), deadline)?;
        let line = self.peer.line(deadline)?;
        let time = began.elapsed();
        let told = self.peer.told();
        let read = cell(&line).ok_or_else(|| format!("\"{}\"{early} is not \"row column\"", excerpt(&line)));
        if read.as_ref().is_ok_and(|&(_, is_longer)| is_longer) {
            self.remarks.push("more on the line of an answer than \"row column\"");
        }
        // The course's tool plays 0 0 for an unreadable answer.
        let unreadable = read.as_ref().err().map(|what| Fault::protocol(format!("{what}: it counts as 0 0")));
        let ((row, column), _) = read.unwrap_or(((0, 0), false));
        let on = |at: i64, side: usize| usize::try_from(at).ok().filter(|&at| at < side);
        match (on(row, rows), on(column, columns), unreadable) {
            (Some(row), Some(column), note) if question.position.is_free(Cell::at(row, column, columns)) => {
                self.unreadable = self.unreadable.take().or(note);
                Ok(Answer { mv: Cell::at(row, column, columns), time, told })
            }
            (Some(_), Some(_), None) => {
                Err(Fault::illegal(format!("\"{row} {column}\"{early} is on a stone")).into())
            }
            (Some(_), Some(_), Some(note)) => {
                Err(Fault::protocol(format!("{}, which is on a stone", note.detail)).into())
            }
            _ => {
                Err(Fault::illegal(format!("\"{row} {column}\" is outside the {rows} x {columns} grid"))
                    .into())
            }
        }
    }

    fn end(self: Box<Self>) -> Ended {
        Ended { notes: self.unreadable.into_iter().collect(), ..self.peer.close(self.farewell.as_bytes()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_apart_as_the_courses_tool_does() {
        for (line, read) in [
            ("4 7", Some(((4, 7), false))),
            ("  4\t7 ", Some(((4, 7), false))),
            ("4 4 0", Some(((4, 4), true))),
            ("4 7 (best)", Some(((4, 7), true))),
            ("+4 -1", Some(((4, -1), false))),
            ("4", None),
            ("", None),
            ("4,7", None),
            ("a 4 7", None),
            ("4.0 7", None),
            ("4\u{a0}7", None),
            ("99999999999 1", None),
        ] {
            assert_eq!(cell(line), read, "{line:?}");
        }
    }
}
