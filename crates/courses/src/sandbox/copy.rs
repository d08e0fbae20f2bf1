//! A student's work in the scratch folder: its folders are made there, with copies of small files and links to large ones,
//! so that a program can write them and new ones beside them. Namespaces mount it over the work, so that its paths stay.

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{Gid, Uid};
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Most folders and files that are made. Folders beyond are links as a whole, unless the program starts below them.
const MOST: usize = 500;
/// Most bytes of all files that are copied, the smallest of each folder first.
const BYTES: u64 = 2 << 20;

/// The steps that make the work's folders, by paths from its root.
#[derive(Debug)]
pub(super) struct Copy {
    folders: Vec<CString>,
    /// Files to copy, each with its own path and the new one, and its rights.
    copies: Vec<(CString, CString, Mode)>,
    /// Links, each with its target and its path.
    links: Vec<(CString, CString)>,
    /// The folder where the program starts.
    start: CString,
}

impl Copy {
    /// Looks at the files of `work`, whose program starts in `folder`. The process finds them below `seen`. With `whole`, large
    /// files are copied too.
    pub(super) fn of(work: &Path, folder: &Path, seen: &Path, whole: bool) -> Self {
        /// The system's limit of a path, in bytes with the one that ends it.
        const LONGEST: usize = 4096;
        let text = |path: &Path| {
            let bytes = path.as_os_str().as_bytes();
            CString::new(bytes).ok().filter(|_| bytes.len() < LONGEST)
        };
        let below = folder.strip_prefix(work).unwrap_or(Path::new(""));
        let (mut folders, mut copies, mut links) = (Vec::new(), Vec::new(), Vec::new());
        let mut left = if whole { u64::MAX } else { BYTES };
        // The nearest to the root first.
        let mut waiting = std::collections::VecDeque::from([PathBuf::new()]);
        while let Some(at) = waiting.pop_front() {
            let entries: Vec<_> = work.join(&at).read_dir().into_iter().flatten().flatten().collect();
            let made = folders.len() + copies.len() + links.len();
            if !below.starts_with(&at) && made + entries.len() > MOST {
                links.extend(text(&seen.join(&at)).zip(text(&at)));
                continue;
            }
            folders.extend(text(&at).filter(|path| !path.is_empty()));
            let mut entries: Vec<_> =
                entries.into_iter().filter_map(|entry| Some((entry.metadata().ok()?, entry))).collect();
            entries.sort_by_key(|(data, entry)| (data.len(), entry.file_name()));
            for (data, entry) in entries {
                let path = at.join(entry.file_name());
                if data.is_dir() {
                    waiting.push_back(path);
                    continue;
                }
                let has_place = folders.len() + copies.len() + links.len() < MOST;
                // Links of a work lead to places within it.
                let link = if data.is_symlink() { entry.path().read_link().ok() } else { None };
                let from = link.unwrap_or_else(|| seen.join(&path));
                let Some(pair) = text(&from).zip(text(&path)) else { continue };
                match left.checked_sub(data.len()).filter(|_| data.is_file() && has_place) {
                    Some(rest) => {
                        left = rest;
                        copies.push((pair.0, pair.1, Mode::from_raw_mode(data.mode() & 0o700 | 0o600)));
                    }
                    None => links.push(pair),
                }
            }
        }
        let start = folders.iter().find(|made| Some(*made) == text(below).as_ref());
        Self { start: start.map_or_else(|| c".".to_owned(), Clone::clone), folders, copies, links }
    }

    /// Makes the folders, copies and links in an empty folder for a user, and goes to the program's. Makes system calls alone.
    pub(super) fn make(&self, empty: &CString, user: Option<(Uid, Gid)>) -> io::Result<()> {
        rustix::process::chdir(empty)?;
        for folder in &self.folders {
            rustix::fs::mkdir(folder, Mode::RWXU)?;
            if let Some((user, group)) = user {
                rustix::fs::chown(folder, Some(user), Some(group))?;
            }
        }
        for (from, path, mode) in &self.copies {
            if copy(from, path, *mode, user).is_err() {
                let _ = rustix::fs::unlink(path);
                rustix::fs::symlink(from, path)?;
            }
        }
        for (target, path) in &self.links {
            rustix::fs::symlink(target, path)?;
        }
        Ok(rustix::process::chdir(&self.start)?)
    }
}

/// Copies a file within the system, which takes no memory here.
fn copy(from: &CString, to: &CString, mode: Mode, user: Option<(Uid, Gid)>) -> Result<(), Errno> {
    const MOST: usize = BYTES as usize;
    let source = rustix::fs::open(from, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
    let new = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
    let copy = rustix::fs::open(to, new, mode)?;
    if let Some((user, group)) = user {
        rustix::fs::fchown(&copy, Some(user), Some(group))?;
    }
    while rustix::fs::sendfile(&copy, &source, None, MOST)? > 0 {}
    Ok(())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_work_lead_to_its_files() {
        let place = tempfile::tempdir().unwrap();
        let (work, scratch) = (place.path().join("work"), place.path().join("scratch"));
        for path in ["tp/src/bot", "tp/data/w", "tp/data/deep/d"] {
            std::fs::create_dir_all(work.join(path).parent().unwrap()).unwrap();
            std::fs::write(work.join(path), path).unwrap();
        }
        std::fs::write(work.join("tp/data/large"), vec![b'x'; BYTES as usize + 1]).unwrap();
        let many = work.join("tp/many");
        (0..MOST).for_each(|nth| std::fs::create_dir_all(many.join(format!("{nth}/x"))).unwrap());
        std::fs::create_dir(&scratch).unwrap();
        let copy = Copy::of(&work, &work.join("tp/src"), &work, false);
        assert!(copy.folders.len() <= MOST, "{}", copy.folders.len());
        assert_eq!(copy.start.to_str(), Ok("tp/src"));
        // In a process of its own, because it changes its folder.
        let mut shell = std::process::Command::new("sh");
        shell.args([
            "-c",
            "cat bot ../data/w ../data/deep/d; echo x >../data/new; echo y >>../data/w; ls ../many | wc -l",
        ]);
        let path = CString::new(scratch.as_os_str().as_bytes()).unwrap();
        super::super::raw::before_start(&mut shell, move || copy.make(&path, None));
        let output = shell.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(told.trim(), format!("tp/src/bottp/data/wtp/data/deep/d{MOST}"), "{output:?}");
        assert!(scratch.join("tp/data/new").exists() && !work.join("tp/data/new").exists());
        assert_eq!(std::fs::read(work.join("tp/data/w")).unwrap(), b"tp/data/w", "it writes its copy");
        assert!(scratch.join("tp/data/large").is_symlink() && !scratch.join("tp/data/w").is_symlink());
        assert_eq!(Copy::of(&work, &work, &work, false).start.to_str(), Ok("."));
        let long = PathBuf::from("/".to_owned() + &"x/".repeat(2040));
        let cut = Copy::of(&work, &work, &long, false);
        assert!(cut.copies.iter().all(|(from, ..)| from.as_bytes().len() < 4096) && !cut.copies.is_empty());
    }
}
