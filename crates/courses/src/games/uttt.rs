//! Ultimate tic-tac-toe: one process a move, or a dialogue. The integer printed must be that of a child of the position
//! given.

pub mod assignment;
#[cfg(feature = "marking")]
mod compliance;
pub mod drawing;
mod editor;
#[cfg(feature = "hand-in")]
mod hand_in;
mod lessons;
#[cfg(feature = "marking")]
mod mark;
mod names;
mod own;
pub mod page;
mod review;
mod thinking;

use crate::course::{GameSetup, Line, OpeningSet, Setup, split_position};
use crate::drawing::Marks;
use crate::duel::{Answer, Driver, Players, Question, Rules};
use crate::fault::{Fault, Trouble, excerpt};
use crate::one_shot::OneShot;
use crate::peer::{Command, Ended, Peer};
use crate::player::Player;
use anyhow::Context;
use search_core::{Limits, Outcome, Position as _, Report, Score, Stopwatch};
use std::time::{Duration, Instant};
use uttt::evaluation::Evaluation;
use uttt::rules::{Cell, Integer, Picture, Side, State};

/// The game with its openings.
#[derive(Debug, Clone)]
pub struct Uttt {
    /// The openings, each a line of cells.
    pub set: OpeningSet,
    /// True if a time is set.
    pub timed: bool,
}

impl Setup for Uttt {
    fn name(&self) -> &'static str {
        "uttt"
    }

    fn set(&self) -> &OpeningSet {
        &self.set
    }

    fn is_timed(&self) -> bool {
        self.timed
    }

    fn own(&self, extra: &str) -> String {
        format!("dialogue:uttt - {extra}").trim_end().to_owned()
    }
}

impl Rules for Uttt {
    type Position = State;

    fn start(&self, opening: &str) -> anyhow::Result<State> {
        let (position, moves) = split_position(opening);
        let mut state = match position {
            None => State::start(),
            Some(text) => text.parse()?,
        };
        for word in moves.split_whitespace() {
            let cell = self.read(&state, word).with_context(|| format!("\"{word}\" is no legal cell"))?;
            state.play(cell);
        }
        Ok(state)
    }

    fn seat(&self, state: &State) -> usize {
        state.mover().index()
    }

    fn write(&self, _: &State, cell: Cell) -> String {
        cell.to_string()
    }

    fn picture(&self, state: &State) -> String {
        Picture(state).to_string()
    }

    fn draw(&self, state: &State, marks: &Marks) -> String {
        drawing::draw(state, marks)
    }

    fn end(&self, state: &State, _: Outcome) -> String {
        match state.winner() {
            Some(Side::X) => "x wins".into(),
            Some(Side::O) => "o wins".into(),
            None => "every board is closed".into(),
        }
    }
}

impl Players for Uttt {
    fn evaluate(&self, state: &State) -> Score {
        Evaluation::default().evaluate(state)
    }

    fn search(state: &State, depth: u16, seed: u64) -> Report<Cell> {
        let settings = uttt::player::Settings { table_bytes: 1 << 20, seed, ..Default::default() };
        let mut player = uttt::player::Player::new(settings);
        player.think(state, Limits::depth(depth.into()), &Stopwatch::start())
    }

    fn driver<'a>(
        &'a self,
        game: &'a GameSetup<'_>,
        player: &'a Player,
        seat: usize,
    ) -> Result<Box<dyn Driver<State> + 'a>, Trouble> {
        match Line::from(player) {
            Line::Process(None, command) => Ok(Box::new(OneShot::new(game, command, seat))),
            Line::Process(Some("dialogue"), command) => {
                let mut command = command.clone();
                with_time(game, seat, &mut command);
                Ok(Box::new(Dialogue { peer: game.start(&command, seat)? }))
            }
            _ => Err(Trouble::Argument(format!(
                "\"{}\": uttt knows commands, one process a move, and \"dialogue:\" commands",
                player.text
            ))),
        }
    }
}

