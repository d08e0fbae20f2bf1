//! Players that run one process a move, which gets a question and prints one line.

use crate::course::GameSetup;
use crate::fault::Trouble;
use crate::peer::{Command, Ended, FAREWELL, Transcript};
use crate::thought::SearchInfo;
use std::time::{Duration, Instant};
use wire::file::Scratch;

/// A player that runs one process a move.
pub struct OneShot<'a, 'b> {
    /// The game that the player plays.
    pub game: &'a GameSetup<'b>,
    /// The command to start for each move.
    pub command: &'a Command,
    /// The player's seat.
    pub seat: usize,
    ended: Ended,
    /// The dialogue of all its processes, or of the last one.
    transcript: Transcript,
}

impl<'a, 'b> OneShot<'a, 'b> {
    /// Creates the player of a seat.
    pub fn new(game: &'a GameSetup<'b>, command: &'a Command, seat: usize) -> Self {
        let transcript = Transcript::new(game.supervisor.keeps_dialogues());
        Self { game, command, seat, ended: Ended::default(), transcript }
    }

    /// Runs a process. Returns its first line of output, the time from its start to that line, and its search report. A
    /// second line that `is_answer` is a fault.
    pub fn ask(
        &mut self,
        command: &Command,
        time_out: Duration,
        is_answer: impl Fn(&str) -> bool,
    ) -> Result<(String, Duration, Option<SearchInfo>), Trouble> {
        let began = Instant::now();
        let mut peer = self.game.start(command, self.seat)?;
        let answer = peer.line(began + time_out);
        let time = began.elapsed();
        let told = peer.told();
        let answer = answer.and_then(|line| {
            peer.refuse_more(Instant::now() + FAREWELL, is_answer)?;
            Ok(line)
        });
        let ended = peer.close(b"");
        self.ended.cpu += ended.cpu;
        for remark in ended.remarks {
            if !self.ended.remarks.contains(&remark) {
                self.ended.remarks.push(remark);
            }
        }
        for refusal in ended.refusals {
            if !self.ended.refusals.contains(&refusal) {
                self.ended.refusals.push(refusal);
            }
        }
        if !self.game.supervisor.keeps_dialogues() {
            self.transcript.finish();
        }
        ended.dialogue.into_iter().for_each(|said| self.transcript.push(said));
        if !ended.errors.is_empty() {
            self.ended.errors = ended.errors;
        }
        Ok((answer?, time, told))
    }

    /// Returns the combined conduct of all its processes.
    pub fn ended(mut self) -> Ended {
        Ended { dialogue: self.transcript.finish(), ..self.ended }
    }
}

/// A temporary file, deleted on drop.
pub struct Temporary(Scratch);

impl Temporary {
    /// Creates a file with this text.
    pub fn holding(text: &str, extension: &str) -> Result<Self, Trouble> {
        let failed = |error| Trouble::Referee(format!("a file for the player: {error}"));
        Scratch::holding(text, extension).map_err(failed).map(Self)
    }

    /// Lets a command read the file, and returns its path.
    pub fn read_by(&self, command: &mut Command) -> String {
        command.reads.push(self.0.path().to_owned());
        self.0.path().to_string_lossy().into_owned()
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_file_takes_no_name_that_another_one_has() {
        // As a killed program in another container has left it.
        let other = std::env::temp_dir().join(format!("scratch-{}-0.conf", std::process::id()));
        std::fs::write(&other, "other").unwrap();
        let files = [0, 1].map(|_| Temporary::holding("own", "conf").unwrap());
        assert_ne!(files[0].0.path(), files[1].0.path());
        for file in files {
            let path = file.0.path().to_owned();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), "own");
            drop(file);
            assert!(!path.exists());
        }
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "other");
        std::fs::remove_file(other).unwrap();
    }
}
