//! One conversation with the course's tool.

use super::analysis::info;
use super::large::{hasty, is_hurried};
use super::request::{Incoming, Request, RequestError, RequestReader};
use super::team::Team;
use crate::player::{Player, Settings};
use crate::rules::{Cell, Coordinates, Grid, Position};
use search_core::{Report, Stopwatch};
use std::io::{self, BufRead, Write};
use wire::{Failure, LineError, Telling, put_line};

/// The end of a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// This conversation only.
    Here,
    /// The whole program should end.
    Everywhere,
}

/// The events of a conversation, told to its host.
pub trait Host {
    /// The first line of a request is there.
    fn request_begun(&mut self) {}
    /// The settings of the player that answers.
    fn settings(&self) -> Settings;
    /// The answer to a grid is about to be thought of.
    ///
    /// # Errors
    /// There is no memory for a grid of this size.
    fn thinking(&mut self, grid: &Grid) -> Result<&mut Player, Failure>;
    /// The answer was given.
    fn answered(&mut self) {}
    /// The search behind an answer, for a person to read.
    fn report(&mut self, _report: &Report<Cell>, _columns: usize) {}
    /// The share of each search that is told while it runs.
    fn telling(&self) -> Telling;
    /// The beginning of the lines that tell of it.
    fn sender(&self) -> String {
        String::new()
    }
    /// The input cannot be read.
    fn unread(&self, error: io::Error) -> Failure {
        Failure::run(format!("standard input: {error}"))
    }
    /// The output cannot be written.
    fn unwritten(&self, error: io::Error) -> Failure {
        error.into()
    }
    /// Something odd that does not end the conversation, for a person to read.
    fn warn(&mut self, message: &str);
}

/// How much a person is told of each answer's search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reporting {
    /// Nothing.
    Silent,
    /// A line.
    Brief,
}

/// The conversation on standard input and output.
#[derive(Debug)]
pub struct Terminal {
    /// The player.
    pub player: Player,
    /// What standard error has of each answer's search.
    pub reporting: Reporting,
    /// The share of it that the lines of an analysis tell.
    pub telling: Telling,
}

impl Host for Terminal {
    fn settings(&self) -> Settings {
        self.player.settings()
    }

    fn thinking(&mut self, _grid: &Grid) -> Result<&mut Player, Failure> {
        Ok(&mut self.player)
    }

    fn report(&mut self, report: &Report<Cell>, columns: usize) {
        if self.reporting == Reporting::Brief {
            wire::note(format_args!("connect5-joueur: {}", brief(report, columns)));
        }
    }

    fn telling(&self) -> Telling {
        self.telling
    }

    fn warn(&mut self, message: &str) {
        wire::note(format_args!("connect5-joueur: {message}"));
    }
}

/// Greets, then answers requests until the other side has had enough.
///
/// # Errors
/// Input that is no request (exit code 2); a reader or writer that fails (1).
pub fn converse(
    reader: impl BufRead,
    writer: &mut impl Write,
    team: &Team,
    host: &mut impl Host,
) -> Result<Ended, Failure> {
    put_line(writer, &team.greeting()).map_err(|error| host.unwritten(error))?;
    let mut requests = RequestReader::new(reader);
    loop {
        let incoming = requests.next(|| host.request_begun());
        // The time is for thinking: it runs from the request's last line.
        let clock = Stopwatch::start();
        match incoming.map_err(|error| failure(error, host))? {
            Incoming::End => return Ok(Ended::Here),
            Incoming::Shutdown => return Ok(Ended::Everywhere),
            Incoming::Request(request) => {
                let answer = answer(&request, &clock, host)?;
                put_line(writer, &answer.to_string()).map_err(|error| host.unwritten(error))?;
                host.answered();
            }
        }
    }
}

fn failure(error: RequestError, host: &impl Host) -> Failure {
    match error {
        RequestError::Line(LineError::Io(error)) => host.unread(error),
        error => Failure::input(error),
    }
}

/// The move to play; on a full grid the first cell, since something must be answered.
fn answer(request: &Request, clock: &Stopwatch, host: &mut impl Host) -> Result<Coordinates, Failure> {
    let grid = &request.grid;
    if grid.is_full() {
        host.warn("the grid is full: there is no move; answering 0 0");
        return Ok(Coordinates { row: 0, column: 0 });
    }
    if !grid.is_regular() {
        host.warn(&format!("the counts of stones are odd: playing for {}", grid.mover().letter()));
    }
    let limits = host.settings().limits(request.time);
    let (telling, sender, columns) = (host.telling(), host.sender(), grid.columns());
    let told = |report: &Report<Cell>| format!("{sender}{}", info(report, columns));
    let report = if is_hurried(grid, limits) {
        hasty(grid)
    } else {
        let player = host.thinking(grid)?;
        player.think_aloud(&Position::from_grid(grid), limits, clock, &mut |report| {
            telling.iteration(|| told(report));
        })
    };
    telling.answer(|| told(&report));
    host.report(&report, columns);
    let best = report.best.expect("a cell is free");
    Ok(best.coordinates(columns))
}

/// A search in a line: depth, score, positions and the principal variation, each move as an answer has it.
#[must_use]
pub fn brief(report: &Report<Cell>, columns: usize) -> String {
    let Report { depth, score, nodes, .. } = report;
    let line: Vec<String> =
        report.principal_variation.iter().map(|mv| mv.coordinates(columns).to_string()).collect();
    format!("depth {depth}, score {score}, {nodes} positions, line {}", line.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host without memory for any grid.
    struct Full;

    impl Host for Full {
        fn settings(&self) -> Settings {
            Settings::default()
        }

        fn thinking(&mut self, _grid: &Grid) -> Result<&mut Player, Failure> {
            Err(Failure::run("no memory"))
        }

        fn telling(&self) -> Telling {
            Telling::Nothing
        }

        fn warn(&mut self, _message: &str) {}
    }

    #[test]
    fn an_answer_without_a_search_takes_no_memory() {
        let request = |side: usize| format!("{side} {side}\n{}0\n", ("0".repeat(side) + "\n").repeat(side));
        let ended = |side: usize| {
            let mut output = Vec::new();
            let ended = converse(request(side).as_bytes(), &mut output, &Team::default(), &mut Full);
            (ended, String::from_utf8(output).unwrap())
        };
        let (large, output) = ended(100);
        assert_eq!(large, Ok(Ended::Here));
        assert!(output.ends_with("READY\n50 50\n"), "{output}");
        assert_eq!(ended(5).0, Err(Failure::run("no memory")));
    }
}
