//! A player tells of its searches while it plays: lines of an analysis on standard error, where its environment asks for
//! them. Without that it says nothing, for a course may look at its standard error.

use crate::{Failure, note};
use std::fmt::Display;

/// The environment variable that asks for it: `moves`, `depths`, or `nothing`.
pub const VARIABLE: &str = "PLAYER_INFO";

/// The amount that a player tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Telling {
    /// Nothing.
    #[default]
    Nothing,
    /// A line a move, before the move.
    Moves,
    /// A line for each finished iteration, too.
    Depths,
}

crate::named!(Telling, "value of PLAYER_INFO": Nothing = "nothing", Moves = "moves", Depths = "depths");

impl Telling {
    /// Reads what the environment asks for.
    ///
    /// # Errors
    /// Exit code 2 where it is none of the names.
    pub fn asked() -> Result<Self, Failure> {
        let value = std::env::var_os(VARIABLE).unwrap_or_default();
        let value = value.to_string_lossy();
        if value.is_empty() { Ok(Self::Nothing) } else { value.parse().map_err(Failure::input) }
    }

    /// Tells of a finished iteration, where those are asked for.
    pub fn iteration<I: Display>(self, info: impl FnOnce() -> I) {
        if self == Self::Depths {
            note(info());
        }
    }

    /// Tells of the search behind a move, where anything is asked for.
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
            for telling in [Telling::asked().unwrap(), Telling::Moves, Telling::Depths] {
                telling.iteration(|| info(1));
                telling.answer(|| info(2));
            }
            return;
        }
        let line = |nodes| format!("info rank 1 depth 3 score draw 0 nodes {nodes} time 7 line a1 b1\n");
        let errors = crate::testing::errors_of_child(module_path!(), "a_player_tells", CHILD);
        assert_eq!(errors, [2, 1, 2].map(line).concat());
        let error = "loudly".parse::<Telling>().unwrap_err().to_string();
        assert_eq!(error, "no value of PLAYER_INFO is called \"loudly\"; there are: nothing, moves, depths");
    }
}
