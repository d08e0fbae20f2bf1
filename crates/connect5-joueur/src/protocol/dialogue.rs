//! A session with the course's tool.

use super::analysis::info;
use super::large::{hasty, is_hurried};
use super::request::{Incoming, Request, RequestError, RequestReader};
use super::team::Team;
use crate::player::{Player, Settings};
use crate::rules::{Cell, Coordinates, Grid, Position};
use search_core::side_by_side::FlagClock;
use search_core::{Clock, Limits, Report, Stopwatch};
use std::cell;
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use wire::{Failure, LineError, SearchLog, put_line};

/// The interval between two checks, during a search, whether the client has left.
const LOOK: Duration = Duration::from_millis(100);

/// The reason for the end of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The client ended this session.
    Here,
    /// The client asked the whole program to end.
    Everywhere,
}

/// The environment of a session: its player, its errors and its log.
pub trait Host {
    /// Called when the first line of a request has arrived.
    fn request_begun(&mut self) {}
    /// Returns the settings of the player.
    fn settings(&self) -> Settings;
    /// Returns the player before it thinks about a grid.
    ///
    /// # Errors
    /// If there is not enough memory for a grid of this size.
    fn thinking(&mut self, grid: &Grid) -> Result<&mut Player, Failure>;
    /// Returns a function that tells whether the client has left. Called ten times a second during a search.
    fn has_left(&self) -> Box<dyn Fn() -> bool> {
        Box::new(|| false)
    }
    /// Called after the answer was sent.
    fn answered(&mut self) {}
    /// Reports the search of an answer to a person.
    fn report(&mut self, _report: &Report<Cell>, _columns: usize) {}
    /// Returns how much of each search is logged while it runs.
    fn search_log(&self) -> SearchLog;
    /// Returns the prefix of the log lines.
    fn sender(&self) -> String {
        String::new()
    }
    /// Converts a read error.
    fn unread(&self, error: io::Error) -> Failure {
        Failure::run(format!("standard input: {error}"))
    }
    /// Converts a write error.
    fn unwritten(&self, error: io::Error) -> Failure {
        error.into()
    }
    /// Reports a problem that does not end the session.
    fn warn(&mut self, message: &str);
}

/// The reporting of searches to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reporting {
    /// No report.
    Silent,
    /// One line a search.
    Brief,
}

/// The environment of a session on standard input and output.
#[derive(Debug)]
pub struct Terminal {
    /// The player that answers requests.
    pub player: Player,
    /// The report of each search on standard error.
    pub reporting: Reporting,
    /// The part of each search that is logged as analysis lines.
    pub search_log: SearchLog,
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

    fn search_log(&self) -> SearchLog {
        self.search_log
    }

    fn warn(&mut self, message: &str) {
        wire::note(format_args!("connect5-joueur: {message}"));
    }
}

/// Sends the greeting, then answers requests until the client ends the session.
///
/// # Errors
/// Exit code 2 if the input is not a request, 1 if the reader or the writer fails.
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
        // The time for a move runs from the request's last line.
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

/// Returns the move to play, or the first cell of a full grid, because an answer is required.
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
    let (search_log, sender, columns) = (host.search_log(), host.sender(), grid.columns());
    let told = |report: &Report<Cell>| format!("{sender}{}", info(report, columns));
    let report = if is_hurried(grid, limits) {
        hasty(grid)
    } else {
        let has_left = host.has_left();
        let (left, next) = (AtomicBool::new(false), cell::Cell::new(LOOK));
        let looking = || {
            let now = clock.elapsed();
            if now >= next.get() {
                next.set(now + LOOK);
                left.store(has_left(), Ordering::Relaxed);
            }
            now
        };
        let clock = FlagClock::by(&left, looking);
        // A search without a limit of time does not look at the clock.
        let limits = Limits { hard: limits.hard.or(FlagClock::limits(1).hard), ..limits };
        let player = host.thinking(grid)?;
        let report = player.think_aloud(&Position::from_grid(grid), limits, &clock, &mut |report| {
            search_log.iteration(|| told(report));
        });
        if clock.is_stopped() {
            return Err(Failure::run("the client left, or lost its place, before its answer"));
        }
        report
    };
    search_log.answer(|| told(&report));
    host.report(&report, columns);
    let best = report.best.expect("a cell is free");
    Ok(best.coordinates(columns))
}

/// Formats a search on one line: depth, score, positions and principal variation, with moves in the format of an
/// answer.
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

    /// An environment without memory for any grid.
    struct Full;

    impl Host for Full {
        fn settings(&self) -> Settings {
            Settings::default()
        }

        fn thinking(&mut self, _grid: &Grid) -> Result<&mut Player, Failure> {
            Err(Failure::run("no memory"))
        }

        fn search_log(&self) -> SearchLog {
            SearchLog::Nothing
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
