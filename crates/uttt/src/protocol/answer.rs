use super::analysis::info;
use crate::player::Player;
use crate::rules::{Integer, PositionError, State};
use search_core::{Clock, Limits, Position};
use std::str::FromStr;
use wire::SearchLog;

/// A position as received: the integer and its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The integer as received. For an empty board, any last move is allowed.
    pub integer: Integer,
    /// The position that the integer encodes.
    pub state: State,
}

impl FromStr for Request {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let integer: Integer = text.parse()?;
        Ok(Self { integer, state: State::try_from(integer)? })
    }
}

/// Answers each position with the position after the player's move.
#[derive(Debug)]
pub struct Answerer {
    player: Player,
    limits: Limits,
    search_log: SearchLog,
}

impl Answerer {
    /// An answerer that gives every move the same `limits`.
    #[must_use]
    pub fn new(player: Player, limits: Limits) -> Self {
        Self { player, limits, search_log: SearchLog::Nothing }
    }

    /// Logs its searches to standard error as `search_log` says.
    #[must_use]
    pub fn search_log(self, search_log: SearchLog) -> Self {
        Self { search_log, ..self }
    }

    /// Returns the position after the player's move, or the same position if the game is over. `clock` started with the
    /// request.
    pub fn answer(&mut self, request: &Request, clock: &dyn Clock) -> Integer {
        let search_log = self.search_log;
        let report = self.player.think_aloud(&request.state, self.limits, clock, &mut |report| {
            search_log.iteration(|| info(report));
        });
        search_log.answer(|| info(&report));
        match report.best {
            None => request.integer,
            Some(cell) => {
                let mut state = request.state;
                state.play(cell);
                state.integer()
            }
        }
    }
}
