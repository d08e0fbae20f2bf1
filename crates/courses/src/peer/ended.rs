//! The end of a dialogue.

use super::Said;
use crate::fault::Fault;
use std::time::Duration;

/// Maximum time for a player to end when asked to.
pub(crate) const FAREWELL: Duration = Duration::from_millis(500);

/// The conduct of a player over its whole dialogue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ended {
    /// The end of its standard error.
    pub errors: String,
    /// Processor time used by the process and the children that it waited for; in a sandbox at least that of all its
    /// processes at the last look, some 0.1 s before.
    pub cpu: Duration,
    /// The time that its first thread waited for a processor.
    pub waited: Duration,
    /// The exit status in words, or `None` for a connection or a killed process.
    pub status: Option<String>,
    /// Faults that do not lose the game.
    pub notes: Vec<Fault>,
    /// The calls that the sandbox refused, as faults that do not lose the game.
    pub refusals: Vec<Fault>,
    /// Remarks for the readers of the record. They are not faults.
    pub remarks: Vec<String>,
    /// The last lines of the dialogue, or all of them if the supervisor keeps dialogues.
    pub dialogue: Vec<Said>,
}
