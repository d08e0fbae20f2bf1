use crate::player::Player;
use crate::rules::{Integer, PositionError, State};
use search_core::{Clock, Limits, Position};
use std::str::FromStr;

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
}

impl Answerer {
    /// Every answer within `limits`.
    pub fn new(player: Player, limits: Limits) -> Self {
        Self { player, limits }
    }

    /// The position after the player's move; the same one where the game is over. `clock` starts with the request.
    pub fn answer(&mut self, request: &Request, clock: &dyn Clock) -> Integer {
        match self.player.think(&request.state, self.limits, clock).best {
            None => request.integer,
            Some(cell) => {
                let mut state = request.state;
                state.play(cell);
                state.integer()
            }
        }
    }
}
