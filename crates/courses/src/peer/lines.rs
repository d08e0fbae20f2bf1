//! Reading lines: the next one, the first that answers, all of them.

use super::{Heard, LINE_LIMIT, Peer, hear};
use crate::fault::{Fault, Kind, Trouble, excerpt};
use std::time::{Duration, Instant};

/// Maximum number of consecutive lines without an answer.
const MOST_SKIPPED: usize = 10_000;
/// Rest after which a player that has refused counts as waiting for the next command.
pub(super) const REFUSED: Duration = Duration::from_millis(300);
/// The same after other words. A program may greet and then wait for something else than its input.
const SAID: Duration = Duration::from_secs(3);

/// A frequent reason for no output at all.
const UNFLUSHED: &str = "; it printed nothing: is its output flushed?";
/// The same for output without the end of a line.
const UNENDED: &str = "; the end of its line is missing";

/// Adds the last line before a fault, unless it is quoted already.
fn quoting(trouble: Trouble, last: &str) -> Trouble {
    const QUOTE: &str = "; the last line was ";
    match trouble {
        Trouble::Fault(Fault { kind, detail }) if !last.is_empty() && !detail.contains(QUOTE) => {
            Fault::new(kind, format!("{detail}{QUOTE}\"{}\"", excerpt(last))).into()
        }
        trouble => trouble,
    }
}

