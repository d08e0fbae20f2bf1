//! Play mode: two players, each a person or a robot.

mod command;
mod execute;
mod input;
mod save_on_signal;
mod screen;

pub use command::{Command, CommandError};
pub use input::{Entry, Input, Plain, Size, Terminal};
pub use save_on_signal::SaveOnSignal;

use super::analysis::info;
use super::board::{Style, draw, draw_low};
use super::{file, heading, result};
use crate::evaluation::Evaluation;
use crate::player::Player;
use crate::rules::{Colour, Game, Move, Position};
use search_core::{Limits, Position as _, Stopwatch};
use std::io::Write;
use std::path::PathBuf;
use wire::{Failure, SearchLog};

/// The number of consecutive sideways moves without a capture after which a game between robots is stopped.
const LONGEST_SHUFFLE: usize = 200;

/// The player of a colour.
#[derive(Debug)]
pub enum Seat {
    /// A person at the terminal.
    Human,
    /// A robot, with its name on the command line.
    Robot(Box<Player>, String),
}

impl Seat {
    /// The player's type, as the command line names it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Human => "humain",
            Self::Robot(_, name) => name,
        }
    }
}

/// The settings of play mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// A robot's limits for a move.
    pub limits: Limits,
    /// The evaluation of the displayed heuristics; `None` hides them.
    pub heuristic: Option<Evaluation>,
    /// The style of the board.
    pub style: Style,
    /// The file that receives the game if play ends before the game does.
    pub save: Option<PathBuf>,
    /// The level of the search log.
    pub search_log: SearchLog,
}

/// The reason why play ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Won(Colour),
    Stopped,
    Left,
    InputEnded,
    Interrupted,
}

/// A game in progress.
pub struct Session<'a> {
    game: Game,
    seats: [Seat; 2],
    options: Options,
    input: &'a mut dyn Input,
    output: &'a mut dyn Write,
    /// The messages since the last prompt, shown below the board; `None` unless the terminal is redrawn.
    said: Option<String>,
    adviser: Option<Box<Player>>,
    /// The number of consecutive robot moves that are sideways and without a capture.
    shuffled: usize,
    save_on_signal: Option<SaveOnSignal>,
}

impl<'a> Session<'a> {
    /// A session at the last move of `game`.
    pub fn new(
        game: Game,
        seats: [Seat; 2],
        options: Options,
        input: &'a mut dyn Input,
        output: &'a mut dyn Write,
    ) -> Self {
        let said = input.screen().map(|_| String::new());
        Self { game, seats, options, input, output, said, adviser: None, shuffled: 0, save_on_signal: None }
    }

    /// The same session, with its game saved if a signal arrives.
    #[must_use]
    pub fn saved_on_signal(mut self, save_on_signal: Option<SaveOnSignal>) -> Self {
        self.save_on_signal = save_on_signal;
        self
    }

    /// Plays until the game is over or the person quits.
    ///
    /// # Errors
    /// Exit code 1 if the input ends during the game; failed reads and writes.
    pub fn run(mut self) -> Result<(), Failure> {
        let end = self.show().and_then(|()| self.play());
        let saved = match (&self.options.save, &end) {
            (None, _) | (_, Ok(End::Won(_))) => Ok(String::new()),
            (Some(path), _) => save_on_signal::saved(path, &self.game, self.names()),
        };
        let (end, saved) = match (end, saved) {
            (Ok(end), saved) => (end, saved?),
            (Err(failure), Ok(saved)) => return Err(failure.followed_by(saved)),
            (Err(failure), Err(unsaved)) => return Err(failure.followed_by(format!(" ; {unsaved}"))),
        };
        self.leave_screen()?;
        match end {
            End::Won(winner) => writeln!(self.output, "{}", result(winner))?,
            End::Left => writeln!(self.output, "Au revoir{saved}.")?,
            End::Stopped => {
                writeln!(self.output, "Partie arrêtée : {LONGEST_SHUFFLE} coups de côté sans prise{saved}.")?;
            }
            End::InputEnded => {
                return Err(Failure::run(format!("fin de l'entrée en cours de partie{saved}")));
            }
            End::Interrupted => return Err(Failure::run(format!("partie interrompue (Ctrl-C){saved}"))),
        }
        self.output.flush()?;
        Ok(())
    }

