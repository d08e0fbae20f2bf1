//! The age of the process, for limits that include its start-up.

use std::time::Duration;

/// Ticks per second in `/proc/self/stat` (`USER_HZ`): the same for every program, whatever the kernel's own tick is.
const TICKS: u64 = 100;

/// Returns the time since the process was started, never more than the true age. It is zero where the system does not
/// tell.
///
/// It is the larger of two figures of Linux. The time spent running and waiting for a processor is exact but leaves out
/// waits for a disk; the time since the start is whole but counted in ticks.
#[must_use]
pub fn process_age() -> Duration {
    // The name of the program may be any bytes.
    let read = |path| crate::text::decode(&std::fs::read(path).unwrap_or_default());
    let ran = ran(&read("/proc/self/schedstat")).unwrap_or_default();
    let since_start = since_start(&read("/proc/self/stat"), &read("/proc/uptime")).unwrap_or_default();
    ran.max(since_start)
}

/// Adds the nanoseconds on a processor and those in its queue.
fn ran(schedstat: &str) -> Option<Duration> {
    let mut numbers = schedstat.split_ascii_whitespace().map(str::parse::<u64>);
    let (on, waiting) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    Some(Duration::from_nanos(on.saturating_add(waiting)))
}

/// The uptime at the call less the uptime at the start. Both are rounded down to whole ticks, so one tick is
/// subtracted.
fn since_start(stat: &str, uptime: &str) -> Option<Duration> {
    // The name, in parentheses, may contain anything. The start time is the twentieth word after it.
    let started: u64 = stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(19)?.parse().ok()?;
    let now: f64 = uptime.split_ascii_whitespace().next()?.parse().ok()?;
    let now = (now * TICKS as f64).round() as u64;
    let ticks = now.checked_sub(started)?.saturating_sub(1);
    Some(Duration::from_millis(ticks.saturating_mul(1000 / TICKS)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAT: &str = "26241 (a ) b) R 1 2 3 0 -1 4194304 98 0 0 0 0 0 0 0 20 0 1 0 251024 3133440 362 18446744073709551615";

    #[test]
    fn the_age_is_the_machines_time_less_that_of_the_start() {
        assert_eq!(since_start(STAT, "2510.24 2930.56\n"), Some(Duration::ZERO));
        assert_eq!(since_start(STAT, "2510.25 2930.56\n"), Some(Duration::ZERO));
        assert_eq!(since_start(STAT, "2510.44 2930.56\n"), Some(Duration::from_millis(190)));
    }

    #[test]
    fn time_on_the_processor_and_in_its_queue_count() {
        assert_eq!(ran("1000000 6869607 1\n"), Some(Duration::from_nanos(7_869_607)));
    }

    #[test]
    fn a_system_that_tells_nothing_is_no_error() {
        for (stat, uptime) in [("", ""), ("1 (x) R 1", "2.0"), (STAT, "soon"), (STAT, "1.0 1.0")] {
            assert_eq!(since_start(stat, uptime), None);
        }
        assert_eq!([ran(""), ran("1"), ran("x y")], [None; 3]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_that_works_grows_older() {
        let (before, begun) = (process_age(), std::time::Instant::now());
        while begun.elapsed() < Duration::from_millis(60) {}
        assert!(process_age() >= before + Duration::from_millis(30));
    }
}
