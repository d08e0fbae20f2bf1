//! The piskvork (Gomocup) protocol: `x,y` is column, row. Rule 1 is exactly five.

use super::{Begun, Position, order};
use crate::course::Conditions;
use crate::duel::{Answer, Driver, Question};
use crate::fault::{Fault, Trouble, excerpt};
use crate::peer::{Ended, Heard, Peer, declines};
use connect5_joueur::rules::{Cell, Color};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Engines read their input in a separate thread, and some lose commands that arrive within 30 ms of their output.
/// Managers wait between an engine's move and the next command.
const PAUSE: Duration = Duration::from_millis(60);

/// The number of milliseconds that means no limit.
pub const UNLIMITED: u128 = 2_147_483_647;

pub struct Piskvork<'a> {
    peer: Peer<'a>,
    /// The commands before the first move: the grid and the game's settings.
    start: String,
    information: String,
    /// True if the engine replies to `INFO` lines, which need no reply.
    answers_information: bool,
    /// The moves of the opening, in the order of play.
    opening: Vec<Cell>,
    /// The time of the engine's last line.
    spoke: Option<Instant>,
    /// The number of moves before the engine's last answer, and that answer.
    answered: Option<(usize, Cell)>,
    /// A remark on the engine for the record.
    pub remark: Option<String>,
}

/// Returns a cell in the protocol's notation.
fn name(cell: Cell, columns: usize) -> String {
    let at = cell.coordinates(columns);
    format!("{},{}", at.column, at.row)
}

/// Returns the command that sets up these stones, in this order.
pub fn board(stones: &[(Cell, Color)], mover: Color, columns: usize) -> String {
    let mut text = String::from("BOARD\n");
    for &(cell, color) in stones {
        let _ = writeln!(text, "{},{}", name(cell, columns), if color == mover { 1 } else { 2 });
    }
    text + "DONE\n"
}

impl<'a> Piskvork<'a> {
    pub fn new(peer: Peer<'a>, begun: Begun, conditions: &Conditions) -> Self {
        let geometry = begun.position.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let start =
            if rows == columns { format!("START {rows}\n") } else { format!("RECTSTART {columns},{rows}\n") };
        // A move on a game clock may use all of the time.
        let (turn, whole) = match conditions.clock {
            // 0 would be no limit.
            Some(clock) => (Some(clock.main), clock.main.as_millis().max(1)),
            None => (conditions.time, UNLIMITED),
        };
        let turn = turn.map_or(0, |time| time.as_millis());
        let memory = conditions.memory.unwrap_or(0);
        let information = format!(
            "INFO rule 1\nINFO timeout_turn {turn}\nINFO timeout_match {whole}\nINFO max_memory {memory}\nINFO game_type 1\nINFO time_left {whole}\n"
        );
        Self {
            peer,
            start,
            information,
            answers_information: false,
            opening: begun.moves,
            spoke: None,
            answered: None,
            remark: None,
        }
    }

    fn request(&self, question: &Question<'_, Position>) -> String {
        let position = question.position;
        let columns = position.geometry().columns();
        // The engine has the position if its last answer was played and followed by one move.
        if let Some((at, answer)) = self.answered
            && let [own, last] = question.played.get(at..).unwrap_or_default()
            && own.mv == answer
        {
            return format!("TURN {}\n", name(last.mv, columns));
        }
        let played = question.played.iter().map(|ply| ply.mv);
        let stones =
            order::of_play(position, &self.opening.iter().copied().chain(played).collect::<Vec<_>>());
        if stones.is_empty() {
            return "BEGIN\n".into();
        }
        board(&stones, position.mover(), columns)
    }
}