impl Peer<'_> {
    /// Returns the next line with its ending. Without one by the deadline, or before the end of the output, returns what
    /// there is.
    ///
    /// # Errors
    /// Only [`Trouble::Interrupted`] and [`Trouble::Referee`].
    pub fn raw_line(&mut self, deadline: Instant) -> Result<String, Trouble> {
        loop {
            let end = self.pending.iter().position(|&byte| byte == b'\n').map(|at| at + 1);
            let is_over = self.output.is_none() || self.pending.len() > LINE_LIMIT;
            if let Some(end) = end.or_else(|| is_over.then_some(self.pending.len())) {
                return Ok(self.drain(end));
            }
            if !self.wait(false, deadline)? {
                return Ok(self.drain(self.pending.len()));
            }
        }
    }

    /// Takes bytes out of the buffer as text.
    fn drain(&mut self, end: usize) -> String {
        let bytes: Vec<u8> = self.pending.drain(..end).collect();
        self.scanned = 0;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Reads the next line, without its ending. An unfinished last line counts.
    ///
    /// # Errors
    /// [`Kind::Hang`] if none is complete by the deadline, [`Kind::Crash`] or [`Kind::ProtocolError`] if none can come
    /// any more, [`Kind::OutputFlood`] if it is longer than any protocol needs.
    pub fn line(&mut self, deadline: Instant) -> Result<String, Trouble> {
        loop {
            if let Some(line) = self.buffered()? {
                return Ok(line);
            }
            if self.output.is_none() {
                if !self.pending.is_empty() {
                    let end = self.pending.len();
                    return Ok(self.take(end, end));
                }
                return Err(self.gone("its output ended").into());
            }
            if !self.wait(false, deadline)? {
                let hint = match self.has_spoken {
                    _ if !self.pending.is_empty() => UNENDED,
                    false if self.process.is_some() => UNFLUSHED,
                    _ => "",
                };
                return Err(Fault::new(Kind::Hang, format!("no answer{hint}")).into());
            }
        }
    }

    /// Returns the value that `read` finds in the first line that has one. Skips the lines before it.
    ///
    /// # Errors
    /// Those of [`line`](Self::line). [`Kind::Hang`] if no line by the deadline has a value, [`Kind::OutputFlood`] if
    /// 10,000 consecutive ones have none.
    pub fn find_line<T>(
        &mut self,
        deadline: Instant,
        mut read: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Trouble> {
        let mut last = String::new();
        for _ in 0..MOST_SKIPPED {
            let line = self.line(deadline).map_err(|trouble| quoting(trouble, &last))?;
            if let Some(found) = read(&line) {
                return Ok(found);
            }
            if !line.trim().is_empty() {
                last = line;
            }
            // Buffered lines are returned after the deadline too, so a loop without waiting must check the clock
            // itself.
            if Instant::now() >= deadline {
                let detail = format!("no answer; the last line was \"{}\"", excerpt(&last));
                return Err(Fault::new(Kind::Hang, detail).into());
            }
        }
        let detail =
            format!("{MOST_SKIPPED} lines without an answer; the last one was \"{}\"", excerpt(&last));
        Err(Fault::new(Kind::OutputFlood, detail).into())
    }

    /// Returns the answer that `read` finds in the first line that has one. Skips the lines before it. A player that has
    /// written a refusal or other words, and then rests without more output, waits for the next command: its words are
    /// the fault that `refused` returns. `refusal` is one that was read before.
    ///
    /// # Errors
    /// Those of [`find_line`](Self::find_line), and `refused`.
    pub fn answer<T>(
        &mut self,
        deadline: Instant,
        refusal: Option<String>,
        mut read: impl FnMut(&str) -> Heard<T>,
        refused: impl FnOnce(&str) -> Fault,
    ) -> Result<T, Trouble> {
        let mut said = refusal.map(|words| (words, REFUSED));
        for _ in 0..MOST_SKIPPED {
            if let Some((words, rest)) = &said
                && self.is_silent(*rest, deadline)?
            {
                return Err(refused(words).into());
            }
            let heard = self.find_line(deadline, |line| match read(line) {
                Heard::Answer(answer) => Some(Ok(answer)),
                Heard::Aside => None,
                Heard::Refusal => Some(Err((line.to_owned(), REFUSED))),
                Heard::Other => Some(Err((line.to_owned(), SAID))),
            });
            match (heard, &said) {
                (Ok(Ok(answer)), _) => return Ok(answer),
                (Ok(Err(words)), _) => said = Some(words),
                (Err(Trouble::Fault(fault)), Some((words, rest)))
                    if fault.kind == Kind::Hang && *rest == REFUSED =>
                {
                    return Err(refused(words).into());
                }
                (Err(trouble), Some((words, _))) => return Err(quoting(trouble, words)),
                (Err(trouble), None) => return Err(trouble),
            }
        }
        Err(Fault::new(Kind::OutputFlood, format!("{MOST_SKIPPED} lines without an answer")).into())
    }

    /// Returns a line that is already buffered.
    ///
    /// # Errors
    /// Those of [`line`](Self::line).
    fn buffered(&mut self) -> Result<Option<String>, Trouble> {
        if let Some(at) = self.pending[self.scanned..].iter().position(|&byte| byte == b'\n') {
            let end = self.scanned + at;
            return Ok(Some(self.take(end, end + 1)));
        }
        self.scanned = self.pending.len();
        if self.scanned > LINE_LIMIT {
            let start = String::from_utf8_lossy(&self.pending[..60]).into_owned();
            self.pending = Vec::new();
            self.scanned = 0;
            return Err(Fault::new(
                Kind::OutputFlood,
                format!(
                    "more than {LINE_LIMIT} bytes without a line feed, beginning \"{}\"",
                    excerpt(&start)
                ),
            )
            .into());
        }
        Ok(None)
    }

    /// Reads the output since the last answer without waiting. There should be no further answer in it.
    ///
    /// # Errors
    /// [`Kind::ProtocolError`] for a line that `is_answer`, [`Kind::OutputFlood`] if the lines do not end.
    pub fn refuse_unasked(&mut self, mut is_answer: impl FnMut(&str) -> bool) -> Result<(), Trouble> {
        for _ in 0..MOST_SKIPPED {
            match self.buffered() {
                Ok(Some(line)) if is_answer(&line) => {
                    let detail = format!("\"{}\" before the next question: a second answer", excerpt(&line));
                    return Err(Fault::protocol(detail).into());
                }
                Ok(Some(_)) => {}
                Ok(None) if !self.reads_more()? => return Ok(()),
                Ok(None) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        let detail = format!("more than {MOST_SKIPPED} lines that nobody asked for");
        Err(Fault::new(Kind::OutputFlood, detail).into())
    }

    /// Returns true if there is unconsumed output.
    pub(super) fn has_output(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Returns the first whole line beyond the `owed` answers, without waiting. All lines stay to be read.
    ///
    /// # Errors
    /// [`Kind::OutputFlood`] if more than 64 KiB are unread.
    pub fn unasked(&mut self, owed: usize) -> Result<Option<String>, Trouble> {
        while self.pending.len() <= LINE_LIMIT && self.reads_more()? {}
        if self.pending.len() > LINE_LIMIT {
            let detail = format!("more than {LINE_LIMIT} bytes that nobody asked for");
            return Err(Fault::new(Kind::OutputFlood, detail).into());
        }
        let mut lines = self.pending.split_inclusive(|&byte| byte == b'\n');
        let line = lines.nth(owed).and_then(|line| line.strip_suffix(b"\n"));
        Ok(line.map(|line| String::from_utf8_lossy(line).trim_end_matches('\r').to_owned()))
    }

    /// Reads the rest of the output until it ends or the deadline passes, after the only answer of a process.
    ///
    /// # Errors
    /// As [`refuse_unasked`](Self::refuse_unasked).
    pub fn refuse_more(
        &mut self,
        deadline: Instant,
        is_answer: impl Fn(&str) -> bool,
    ) -> Result<(), Trouble> {
        loop {
            self.refuse_unasked(&is_answer)?;
            if self.output.is_none() && !self.pending.is_empty() {
                // The last line may lack its line feed.
                self.pending.push(b'\n');
                continue;
            }
            if self.output.is_none() || !self.wait(false, deadline)? {
                return Ok(());
            }
        }
    }

    /// Reads available output without waiting. Returns false if there is none.
    fn reads_more(&mut self) -> Result<bool, Trouble> {
        if self.supervisor.is_stopped() {
            return Err(Trouble::Interrupted);
        }
        let before = self.pending.len();
        self.read_output();
        Ok(self.pending.len() > before)
    }

    /// Closes the input and returns all output until its end or the deadline, at most 64 MiB.
    ///
    /// # Errors
    /// Only [`Trouble::Interrupted`].
    pub fn whole_output(&mut self, deadline: Instant) -> Result<Vec<u8>, Trouble> {
        const MOST: usize = 64 << 20;
        self.input = None;
        let mut whole = Vec::new();
        loop {
            whole.append(&mut self.pending);
            self.scanned = 0;
            // Endless output is always ready, so the clock is checked here.
            let is_late = Instant::now() >= deadline;
            if self.output.is_none() || whole.len() > MOST || !self.wait(false, deadline)? || is_late {
                whole.append(&mut self.pending);
                return Ok(whole);
            }
        }
    }

    /// Takes a line out of the buffer. Bytes that are not UTF-8 become U+FFFD, as in the courses' own tools, because
    /// only the answer is judged.
    fn take(&mut self, end: usize, next: usize) -> String {
        let mut line: Vec<u8> = self.pending.drain(..next).collect();
        self.scanned = 0;
        line.truncate(end);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        let text = String::from_utf8_lossy(&line).into_owned();
        self.has_spoken = true;
        self.transcript.add(self.supervisor.elapsed(), true, &text);
        hear(&mut self.told, self.asked, &text);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Command, Supervisor};
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_deadline_holds_for_who_never_stops_talking() {
        let supervisor = Supervisor::new();
        let command = Command::split("yes hello").unwrap();
        let mut peer = Peer::spawn(&supervisor, &command).unwrap();
        let minute = Instant::now() + Duration::from_secs(60);
        assert_eq!(peer.line(minute).unwrap(), "hello");
        let kind = |trouble| match trouble {
            Trouble::Fault(fault) => fault.kind,
            trouble => panic!("{trouble}"),
        };
        let never = |_: &str| None::<()>;
        assert_eq!(kind(peer.find_line(Instant::now(), never).unwrap_err()), Kind::Hang);
        assert_eq!(kind(peer.find_line(minute, never).unwrap_err()), Kind::OutputFlood);
        let mut nth = 0;
        let third = |line: &str| {
            nth += 1;
            (nth == 3).then(|| line.to_owned())
        };
        assert_eq!(peer.find_line(minute, third).unwrap(), "hello");
        assert!(peer.whole_output(Instant::now()).unwrap().len() < 1 << 20);
        peer.close(b"");
    }
}
