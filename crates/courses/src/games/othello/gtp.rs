//! GTP, version 2.

use super::{Begun, Coloured};
use crate::course::{Conditions, GameSetup};
use crate::duel::{Answer, Driver, Question, Remaining};
use crate::fault::{Fault, Trouble, excerpt};
use crate::limits::GameClock;
use crate::peer::{Ended, Heard, Peer, declines};
use othello_player::rules::{Board, Move, Side};
use search_core::Position as _;
use std::time::Instant;

pub struct Gtp<'a> {
    peer: Peer<'a>,
    /// The time and other limits of the engine.
    conditions: Conditions,
    /// The moves already sent.
    opening: Vec<(Side, Move)>,
    /// The number of the game's moves that the program has.
    known: usize,
}

impl<'a> Gtp<'a> {
    pub fn new(peer: Peer<'a>, game: &GameSetup<'_>, seat: usize) -> Result<Self, Trouble> {
        let Begun { start, moves: opening, .. } = Begun::of(game.opening).map_err(Trouble::referee)?;
        if start != Board::START {
            return Err(Trouble::Argument("GTP sets no position up: nboard: does".to_owned()));
        }
        Ok(Self { peer, conditions: game.conditions_of(seat), opening, known: 0 })
    }

    /// Sends a command that every engine must support. Returns its answer.
    fn ask(&mut self, command: &str, deadline: Instant) -> Result<String, Trouble> {
        let first = self.exchange(command, deadline)?;
        match first.strip_prefix('=') {
            Some(answer) => Ok(answer.trim_start_matches(|c: char| c.is_ascii_digit()).trim().to_owned()),
            None => Err(unexpected(command, &first).into()),
        }
    }

    /// Sends a command that an engine may refuse with `?`.
    fn ask_if_known(&mut self, command: &str, deadline: Instant) -> Result<(), Trouble> {
        self.exchange(command, deadline).map(|_| ())
    }

    /// Sends a command. Returns the first line of the answer.
    fn exchange(&mut self, command: &str, deadline: Instant) -> Result<String, Trouble> {
        self.peer.refuse_unasked(is_answer)?;
        self.peer.send(format!("{command}\n").as_bytes(), deadline)?;
        let read = |line: &str| match line.trim() {
            "" => Heard::Aside,
            text if is_answer(text) => Heard::Answer(text.to_owned()),
            text if declines(text) => Heard::Refusal,
            // A greeting, a board.
            _ => Heard::Other,
        };
        let first = self.peer.answer(deadline, None, read, |words| unexpected(command, words))?;
        // The answer ends with an empty line, and may have more lines before it, but no second answer.
        let read = |line: &str| match line.trim() {
            "" => Heard::Answer(Ok(())),
            text if is_answer(text) => Heard::Answer(Err(second(command, text))),
            _ => Heard::Aside,
        };
        let unended = |answer: &str| {
            Fault::protocol(format!("\"{command}\": no empty line after \"{}\"", excerpt(answer)))
        };
        self.peer.answer(deadline, Some(first.clone()), read, unended)??;
        Ok(first)
    }
}

/// True for the first line of an answer. A line of several signs separates parts of an engine's log.
fn is_answer(line: &str) -> bool {
    line.starts_with(['=', '?']) && !line.starts_with("==") && !line.starts_with("??")
}

fn unexpected(command: &str, answer: &str) -> Fault {
    Fault::protocol(format!("\"{command}\" was answered \"{}\"", excerpt(answer)))
}

fn second(command: &str, answer: &str) -> Fault {
    Fault::protocol(format!("\"{command}\" was answered a second time: \"{}\"", excerpt(answer)))
}

fn colour(side: Side) -> &'static str {
    if side == Side::Black { "b" } else { "w" }
}

impl Driver<Coloured> for Gtp<'_> {
    /// Sets up the board and plays the opening.
    fn greet(&mut self, deadline: Instant) -> Result<(), Trouble> {
        // Some Othello programs support only this size and not the command.
        self.ask_if_known("boardsize 8", deadline)?;
        self.ask("clear_board", deadline)?;
        let settings = match (self.conditions.clock, self.conditions.time) {
            // This command has no increment. `time_left` before each move includes it.
            (Some(GameClock { moves, main, .. }), _) => match moves {
                Some(moves) => Some(format!("0 {} {moves}", main.as_secs())),
                None => Some(format!("{} 0 0", main.as_secs())),
            },
            (None, Some(time)) => Some(format!("0 {} 1", time.as_secs_f64().ceil() as u64)),
            (None, None) => None,
        };
        if let Some(settings) = settings {
            self.ask_if_known(&format!("time_settings {settings}"), deadline)?;
        }
        for (side, mv) in std::mem::take(&mut self.opening) {
            self.ask(&format!("play {} {mv}", colour(side)), deadline)?;
        }
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_, Coloured>) -> Result<Answer<Move>, Trouble> {
        let deadline = question.deadline();
        let began = Instant::now();
        for ply in &question.played[self.known..] {
            let Some(before) = ply.before else { continue };
            self.ask(&format!("play {} {}", colour(before.0.side), ply.mv), deadline)?;
        }
        let board = question.position.0;
        let forced = question.position.is_legal(Move::PASS);
        if let Some(Remaining { left, moves, .. }) = question.remaining {
            let told = format!("time_left {} {} {}", colour(board.side), left.as_secs(), moves.unwrap_or(0));
            self.ask_if_known(&told, deadline)?;
        }
        let answer = self.ask(&format!("genmove {}", colour(board.side)), deadline)?;
        let time = began.elapsed();
        self.known = question.played.len() + 1;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Trouble::Resigned);
        }
        let mv: Move = answer.parse().map_err(|error| Fault::protocol(format!("{error}")))?;
        if !question.position.is_legal(mv) {
            let must = if forced { ": it must pass" } else { "" };
            return Err(Fault::illegal(format!("{} may not play {mv}{must}", board.side)).into());
        }
        Ok(Answer { mv, time, told: self.peer.told() })
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"quit\n")
    }
}
