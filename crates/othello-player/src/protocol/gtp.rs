//! The Go Text Protocol, version 2, for Othello on 8 × 8. Square a1 is top left, black moves first, and a side without
//! a move plays `pass`.

use super::Engine;
use crate::rules::{IllegalMove, Move, MoveError, Side};
use search_core::Limits;
use std::io::{BufRead, Write};
use std::time::Duration;
use wire::{Failure, LineReader, put_line};

/// The longest input line, in bytes.
const MAX_LINE: usize = 4096;

const COMMANDS: [&str; 17] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "showboard",
    "final_score",
];

/// The remaining time of a side.
#[derive(Debug, Clone, Copy)]
struct TimeLeft {
    time: Duration,
    /// The number of moves the time is for; 0 means the rest of the game.
    moves: u32,
}

/// A session with a controller.
#[derive(Debug)]
struct Session {
    engine: Engine,
    clocks: [Option<TimeLeft>; 2],
    /// The number of plies before each of the controller's moves, for `undo`. A move may be two plies, if it implies
    /// the other side's pass, or none, if it is a pass in a finished game.
    moves: Vec<usize>,
}

type Answer = Result<String, Refusal>;

/// The reason why a command is answered with `?`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("unknown command")]
    Command,
    #[error("syntax error: missing argument")]
    Argument,
    #[error("syntax error: expected black or white")]
    Side,
    #[error("syntax error: expected a number of seconds or moves")]
    Number,
    #[error("boardsize not an integer")]
    BoardSize,
    #[error("unacceptable size")]
    Size,
    #[error("komi not a float")]
    Komi,
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The controller's move.
    #[error("illegal move: {0}")]
    Illegal(IllegalMove),
    #[error("cannot undo")]
    Undo,
    #[error("it is {0}'s turn")]
    Turn(Side),
    #[error("no move found")]
    NoMove,
    /// Our own move.
    #[error(transparent)]
    Own(IllegalMove),
    #[error("cannot score")]
    Score,
}

/// Answers commands until `quit` or the end of input.
///
/// # Errors
/// Those of input and output. A bad command is answered with `?`.
pub fn run(engine: Engine, input: impl BufRead, output: &mut dyn Write) -> Result<(), Failure> {
    let mut session = Session::new(engine);
    let mut lines = LineReader::new(input, MAX_LINE);
    loop {
        let line = match lines.text() {
            Ok(Some(line)) => clean(line),
            Ok(None) => return Ok(()),
            Err(error) => return Err(Failure::input(error)),
        };
        let mut words = line.split_ascii_whitespace().peekable();
        let id = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit())).unwrap_or_default();
        let Some(command) = words.next() else { continue };
        let words: Vec<_> = words.collect();
        let (sign, text) = match session.answer(command, &words) {
            Ok(text) => ('=', text),
            Err(refusal) => ('?', refusal.to_string()),
        };
        put_line(output, &format!("{sign}{id}{}{text}\n", if text.is_empty() { "" } else { " " }))?;
        if command == "quit" {
            return Ok(());
        }
    }
}

/// Preprocesses a line as GTP prescribes: removes comments and control characters, and turns tabs into spaces.
fn clean(line: &str) -> String {
    let line = line.split('#').next().unwrap_or_default();
    line.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect()
}

impl Session {
    fn new(engine: Engine) -> Self {
        Self { engine, clocks: [None; 2], moves: Vec::new() }
    }

