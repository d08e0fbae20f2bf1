//! Files in memory, by path from the archive's root, and folders without files.

use super::Bounds;
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The file's contents.
    pub bytes: Vec<u8>,
    /// True if the file is executable.
    pub executable: bool,
    /// The time of its last change in seconds since 1970, if it is kept: `make` compares it. No archive is packed with it.
    pub changed: Option<u64>,
}

/// Files by path, with `/` between folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    files: BTreeMap<String, File>,
    /// The folders without files: a build may write there.
    empty: BTreeSet<String>,
}

impl Tree {
    /// Adds or replaces a file.
    pub fn put(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), File { bytes: bytes.into(), executable: false, changed: None });
    }

    /// Adds or replaces an executable file.
    pub fn put_executable(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), File { bytes: bytes.into(), executable: true, changed: None });
    }

    /// Adds or replaces a file with its mode.
    pub fn put_file(&mut self, path: impl Into<String>, file: File) {
        self.files.insert(path.into(), file);
    }

    /// Adds folders. Those with files are there without.
    pub(super) fn put_folders(&mut self, folders: impl IntoIterator<Item = String>) {
        let is_empty = |folder: &String| {
            let below = format!("{folder}/");
            let first = self.files.range(below.clone()..).next();
            !self.files.contains_key(folder) && first.is_none_or(|(path, _)| !path.starts_with(&below))
        };
        let empty: Vec<String> = folders.into_iter().filter(is_empty).collect();
        self.empty.extend(empty);
    }

    /// Keeps the files and the empty folders for which `is_kept` is true.
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.files.retain(|path, _| is_kept(path));
        self.empty.retain(|path| is_kept(path));
    }

    /// Returns the tree with other paths. Of two files with the same new path the last one stays.
    #[must_use]
    pub fn renamed(self, new: impl Fn(String) -> String) -> Self {
        let files = self.files.into_iter().map(|(path, file)| (new(path), file)).collect();
        let empty = self.empty.into_iter().map(&new).collect();
        Self { files, empty }
    }

    /// Adds all files of another tree below a folder. `""` is the root.
    pub fn put_tree(&mut self, folder: &str, other: Self) {
        let below = |path| if folder.is_empty() { path } else { format!("{folder}/{path}") };
        let Self { files, empty } = other.renamed(below);
        self.files.extend(files);
        self.put_folders(empty);
    }

    /// Iterates over the folders without files in the order of their paths.
    pub fn empty_folders(&self) -> impl Iterator<Item = &str> {
        self.empty.iter().map(String::as_str)
    }

    /// Returns the file at this path.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// Removes the file at this path and returns it.
    pub fn take(&mut self, path: &str) -> Option<File> {
        self.files.remove(path)
    }

    /// Iterates over all files in the order of their paths.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &File)> {
        self.files.iter().map(|(path, file)| (path.as_str(), file))
    }

    /// Returns the number of files.
    #[must_use]
    pub fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns true if there is no file.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes all files below a folder.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path) -> Result<()> {
        for path in self.empty_folders().map(|path| folder.join(path)) {
            fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        }
        for (path, file) in self.iter() {
            let path = folder.join(path);
            let parent = path.parent().context("a file lies in a folder")?;
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
            wire::file::write_new(&path, &file.bytes).with_context(|| path.display().to_string())?;
            let changed =
                file.changed.and_then(|time| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(time)));
            if let Some(changed) = changed {
                // Some systems cannot write every time.
                let _ = wire::file::set_changed(&path, changed);
            }
            #[cfg(unix)]
            if file.executable {
                use std::os::unix::fs::PermissionsExt;
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            }
        }
        Ok(())
    }

    /// Reads all files below a folder, those that a link leads to included, without their times.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.read_below(folder, "", &mut { Bounds::OWN }, true)?;
        Ok(tree)
    }

    /// Reads the files below a stranger's folder: no links, no devices, and not more than the bounds. Names that are not
    /// UTF-8 get other signs.
    ///
    /// # Errors
    /// If a file cannot be read, or the files exceed the bounds.
    pub fn read_within(folder: &Path, mut bounds: Bounds) -> Result<Self> {
        let mut tree = Self::default();
        tree.read_below(folder, "", &mut bounds, false)?;
        Ok(tree)
    }

    fn read_below(&mut self, folder: &Path, prefix: &str, bounds: &mut Bounds, follow: bool) -> Result<()> {
        // A deep folder must not use up the open files: no folder stays open while those below it are read.
        let (mut entries, mut folders) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            bounds.enter()?;
            entries.push((entry.file_name(), entry.file_type()?));
        }
        for (name, kind) in entries {
            let place = folder.join(&name);
            let mut path = format!("{prefix}{}", name.to_string_lossy());
            if name.to_str().is_none() {
                ensure!(!follow, "{}: not UTF-8", place.display());
                while self.files.contains_key(&path) {
                    path.push('\u{fffd}');
                }
            }
            if kind.is_dir() {
                if !follow {
                    folders.push(path.clone());
                }
                self.read_below(&place, &format!("{path}/"), bounds, follow)?;
            } else if kind.is_file() || follow {
                let file = wire::file::open(&place).with_context(|| place.display().to_string())?;
                let data = Some(file.metadata()?).filter(|_| !follow);
                #[cfg(unix)]
                let executable = data.as_ref().is_some_and(|data| {
                    use std::os::unix::fs::PermissionsExt;
                    data.permissions().mode() & 0o100 != 0
                });
                #[cfg(not(unix))]
                let executable = false;
                let changed =
                    data.and_then(|data| data.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok());
                let changed = changed.map(|since| since.as_secs());
                self.put_file(path, File { bytes: bounds.read(file)?, executable, changed });
            }
        }
        self.put_folders(folders);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strangers_link_is_not_followed() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        wire::file::write_new(&other.path().join("secret"), "s").unwrap();
        wire::file::write_new(&folder.path().join("own"), "o").unwrap();
        for (target, name) in [("secret", "file"), ("", "folder")] {
            std::os::unix::fs::symlink(other.path().join(target), folder.path().join(name)).unwrap();
        }
        let name = <std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"r\xe9sum\xe9.txt");
        wire::file::write_new(&folder.path().join(name), "r").unwrap();
        assert!(Tree::read(folder.path()).is_err(), "our own names are UTF-8");
        let tree = Tree::read_within(folder.path(), Bounds::STUDENT).unwrap();
        assert_eq!(
            tree.iter().map(|(path, _)| path).collect::<Vec<_>>(),
            ["own", "r\u{fffd}sum\u{fffd}.txt"]
        );
        assert!(Tree::read_within(folder.path(), Bounds { files: 3, bytes: 9 }).is_err(), "links count");
    }
}
