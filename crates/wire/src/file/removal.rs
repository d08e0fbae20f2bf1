//! Removes a folder of any depth, with paths of any length and without rights.

use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, chmod, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;
use std::ffi::{CStr, CString};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

/// Longest time of a removal: a program that is still running may make new files faster than they are removed.
const LONGEST: Duration = Duration::from_secs(300);
/// Most levels below a folder that cannot be moved, as one in a lower layer of an overlay.
const LEVELS: u32 = 64;

/// Removes a folder with all that it holds, or a symbolic link. Follows no link, and no mount point in the folder.
///
/// Folders without rights are opened first. Each folder that is not empty is moved to the top before it is emptied, so that
/// no more than four are open at a time.
///
/// # Errors
/// The first error of the system. Everything else is removed.
pub fn remove_folder(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_symlink() {
        return fs::remove_file(path);
    }
    let top = open(CWD, path)?;
    let mut removal = Removal { top: &top, left: Vec::new(), moved: 0, failed: None, began: Instant::now() };
    let emptied = removal.empty(&top, 0);
    removal.note(emptied);
    while let Some(name) = removal.left.pop() {
        let removed = open(&top, &*name).and_then(|folder| removal.empty(&folder, LEVELS));
        removal.note(removed.and_then(|()| unlinkat(&top, &*name, AtFlags::REMOVEDIR)));
    }
    fs::remove_dir(path).map_err(|error| removal.failed.map_or(error, Errno::into))
}

struct Removal<'a> {
    /// The folder to be removed.
    top: &'a OwnedFd,
    /// The names of its folders that are not empty.
    left: Vec<CString>,
    /// The number of names given to moved folders.
    moved: u64,
    /// The first error.
    failed: Option<Errno>,
    began: Instant,
}

