use super::analysis::info;
use crate::player::Player;
use crate::rules::{Integer, PositionError, State};
use search_core::{Clock, Limits, Position};
use std::str::FromStr;
use wire::SearchLog;

/// A position as somebody sent it: the integer, and what it means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The integer as it came: an empty board may carry any last move.
    pub integer: Integer,
    /// The position.
    pub state: State,
}

impl FromStr for Request {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let integer: Integer = text.parse()?;
        Ok(Self { integer, state: State::try_from(integer)? })
    }
}

/// Answers positions with positions.
#[derive(Debug)]
pub struct Answerer {
    player: Player,
    limits: Limits,
    search_log: SearchLog,
}

impl Answerer {
    /// Every answer within `limits`.
    #[must_use]
    pub fn new(player: Player, limits: Limits) -> Self {
        Self { player, limits, search_log: SearchLog::Nothing }
    }

    /// The same, telling of its searches on standard error.
    #[must_use]
    pub fn search_log(self, search_log: SearchLog) -> Self {
        Self { search_log, ..self }
    }

    /// The position after the player's move; the same one where the game is over. `clock` starts with the request.
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
