//! One conversation with the course's tool.

use super::request::{Incoming, Request, RequestError, RequestReader};
use super::team::Team;
use crate::player::Player;
use crate::rules::{Coordinates, Position};
use search_core::{Limits, Stopwatch};
use std::io::{BufRead, Write};
use wire::{Failure, put_line};

/// How a conversation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// This conversation only.
    Here,
    /// The whole program should end.
    Everywhere,
}

/// What a conversation tells its host of.
pub trait Host {
    /// The first line of a request is there.
    fn request_begun(&mut self) {}
    /// The answer is about to be thought of.
    fn thinking(&mut self) -> &mut Player;
    /// The answer was given.
    fn answered(&mut self) {}
    /// Something odd that does not end the conversation, for a person to read.
    fn warn(&mut self, message: &str);
}

/// The conversation on standard input and output.
#[derive(Debug)]
pub struct Terminal(pub Player);

impl Host for Terminal {
    fn thinking(&mut self) -> &mut Player {
        &mut self.0
    }

    fn warn(&mut self, message: &str) {
        eprintln!("connect5-joueur: {message}");
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
    put_line(writer, &team.greeting())?;
    let mut requests = RequestReader::new(reader);
    loop {
        let mut clock = Stopwatch::start();
        let incoming = requests.next(|| {
            clock = Stopwatch::start();
            host.request_begun();
        });
        match incoming.map_err(failure)? {
            Incoming::End => return Ok(Ended::Here),
            Incoming::Shutdown => return Ok(Ended::Everywhere),
            Incoming::Request(request) => {
                let answer = answer(&request, &clock, host);
                put_line(writer, &answer.to_string())?;
                host.answered();
            }
        }
    }
}

fn failure(error: RequestError) -> Failure {
    if error.is_io() { Failure::run(error) } else { Failure::input(error) }
}

/// The move to play; on a full grid the first cell, since something must be answered.
fn answer(request: &Request, clock: &Stopwatch, host: &mut impl Host) -> Coordinates {
    let grid = &request.grid;
    if grid.is_full() {
        host.warn("the grid is full: there is no move; answering 0 0");
        return Coordinates { row: 0, column: 0 };
    }
    if !grid.is_regular() {
        host.warn(&format!("the counts of stones are odd: playing for {}", grid.mover().letter()));
    }
    let position = Position::from_grid(grid);
    let report = host.thinking().think(&position, Limits::time(request.time), clock);
    let best = report.best.expect("a cell is free");
    best.coordinates(grid.columns())
}
