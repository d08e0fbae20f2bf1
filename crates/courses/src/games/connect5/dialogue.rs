//! The course's dialogue: team lines and `READY`, then a grid and a time in, `row column` out.

use super::Position;
use crate::duel::{Answer, Driver, Question, two_numbers};
use crate::fault::{Fault, Trouble, excerpt};
use crate::peer::{Ended, Peer};
use connect5_joueur::rules::Cell;
use std::time::Instant;

/// More lines than any team has students.
const TEAM_LINES: usize = 100;

pub struct Dialogue<'a> {
    peer: Peer<'a>,
    /// The first answer that could not be read: a player that cannot write one often writes many.
    notes: Vec<Fault>,
}

impl<'a> Dialogue<'a> {
    pub fn new(peer: Peer<'a>) -> Self {
        Self { peer, notes: Vec::new() }
    }
}

impl Driver<Position> for Dialogue<'_> {
    /// Waits for `READY`.
    fn greet(&mut self, deadline: Instant) -> Result<(), Trouble> {
        for _ in 0..TEAM_LINES {
            if self.peer.line(deadline)?.trim() == "READY" {
                return Ok(());
            }
        }
        Err(Fault::protocol(format!("no READY in its first {TEAM_LINES} lines")).into())
    }

    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Cell>, Trouble> {
        let geometry = question.position.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let time = question.allowance.map_or(0, |time| time.as_millis());
        let request = format!("{rows} {columns}\n{}{time}\n", question.position.to_grid());
        self.peer.refuse_unasked(|line| two_numbers(line).is_some())?;
        let deadline = question.deadline();
        let began = Instant::now();
        self.peer.send(request.as_bytes(), deadline)?;
        let answer = self.peer.line(deadline);
        let time = began.elapsed();
        let told = self.peer.told();
        let read = match answer {
            Ok(line) => {
                two_numbers(&line).ok_or_else(|| format!("\"{}\" is not \"row column\"", excerpt(&line)))
            }
            Err(trouble) => return Err(trouble),
        };
        // The course's tool plays 0 0 for whatever it cannot read.
        let unreadable = read.as_ref().err().map(|what| Fault::protocol(format!("{what}: it counts as 0 0")));
        let (row, column) = read.unwrap_or((0, 0));
        let on = |at: i64, side: usize| usize::try_from(at).ok().filter(|&at| at < side);
        match (on(row, rows), on(column, columns), unreadable) {
            (Some(row), Some(column), note) if question.position.is_free(Cell::at(row, column, columns)) => {
                self.notes.extend(note.filter(|_| self.notes.is_empty()));
                Ok(Answer { mv: Cell::at(row, column, columns), time, told })
            }
            (Some(_), Some(_), None) => {
                Err(Fault::illegal(format!("\"{row} {column}\" is on a stone")).into())
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
        Ended { notes: self.notes, ..self.peer.close(b"0\n") }
    }
}
