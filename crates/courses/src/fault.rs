//! The faults of players, and their names.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of faults. Each loses the game in its course's own way; the tournament goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A move that was read well and that the rules forbid.
    IllegalMove,
    /// A good answer, too late.
    TimeLoss,
    /// The player's process ended, or its connection broke.
    Crash,
    /// Not ready for its first question within the time for that.
    SlowStart,
    /// No answer at all until the watchdog's time.
    Hang,
    /// An answer that cannot be read.
    ProtocolError,
    /// More output than the protocol can need.
    OutputFlood,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 7] = [
        Self::IllegalMove,
        Self::TimeLoss,
        Self::Crash,
        Self::SlowStart,
        Self::Hang,
        Self::ProtocolError,
        Self::OutputFlood,
    ];

    /// Its name in reports.
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
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A fault, with what was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{kind}: {detail}")]
pub struct Fault {
    /// The kind.
    pub kind: Kind,
    /// The observation: one line, with the offending text.
    pub detail: String,
}

impl Fault {
    /// A fault of `kind`; the detail is cut to one line of a sane length, whatever it quotes.
    pub fn new(kind: Kind, detail: impl fmt::Display) -> Self {
        Self { kind, detail: excerpt(&detail.to_string()) }
    }

    /// A move that the rules forbid.
    pub fn illegal(detail: impl fmt::Display) -> Self {
        Self::new(Kind::IllegalMove, detail)
    }

    /// The same with the player's last words, out of its standard error.
    #[must_use]
    pub fn quoting(&self, errors: &str) -> Self {
        match last_words(errors) {
            "" => self.clone(),
            words => Self::new(self.kind, format!("{}; it said: {words}", self.detail)),
        }
    }

    /// An answer that cannot be read.
    pub fn protocol(detail: impl fmt::Display) -> Self {
        Self::new(Kind::ProtocolError, detail)
    }
}

/// Why a game stopped before its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The player's fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The player gives the game up, as its protocol allows: no fault.
    #[error("it resigned")]
    Resigned,
    /// The referee was told to stop: the game does not count.
    #[error("interrupted")]
    Interrupted,
    /// The referee's own side failed (a missing file, no port, no process to be had): the run cannot go on.
    #[error("{0}")]
    Referee(String),
}

impl Trouble {
    /// The same before the first question: who is silent there has not started.
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

/// At most 200 characters on one line.
#[must_use]
pub fn excerpt(text: &str) -> String {
    let mut short: String =
        text.chars().take(200).map(|c| if wire::is_unprintable(c) { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(200).is_some() {
        short.push('…');
    }
    short
}

/// The last line of a standard error: where many languages say what went wrong.
#[must_use]
pub fn last_words(errors: &str) -> &str {
    errors.trim_end().lines().next_back().unwrap_or_default()
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
    }
}
