//! The course's dialogue: team lines and `READY`, then a grid and a time in, `row column` out.

use super::Position;
use crate::course::duel::{Answer, Driver, Question};
use crate::course::in_time;
use crate::fault::{Fault, Trouble, excerpt};
use crate::peer::{Ended, Peer};
use connect5_joueur::rules::Cell;
use std::time::{Duration, Instant};

/// How long a player may take to say `READY`: Java machines start slowly.
const GREETING: Duration = Duration::from_secs(10);
/// More lines than any team has students.
const TEAM_LINES: usize = 100;

pub struct Dialogue<'a> {
    peer: Peer<'a>,
}

impl<'a> Dialogue<'a> {
    /// Waits for `READY`.
    pub fn begin(mut peer: Peer<'a>) -> Result<Self, Trouble> {
        let deadline = in_time(GREETING);
        for _ in 0..TEAM_LINES {
            if peer.line(deadline)?.trim() == "READY" {
                return Ok(Self { peer });
            }
        }
        Err(Fault::protocol(format!("no READY in its first {TEAM_LINES} lines")).into())
    }
}

impl Driver<Position> for Dialogue<'_> {
    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Cell>, Trouble> {
        let geometry = question.position.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let time = question.allowance.map_or(0, |time| time.as_millis());
        let request = format!("{rows} {columns}\n{}{time}\n", question.position.to_grid());
        let deadline = question.deadline();
        let began = Instant::now();
        self.peer.send(request.as_bytes(), deadline)?;
        let line = self.peer.line(deadline)?;
        let time = began.elapsed();
        let unreadable = || Fault::protocol(format!("\"{}\" is not \"row column\"", excerpt(&line)));
        let mut numbers = line.split_whitespace().map(str::parse::<i64>);
        let (Some(Ok(row)), Some(Ok(column)), None) = (numbers.next(), numbers.next(), numbers.next()) else {
            return Err(unreadable().into());
        };
        let on = |at: i64, side: usize| usize::try_from(at).ok().filter(|&at| at < side);
        match (on(row, rows), on(column, columns)) {
            (Some(row), Some(column)) if question.position.is_free(Cell::at(row, column, columns)) => {
                Ok(Answer { mv: Cell::at(row, column, columns), time })
            }
            (Some(_), Some(_)) => Err(Fault::illegal(format!("\"{row} {column}\" is on a stone")).into()),
            _ => {
                Err(Fault::illegal(format!("\"{row} {column}\" is outside the {rows} x {columns} grid"))
                    .into())
            }
        }
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"0\n")
    }
}
