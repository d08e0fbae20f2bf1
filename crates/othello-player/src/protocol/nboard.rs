//! The NBoard protocol, version 2: the viewer keeps the game, the engine thinks.
//!
//! A second thread reads ahead, so that `ping`, `quit` and the end of input stop the search at once. Earlier commands
//! are still answered in order.

use super::{DEPTHS, Engine, discs};
use crate::player::Inform;
use crate::rules::{Game, IllegalMove, Move, MoveError, Side, ggf};
use search_core::{Depth, Limits, Report, Stopwatch};
use std::io::{BufRead, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use wire::{Failure, LineError, LineReader, PendingLines, put_line};

/// Answers commands until `quit` or the end of input.
///
/// # Errors
/// Those of input and output. An unknown command is ignored; a bad one is answered with a `status`.
pub fn run(
    engine: Engine,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let waiting = Arc::new(PendingLines::default());
    let (sender, receiver) = sync_channel(READ_AHEAD);
    let reader_waiting = Arc::clone(&waiting);
    let reader = std::thread::Builder::new().spawn(move || read(input, &reader_waiting, &sender));
    let reader = reader.map_err(|error| Failure::no_thread(&error))?;
    Session { engine, waiting: &waiting, output }.run(&receiver)?;
    // The reading thread has ended. If it panicked, pass the panic on: it is not an end of input.
    reader.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    Ok(())
}

/// The number of lines read ahead: far more than a viewer sends while the engine thinks, and at most 4 MiB.
const READ_AHEAD: usize = 64;

/// Sends every line up to `quit`, the end of input or the first error. Each of these stops all searches.
fn read(input: impl BufRead, waiting: &PendingLines, lines: &SyncSender<Result<String, LineError>>) {
    let mut reader = LineReader::new(input, ggf::MAX_RECORD);
    loop {
        let line = match reader.text() {
            Ok(Some(line)) => Ok(line.to_owned()),
            Ok(None) => return waiting.add(),
            Err(error) => Err(error),
        };
        let is_last = line.as_ref().map_or(true, |line| is_quit(line));
        if is_last || line.as_ref().is_ok_and(|line| is_ping(line)) {
            waiting.add();
        }
        let is_sent = match lines.try_send(line) {
            // An unread line may be a `ping`. The search stops, so that the queue empties and the line is read.
            Err(TrySendError::Full(line)) => {
                waiting.add();
                let sent = lines.send(line);
                waiting.take();
                sent.is_ok()
            }
            sent => sent.is_ok(),
        };
        if !is_sent || is_last {
            return;
        }
    }
}

fn is_ping(line: &str) -> bool {
    line.split_whitespace().next() == Some("ping")
}

fn is_quit(line: &str) -> bool {
    line.trim() == "quit"
}

/// An error in a command of the viewer, shown in its status line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
enum Complaint {
    #[error("expected a depth from {} to {}", DEPTHS.start(), DEPTHS.end())]
    Depth,
    #[error(transparent)]
    Game(#[from] ggf::RecordError),
    #[error(transparent)]
    Move(#[from] MoveError),
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
}

struct Session<'a> {
    engine: Engine,
    /// The number of unread input lines that stop a running search.
    waiting: &'a PendingLines,
    output: &'a mut dyn Write,
}

/// A search function of [`Engine`].
type Think = fn(&mut Engine, Limits, Option<&AtomicBool>, Inform<'_>) -> Report<Move>;

impl Session<'_> {
    fn run(&mut self, lines: &Receiver<Result<String, LineError>>) -> Result<(), Failure> {
        for line in lines {
            let line = line.map_err(Failure::input)?;
            if is_quit(&line) {
                break;
            }
            self.answer(line.trim())?;
        }
        Ok(())
    }

    fn put(&mut self, line: &str) -> Result<(), Failure> {
        Ok(put_line(self.output, line)?)
    }

    fn answer(&mut self, line: &str) -> Result<(), Failure> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let done = match command {
            "nboard" => return self.put("set myname othello-player"),
            "ping" => {
                self.waiting.take();
                return self.put(&format!("pong {rest}"));
            }
            "set" => self.set(rest),
            "move" => self.play(rest),
            "hint" => return self.hint(rest),
            "go" => return self.go(),
            "learn" => return self.put("learned"),
            "analyze" => return self.analyze(),
            _ => return Ok(()),
        };
        match done {
            Ok(()) => Ok(()),
            Err(complaint) => self.put(&format!("status {complaint}")),
        }
    }

    fn set(&mut self, rest: &str) -> Result<(), Complaint> {
        let (what, value) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        match what {
            "depth" => {
                let depth = value.trim().parse::<Depth>().ok().filter(|depth| DEPTHS.contains(depth));
                self.engine.limits.depth = Some(depth.ok_or(Complaint::Depth)?);
            }
            // The viewer sends the whole game before every move, so the table is kept.
            "game" => self.engine.game = ggf::parse(value)?.game,
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), Complaint> {
        let mv: Move = text.split('/').next().unwrap_or_default().trim().parse()?;
        Ok(self.engine.game.play(mv)?)
    }

    /// Searches the current position until a limit or a line that stops it, and reports every iteration in a `status`.
    fn think(&mut self, think: Think) -> Result<Report<Move>, Failure> {
        let (output, mut told) = (&mut *self.output, Ok(()));
        let limits = self.engine.limits;
        let report = think(&mut self.engine, limits, Some(self.waiting.stop()), &mut |report| {
            if told.is_ok() {
                told = put_line(output, &format!("status depth {}", report.depth));
            }
        });
        told?;
        Ok(report)
    }

    fn stats(&mut self, report: &Report<Move>) -> Result<(), Failure> {
        self.put(&format!("nodestats {} {:.3}", report.nodes, report.elapsed.as_secs_f64()))?;
        self.put("status")
    }

    fn go(&mut self) -> Result<(), Failure> {
        let report = self.think(Engine::think_until)?;
        self.stats(&report)?;
        // The viewer asks only during a game; without a legal move there is nothing to play.
        let Some(mv) = report.best else { return self.put("status the game is over") };
        let (eval, seconds) = (discs(report.score), report.elapsed.as_secs_f64());
        self.put(&format!("=== {}/{eval:.2}/{seconds:.2}", name(mv)))
    }

    fn hint(&mut self, rest: &str) -> Result<(), Failure> {
        let wanted = rest.parse::<usize>().unwrap_or(1).max(1);
        let position = self.engine.game.board().position;
        let (limits, clock) = (self.engine.limits, Stopwatch::start());
        let lines = self.engine.player.rank_moves(&position, limits, &clock, Some(self.waiting.stop()));
        let mut total = Report::empty();
        for line in &lines {
            total.nodes += line.nodes;
            total.elapsed = total.elapsed.max(line.elapsed);
        }
        for line in lines.iter().take(wanted) {
            let pv: String = line.principal_variation.iter().map(|&mv| name(mv)).collect();
            self.put(&format!("search {pv} {:.2} 0 {}", discs(line.score), line.depth))?;
        }
        self.stats(&total)
    }

    /// Evaluates every position of the game for black, from the last to the first.
    fn analyze(&mut self) -> Result<(), Failure> {
        let whole: Game = self.engine.game.clone();
        loop {
            let played = self.engine.game.played().len();
            let report = self.think(Engine::search_until)?;
            let score = match self.engine.game.board().side {
                Side::Black => report.score,
                Side::White => -report.score,
            };
            self.put(&format!("analysis {played} {:.2}", discs(score)))?;
            if self.waiting.stop().load(Ordering::Relaxed) || self.engine.game.undo().is_none() {
                break;
            }
        }
        self.engine.game = whole;
        self.put("status")
    }
}

/// The name of a move as the viewer writes it.
fn name(mv: Move) -> String {
    mv.square().map_or_else(|| "PA".into(), |square| square.to_string().to_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::{Player, Settings};
    use std::io::{BufReader, Read};

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            panic!("the reader is broken")
        }
    }

    #[test]
    #[should_panic(expected = "the reader is broken")]
    fn a_panic_of_the_reader_is_no_end_of_input() {
        let engine = Engine::new(Player::new(Settings::default()), Limits::depth(1));
        let _ = run(engine, BufReader::new(Broken), &mut std::io::sink());
    }
}
