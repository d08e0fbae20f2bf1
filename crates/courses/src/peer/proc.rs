//! Small files in `/proc`, read with few system calls because every player is checked in each game.

use rustix::fs::{Mode, OFlags, RawDir, open};
use rustix::process::Pid;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::time::Duration;

/// A file of one line that is read repeatedly.
#[derive(Debug)]
pub(super) struct File(OwnedFd);

impl File {
    pub(super) fn open(path: &str) -> Option<Self> {
        open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()).ok().map(Self)
    }

    /// Returns the current line, empty if the process is gone.
    pub(super) fn read(&self) -> String {
        let mut line = [0; 256];
        let count = rustix::io::pread(&self.0, &mut line[..], 0).unwrap_or(0);
        String::from_utf8_lossy(&line[..count]).into_owned()
    }
}

/// Returns the text of a small file, empty if there is none. A process may have any bytes as its name.
pub(crate) fn read(path: &str) -> String {
    let mut bytes = Vec::with_capacity(512);
    let Ok(file) = open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) else { return String::new() };
    // A short read is not the end: the system ends one before a line that its page does not hold.
    while rustix::io::read(&file, rustix::buffer::spare_capacity(&mut bytes)).is_ok_and(|count| count > 0) {
        bytes.reserve(bytes.len());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Checks that `/proc` shows the processes by this program's numbers. Another namespace's names strangers by them. A system
/// may have none.
///
/// # Errors
/// If it is another namespace's.
pub fn is_own() -> io::Result<()> {
    let shown = std::fs::read_link("/proc/self");
    let number = std::process::id().to_string();
    if shown.map_or_else(|_| !Path::new("/proc/stat").exists(), |shown| shown == Path::new(&number)) {
        return Ok(());
    }
    Err(io::Error::other("/proc belongs to another process namespace (unshare --mount-proc mounts its own)"))
}

/// True if less than half a processor has nothing to do for a tenth of a second.
#[must_use]
pub fn is_busy() -> bool {
    const SAMPLE: Duration = Duration::from_millis(100);
    /// In hundredths of a second.
    const LEAST: u64 = 5;
    let idle = || -> u64 {
        let all = read("/proc/stat");
        // After the line's name: user, nice, system, idle, waiting for a disk.
        let times = all.lines().next().unwrap_or_default().split_whitespace().skip(4).take(2);
        times.filter_map(|ticks| ticks.parse::<u64>().ok()).sum()
    };
    let before = idle();
    std::thread::sleep(SAMPLE);
    before > 0 && idle().saturating_sub(before) < LEAST
}

/// A process's place among the others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Kin {
    pub(super) name: String,
    pub(super) parent: i32,
    /// The number of its group, 0 for a group outside this program's namespace: the library's `getpgrp` and `getpgid`
    /// have no value for it.
    pub(super) group: i32,
}

/// Returns the place of a process, by number or `self`. `None` if it is gone.
pub(super) fn kin(process: &str) -> Option<Kin> {
    let stat = read(&format!("/proc/{process}/stat"));
    // The program's name is in parentheses and may contain some. The state, the parent and the group follow it.
    let (front, fields) = stat.rsplit_once(") ")?;
    let mut fields = fields.split(' ').skip(1).map(str::parse);
    let (parent, group) = (fields.next()?.ok()?, fields.next()?.ok()?);
    Some(Kin { name: front.split_once('(')?.1.to_owned(), parent, group })
}

/// Returns the processor time of a process, and that of the children that it waited for, in steps of 10 ms.
pub(crate) fn ran(pid: Pid) -> [Duration; 2] {
    let stat = read(&format!("/proc/{}/stat", pid.as_raw_pid()));
    // Fields 14 to 17 of proc_pid_stat(5), counted after the name's closing parenthesis, in hundredths of a second.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let mut ticks = fields.split_whitespace().skip(11).map(|ticks| ticks.parse::<u64>().unwrap_or(0));
    let mut next = || ticks.next().unwrap_or(0);
    [(); 2].map(|()| Duration::from_millis(10 * (next() + next())))
}

/// Returns the threads of a process, by number.
pub(crate) fn tasks(process: &str) -> Vec<String> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(folder) = open(format!("/proc/{process}/task"), flags, Mode::empty()) else { return Vec::new() };
    let mut buffer = [MaybeUninit::uninit(); 1024];
    let mut entries = RawDir::new(folder, &mut buffer);
    let mut all = Vec::new();
    while let Some(Ok(entry)) = entries.next() {
        let name = entry.file_name().to_bytes();
        if name.first().is_some_and(u8::is_ascii_digit) {
            all.push(String::from_utf8_lossy(name).into_owned());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_whose_processors_all_work_is_busy() {
        let is_over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            let work = || {
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            };
            for _ in crate::peer::processors() {
                std::thread::Builder::new().spawn_scoped(scope, work).unwrap();
            }
            // The system counts in steps.
            let found = (0..5).any(|_| is_busy());
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
            assert!(found);
        });
    }

    /// An orphan whose place is not found is not killed.
    #[test]
    fn a_process_is_found_whatever_its_name() {
        let find = || {
            rustix::thread::set_name(c"\xff) \xfe").unwrap();
            let thread = format!("self/task/{}", rustix::thread::gettid().as_raw_nonzero());
            let found = kin(&thread).expect("its place");
            assert_eq!(found.group, kin("self").unwrap().group);
        };
        std::thread::Builder::new().spawn(find).unwrap().join().unwrap();
    }
}
