//! The folders and files that other users may not read: a program that has some of them keeps the right to.

use super::policy;
use crate::peer::Command;
use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The most files that are looked at in a folder. A larger one counts as closed.
const MOST: usize = 10_000;

/// Files and folders that were looked at, by path: true for a closed one. A run looks at each once.
#[derive(Debug, Default)]
pub(super) struct Closed(Mutex<HashMap<PathBuf, bool>>);

impl Closed {
    /// True if a program's own files, or those in its readable folders, are closed to other users, or its scratch folder
    /// lies in a folder that is.
    pub(super) fn are_needed(&self, command: &Command, readable: &[PathBuf], scratch: &Path) -> bool {
        let base = policy::base_of(command);
        let named = command.words.iter().map(|word| base.join(word)).filter(|path| path.is_file());
        // By the names of links too.
        let names = |path: PathBuf| [std::path::absolute(&path).ok(), path.canonicalize().ok()];
        let mut all = readable.iter().cloned().chain(named).flat_map(names).flatten();
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        !is_reached(scratch) || all.any(|path| *known.entry(path).or_insert_with_key(|path| is_closed(path)))
    }
}

/// True if another user can pass all folders above a path.
fn is_reached(path: &Path) -> bool {
    let passes = |folder: &Path| folder.metadata().is_ok_and(|found| found.mode() & 0o001 != 0);
    path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()).all(passes)
}

/// True if another user cannot reach a path or read all of it.
fn is_closed(path: &Path) -> bool {
    let mut left = MOST;
    !is_reached(path) || !holds_only_open_files(path, &mut left).unwrap_or(false)
}

fn holds_only_open_files(path: &Path, left: &mut usize) -> std::io::Result<bool> {
    let found = path.symlink_metadata()?;
    if found.is_symlink() {
        return Ok(true);
    }
    let needed = if found.is_dir() { 0o005 } else { 0o004 };
    if found.mode() & needed != needed || *left == 0 {
        return Ok(false);
    }
    *left -= 1;
    if found.is_dir() {
        for entry in path.read_dir()? {
            if !holds_only_open_files(&entry?.path(), left)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_folder_is_closed_by_any_part_of_its_path_or_of_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("work");
        fs::create_dir(&work).unwrap();
        fs::write(work.join("bot"), "").unwrap();
        let may = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        for (outside, inside, file, closed) in [
            (0o755, 0o755, 0o644, false),
            (0o711, 0o755, 0o644, false),
            (0o700, 0o755, 0o644, true),
            (0o755, 0o750, 0o644, true),
            (0o755, 0o755, 0o600, true),
        ] {
            may(folder.path(), outside);
            may(&work, inside);
            may(&work.join("bot"), file);
            assert_eq!(is_closed(&work), closed, "{outside:o} {inside:o} {file:o}");
        }
    }
}