    fn answer(&mut self, command: &str, words: &[&str]) -> Answer {
        match command {
            "protocol_version" => Ok("2".into()),
            "name" => Ok("othello-player".into()),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "known_command" => Ok(COMMANDS.contains(&word(words, 0)?).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => Ok(String::new()),
            "boardsize" => match word(words, 0)?.parse::<u32>() {
                Ok(8) => self.clear(),
                Ok(_) => Err(Refusal::Size),
                Err(_) => Err(Refusal::BoardSize),
            },
            "clear_board" => self.clear(),
            "komi" => match word(words, 0)?.parse::<f64>() {
                Ok(komi) if komi.is_finite() => Ok(String::new()),
                _ => Err(Refusal::Komi),
            },
            "play" => self.play(side(words)?, word(words, 1)?),
            "genmove" => self.generate(side(words)?),
            "reg_genmove" => self.name_move(side(words)?),
            "undo" => self.undo(),
            "time_settings" => self.time_settings(words),
            "time_left" => self.time_left(words),
            "showboard" => Ok(format!("\n{}", self.show())),
            "final_score" => self.final_score(),
            _ => Err(Refusal::Command),
        }
    }

    fn clear(&mut self) -> Answer {
        self.engine.new_game();
        self.moves.clear();
        Ok(String::new())
    }

    fn play(&mut self, side: Side, mv: &str) -> Answer {
        let mv: Move = mv.parse()?;
        let before = self.engine.game.played().len();
        // Controllers may end a finished game with passes, as `genmove` answers them.
        if mv != Move::PASS || !self.engine.game.is_over() {
            self.engine.game.play_as(side, mv).map_err(Refusal::Illegal)?;
        }
        self.remember(before);
        Ok(String::new())
    }

    /// Remembers the number of plies before a move, for `undo`. Of the passes in a finished game those of both sides.
    fn remember(&mut self, before: usize) {
        let plies = self.engine.game.played().len();
        if before < plies || !self.moves.ends_with(&[before; 2]) {
            self.moves.push(before);
        }
    }

    fn undo(&mut self) -> Answer {
        let before = self.moves.pop().ok_or(Refusal::Undo)?;
        self.take_back_to(before);
        Ok(String::new())
    }

    /// Plays a move for `side`. If the other side can only pass, its pass is played first.
    fn generate(&mut self, side: Side) -> Answer {
        let before = self.engine.game.played().len();
        let answer = self.generate_and_play(side);
        if answer.is_ok() {
            self.remember(before);
        } else {
            self.take_back_to(before);
        }
        answer
    }

    /// Returns the move that [`generate`](Self::generate) would play.
    fn name_move(&mut self, side: Side) -> Answer {
        let before = self.engine.game.played().len();
        let answer = self.generate_and_play(side);
        self.take_back_to(before);
        answer
    }

    fn take_back_to(&mut self, before: usize) {
        while self.engine.game.played().len() > before {
            self.engine.game.undo();
        }
    }

    fn generate_and_play(&mut self, side: Side) -> Answer {
        if self.engine.game.is_over() {
            return Ok("pass".into());
        }
        if side != self.engine.game.board().side {
            let pass = self.engine.game.play(Move::PASS);
            pass.map_err(|_| Refusal::Turn(side.other()))?;
        }
        let limits = self.limits(side);
        let report = self.engine.think_until(limits, None, &mut |_| {});
        let mv = report.best.ok_or(Refusal::NoMove)?;
        self.engine.game.play(mv).map_err(Refusal::Own)?;
        Ok(mv.to_string())
    }

    /// The engine's own limits, but no more than a fair share of the remaining time.
    fn limits(&self, side: Side) -> Limits {
        let own = self.engine.limits;
        let Some(left) = self.clocks[side as usize] else { return own };
        let moves =
            if left.moves > 0 { left.moves } else { self.engine.game.board().position.empties() / 2 + 1 };
        let clock = Limits::time(left.time / (moves + 1));
        let least = |a: Option<Duration>, b: Option<Duration>| a.into_iter().chain(b).min();
        Limits { soft: least(own.soft, clock.soft), hard: least(own.hard, clock.hard), ..own }
    }

    fn time_settings(&mut self, words: &[&str]) -> Answer {
        let [main, overtime, moves] = [number(words, 0)?, number(words, 1)?, number(words, 2)?];
        // Overtime without a number of moves means no limit, by the protocol.
        let left = match (main, overtime, moves) {
            (_, 1.., 0) => None,
            (0, ..) => Some(TimeLeft { time: Duration::from_secs(overtime.into()), moves }),
            _ => Some(TimeLeft { time: Duration::from_secs(main.into()), moves: 0 }),
        };
        self.clocks = [left; 2];
        if left.is_some() {
            self.engine.player.prepare();
        }
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[&str]) -> Answer {
        let side = side(words)?;
        let time = Duration::from_secs(number(words, 1)?.into());
        self.clocks[side as usize] = Some(TimeLeft { time, moves: number(words, 2)? });
        Ok(String::new())
    }

    fn show(&self) -> String {
        let board = self.engine.game.board();
        let [black, white] = [Side::Black, Side::White].map(|side| board.discs(side).count_ones());
        format!("{}\nX black {black}, O white {white}, {} to move", board.diagram(), board.side)
    }

    fn final_score(&self) -> Answer {
        if !self.engine.game.is_over() {
            return Err(Refusal::Score);
        }
        Ok(match self.engine.game.board().margin_of(Side::Black) {
            0 => "0".into(),
            margin if margin > 0 => format!("B+{margin}"),
            margin => format!("W+{}", -margin),
        })
    }
}

fn word<'a>(words: &[&'a str], index: usize) -> Result<&'a str, Refusal> {
    words.get(index).copied().ok_or(Refusal::Argument)
}

