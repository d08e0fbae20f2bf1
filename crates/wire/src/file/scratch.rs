//! Temporary folders, removed when a signal ends the program.

use super::unfinished;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A folder that is removed when this is dropped, and by [`remove_unfinished`](super::remove_unfinished).
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Takes over a folder.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        unfinished().push(folder.clone());
        Self(folder)
    }

    /// The path of the folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
        unfinished().retain(|other| *other != self.0);
    }
}

/// Removes a file or a folder, into which the program or its children may still write meanwhile.
pub(super) fn remove(path: &Path) {
    const TRIES: u32 = 50;
    for _ in 0..TRIES {
        let is_folder = fs::symlink_metadata(path).is_ok_and(|data| data.is_dir());
        let removed = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        if removed.is_ok() || !path.exists() {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
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
            Scratch::new(place.clone())
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
