//! Play against a person at a terminal.

use super::{DEPTHS, Engine, discs};
use crate::rules::{Move, Side, ggf};
use search_core::{Depth, Stopwatch};
use std::io::{BufRead, Write};
use wire::{Failure, LineReader, put_line};

/// The longest input line, in bytes.
const MAX_LINE: usize = 1024;

const HELP: &str = "\
d3        play d3 (· marks your legal moves); passes are played for you
hint      the best moves with their scores in discs for you
undo      take back your last move and the answer
level N   search N plies deep, 1 to 120
swap      change sides
record    print the game as a GGF record
new       start a new game
quit      leave";

/// Plays until the person quits; the person has `side`.
///
/// # Errors
/// Those of input and output. An unknown command is answered with a message.
pub fn run(engine: Engine, side: Side, input: impl BufRead, output: &mut dyn Write) -> Result<(), Failure> {
    let mut session = Session { engine, person: side, output };
    session.put("Othello. \"help\" lists the commands.")?;
    session.advance()?;
    let mut lines = LineReader::new(input, MAX_LINE);
    loop {
        match lines.text() {
            Ok(Some(line)) if matches!(line.trim(), "quit" | "q" | "exit") => return Ok(()),
            Ok(Some(line)) => session.command(line.trim())?,
            Ok(None) => return Ok(()),
            Err(error) => return Err(Failure::input(error)),
        }
    }
}

/// A session with a person.
struct Session<'a> {
    engine: Engine,
    person: Side,
    output: &'a mut dyn Write,
}

impl Session<'_> {
    fn put(&mut self, line: &str) -> Result<(), Failure> {
        Ok(put_line(self.output, line)?)
    }

    fn command(&mut self, line: &str) -> Result<(), Failure> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => Ok(()),
            "help" | "?" => self.put(HELP),
            "hint" => self.hint(),
            "undo" => self.undo(),
            "level" => self.level(rest.trim()),
            "swap" => {
                self.person = self.person.other();
                self.advance()
            }
            "record" => {
                let record = self.record();
                self.put(&record.to_string())
            }
            "new" => {
                self.engine.new_game();
                self.advance()
            }
            _ => self.play(line),
        }
    }

    fn play(&mut self, text: &str) -> Result<(), Failure> {
        let complaint = match text.parse::<Move>() {
            Err(error) => error.to_string(),
            Ok(mv) => match self.engine.game.play(mv) {
                Err(error) => error.to_string(),
                Ok(()) => return self.advance(),
            },
        };
        self.put(&format!("{complaint}. \"help\" lists the commands."))
    }

    /// Plays passes and the engine's moves until it is the person's turn or the game is over.
    fn advance(&mut self) -> Result<(), Failure> {
        while !self.engine.game.is_over() {
            let side = self.engine.game.board().side;
            if self.engine.game.must_pass() {
                self.engine.game.play(Move::PASS).map_err(Failure::run)?;
                self.put(&format!("{side} has no move and passes."))?;
            } else if side == self.person {
                break;
            } else {
                let report = self.engine.think();
                let mv = report.best.ok_or_else(|| Failure::run("the search found no move"))?;
                self.engine.game.play(mv).map_err(Failure::run)?;
                let score = discs(report.score);
                self.put(&format!("{side} plays {mv}  (depth {}, {score:+.1} for {side})", report.depth))?;
            }
        }
        self.show()
    }

    fn show(&mut self) -> Result<(), Failure> {
        let board = self.engine.game.board();
        let [black, white] = [Side::Black, Side::White].map(|side| board.discs(side).count_ones());
        self.put(&format!("\n{}\n\nX black {black}   O white {white}", board.diagram()))?;
        if self.engine.game.is_over() {
            return match board.margin_of(self.person) {
                0 => self.put("The game is over: a draw. \"new\" begins another."),
                margin if margin > 0 => {
                    self.put(&format!("The game is over: you win by {margin}. \"new\" begins another."))
                }
                margin => {
                    self.put(&format!("The game is over: you lose by {}. \"new\" begins another.", -margin))
                }
            };
        }
        self.put(&format!("Your move, {} ({}):", self.person, self.person.letter()))
    }

    fn hint(&mut self) -> Result<(), Failure> {
        let position = self.engine.game.board().position;
        let ranked = self.engine.player.rank_moves(&position, self.engine.limits, &Stopwatch::start(), None);
        if ranked.is_empty() {
            return self.put("The game is over.");
        }
        for report in ranked.iter().take(5) {
            let line: Vec<_> = report.principal_variation.iter().map(Move::to_string).collect();
            self.put(&format!("{:>+6.1}  {}", discs(report.score), line.join(" ")))?;
        }
        Ok(())
    }

    /// Takes moves back to the person's last decision.
    fn undo(&mut self) -> Result<(), Failure> {
        while let Some(mv) = self.engine.game.undo() {
            if mv != Move::PASS && self.engine.game.board().side == self.person {
                return self.show();
            }
        }
        self.advance()
    }

    fn level(&mut self, text: &str) -> Result<(), Failure> {
        match text.parse::<Depth>().ok().filter(|depth| DEPTHS.contains(depth)) {
            Some(depth) => {
                self.engine.limits.depth = Some(depth);
                self.put(&format!("Level {depth}."))
            }
            None => self.put(&format!("A level is a number from {} to {}.", DEPTHS.start(), DEPTHS.end())),
        }
    }

    fn record(&self) -> ggf::Record {
        let [black, white] = match self.person {
            Side::Black => ["person", "othello-player"],
            Side::White => ["othello-player", "person"],
        };
        let game = self.engine.game.clone();
        ggf::Record {
            place: "othello-player".into(),
            black: black.into(),
            white: white.into(),
            result: game.is_over().then(|| game.board().margin_of(Side::Black).into()),
            game,
            ..ggf::Record::default()
        }
    }
}