    fn play(&mut self) -> Result<End, Failure> {
        loop {
            if let Some(save_on_signal) = &self.save_on_signal {
                save_on_signal.update(&self.game);
            }
            if let Some(winner) = self.game.position().winner() {
                return Ok(End::Won(winner));
            }
            let to_move = self.game.position().to_move();
            if !self.human_to_move() {
                self.draw_screen()?;
                self.input.pause();
                if self.said.is_some() {
                    write!(self.output, "Coup {}, {to_move} réfléchit…", self.game.number())?;
                    self.output.flush()?;
                }
            }
            if let Seat::Robot(player, _) = &mut self.seats[to_move as usize] {
                let clock = Stopwatch::start();
                let search_log = self.options.search_log;
                let report = player.think_aloud(&self.game, self.options.limits, &clock, &mut |report| {
                    search_log.iteration(|| info(report));
                });
                search_log.answer(|| info(&report));
                if self.said.is_some() {
                    self.output.write_all(screen::CLEAR_LINE.as_bytes())?;
                }
                let mv = report.best.expect("the game goes on");
                self.shuffled = if shuffles(self.game.position(), mv) { self.shuffled + 1 } else { 0 };
                self.advance(mv)?;
                if self.shuffled >= LONGEST_SHUFFLE && !self.has_human() {
                    return Ok(End::Stopped);
                }
                continue;
            }
            let prompt = format!("Coup {}, {to_move} > ", self.game.number());
            self.draw_screen()?;
            self.said = self.said.as_ref().map(|_| String::new());
            let text = match self.input.ask(&prompt, self.output)? {
                Entry::Line(text) => text,
                Entry::End => return Ok(End::InputEnded),
                Entry::Interrupted => return Ok(End::Interrupted),
            };
            if text.trim().is_empty() {
                continue;
            }
            match text.parse::<Command>() {
                Err(error) => self.say(&format!("{error}.\n"))?,
                Ok(Command::Quit) => return Ok(End::Left),
                Ok(command) => self.execute(command)?,
            }
        }
    }

    /// Plays a move and shows the new board.
    fn advance(&mut self, mv: Move) -> Result<(), Failure> {
        let number = self.game.number();
        self.game.play(mv);
        self.say(&format!("\n{}\n", heading(number, mv)))?;
        self.show()
    }

    fn has_human(&self) -> bool {
        self.seats.iter().any(|seat| matches!(seat, Seat::Human))
    }

    /// Prints the board and the heuristics. A redrawn screen shows them above every prompt instead.
    fn show(&mut self) -> Result<(), Failure> {
        if self.said.is_none() {
            self.output.write_all(self.board(draw).as_bytes())?;
            self.output.flush()?;
        }
        Ok(())
    }

    /// The board with the last move marked, and the heuristics if they are on.
    fn board(&self, draw: fn(&Position, Option<Move>, Style) -> String) -> String {
        let last = self.game.played().last().map(|recorded| recorded.mv);
        let mut text = draw(self.game.position(), last, self.options.style);
        if let Some(evaluation) = self.options.heuristic {
            let [white, black] = heuristics(evaluation, &self.game);
            let most = Evaluation::MAX;
            text += &format!(
                "Heuristique ({evaluation}) : blanc {white}, noir {black} (0 : défaite, {most} : victoire)\n"
            );
        }
        text
    }

    /// Prints a message, or keeps it for the next redrawn screen.
    fn say(&mut self, text: &str) -> Result<(), Failure> {
        match &mut self.said {
            Some(said) => said.push_str(text.trim_start_matches('\n')),
            None => self.output.write_all(text.as_bytes())?,
        }
        Ok(())
    }

    /// Redraws the screen: the board, and the messages since the last prompt.
    fn draw_screen(&mut self) -> Result<(), Failure> {
        let Some(size) = self.input.screen() else { return Ok(()) };
        let said = self.said.as_deref().unwrap_or_default();
        let text = screen::fitted(&[self.board(draw), self.board(draw_low)], said, size);
        self.output.write_all(screen::CLEAR.as_bytes())?;
        self.output.write_all(text.as_bytes())?;
        self.output.flush()?;
        Ok(())
    }

    /// Prints the last messages below a last board, without clearing the screen.
    fn leave_screen(&mut self) -> Result<(), Failure> {
        if let Some(said) = self.said.take()
            && !said.is_empty()
        {
            self.output.write_all(self.board(draw).as_bytes())?;
            self.output.write_all(said.as_bytes())?;
        }
        Ok(())
    }

    fn human_to_move(&self) -> bool {
        matches!(self.seats[self.game.position().to_move() as usize], Seat::Human)
    }

    fn names(&self) -> [&str; 2] {
        [self.seats[0].name(), self.seats[1].name()]
    }
}

/// True if a move is sideways and captures nothing: an endless series of such moves makes no progress.
fn shuffles(position: &Position, mv: Move) -> bool {
    let mut next = *position;
    next.play(mv);
    mv.can_repeat() && next.own().men() == position.enemy().men()
}

/// The heuristic of each side, White first.
fn heuristics(evaluation: Evaluation, game: &Game) -> [i32; 2] {
    let position = game.position();
    let mover = evaluation.heuristic(position);
    match position.to_move() {
        Colour::White => [mover, Evaluation::MAX - mover],
        Colour::Black => [Evaluation::MAX - mover, mover],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Configuration, Notation};

    #[test]
    fn only_a_move_sideways_that_captures_nothing_is_a_shuffle() {
        let mut codes = ["V0"; 64];
        (codes[17], codes[18], codes[40]) = ("B1", "N1", "N1");
        let position = Configuration::from_codes(codes).unwrap().position(Colour::White);
        let shuffle = |text: &str| {
            let notation: Notation = text.parse().unwrap();
            shuffles(&position, position.find(&notation).unwrap())
        };
        assert_eq!(["b3-a3", "b3-b4", "b3-c3"].map(shuffle), [true, false, false]);
    }
}
