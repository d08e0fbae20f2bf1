//! The memory and the files of a program's processes, as `/proc` and its folder show them.

use crate::peer::proc;
use rustix::fd::BorrowedFd;
use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, open, openat, statat};
use rustix::io::Errno;
use rustix::process::Pid;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// The most processes that one look counts.
const MOST: usize = 10_000;
/// The number of a program's descriptors that are not counted as memory.
const DESCRIPTORS: u64 = 256;
/// The most that a further descriptor holds in the kernel, in bytes: a pipe at its largest, and more than a socket.
const DESCRIPTOR: u64 = 1 << 20;
/// The most mappings of memory of a program, so that a look takes less than a second.
pub(super) const MAPPINGS: u64 = 500_000;
/// The memory of the kernel's record of a mapping, in bytes.
const MAPPING: u64 = 256;
/// The least that a file takes from a disk, in bytes.
const FILE: u64 = 4096;
/// The most levels below a program's folder, of which a look keeps one folder each open.
const LEVELS: usize = 64;

/// The reason why a program's folder cannot be counted, as its verdict.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Hidden {
    #[error("it made folders more than {LEVELS} levels deep")]
    Deep,
    #[error("it closed a folder of its own to the referee")]
    Closed,
}

/// Returns these processes and all that descend from them.
pub(super) fn members(mut all: Vec<Pid>) -> Vec<Pid> {
    let mut next = 0;
    while next < all.len() && all.len() < MOST {
        let process = all[next].as_raw_pid();
        next += 1;
        for thread in proc::tasks(&process.to_string()) {
            let children = proc::read(&format!("/proc/{process}/task/{thread}/children"));
            let children = children.split_whitespace().filter_map(|number| number.parse().ok());
            all.extend(children.filter_map(Pid::from_raw));
        }
    }
    all
}

/// Returns the thread whose files in `/proc` show the memory and descriptors of a process: its first, unless that has ended.
pub(super) fn shown(process: Pid) -> Pid {
    let shows = |&thread: &Pid| of_status(thread, ["VmPTE"]) != [0];
    if shows(&process) {
        return process;
    }
    let others = proc::tasks(&process.as_raw_pid().to_string());
    let mut others = others.iter().filter_map(|number| Pid::from_raw(number.parse().ok()?));
    others.find(shows).unwrap_or(process)
}

/// Returns the numbers in these lines of a process's status: kilobytes, or a count.
fn of_status<const N: usize>(pid: Pid, names: [&str; N]) -> [u64; N] {
    of_lines(&format!("/proc/{}/status", pid.as_raw_pid()), names)
}

/// Returns the numbers after these names in a file of lines `name: number`, 0 for one that is missing.
pub(super) fn of_lines<const N: usize>(path: &str, names: [&str; N]) -> [u64; N] {
    let text = proc::read(path);
    names.map(|name| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        number.unwrap_or(0)
    })
}

/// Returns the [memory](own_memory) of a process, of which pages that `fork` left to several are divided among them.
pub(super) fn own_share(pid: Pid) -> u64 {
    let [anonymous, swapped] =
        of_lines(&format!("/proc/{}/smaps_rollup", pid.as_raw_pid()), ["Pss_Anon", "SwapPss"]);
    // A kernel before 5.14 does not tell it, and a process that ends has none.
    if anonymous == 0 {
        return own_memory(pid);
    }
    ((anonymous + swapped) << 10) + page_tables(pid)
}

/// Returns the size of a process's page tables in bytes.
pub(super) fn page_tables(pid: Pid) -> u64 {
    of_status(pid, ["VmPTE"])[0] << 10
}

/// Returns the memory of a process that it shares with nobody, and its page tables, in bytes.
pub(super) fn own_memory(pid: Pid) -> u64 {
    let kilobytes: u64 = of_status(pid, ["RssAnon", "VmSwap", "VmPTE"]).iter().sum();
    kilobytes << 10
}

