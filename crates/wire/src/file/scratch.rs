//! Temporary files and folders, removed when a signal ends the program.

use super::unfinished;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
        unfinished.push(path.clone());
        Ok(Self(path))
    }

    /// The path of the file or the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        remove_now(&self.0);
        unfinished().retain(|other| *other != self.0);
    }
}

/// Removes a file or a folder, into which the program or its children may still write meanwhile.
pub(super) fn remove(path: &Path) {
    const TRIES: u32 = 50;
    for _ in 0..TRIES {
        if remove_now(path) || !path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn remove_now(path: &Path) -> bool {
    let is_folder = fs::symlink_metadata(path).is_ok_and(|data| data.is_dir());
    let removed = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
    removed.is_ok()
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
        assert!(unfinished().contains(&place) && scratch.path() == place);
        drop(scratch);
        assert!(!place.exists() && !unfinished().contains(&place));
        let _scratch = filled();
        remove(&place);
        assert!(!place.exists());
    }
}
