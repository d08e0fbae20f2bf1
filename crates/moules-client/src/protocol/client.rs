//! The client's end of a match.

use crate::player::Player;
use crate::rules::{Game, MAX_LINE, Move, State, StateError};
use crate::tracker::{Reading, Tracker};
use search_core::{Limits, Report, Stopwatch};
use std::io::{self, BufReader, ErrorKind};
use std::net::TcpStream;
use std::time::Duration;
use wire::{LineError, LineReader, put_line};

/// Why a match could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server closed the connection.
    #[error("the server closed the connection before FIN")]
    Closed,
    /// The server says nothing any more.
    #[error("the server has said nothing for {0:?}")]
    Silent(Duration),
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Connection(#[from] io::Error),
    /// A line that cannot be read.
    #[error("the server's {0}")]
    Line(LineError),
    /// The first line is not our number.
    #[error("\"{0}\" is no player's number: 0 to 3")]
    Number(String),
    /// A line is neither `FIN` nor a state.
    #[error("turn {turn}: {error}")]
    State {
        /// Our turn, from 1.
        turn: u64,
        /// What is wrong.
        error: StateError,
    },
    /// A state does not belong to the match.
    #[error("turn {0}: the state is of another match")]
    Foreign(u64),
}

/// What the caller is told while a match runs.
#[derive(Debug)]
pub enum Event<'a> {
    /// Our number.
    Number(usize),
    /// Our answer to a turn, and what was thought.
    Answer(&'a Game, &'a Report<Move>),
    /// The last answer came too late; this turn is not answered.
    Late(&'a Game),
}

/// How to play.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// Time for a turn, from the state's arrival to the answer.
    pub time: Duration,
    /// How long the server may say nothing.
    pub silence: Duration,
    /// The most turns of each player: 500 in the course's matches.
    pub turn_limit: Option<u64>,
}

impl Default for Terms {
    fn default() -> Self {
        Self { time: Duration::from_millis(1500), silence: Duration::from_secs(600), turn_limit: Some(500) }
    }
}

/// Plays one match over `stream` as `name`, and returns the number of turns that were ours.
///
/// # Errors
/// When the server falls silent, closes before `FIN`, or says something that is no state.
pub fn play(
    stream: TcpStream,
    name: &str,
    player: &mut Player,
    terms: Terms,
    mut tell: impl FnMut(Event<'_>),
) -> Result<u64, ClientError> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(terms.silence))?;
    stream.set_write_timeout(Some(terms.silence))?;
    let mut out = stream.try_clone()?;
    let mut lines = LineReader::new(BufReader::with_capacity(1 << 16, stream), MAX_LINE);
    put_line(&mut out, name)?;
    let me = match read(&mut lines, terms.silence)? {
        Some(line) => match line.trim().parse::<usize>() {
            Ok(number) if number < crate::rules::MAX_PLAYERS => number,
            _ => return Err(ClientError::Number(line.chars().take(40).collect())),
        },
        None => return Err(ClientError::Closed),
    };
    tell(Event::Number(me));
    let mut tracker = Tracker::new(me, terms.turn_limit);
    let mut turn = 0;
    loop {
        let line = read(&mut lines, terms.silence)?.ok_or(ClientError::Closed)?;
        let clock = Stopwatch::start();
        if line == "FIN" {
            return Ok(turn);
        }
        turn += 1;
        let state: State = line.parse().map_err(|error| ClientError::State { turn, error })?;
        let game = match tracker.observe(state).ok_or(ClientError::Foreign(turn))? {
            Reading::Answer(game) => game,
            Reading::Silent(game) => {
                tell(Event::Late(&game));
                continue;
            }
        };
        let report = player.think(&game, Limits::time(terms.time), &clock);
        let answer = report.best.unwrap_or(Move::Stay);
        match put_line(&mut out, &answer.to_string()) {
            Ok(()) => tracker.said(answer),
            // The server may have said FIN and closed while we thought: what it said last is still to be read.
            Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => {}
            Err(error) => return Err(error.into()),
        }
        tell(Event::Answer(&game, &report));
    }
}

fn read(
    lines: &mut LineReader<BufReader<TcpStream>>,
    silence: Duration,
) -> Result<Option<&str>, ClientError> {
    match lines.text() {
        Ok(line) => Ok(line),
        Err(LineError::Io(error)) => Err(match error.kind() {
            ErrorKind::TimedOut | ErrorKind::WouldBlock => ClientError::Silent(silence),
            ErrorKind::ConnectionReset => ClientError::Closed,
            _ => error.into(),
        }),
        Err(error) => Err(ClientError::Line(error)),
    }
}
