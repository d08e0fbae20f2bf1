//! The client side of a match.

use crate::player::{Player, SoFar};
use crate::rules::{Dialect, Game, MAX_LINE, Move, State, StateError};
use crate::tracker::{Reading, Tracker};
use search_core::{Clock, Limits, Report, Stopwatch};
use std::collections::VecDeque;
use std::io::{self, BufReader, ErrorKind};
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};
use wire::tcp::{Reader, Writer};
use wire::{LineError, LineReader, put_line};

/// An error that ends a match early.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The server closed the connection before `FIN`.
    #[error("the server closed the connection before FIN")]
    Closed,
    /// The server has sent nothing for this time.
    #[error("the server has sent nothing for {0:?}")]
    Silent(Duration),
    /// Reading or writing the connection failed.
    #[error("the connection failed: {0}")]
    Connection(#[from] io::Error),
    /// No thread could be started.
    #[error("no thread can be started: {0}")]
    Thread(io::Error),
    /// A line is too long or cannot be read.
    #[error("the server's {0}")]
    Line(LineError),
    /// The first line is not a player number.
    #[error("\"{0}\" is not a player number from 0 to 3")]
    Number(String),
    /// A line is neither `FIN` nor a state.
    #[error("turn {turn}: {error}")]
    State {
        /// Our turn, from 1.
        turn: u64,
        /// The error in the state line.
        error: StateError,
    },
    /// The state has another size or other players than the match.
    #[error("turn {0}: the state belongs to another match")]
    Foreign(u64),
}

/// The events of a match, reported to the caller.
#[derive(Debug)]
pub enum Event<'a> {
    /// The server has sent our player number.
    Number(usize),
    /// Our answer to a turn, not sent yet, and the search report.
    Answer(&'a Game, &'a Report<Move>),
    /// The last answer came too late, so this turn is not answered.
    Late(&'a Game),
}

/// The time limits and the length of a match.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    /// Time for a turn, from the arrival of the state to the answer.
    pub time: Duration,
    /// Maximum time without a line from the server.
    pub silence: Duration,
    /// Maximum number of turns of each player, 500 in the course's matches.
    pub turn_limit: Option<u64>,
}

impl Default for Terms {
    fn default() -> Self {
        Self { time: Duration::from_millis(1500), silence: Duration::from_secs(600), turn_limit: Some(500) }
    }
}

/// Plays one match over `stream` as `name`, and returns the number of turns that were ours. The player thinks in its
/// own thread, so that an answer is sent when the time is over in any case.
///
/// # Errors
/// If the server sends nothing for too long, closes before `FIN`, or sends a line that is not a state.
pub fn play(
    stream: TcpStream,
    name: &str,
    player: &mut Player,
    terms: Terms,
    tell: impl FnMut(Event<'_>),
) -> Result<u64, ClientError> {
    let so_far = player.so_far();
    let think = |game: &Game, limits: Limits, clock: &Stopwatch| player.think(game, limits, clock);
    play_by(stream, name, think, &so_far, terms, tell)
}

/// Like [`play`], with any function as the player. `so_far` returns the best move it has found while it thinks.
///
/// # Errors
/// Those of [`play`].
pub fn play_by(
    stream: TcpStream,
    name: &str,
    mut think: impl FnMut(&Game, Limits, &Stopwatch) -> Report<Move> + Send,
    so_far: &SoFar,
    terms: Terms,
    tell: impl FnMut(Event<'_>),
) -> Result<u64, ClientError> {
    let (ask, asked) = mpsc::channel::<(Game, Limits, Stopwatch)>();
    let (answer, answers) = mpsc::channel();
    std::thread::scope(|scope| {
        let thinking = move || {
            for (game, limits, clock) in asked {
                let report = think(&game, limits, &clock);
                if answer.send((game.turns(), report)).is_err() {
                    break;
                }
            }
        };
        std::thread::Builder::new().spawn_scoped(scope, thinking).map_err(ClientError::Thread)?;
        let thinker = Thinker { ask, answers, so_far, ahead: VecDeque::new() };
        converse(stream, name, thinker, terms, tell)
    })
}

/// The player in its own thread.
struct Thinker<'a> {
    ask: Sender<(Game, Limits, Stopwatch)>,
    answers: Receiver<(u64, Report<Move>)>,
    so_far: &'a SoFar,
    /// The rest of its last plan.
    ahead: VecDeque<Move>,
}

impl Thinker<'_> {
    /// Returns its report on `game`, or when `time` is over the best move so far. Never returns an illegal move.
    fn report(&mut self, game: &Game, time: Duration, clock: Stopwatch) -> Report<Move> {
        let next = self.ahead.pop_front();
        if self.ask.send((game.clone(), Limits::time(time), clock)).is_ok() {
            // Late reports on earlier turns are dropped.
            while let Ok((turn, report)) = self.answers.recv_timeout(time.saturating_sub(clock.elapsed())) {
                if turn == game.turns() {
                    self.ahead = report.principal_variation.iter().skip(1).copied().collect();
                    let best = report.best.or(next).filter(|&mv| game.allows(mv));
                    return Report { best, ..report };
                }
            }
        }
        let allowed = |mv: &Move| game.allows(*mv);
        let best = self.so_far.on(game).filter(allowed).or(next.filter(allowed));
        Report { best, elapsed: clock.elapsed(), ..Report::empty() }
    }
}

