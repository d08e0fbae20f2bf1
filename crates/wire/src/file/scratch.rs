//! Temporary files and folders, removed when a signal ends the program.

use super::{Unfinished, calls, unfinished};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A file or a folder that is removed when this is dropped, and by [`remove_unfinished`](super::remove_unfinished).
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Takes over the file or the folder that `create` makes, without another function of this module.
    ///
    /// # Errors
    /// Those of `create`.
    pub fn new(create: impl FnOnce() -> io::Result<PathBuf>) -> io::Result<Self> {
        // Locked before, so that no signal comes between.
        let mut unfinished = unfinished();
        let path = create()?;
        unfinished.push(Unfinished { path: path.clone(), is_guarded: false });
        Ok(Self(path))
    }

    /// Creates a file with a new name in the system's folder for temporary files. It holds `text`.
    ///
    /// # Errors
    /// Those of the system.
    pub fn holding(text: &str, extension: &str) -> io::Result<Self> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let name = format!("scratch-{}-{number}.{extension}", std::process::id());
            let path = std::env::temp_dir().join(name);
            let mut file = None;
            let create = || {
                file = Some(calls::open_at_once(&path, &mut options)?);
                Ok(path.clone())
            };
            match Self::new(create) {
                Ok(scratch) => {
                    file.map_or(Ok(()), |mut file| file.write_all(text.as_bytes()))?;
                    return Ok(scratch);
                }
                // Another program's, in another container or killed.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Says that another process removes the file or the folder after this one. An interrupted program then ends without
    /// waiting for a long removal.
    pub fn guarded(&self) {
        unfinished().iter_mut().filter(|one| one.path == self.0).for_each(|one| one.is_guarded = true);
    }

    /// The path of the file or the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove_scratch(&self.0);
        unfinished().retain(|other| other.path != self.0);
    }
}

/// Removes a temporary file or folder, into which a program that was killed may still write for a moment, or which another
/// thread removes too. Tells on standard error why it stays.
pub fn remove_scratch(path: &Path) {
    const PATIENCE: Duration = Duration::from_secs(1);
    /// On a busy machine one attempt may take longer than that.
    const ATTEMPTS: u32 = 3;
    let began = Instant::now();
    for attempt in 1.. {
        let Err(error) = remove_now(path) else { return };
        let is_last = attempt >= ATTEMPTS && began.elapsed() > PATIENCE;
        match error.kind() {
            io::ErrorKind::NotFound => return,
            kind if is_last || kind == io::ErrorKind::TimedOut => {
                return crate::note(format_args!("{} stays: {error}", path.display()));
            }
            _ => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn remove_now(path: &Path) -> io::Result<()> {
    if fs::symlink_metadata(path)?.is_dir() { super::remove_folder(path) } else { fs::remove_file(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_removed_with_all_in_it_by_its_end_or_a_signal() {
        let place = std::env::temp_dir().join(format!("wire-scratch-{}", std::process::id()));
        let filled = || {
            fs::create_dir_all(place.join("a/b")).unwrap();
            fs::write(place.join("a/b/c"), "x").unwrap();
            Scratch::new(|| Ok(place.clone())).unwrap()
        };
        let scratch = filled();
        let is_known = || unfinished().iter().any(|one| one.path == place);
        assert!(is_known() && scratch.path() == place);
        drop(scratch);
        assert!(!place.exists() && !is_known());
        let _scratch = filled();
        remove_scratch(&place);
        assert!(!place.exists());
    }

    /// Runs in a process of its own, in which no file can be written afterwards.
    #[test]
    fn the_end_does_not_wait_for_what_another_process_removes() {
        const CHILD: &str = "WIRE_GUARDED_CHILD";
        if std::env::var_os(CHILD).is_none() {
            let test = "the_end_does_not_wait_for_what_another_process_removes";
            crate::testing::child(module_path!(), test, CHILD);
            return;
        }
        // Nothing can be removed there, and a removal that fails is tried for a second.
        let scratch = Scratch::new(|| Ok("/dev/null/folder".into())).unwrap();
        scratch.guarded();
        std::mem::forget(scratch);
        let began = Instant::now();
        crate::file::remove_unfinished();
        assert!(began.elapsed() < Duration::from_millis(900), "{:?}", began.elapsed());
    }
}