impl Piskvork<'_> {
    /// Waits until the engine reads input again.
    fn pause(&self) {
        if let Some(spoke) = self.spoke {
            std::thread::sleep(PAUSE.saturating_sub(spoke.elapsed()));
        }
    }

    /// Sends a command, with a pause after the engine's last line.
    fn tell(&mut self, command: &str, deadline: Instant) -> Result<(), Trouble> {
        self.pause();
        self.peer.send(command.as_bytes(), deadline)
    }

    /// Requests a move with `left` milliseconds on the clock. Returns the answer's line and its time.
    pub fn exchange(
        &mut self,
        request: &str,
        left: u128,
        deadline: Instant,
    ) -> Result<(String, Duration), Trouble> {
        self.pause();
        let Self { peer, answers_information, .. } = self;
        peer.refuse_unasked(|line| {
            *answers_information |= declines(line);
            cell(line).is_some()
        })?;
        self.peer.send(format!("INFO time_left {left}\n").as_bytes(), deadline)?;
        let began = Instant::now();
        self.peer.send(request.as_bytes(), deadline)?;
        let mut allowed = u32::from(self.answers_information);
        let line = self.peer.find_line(deadline, |line| {
            let text = line.trim();
            if declines(text) && !is_of_information(text) {
                let refused = allowed == 0;
                allowed = allowed.saturating_sub(1);
                return refused.then(|| Err(refusal(request, text)));
            }
            let is_aside = is_chatter(text) || declines(text);
            (!is_aside).then(|| Ok(line.to_owned()))
        })??;
        let time = began.elapsed();
        self.spoke = Some(Instant::now());
        Ok((line, time))
    }
}

/// Returns true for `OK`, alone or before other words: `OK - everything is good`.
fn is_ready(text: &str) -> bool {
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    text[..end].eq_ignore_ascii_case("ok")
}

/// Returns true for an answer to `INFO`, which an engine need not know.
fn is_of_information(text: &str) -> bool {
    text.contains("INFO") || text.contains("time_left")
}

/// Returns true for a blank line and for words to a person.
fn is_chatter(text: &str) -> bool {
    let word = text.split_whitespace().next();
    word.is_none_or(|word| ["MESSAGE", "DEBUG"].iter().any(|of| word.eq_ignore_ascii_case(of)))
}

/// The fault of a command that was answered by `text`.
fn refusal(command: &str, text: &str) -> Fault {
    let command = command.lines().next().unwrap_or_default();
    Fault::protocol(format!("\"{command}\" was answered \"{}\"", excerpt(text)))
}

/// Parses the column and the row of an answer, on the grid or not.
pub fn cell(line: &str) -> Option<(usize, usize)> {
    let (x, y) = line.trim().split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

impl Driver<Position> for Piskvork<'_> {
    /// Sends the limits and the rule before the grid, because engines allocate memory when they get the grid.
    fn greet(&mut self, deadline: Instant) -> Result<(), Trouble> {
        let greeting = format!("{}{}", self.information, self.start);
        self.tell(&greeting, deadline)?;
        // An engine need not know every INFO, and may say so in words that fit the start as well.
        let most = self.information.lines().count();
        let Self { peer, start, answers_information, .. } = self;
        let mut declined = 0;
        let read = |line: &str| match line.trim() {
            text if is_ready(text) => Heard::Answer(Ok(())),
            text if declines(text) => {
                declined += 1;
                *answers_information = true;
                match text {
                    _ if is_of_information(text) => Heard::Aside,
                    _ if declined > most => Heard::Answer(Err(refusal(start, text))),
                    _ => Heard::Refusal,
                }
            }
            text if is_chatter(text) => Heard::Aside,
            _ => Heard::Other,
        };
        peer.answer(deadline, None, read, |words| refusal(start, words))??;
        self.spoke = Some(Instant::now());
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_, Position>) -> Result<Answer<Cell>, Trouble> {
        let request = self.request(question);
        let left = question.remaining.map_or(UNLIMITED, |remaining| remaining.left.as_millis());
        let (line, time) = self.exchange(&request, left, question.deadline())?;
        let geometry = question.position.geometry();
        let (rows, columns) = (geometry.rows(), geometry.columns());
        let (column, row) =
            cell(&line).ok_or_else(|| Fault::protocol(format!("\"{}\" is not \"x,y\"", excerpt(&line))))?;
        if row >= rows || column >= columns {
            return Err(Fault::illegal(format!("{column},{row} is outside the grid")).into());
        }
        let mv = Cell::at(row, column, columns);
        self.answered = Some((question.played.len(), mv));
        Ok(Answer { mv, time, told: self.peer.told() })
    }

    fn end(self: Box<Self>) -> Ended {
        self.pause();
        let mut ended = self.peer.close(b"END\n");
        ended.remarks.extend(self.remark);
        ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_answered_by_ok_alone_or_before_other_words() {
        for ready in ["OK", "ok", "OK - everything is good", "Ok."] {
            assert!(is_ready(ready), "{ready}");
        }
        for other in ["", "OKAY", "MESSAGE OK", "ERROR not ok", "7,7"] {
            assert!(!is_ready(other), "{other}");
        }
    }
}
