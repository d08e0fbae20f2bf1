//! Files in memory, by path from the archive's root.

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

    /// Reads all files below a folder.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.read_below(folder, "")?;
        Ok(tree)
    }

    fn read_below(&mut self, folder: &Path, prefix: &str) -> Result<()> {
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            let name = entry.file_name();
            let name = name.to_str().with_context(|| format!("{}: not UTF-8", entry.path().display()))?;
            let path = format!("{prefix}{name}");
            if entry.file_type()?.is_dir() {
                self.read_below(&entry.path(), &format!("{path}/"))?;
            } else {
                let bytes = fs::read(entry.path()).with_context(|| entry.path().display().to_string())?;
                self.put(path, bytes);
            }
        }
        Ok(())
    }
}
