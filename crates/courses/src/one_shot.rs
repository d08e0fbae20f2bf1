//! Players that run one process a move, which gets a question and prints one line.

use crate::course::GameSetup;
use crate::fault::Trouble;
use crate::peer::{Command, Ended, FAREWELL};
use crate::thought::SearchInfo;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
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
}

impl<'a, 'b> OneShot<'a, 'b> {
    /// Creates the player of a seat.
    pub fn new(game: &'a GameSetup<'b>, command: &'a Command, seat: usize) -> Self {
        Self { game, command, seat, ended: Ended::default() }
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
        let before = self.ended.dialogue.len();
        self.ended.dialogue.extend(ended.dialogue);
        if !self.game.supervisor.keeps_dialogues() {
            self.ended.dialogue.drain(..before);
        }
        if !ended.errors.is_empty() {
            self.ended.errors = ended.errors;
        }
        Ok((answer?, time, told))
    }

    /// Returns the combined conduct of all its processes.
    pub fn ended(self) -> Ended {
        self.ended
    }
}

/// A temporary file, deleted on drop.
pub struct Temporary(Scratch);

impl Temporary {
    /// Creates a file with this text.
    pub fn holding(text: &str, extension: &str) -> Result<Self, Trouble> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("referee-{}-{number}.{extension}", std::process::id()));
        let failed = |error| Trouble::Referee(format!("{}: {error}", path.display()));
        // Registered before it is there, so that no signal leaves it.
        let file = Scratch::new(|| Ok(path.clone())).map_err(failed)?;
        wire::file::write_new(&path, text).map_err(failed)?;
        Ok(Self(file))
    }

    /// Returns the file's path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