fn side(words: &[&str]) -> Result<Side, Refusal> {
    match word(words, 0)?.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Side::Black),
        "w" | "white" => Ok(Side::White),
        _ => Err(Refusal::Side),
    }
}

/// Parses a number of seconds or moves; fractions are cut off, as controllers may send them.
fn number(words: &[&str], index: usize) -> Result<u32, Refusal> {
    let number = word(words, index)?.parse::<f64>().ok();
    let number = number.filter(|number| (0.0..=1e9).contains(number));
    number.map(|number| number as u32).ok_or(Refusal::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Player, Settings};

    #[test]
    fn a_clock_is_shared_by_the_moves_that_it_must_last_for_and_one_more() {
        let engine = Engine::new(Player::new(Settings::default()), Limits::depth(3));
        let mut session = Session::new(engine);
        let two_seconds = Limits::time(Duration::from_secs(2)).hard;
        let hard = |session: &Session| [Side::Black, Side::White].map(|side| session.limits(side).hard);
        assert_eq!(hard(&session), [None; 2]);
        // With 60 empty squares a side has at most 31 moves.
        session.time_left(&["b", "64", "0"]).unwrap();
        assert_eq!(hard(&session), [two_seconds, None]);
        session.time_left(&["w", "10", "4"]).unwrap();
        assert_eq!(hard(&session), [two_seconds; 2]);
        session.time_settings(&["0", "5", "0"]).unwrap();
        assert_eq!(hard(&session), [None; 2], "the protocol's \"no limit\"");
        for words in [["0", "10", "4"], ["64", "0", "0"], ["64", "10", "4"]] {
            session.time_settings(&words).unwrap();
            assert_eq!(hard(&session), [two_seconds; 2], "{words:?}");
        }
        assert_eq!(session.limits(Side::Black).depth, Some(3), "the engine's own limits hold");
    }

    #[test]
    fn a_pass_that_was_left_out_is_taken_back_with_the_move_behind_it() {
        let engine = Engine::new(Player::new(Settings::default()), Limits::depth(1));
        let mut session = Session::new(engine);
        // White has no move, and black has c1.
        let board = format!("XO{} O", "-".repeat(62)).parse().unwrap();
        session.engine.game = crate::rules::Game::new(board);
        for moves in [&["w pass", "b c1"][..], &["b c1"]] {
            for words in moves {
                let words: Vec<_> = words.split(' ').collect();
                assert_eq!(session.answer("play", &words), Ok(String::new()), "{words:?}");
            }
            for left in (0..moves.len()).rev() {
                assert_eq!(session.answer("undo", &[]), Ok(String::new()));
                assert_eq!(session.engine.game.played().len(), left);
            }
            assert_eq!(session.answer("undo", &[]), Err(Refusal::Undo));
        }
        assert_eq!(session.answer("genmove", &["b"]), Ok("c1".to_owned()));
        assert_eq!(session.answer("undo", &[]), Ok(String::new()));
        assert_eq!(session.engine.game.board(), board);
    }
}