/// Returns the size of the memory that processes share without a file, and that of the records of their mappings, in bytes.
/// `None` if they have too many.
pub(super) fn mapped_memory(processes: &[Pid]) -> Option<(u64, u64)> {
    let mut sizes = HashMap::new();
    let (mut unseen, mut left, mut line) = (0, MAPPINGS, Vec::new());
    for &pid in processes {
        let path = format!("/proc/{}/maps", pid.as_raw_pid());
        let file = open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        let mut maps = file.ok().map(|file| BufReader::new(File::from(file)));
        let before = left;
        while let Some(maps) = &mut maps
            && maps.read_until(b'\n', &mut line).is_ok_and(|count| count > 0)
        {
            left = left.checked_sub(1)?;
            if let Some((object, size)) =
                str::from_utf8(&line).ok().map(str::trim_end).and_then(shared_object)
            {
                let known: &mut u64 = sizes.entry(object.to_owned()).or_default();
                *known = size.max(*known);
            }
            line.clear();
        }
        if left == before {
            // Another user's, or it has ended.
            unseen += of_status(pid, ["RssShmem"])[0] << 10;
        }
    }
    let shared = sizes.values().fold(unseen, |sum: u64, &size| sum.saturating_add(size));
    Some((shared, (MAPPINGS - left) * MAPPING))
}

/// Returns the device and number of the shared memory without a file that a line of `maps` shows, and its least size in
/// bytes. `None` for other lines.
fn shared_object(line: &str) -> Option<(&str, u64)> {
    let (start, end) = line.strip_suffix("/dev/zero (deleted)")?.split_once('-')?;
    let mut fields = end.splitn(4, ' ');
    let (end, rights, offset) = (fields.next()?, fields.next()?, fields.next()?);
    let [start, end, offset] = [start, end, offset].map(|number| u64::from_str_radix(number, 16).ok());
    rights.ends_with('s').then_some((fields.next()?, offset? + (end? - start?)))
}

/// Returns the most that the descriptors of processes may hold in the kernel, in bytes: in pipes and sockets.
pub(super) fn kernel_memory(processes: &[Pid]) -> u64 {
    let descriptors: u64 = processes.iter().map(|&pid| descriptors(pid)).sum();
    descriptors.saturating_sub(DESCRIPTORS) * DESCRIPTOR
}

/// Returns the number of a process's descriptors.
fn descriptors(pid: Pid) -> u64 {
    let folder = format!("/proc/{}/fd", pid.as_raw_pid());
    match std::fs::metadata(&folder).map_or(0, |data| data.len()) {
        // A kernel before 6.2 does not tell it.
        0 => std::fs::read_dir(&folder)
            .map_or_else(|_| of_status(pid, ["FDSize"])[0], |entries| entries.count() as u64),
        count => count,
    }
}

/// Returns the size of a folder's files on the disk in bytes, or a number above `most` as soon as it is reached.
///
/// # Errors
/// If a folder in it is [`Hidden`].
pub(super) fn size(folder: &Path, most: u64) -> Result<u64, Hidden> {
    let (mut sum, mut levels) = (0, Vec::from_iter(entries(CWD, folder)?));
    while let (depth, Some(level)) = (levels.len(), levels.last_mut()) {
        let (Some(Ok(entry)), Ok(parent)) = (level.read(), level.fd()) else {
            levels.pop();
            continue;
        };
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        let Some(data) = seen(statat(parent, name, AtFlags::SYMLINK_NOFOLLOW))? else { continue };
        sum += FILE.max(512 * data.st_blocks as u64);
        if sum > most {
            break;
        }
        if FileType::from_raw_mode(data.st_mode).is_dir() {
            if depth > LEVELS {
                return Err(Hidden::Deep);
            }
            let inner = entries(parent, name)?;
            levels.extend(inner);
        }
    }
    Ok(sum)
}

/// Opens a folder to read its entries. `None` if it is gone meanwhile.
fn entries(parent: BorrowedFd<'_>, name: impl rustix::path::Arg) -> Result<Option<Dir>, Hidden> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    seen(openat(parent, name, flags, Mode::empty()).and_then(Dir::new))
}

/// Returns `None` for what is gone meanwhile.
fn seen<T>(result: rustix::io::Result<T>) -> Result<Option<T>, Hidden> {
    match result {
        Err(Errno::ACCESS) => Err(Hidden::Closed),
        result => Ok(result.ok()),
    }
}