impl Removal<'_> {
    /// Removes what a folder holds, or moves it to the top.
    fn empty(&mut self, folder: &OwnedFd, levels: u32) -> Result<(), Errno> {
        let readable =
            openat(folder, c".", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        let mut entries = Dir::new(readable?)?;
        while let Some(entry) = entries.read() {
            let entry = entry?;
            let name = entry.file_name();
            if name == c"." || name == c".." {
                continue;
            }
            if self.began.elapsed() > LONGEST {
                return Err(Errno::TIMEDOUT);
            }
            let removed = self.remove(folder, name, levels);
            self.note(removed);
        }
        Ok(())
    }

    fn remove(&mut self, folder: &OwnedFd, name: &CStr, levels: u32) -> Result<(), Errno> {
        match unlinkat(folder, name, AtFlags::empty()) {
            Err(Errno::ISDIR) => {}
            removed => return removed,
        }
        match unlinkat(folder, name, AtFlags::REMOVEDIR) {
            // A mount point would be busy.
            Err(Errno::NOTEMPTY | Errno::EXIST) => {}
            removed => return removed,
        }
        if folder.as_raw_fd() == self.top.as_raw_fd() {
            // Nothing is added to a folder while it is read.
            self.left.push(name.to_owned());
            return Ok(());
        }
        let inner = open(folder, name)?;
        loop {
            let new = CString::new(self.moved.to_string()).expect("digits");
            self.moved += 1;
            match renameat(folder, name, self.top, &*new) {
                Ok(()) => {
                    self.left.push(new);
                    return Ok(());
                }
                // The name is taken.
                Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOTDIR) => {}
                Err(Errno::XDEV) if levels > 0 => {
                    self.empty(&inner, levels - 1)?;
                    return unlinkat(folder, name, AtFlags::REMOVEDIR);
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Keeps the first error. Whatever is gone meanwhile is none.
    fn note(&mut self, removed: Result<(), Errno>) {
        self.failed = self.failed.or(removed.err().filter(|&error| error != Errno::NOENT));
    }
}

/// Opens a folder for the calls relative to it, and gives its owner all rights.
fn open(parent: impl AsFd, name: impl rustix::path::Arg) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(parent, name, flags, Mode::empty())?;
    if !Mode::from_raw_mode(fstat(&folder)?.st_mode).contains(Mode::RWXU) {
        // Where this fails, what needs the rights fails.
        let _ = chmod(format!("/proc/self/fd/{}", folder.as_raw_fd()), Mode::RWXU);
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::child;
    use rustix::fs::{linkat, mkdirat, symlinkat};
    use rustix::process::{Gid, Resource, Rlimit, Uid, getrlimit, setrlimit};
    use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
    use std::os::unix::fs::PermissionsExt as _;

    /// Makes a folder with these levels below it and a file in the lowest, and returns the lowest.
    fn deep(top: &Path, levels: usize, name: &str) -> OwnedFd {
        fs::create_dir(top).unwrap();
        let mut folder = OwnedFd::from(fs::File::open(top).unwrap());
        for _ in 0..levels {
            mkdirat(&folder, name, Mode::RWXU).unwrap();
            folder = openat(&folder, name, OFlags::RDONLY, Mode::empty()).unwrap();
        }
        openat(&folder, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RWXU).unwrap();
        folder
    }

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Runs in a process of its own, whose limits it lowers, and not as root: for root no folder is closed.
    #[test]
    fn a_folder_is_removed_whatever_a_program_made_of_it() {
        const CHILD: &str = "WIRE_REMOVAL_CHILD";
        if std::env::var_os(CHILD).is_none() {
            let output = child(module_path!(), "a_folder_is_removed_whatever_a_program_made_of_it", CHILD);
            print!("{}", String::from_utf8_lossy(&output.stdout));
            return;
        }
        let few = Rlimit { current: Some(32), ..getrlimit(Resource::Nofile) };
        setrlimit(Resource::Nofile, few).unwrap();
        std::thread::spawn(|| {
            let (user, group) = (Uid::from_raw(59_999), Gid::from_raw(59_999));
            let other = rustix::process::geteuid().is_root().then(|| {
                set_thread_groups(&[])?;
                set_thread_res_gid(group, group, group)?;
                set_thread_res_uid(user, user, user)
            });
            if other == Some(Err(Errno::PERM)) {
                println!("skipped for closed folders: root cannot become another user here");
            }
            remove_all_kinds();
        })
        .join()
        .unwrap();
    }

    fn remove_all_kinds() {
        let place = std::env::temp_dir().join(format!("wire-removal-{}", std::process::id()));
        let (outside, top) = (place.join("outside"), place.join("top"));
        fs::create_dir(&place).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "kept").unwrap();
        mode(&outside.join("kept"), 0o400);
        let removed = |what: &str| {
            remove_folder(&top).unwrap_or_else(|error| panic!("{what}: {error}"));
            assert!(fs::symlink_metadata(&top).is_err(), "{what}");
            assert_eq!(fs::read(outside.join("kept")).unwrap(), b"kept", "{what}");
            assert_eq!(fs::metadata(outside.join("kept")).unwrap().permissions().mode() & 0o777, 0o400);
        };

        // With a link to a folder and another name of a file, both outside.
        let lowest = deep(&top, 5_000, "a");
        symlinkat(&*outside, &lowest, "link").unwrap();
        linkat(CWD, outside.join("kept"), &lowest, "same", AtFlags::empty()).unwrap();
        drop(lowest);
        removed("5,000 levels");

        drop(deep(&top, 40, &"a".repeat(249)));
        removed("a path of more than 4,096 bytes");

        for rights in [0, 0o100, 0o400, 0o555] {
            fs::create_dir_all(top.join("a/b/c")).unwrap();
            fs::write(top.join("a/b/c/file"), "").unwrap();
            for folder in ["a/b/c", "a/b", "a", ""] {
                mode(&top.join(folder), rights);
            }
            removed(&format!("folders of mode {rights:o}"));
        }

        // The names that moved folders would have.
        for name in 0..9 {
            fs::create_dir_all(top.join(format!("{name}/{name}/{}/x", name + 1))).unwrap();
        }
        fs::write(top.join("9"), "").unwrap();
        removed("folders with numbers");

        std::os::unix::fs::symlink(&outside, &top).unwrap();
        removed("a link to a folder");
        fs::remove_dir_all(&place).unwrap();
    }
}
