//! The piskvork (Gomocup) protocol: `x,y` is column, row; rule 1 is exactly five.

use super::{Position, last_played};
use crate::course::{Conditions, in_time};
use crate::duel::{Answer, Driver, Question};
use crate::fault::{Fault, Trouble, excerpt};
use crate::peer::{Ended, Peer};
use connect5_joueur::rules::Cell;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Engines load their networks when they start.
const START: Duration = Duration::from_secs(30);

pub struct Piskvork<'a> {
    peer: Peer<'a>,
    /// The grid, and all that is told about the game, as the engine hears it first.
    start: String,
    information: String,
    /// Whether the engine knows the game so far.
    following: bool,
}

impl<'a> Piskvork<'a> {
    pub fn new(peer: Peer<'a>, position: &Position, conditions: &Conditions) -> Self {
        let geometry = position.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let start =
            if rows == columns { format!("START {rows}\n") } else { format!("RECTSTART {columns},{rows}\n") };
        let time = conditions.time.map_or(0, |time| time.as_millis());
        let memory = conditions.memory.unwrap_or(0);
        let information = format!(
            "INFO rule 1\nINFO timeout_turn {time}\nINFO timeout_match 2147483647\nINFO time_left 2147483647\nINFO max_memory {memory}\nINFO game_type 1\n"
        );
        Self { peer, start, information, following: false }
    }

    fn request(&self, question: &Question<'_, Position>) -> String {
        let position = question.position;
        let columns = position.geometry().columns();
        let name = |cell: Cell| {
            let at = cell.coordinates(columns);
            format!("{},{}", at.column, at.row)
        };
        if let Some(last) = last_played(question.played).filter(|_| self.following) {
            return format!("TURN {}\n", name(last));
        }
        let stones: Vec<_> =
            position.cells().filter_map(|cell| position.stone(cell).map(|color| (cell, color))).collect();
        if stones.is_empty() {
            return "BEGIN\n".into();
        }
        let mut text = String::from("BOARD\n");
        for (cell, color) in stones {
            let _ = writeln!(text, "{},{}", name(cell), if color == position.mover() { 1 } else { 2 });
        }
        text + "DONE\n"
    }
}

impl Driver<Position> for Piskvork<'_> {
    /// Announces the grid and the rule.
    fn greet(&mut self) -> Result<(), Trouble> {
        let deadline = in_time(START);
        self.peer.send(self.start.as_bytes(), deadline)?;
        loop {
            let line = self.peer.line(deadline)?;
            match line.trim() {
                "OK" => break,
                text if text.starts_with("ERROR") => {
                    return Err(Fault::protocol(format!("{}: {text}", self.start.trim())).into());
                }
                _ => {}
            }
        }
        self.peer.send(self.information.as_bytes(), deadline)
    }

    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Cell>, Trouble> {
        let request = self.request(question);
        let deadline = question.deadline();
        let began = Instant::now();
        self.peer.send(request.as_bytes(), deadline)?;
        let line = loop {
            let line = self.peer.line(deadline)?;
            let chatter = ["MESSAGE", "DEBUG", "UNKNOWN", "ERROR", "OK"];
            if !chatter.iter().any(|word| line.trim_start().starts_with(word)) {
                break line;
            }
        };
        let time = began.elapsed();
        self.following = true;
        let geometry = question.position.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let numbers = line
            .trim()
            .split_once(',')
            .and_then(|(x, y)| Some((x.trim().parse::<usize>().ok()?, y.trim().parse::<usize>().ok()?)));
        let (column, row) =
            numbers.ok_or_else(|| Fault::protocol(format!("\"{}\" is not \"x,y\"", excerpt(&line))))?;
        if row >= rows || column >= columns {
            return Err(Fault::illegal(format!("{column},{row} is outside the grid")).into());
        }
        Ok(Answer { mv: Cell::at(row, column, columns), time })
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"END\n")
    }
}