/// Returns the size of the files on the disk that processes have open and no folder holds any more, in bytes.
pub(super) fn unlinked(processes: &[Pid]) -> u64 {
    let mut sizes = HashSet::new();
    for &pid in processes {
        let opened = std::fs::read_dir(format!("/proc/{}/fd", pid.as_raw_pid()));
        for entry in opened.into_iter().flatten().flatten() {
            if let Ok(data) = std::fs::metadata(entry.path())
                && data.is_file()
                && data.nlink() == 0
            {
                sizes.insert((data.dev(), data.ino(), 512 * data.blocks()));
            }
        }
    }
    sizes.iter().map(|(_, _, size)| size).sum()
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_without_a_file_is_told_from_all_else() {
        let object =
            shared_object("7f00-9f00 rw-s 00001000 00:01 1040                       /dev/zero (deleted)");
        let (name, size) = object.unwrap();
        assert_eq!((name.trim_end(), size), ("00:01 1040", 0x3000));
        for other in [
            "7f00-9f00 rw-p 00001000 00:01 1040                       /dev/zero (deleted)",
            "7f00-9f00 rw-s 00001000 00:01 1040                       /tmp/file (deleted)",
            "7f00-9f00 rw-s 00001000 00:01 1040                       /dev/zero",
            "7f00-9f00 rw-p 00000000 00:00 0",
            "",
        ] {
            assert_eq!(shared_object(other), None, "{other}");
        }
    }

    #[test]
    fn this_process_has_memory_and_descriptors() {
        let own = rustix::process::getpid();
        let pipes: Vec<_> = (0..100).map(|_| rustix::pipe::pipe().unwrap()).collect();
        let pages = std::hint::black_box(vec![1_u8; 8 << 20]);
        assert!((200..1_000).contains(&descriptors(own)), "{}", descriptors(own));
        assert!(own_memory(own) > pages.len() as u64, "{}", own_memory(own));
        drop(pipes);
    }

    #[test]
    fn folders_are_counted_at_every_length_of_path_and_no_deeper_than_a_look_goes() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::create_dir_all(outside.path().join("a/b/c")).unwrap();
        std::os::unix::fs::symlink(outside.path(), folder.path().join("link")).unwrap();
        let mut inner = open(folder.path(), OFlags::RDONLY, Mode::empty()).unwrap();
        for level in 1..=LEVELS + 1 {
            // The link, and a folder and a file of each level before.
            let count = 1 + 2 * (level as u64 - 1);
            assert_eq!(size(folder.path(), u64::MAX), Ok(FILE * count), "{level}");
            assert!((2 * FILE..=3 * FILE).contains(&size(folder.path(), FILE).unwrap()) || level == 1);
            let name = "a".repeat(200);
            rustix::fs::mkdirat(&inner, &name, Mode::RWXU).unwrap();
            inner = openat(&inner, &name, OFlags::RDONLY, Mode::empty()).unwrap();
            openat(&inner, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RWXU).unwrap();
        }
        let verdict = size(folder.path(), u64::MAX).unwrap_err();
        assert_eq!(verdict.to_string(), "it made folders more than 64 levels deep");
        assert_eq!(size(&folder.path().join("gone"), u64::MAX), Ok(0));
        wire::file::remove_folder(folder.path()).unwrap();
    }

    #[test]
    fn a_closed_folder_ends_its_program() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("a/b")).unwrap();
        let other = |mode: u32| {
            let rights = std::os::unix::fs::PermissionsExt::from_mode(mode);
            std::fs::set_permissions(folder.path().join("a"), rights).unwrap();
            size(folder.path(), u64::MAX)
        };
        let own = rustix::process::geteuid();
        std::thread::scope(|scope| {
            let look = || {
                // Root sees all: this thread alone becomes another user.
                let user = rustix::process::Uid::from_raw(59_999);
                if own.is_root() {
                    std::os::unix::fs::chown(folder.path(), Some(user.as_raw()), None).unwrap();
                    std::os::unix::fs::chown(folder.path().join("a"), Some(user.as_raw()), None).unwrap();
                    if rustix::thread::set_thread_res_uid(user, user, user).is_err() {
                        println!("skipped: root cannot become another user here");
                        return;
                    }
                }
                for mode in [0, 0o300, 0o600] {
                    let verdict = other(mode).unwrap_err();
                    assert_eq!(
                        verdict.to_string(),
                        "it closed a folder of its own to the referee",
                        "{mode:o}"
                    );
                }
                assert_eq!(other(0o500), Ok(2 * FILE));
                other(0o700).unwrap();
            };
            scope.spawn(look).join().unwrap();
        });
    }
}
