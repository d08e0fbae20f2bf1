//! An optional log of a player's searches on standard error, in the `info` lines of the analysis protocol.
//!
//! It is off unless the environment asks for it, because a course may look at standard error.

use crate::{Failure, note};
use std::fmt::Display;

/// The environment variable that sets the level: `nothing`, `moves` or `depths`.
pub const VARIABLE: &str = "PLAYER_INFO";

/// The level of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchLog {
    /// No output.
    #[default]
    Nothing,
    /// One line per move, before the move is played.
    Moves,
    /// One line per finished iteration as well.
    Depths,
}

crate::named!(SearchLog, "value of PLAYER_INFO": Nothing = "nothing", Moves = "moves", Depths = "depths");

impl SearchLog {
    /// Reads the level from the environment; unset or empty means no log.
    ///
    /// # Errors
    /// Exit code 2 if the value is not a level.
    pub fn from_env() -> Result<Self, Failure> {
        let value = std::env::var_os(VARIABLE).unwrap_or_default();
        let value = value.to_string_lossy();
        if value.is_empty() { Ok(Self::Nothing) } else { value.parse().map_err(Failure::input) }
    }

    /// Logs a finished iteration, at level [`Depths`](Self::Depths).
    pub fn iteration<I: Display>(self, info: impl FnOnce() -> I) {
        if self == Self::Depths {
            note(info());
        }
    }

    /// Logs the search of a move, unless the log is off.
    pub fn answer<I: Display>(self, info: impl FnOnce() -> I) {
        if self != Self::Nothing {
            note(info());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Info, Value};
    use std::time::Duration;

    #[test]
    fn a_player_tells_what_its_environment_asks_for_and_nothing_else() {
        const CHILD: &str = "WIRE_TELLING_CHILD";
        if std::env::var_os(CHILD).is_some() {
            let info = |nodes| Info::of_best(3, Value::Draw, nodes, Duration::from_millis(7), ["a1", "b1"]);
            for telling in [SearchLog::from_env().unwrap(), SearchLog::Moves, SearchLog::Depths] {
                telling.iteration(|| info(1));
                telling.answer(|| info(2));
            }
            return;
        }
        let line = |nodes| format!("info rank 1 depth 3 score draw 0 nodes {nodes} time 7 line a1 b1\n");
        let errors = crate::testing::errors_of_child(module_path!(), "a_player_tells", CHILD);
        assert_eq!(errors, [2, 1, 2].map(line).concat());
        let error = "loudly".parse::<SearchLog>().unwrap_err().to_string();
        assert_eq!(error, "unknown value of PLAYER_INFO \"loudly\"; expected one of: nothing, moves, depths");
    }
}