fn converse(
    stream: TcpStream,
    name: &str,
    mut thinker: Thinker<'_>,
    terms: Terms,
    mut tell: impl FnMut(Event<'_>),
) -> Result<u64, ClientError> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(terms.silence))?;
    let sending = stream.try_clone()?;
    let mut out = Writer(&sending);
    let mut lines = LineReader::new(BufReader::with_capacity(1 << 16, Reader::new(stream)), MAX_LINE);
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
    let mut dialect = None;
    let mut turn = 0;
    loop {
        let line = read(&mut lines, terms.silence)?.ok_or(ClientError::Closed)?;
        let clock = Stopwatch::start();
        if line == "FIN" {
            return Ok(turn);
        }
        turn += 1;
        let dialect = *dialect.get_or_insert_with(|| Dialect::of_line(line));
        let state: State = line.parse().map_err(|error| ClientError::State { turn, error })?;
        let game = match tracker.observe(state).ok_or(ClientError::Foreign(turn))? {
            Reading::Answer(game) => game,
            Reading::Silent(game) => {
                tell(Event::Late(&game));
                continue;
            }
        };
        let report = thinker.report(&game, terms.time, clock);
        let answer = report.best.unwrap_or_else(|| game.idle());
        tell(Event::Answer(&game, &report));
        match put_line(&mut out, &dialect.command(answer)) {
            Ok(()) => tracker.said(answer),
            // The server may have sent FIN and closed while we thought. Its last lines are still to be read.
            Err(error) if matches!(error.kind(), ErrorKind::BrokenPipe | ErrorKind::ConnectionReset) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn read(lines: &mut LineReader<BufReader<Reader>>, silence: Duration) -> Result<Option<&str>, ClientError> {
    lines.get_mut().get_ref().deadline().set(Instant::now() + silence);
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use wire::file::faults::{self, Fault};

    #[test]
    fn without_a_report_the_last_plan_goes_on_where_it_can() {
        let line = "5x5/D-D-D-D-D-D-S-S-S-D-D-S-50-S-D-D-S-S-S-D-D-D-D-D-D/1-1,1";
        let game = Game::new(line.parse().unwrap(), None);
        let so_far = SoFar::default();
        let (ask, answers) = (mpsc::channel().0, mpsc::channel().1);
        let ahead = ["S", "N", "F-E", "S"].map(|word| word.parse().unwrap()).into();
        let mut thinker = Thinker { ask, answers, so_far: &so_far, ahead };
        let mut best = || {
            let report = thinker.report(&game, Duration::ZERO, Stopwatch::start());
            report.best.map(|mv| mv.to_string())
        };
        assert_eq!(best().as_deref(), Some("S"));
        // A dune is in the way, and no frite is in hand.
        assert_eq!((best(), best()), (None, None));
        so_far.note(0, "E".parse().unwrap());
        assert_eq!(best().as_deref(), Some("E"));
        so_far.note(4, "E".parse().unwrap());
        assert_eq!(best(), None);
    }

    #[test]
    fn what_the_thinker_says_is_checked_as_well() {
        let line = "5x5/D-D-D-D-D-D-S-S-S-D-D-S-50-S-D-D-S-S-S-D-D-D-D-D-D/1-1,1";
        let game = Game::new(line.parse().unwrap(), None);
        let so_far = SoFar::default();
        for (said, told) in [("F-E", None), ("B-E-E-S", None), ("N", None), ("S", Some("S"))] {
            let (ask, asked) = mpsc::channel();
            let (answer, answers) = mpsc::channel();
            let best = Some(said.parse().unwrap());
            answer.send((game.turns(), Report { best, ..Report::empty() })).unwrap();
            so_far.note(game.turns(), said.parse().unwrap());
            let mut thinker = Thinker { ask, answers, so_far: &so_far, ahead: VecDeque::new() };
            let mut report =
                |time| thinker.report(&game, time, Stopwatch::start()).best.map(|mv| mv.to_string());
            assert_eq!(report(Duration::from_secs(60)).as_deref(), told);
            // The best move so far is used too.
            assert_eq!(report(Duration::ZERO).as_deref(), told);
            drop(asked);
        }
    }

    /// Plays a match of one turn against a server that says everything at first.
    fn play_once(fault: Fault, nth: u64) -> (Result<u64, ClientError>, String, bool) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut server, _) = wire::tcp::accept(&listener).unwrap();
        let line = "5x5/D-D-D-D-D-D-S-S-S-D-D-S-50-S-D-D-S-S-S-D-D-D-D-D-D/1-1,1";
        server.write_all(format!("0\n{line}\nFIN\n").as_bytes()).unwrap();
        let so_far = SoFar::default();
        let think = |_: &Game, _: Limits, _: &Stopwatch| Report {
            best: Some("S".parse().unwrap()),
            ..Report::empty()
        };
        let play = || play_by(stream, "un", think, &so_far, Terms::default(), |_| {});
        let (played, struck) = faults::with(fault, nth, play);
        let mut heard = String::new();
        let _ = server.read_to_string(&mut heard);
        (played, heard, struck)
    }

    #[test]
    fn whichever_call_fails_a_match_ends_with_an_error_or_as_it_should() {
        for fault in Fault::OF_CONNECTIONS {
            for nth in 0.. {
                let (played, heard, struck) = play_once(fault, nth);
                let context = format!("{fault:?} at call {nth}: {played:?}, {heard}");
                assert!("un\nS\n".starts_with(&heard), "{context}");
                // A server that is gone when it is answered may have sent FIN before.
                let is_gone = matches!(fault, Fault::Reset | Fault::Closed) && heard == "un\n";
                let is_whole = matches!(played, Ok(1)) && (heard == "un\nS\n" || struck && is_gone);
                assert!(is_whole || struck && !fault.is_harmless() && played.is_err(), "{context}");
                if !struck {
                    assert!(nth >= 3, "{context}");
                    break;
                }
            }
        }
    }
}
