//! Faults of players.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of faults. All but what the sandbox refused lose the game by its course's rule. The tournament goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A readable move that the rules forbid.
    IllegalMove,
    /// An answer after the time limit.
    TimeLoss,
    /// The player's process ended, or its connection was closed.
    Crash,
    /// The player was not ready for its first question in time.
    SlowStart,
    /// No answer until the watchdog's limit.
    Hang,
    /// An answer that cannot be parsed.
    ProtocolError,
    /// More output than the protocol allows.
    OutputFlood,
    /// The sandbox refused a use of the network. It does not lose the game.
    OpenedNetwork,
    /// The sandbox refused a write outside the scratch folder. It does not lose the game.
    WroteOutside,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::IllegalMove,
        Self::TimeLoss,
        Self::Crash,
        Self::SlowStart,
        Self::Hang,
        Self::ProtocolError,
        Self::OutputFlood,
        Self::OpenedNetwork,
        Self::WroteOutside,
    ];

    /// Returns true if the clock decided.
    #[must_use]
    pub fn is_of_time(self) -> bool {
        matches!(self, Self::TimeLoss | Self::Hang | Self::SlowStart)
    }

    /// Returns true for what the sandbox refused. A refused call loses no game by itself.
    #[must_use]
    pub fn is_refusal(self) -> bool {
        matches!(self, Self::OpenedNetwork | Self::WroteOutside)
    }

    /// Returns the name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal move",
            Self::TimeLoss => "time loss",
            Self::Crash => "crash",
            Self::SlowStart => "slow start",
            Self::Hang => "hang",
            Self::ProtocolError => "protocol error",
            Self::OutputFlood => "output flood",
            Self::OpenedNetwork => "tried to open the network",
            Self::WroteOutside => "tried to write outside its scratch folder",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A fault with its details.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// The kind of fault.
    pub kind: Kind,
    /// One line on what happened, with the offending text.
    pub detail: String,
}

impl Fault {
    /// Creates a fault. The detail is cut to one line of limited length.
    pub fn new(kind: Kind, detail: impl fmt::Display) -> Self {
        Self { kind, detail: excerpt(&detail.to_string()) }
    }

    /// Creates the fault of an illegal move.
    pub fn illegal(detail: impl fmt::Display) -> Self {
        Self::new(Kind::IllegalMove, detail)
    }

    /// Adds the player's last words, from its standard error.
    #[must_use]
    pub fn quoting(&self, errors: &str) -> Self {
        match last_words(errors) {
            "" => self.clone(),
            words => Self::new(self.kind, format!("{}; it said: {words}", self.detail)),
        }
    }

    /// Creates the fault of an unreadable answer.
    pub fn protocol(detail: impl fmt::Display) -> Self {
        Self::new(Kind::ProtocolError, detail)
    }
}

/// The reason why a game stopped early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// A player made a fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The player resigned, as its protocol allows. This is not a fault.
    #[error("it resigned")]
    Resigned,
    /// The referee was told to stop. The game does not count.
    #[error("interrupted")]
    Interrupted,
    /// The arguments name a player or an opening that cannot be used here.
    #[error("{0}")]
    Argument(String),
    /// The player cannot be started: there is no such program, or it is none. The run cannot go on without it.
    #[error("{0}")]
    NoProgram(String),
    /// The referee itself failed, for example on a missing file or port. The run cannot go on.
    #[error("{0}")]
    Referee(String),
}

impl Trouble {
    /// The referee failed with this error.
    pub fn referee(error: impl fmt::Display) -> Self {
        Self::Referee(error.to_string())
    }

    /// True if the run cannot go on: neither a player's fault nor its resignation.
    #[must_use]
    pub fn ends_a_run(&self) -> bool {
        !matches!(self, Self::Fault(_) | Self::Resigned)
    }

    /// Changes a hang before the first question to a slow start.
    #[must_use]
    pub fn at_start(self) -> Self {
        match self {
            Self::Fault(Fault { kind: Kind::Hang, detail }) => Self::Fault(Fault {
                kind: Kind::SlowStart,
                detail: format!("before its first move: {detail}"),
            }),
            trouble => trouble,
        }
    }
}

/// Returns at most 200 characters on one line.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let mut short: String =
        text.chars().take(200).map(|c| if wire::is_unprintable(c) { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(200).is_some() {
        short.push('…');
    }
    short
}

/// Returns a message of at most 400 characters: its start and its end, where it quotes a long text between them.
#[must_use]
pub fn shortened(message: &str) -> String {
    let count = message.chars().count();
    if count <= 400 {
        return message.to_owned();
    }
    let start: String = message.chars().take(300).collect();
    let end: String = message.chars().skip(count - 99).collect();
    format!("{start}…{end}")
}

/// Returns the last line of a standard error, where many languages print the cause. Java and Node print the calls after it.
#[must_use]
pub fn last_words(errors: &str) -> &str {
    let is_cause = |line: &&str| {
        let text = line.trim_start();
        let is_call = text.len() < line.len() && (text.starts_with("at ") || text.starts_with("... "));
        !text.is_empty() && !is_call && !text.starts_with("Node.js v")
    };
    let last = || errors.trim_end().lines().next_back();
    errors.lines().rfind(is_cause).or_else(last).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detail_is_one_line_of_a_sane_length() {
        let fault = Fault::illegal(format!("a\nb{}", "x".repeat(1000)));
        assert_eq!(fault.detail.chars().count(), 201);
        assert!(fault.to_string().starts_with("illegal move: a\u{fffd}bx"));
        let crash = Fault::new(Kind::Crash, "it ended");
        assert_eq!(
            crash.quoting("Traceback:\n  File\nNameError: x\n\n").detail,
            "it ended; it said: NameError: x"
        );
        assert_eq!(crash.quoting("\n"), crash);
        let java = "Exception in thread \"main\" X: y\n\tat A.b(A.java:5)\nCaused by: Z: 0\n\tat A.c(A.java:9)\n\t... 1 more\n";
        assert_eq!(last_words(java), "Caused by: Z: 0");
        let node = "/a.js:1\nx();\n^\n\nReferenceError: x\n    at Object.<anonymous> (/a.js:1:1)\n\nNode.js v20.20.2\n";
        assert_eq!(last_words(node), "ReferenceError: x");
        assert_eq!(last_words("\tat last\n"), "\tat last");
    }
}