/// Adds the executable's own option for the time of a move.
fn with_time(game: &GameSetup<'_>, seat: usize, command: &mut Command) {
    if let Some(time) = game.conditions_of(seat).a_move() {
        command.environment.push(("UTTT_TIME_MS".into(), time.as_millis().to_string()));
    }
}

/// The course's protocol: the integer is the last argument, or replaces `{position}`.
impl Driver<State> for OneShot<'_, '_> {
    fn choose(&mut self, question: &Question<'_, State>) -> Result<Answer<Cell>, Trouble> {
        let mut command = self.command.clone();
        if !command.words.iter().any(|word| word.contains("{position}")) {
            command.words.push("{position}".into());
        }
        let mut command = command.filled(&[("position", question.position.to_string())]);
        with_time(self.game, self.seat, &mut command);
        let (answer, time, told) = self.ask(&command, question.time_out, is_position)?;
        Ok(Answer { mv: read(question.position, &answer)?, time, told })
    }

    fn end(self: Box<Self>) -> Ended {
        (*self).ended()
    }
}

/// A process that reads positions and writes the next ones, one a line.
struct Dialogue<'a> {
    peer: Peer<'a>,
}

impl Driver<State> for Dialogue<'_> {
    fn greet(&mut self, deadline: Instant) -> Result<(), Trouble> {
        // The process sends nothing at the start, but its start-up must not count for its first answer.
        self.peer.settle(deadline)
    }

    fn choose(&mut self, question: &Question<'_, State>) -> Result<Answer<Cell>, Trouble> {
        self.peer.refuse_unasked(is_position)?;
        let deadline = question.deadline();
        let began = Instant::now();
        self.peer.send(format!("{}\n", question.position).as_bytes(), deadline)?;
        let line = self.peer.line(deadline)?;
        let time: Duration = began.elapsed();
        Ok(Answer { mv: read(question.position, &line)?, time, told: self.peer.told() })
    }

    fn end(self: Box<Self>) -> Ended {
        self.peer.close(b"")
    }
}

fn is_position(line: &str) -> bool {
    line.trim().parse::<Integer>().is_ok()
}

/// Returns the move that leads to the integer of an answer.
fn read(state: &State, line: &str) -> Result<Cell, Fault> {
    let answer: Integer = line.trim().parse().map_err(|error| Fault::protocol(format!("{error}")))?;
    state
        .move_list()
        .into_iter()
        .find(|&cell| {
            let mut child = *state;
            child.play(cell);
            child.integer() == answer
        })
        .ok_or_else(|| Fault::illegal(format!("{} does not follow {state}", excerpt(line))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Course;

    const GAME: fn() -> Uttt = || Uttt { set: OpeningSet::single(""), timed: false };

    #[test]
    fn the_move_of_an_answer_is_the_one_that_leads_to_it() {
        let state = GAME().start("").unwrap();
        for cell in state.move_list() {
            let mut child = state;
            child.play(cell);
            assert_eq!(read(&state, &child.integer().to_string()).unwrap(), cell);
        }
        assert!(read(&state, &state.integer().to_string()).is_err());
    }

    #[test]
    fn a_game_lost_by_a_fault_gives_its_point_to_the_other() {
        assert_eq!([0, 1].map(|loser| GAME().forfeit(loser)), [[0.0, 1.0], [1.0, 0.0]]);
    }

    #[test]
    fn a_click_is_the_move_where_moves_are_cells_and_illegal_moves_are_named() {
        let state = GAME().start("").unwrap();
        let names: Vec<String> =
            state.move_list().into_iter().map(|cell| GAME().write(&state, cell)).collect();
        for (cell, name) in state.move_list().into_iter().zip(&names) {
            assert_eq!(GAME().clicks(&state, cell).join(" "), *name);
        }
        GAME().check_moves("", &names).unwrap();
        let wrong = [names[0].clone(), "nowhere".to_owned()];
        assert_eq!(
            GAME().check_moves("", &wrong).unwrap_err().to_string(),
            "\"nowhere\" is not legal in this position"
        );
    }
}
