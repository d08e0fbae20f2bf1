//! Files in memory, by path from the archive's root.

use super::Bounds;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The file's contents.
    pub bytes: Vec<u8>,
    /// True if the file is executable.
    pub executable: bool,
}

/// Files by path, with `/` between folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    files: BTreeMap<String, File>,
}

impl Tree {
    /// Adds or replaces a file.
    pub fn put(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), File { bytes: bytes.into(), executable: false });
    }

    /// Adds or replaces an executable file.
    pub fn put_executable(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), File { bytes: bytes.into(), executable: true });
    }

    /// Adds or replaces a file with its mode.
    pub fn put_file(&mut self, path: impl Into<String>, file: File) {
        self.files.insert(path.into(), file);
    }

    /// Keeps the files for which `is_kept` is true.
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.files.retain(|path, _| is_kept(path));
    }

    /// Adds all files of another tree below a folder. `""` is the root.
    pub fn put_tree(&mut self, folder: &str, other: Self) {
        for (path, file) in other.files {
            let path = if folder.is_empty() { path } else { format!("{folder}/{path}") };
            self.files.insert(path, file);
        }
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
        for (path, file) in self.iter() {
            let path = folder.join(path);
            let parent = path.parent().context("a file lies in a folder")?;
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
            wire::file::write_new(&path, &file.bytes).with_context(|| path.display().to_string())?;
            #[cfg(unix)]
            if file.executable {
                use std::os::unix::fs::PermissionsExt;
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
            }
        }
        Ok(())
    }

    /// Reads all files below a folder, those that a link leads to included.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.read_below(folder, "", &mut { Bounds::OWN }, true)?;
        Ok(tree)
    }

    /// Reads the files below a stranger's folder: no links, no devices, and not more than the bounds.
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
        let mut entries = Vec::new();
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            bounds.enter()?;
            entries.push((entry.file_name(), entry.file_type()?));
        }
        for (name, kind) in entries {
            let place = folder.join(&name);
            let name = name.to_str().with_context(|| format!("{}: not UTF-8", place.display()))?;
            let path = format!("{prefix}{name}");
            if kind.is_dir() {
                self.read_below(&place, &format!("{path}/"), bounds, follow)?;
            } else if kind.is_file() || follow {
                let file = wire::file::open(&place).with_context(|| place.display().to_string())?;
                #[cfg(unix)]
                let executable = {
                    use std::os::unix::fs::PermissionsExt;
                    !follow && file.metadata()?.permissions().mode() & 0o100 != 0
                };
                #[cfg(not(unix))]
                let executable = false;
                self.put_file(path, File { bytes: bounds.read(file)?, executable });
            }
        }
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
        let tree = Tree::read_within(folder.path(), Bounds::STUDENT).unwrap();
        assert_eq!(tree.iter().map(|(path, _)| path).collect::<Vec<_>>(), ["own"]);
        assert!(Tree::read_within(folder.path(), Bounds { files: 2, bytes: 9 }).is_err(), "links count");
    }
}
