//! The memory of processes that share pages since a fork. The system walks all their pages to tell it, so that a look reads
//! only some of them.

use super::usage::own_share;
use rustix::process::Pid;
use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant};

/// The processor time after which a look reads no further process.
const SLICE: Duration = Duration::from_millis(10);
/// A look that took some processor time is followed by the next one no sooner than this many times that after its start.
pub(super) const PAUSE: u32 = 5;

/// A reading of a program's processes, over several looks.
#[derive(Debug)]
pub(super) struct Shares {
    /// The processes still to be read.
    pending: Vec<Pid>,
    /// The memory of those read, in bytes.
    sum: u64,
    /// True if the reading before exceeded the bound.
    was_over: bool,
    /// The time of the next look.
    next: Instant,
}

impl Shares {
    pub(super) fn new() -> Self {
        Self { pending: Vec::new(), sum: 0, was_over: false, next: Instant::now() }
    }

    /// Continues the reading, or begins one of these processes. Returns true once two readings in a row exceed `most`
    /// bytes: a process that forks during one is counted twice.
    pub(super) fn exceed(&mut self, processes: &[Pid], most: u64) -> bool {
        self.exceed_by(processes, most, own_share)
    }

    fn exceed_by(&mut self, processes: &[Pid], most: u64, own_share: impl Fn(Pid) -> u64) -> bool {
        let (start, before) = (Instant::now(), used());
        if start < self.next {
            return false;
        }
        if self.pending.is_empty() {
            (self.pending, self.sum) = (processes.to_vec(), 0);
        }
        while let Some(process) = self.pending.pop() {
            self.sum += own_share(process);
            if self.sum > most {
                self.pending.clear();
            }
            if used() - before > SLICE {
                break;
            }
        }
        self.next = start + (used() - before) * PAUSE;
        if !self.pending.is_empty() {
            return false;
        }
        let is_over = self.sum > most;
        std::mem::replace(&mut self.was_over, is_over) && is_over
    }
}

/// Returns the processor time that this thread has used.
pub(super) fn used() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn processes(count: i32) -> Vec<Pid> {
        (1..=count).filter_map(Pid::from_raw).collect()
    }

    #[test]
    fn a_look_reads_a_part_and_rests_after_it() {
        let (all, mut shares) = (processes(30), Shares::new());
        let slow = |_| {
            let start = used();
            while used() - start < Duration::from_millis(2) {}
            1
        };
        assert!(!shares.exceed_by(&all, 100, slow));
        let left = shares.pending.len();
        assert!((20..30).contains(&left), "{left}");
        assert!(!shares.exceed_by(&all, 100, slow) && shares.pending.len() == left, "it rests");
        shares.next = Instant::now();
        assert!(!shares.exceed_by(&all, 100, slow) && shares.pending.len() < left);
    }

    #[test]
    fn two_readings_in_a_row_decide() {
        let (all, mut shares) = (processes(3), Shares::new());
        let mut exceed = |each: u64| {
            shares.next = Instant::now();
            shares.exceed_by(&all, 100, |_| each)
        };
        assert_eq!([40, 30, 40, 40, 40, 30].map(&mut exceed), [false, false, false, true, true, false]);
    }
}
