//! The registry of assignments: the project's own, and those that a program adds.

use crate::assignment::Assignment;
use crate::games::{FIRST_OFFERED, OWN};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParserFactory};
use std::fmt;
use std::ops::Deref;
use std::str::FromStr;
use std::sync::{PoisonError, RwLock};

static ADDED: RwLock<Vec<&'static dyn Assignment>> = RwLock::new(Vec::new());

/// Adds an assignment for all tools of this process. Ignored if the name is taken.
pub fn add(assignment: &'static dyn Assignment) {
    if find(assignment.name()).is_none() {
        ADDED.write().unwrap_or_else(PoisonError::into_inner).push(assignment);
    }
}

/// Returns all assignments, in the order of the demo.
#[must_use]
pub fn all() -> Vec<Game> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    OWN.iter().chain(added.iter()).map(|&assignment| Game(assignment)).collect()
}

/// Returns the assignment that a page offers first.
///
/// # Panics
/// If there is no assignment: no game is a feature of this build, and none was added.
#[must_use]
pub fn first_offered() -> Game {
    find(FIRST_OFFERED).or_else(|| all().first().copied()).expect("at least one assignment")
}

/// Returns the assignment of this name.
#[must_use]
pub fn find(name: &str) -> Option<Game> {
    all().into_iter().find(|game| game.name() == name)
}

/// Returns the protocol of this name, if an assignment has it.
#[must_use]
pub fn protocol(name: &str) -> Option<&'static str> {
    all().into_iter().flat_map(|game| game.assignment().protocols()).find(|known| **known == name).copied()
}

/// Returns true for the name of one of the project's executables.
#[must_use]
pub fn is_own(program: &str) -> bool {
    all().into_iter().any(|game| game.executables().contains(&program))
}

/// An assignment of the registry.
#[derive(Clone, Copy)]
pub struct Game(&'static dyn Assignment);

impl Game {
    /// Returns the handle of an assignment, registered or not.
    #[must_use]
    pub fn of(assignment: &'static dyn Assignment) -> Self {
        Self(assignment)
    }

    /// Returns the assignment itself.
    #[must_use]
    pub fn assignment(self) -> &'static dyn Assignment {
        self.0
    }
}

impl Deref for Game {
    type Target = dyn Assignment;

    fn deref(&self) -> &Self::Target {
        self.0
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Game {}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error for an unknown name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown game {text:?}; expected one of: {known}")]
pub struct UnknownGame {
    text: String,
    known: String,
}

impl FromStr for Game {
    type Err = UnknownGame;

    fn from_str(text: &str) -> Result<Self, UnknownGame> {
        find(text).ok_or_else(|| UnknownGame {
            text: text.chars().take(40).collect(),
            known: all().iter().map(|game| game.name()).collect::<Vec<_>>().join(", "),
        })
    }
}

impl ValueParserFactory for Game {
    type Parser = clap::builder::MapValueParser<PossibleValuesParser, fn(String) -> Game>;

    fn value_parser() -> Self::Parser {
        let known = |game: Game| {
            PossibleValue::new(game.name()).help(game.summary(crate::drawing::Language::English))
        };
        PossibleValuesParser::new(all().into_iter().map(known))
            .map(|name| find(&name).expect("one of the possible values"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_assignment_is_found_by_its_name_and_no_other() {
        for game in all() {
            assert_eq!(game.name().parse(), Ok(game));
        }
        let error = "chess".parse::<Game>().unwrap_err().to_string();
        assert!(error.contains("\"chess\"") && error.contains(all()[0].name()), "{error}");
    }
}
