//! Files in memory, by path from the archive's root, and folders without files.

use super::link::{self, Link};
use super::{Bounds, LEFT, TOO_MANY, check_path};
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
    /// Links within the tree, by path, with the paths that they lead to.
    links: BTreeMap<String, String>,
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

    /// Adds the links that stay within the tree, whose folder on a disk is `root`.
    pub(super) fn put_links(&mut self, links: Vec<Link>, root: Option<&str>) {
        /// Most links, and most folders on the way to one of them: a stranger made them.
        const MOST: (usize, usize) = (2000, 40);
        let is_deep = |path: &str| path.matches('/').count() > MOST.1;
        let ends = links.into_iter().filter_map(|link| Some((link.end(root)?, link.path)));
        let all: BTreeMap<_, _> = ends.map(|(end, path)| (path, end)).collect();
        let near = all.into_iter().filter(|(path, end)| !is_deep(path) && !is_deep(end));
        self.links.extend(near.take(MOST.0));
    }

    /// Returns true if a file or a folder has this path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path) || self.empty.contains(path) || self.is_folder(path)
    }

    /// True for a folder with files or folders.
    fn is_folder(&self, path: &str) -> bool {
        let below = format!("{path}/");
        let first = self.files.range(below.clone()..).next().map(|(path, _)| path);
        let empty = self.empty.range(below.clone()..).next();
        first.into_iter().chain(empty).any(|path| path.starts_with(&below))
    }

    /// Iterates over the links in the order of their paths, with their targets as a disk has them. A link in the folder of
    /// another one is left out, for it would lead elsewhere, and so is one in the place of a file or a folder.
    pub(super) fn links(&self) -> impl Iterator<Item = (&str, String)> {
        let is_free = |path: &str| {
            let is_below = |folder: &str| self.files.contains_key(folder) || self.links.contains_key(folder);
            !self.has(path) && !ancestors(path).any(is_below)
        };
        let free = self.links.iter().filter(move |(path, _)| is_free(path));
        free.map(|(path, end)| (path.as_str(), link::target(path, end)))
    }

    /// Iterates over all files and the links to them.
    pub fn named(&self) -> impl Iterator<Item = (&str, &File)> {
        let linked = self.links.keys().filter_map(|path| Some((path.as_str(), self.led_to(path)?)));
        self.iter().chain(linked)
    }

    /// Returns the file that a path with links leads to.
    #[must_use]
    pub fn led_to(&self, path: &str) -> Option<&File> {
        /// Most links on a way.
        const MOST: usize = 8;
        let mut path = path.to_owned();
        for _ in 0..MOST {
            if let Some(file) = self.files.get(&path) {
                return Some(file);
            }
            let (folder, end) =
                ancestors(&path).chain([&*path]).find_map(|folder| self.links.get_key_value(folder))?;
            path = format!("{end}{}", &path[folder.len()..]).trim_start_matches('/').to_owned();
        }
        None
    }

    /// Keeps the files, the empty folders and the links for which `is_kept` is true.
    pub fn retain(&mut self, is_kept: impl Fn(&str) -> bool) {
        self.files.retain(|path, _| is_kept(path));
        self.empty.retain(|path| is_kept(path));
        self.links.retain(|path, _| is_kept(path));
    }

    /// Returns the tree with other paths. Of two files with the same new path the last one stays.
    #[must_use]
    pub fn renamed(self, new: impl Fn(String) -> String) -> Self {
        let files = self.files.into_iter().map(|(path, file)| (new(path), file)).collect();
        let empty = self.empty.into_iter().map(&new).collect();
        let links = self.links.into_iter().map(|(path, end)| (new(path), new(end))).collect();
        Self { files, empty, links }
    }

    /// Adds all files of another tree below a folder. `""` is the root.
    pub fn put_tree(&mut self, folder: &str, other: Self) {
        let below = |path: String| match (folder, &*path) {
            ("", _) => path,
            (folder, "") => folder.to_owned(),
            (folder, path) => format!("{folder}/{path}"),
        };
        let Self { files, empty, links } = other.renamed(below);
        self.files.extend(files);
        self.put_folders(empty);
        self.links.extend(links);
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

    /// Checks the number of files and folders, those included that no entry of an archive names.
    ///
    /// # Errors
    /// If there are more.
    pub fn check(&self, bounds: Bounds) -> Result<()> {
        let mut paths: Vec<&str> =
            self.files.keys().chain(&self.empty).chain(self.links.keys()).map(String::as_str).collect();
        paths.sort_unstable();
        let (mut all, mut before) = (0, "");
        for path in paths {
            let shared = path.split('/').zip(before.split('/')).take_while(|(own, other)| own == other);
            all += path.split('/').count() - shared.count();
            before = path;
        }
        ensure!(all <= bounds.files, TOO_MANY);
        Ok(())
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
        #[cfg(unix)]
        for (path, target) in self.links() {
            let path = folder.join(path);
            let parent = path.parent().context("a link lies in a folder")?;
            fs::create_dir_all(parent).with_context(|| parent.display().to_string())?;
            std::os::unix::fs::symlink(target, &path).with_context(|| path.display().to_string())?;
        }
        Ok(())
    }

    /// Reads all files below a folder, those that a link leads to included, without their times.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(folder: &Path) -> Result<Self> {
        let mut tree = Self::default();
        tree.read_below(folder, "", &mut { Bounds::OWN }, &mut None)?;
        Ok(tree)
    }

    /// Reads the files below a stranger's folder: no devices, no links out of it, nothing of [`LEFT`], and not more than
    /// the bounds. Names that are not UTF-8 get other signs.
    ///
    /// # Errors
    /// If a file cannot be read, or the files exceed the bounds.
    pub fn read_within(folder: &Path, mut bounds: Bounds) -> Result<Self> {
        let mut tree = Self::default();
        let mut links = Some(Vec::new());
        tree.read_below(folder, "", &mut bounds, &mut links)?;
        tree.put_links(links.unwrap_or_default(), None);
        Ok(tree)
    }

    /// Follows links if there is no list for them.
    fn read_below(
        &mut self,
        folder: &Path,
        prefix: &str,
        bounds: &mut Bounds,
        links: &mut Option<Vec<Link>>,
    ) -> Result<()> {
        let follow = links.is_none();
        // A deep folder must not use up the open files: no folder stays open while those below it are read.
        let (mut entries, mut folders) = (Vec::new(), Vec::new());
        for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
            let entry = entry?;
            if !follow && LEFT.iter().any(|left| entry.file_name() == *left) {
                continue;
            }
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
            if !follow {
                check_path(&path)?;
            }
            if kind.is_dir() {
                if !follow {
                    folders.push(path.clone());
                }
                self.read_below(&place, &format!("{path}/"), bounds, links)?;
            } else if let Some(links) = links.as_mut().filter(|_| kind.is_symlink()) {
                let target = fs::read_link(&place).with_context(|| place.display().to_string())?;
                links.push(Link { path, target: target.to_string_lossy().into_owned() });
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

/// Returns the folder that a path with slashes lies in, `""` for the root.
#[must_use]
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Iterates over the folders that a path lies in, the outermost first.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(at, _)| &path[..at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::Form;

    #[test]
    fn links_within_the_tree_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let mut tree = Tree::default();
        tree.put_executable("lib/libx.so.1", "x");
        tree.write(folder.path()).unwrap();
        let own = folder.path().join("lib/libx.so.1").display().to_string();
        for (target, name) in [
            ("libx.so.1", "lib/libx.so"),
            ("lib", "alias"),
            ("alias/libx.so", "again"),
            ("..", "lib/up"),
            ("loop", "loop"),
            (&own, "absolute"),
            // Down and up again: through a link that could lead out.
            ("lib/up/../secret", "down"),
            ("../secret", "out"),
            ("/etc/passwd", "system"),
        ] {
            std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
        }
        let paths = |tree: &Tree| tree.links().map(|(path, _)| path.to_owned()).collect::<Vec<_>>();
        let expected = ["again", "alias", "lib/libx.so", "lib/up", "loop"];
        let read = Tree::read_within(folder.path(), Bounds::STUDENT).unwrap();
        assert_eq!(paths(&read), expected);
        let named: Vec<_> = read.named().map(|(path, _)| path).collect();
        assert_eq!(named, ["lib/libx.so.1", "again", "lib/libx.so"]);
        fs::hard_link(folder.path().join("lib/libx.so.1"), folder.path().join("second")).unwrap();
        for (form, script) in [(Form::Tar, "tar -cf - ."), (Form::Zip, "zip -qyr - .")] {
            let mut shell = std::process::Command::new("sh");
            let packed = shell.args(["-c", script]).current_dir(folder.path()).output().unwrap();
            if !packed.status.success() {
                println!("skipped: {script}: {packed:?}");
                continue;
            }
            let unpacked = form.unpack_of(Some(folder.path()), &packed.stdout, Bounds::STUDENT).unwrap();
            assert_eq!(paths(&unpacked), [&["absolute"], &expected[..]].concat(), "{form:?}");
            assert_eq!(unpacked.get("second"), unpacked.get("lib/libx.so.1"), "{form:?}");
            let written = tempfile::tempdir().unwrap();
            unpacked.write(written.path()).unwrap();
            assert_eq!(fs::read(written.path().join("again")).unwrap(), b"x");
            assert_eq!(fs::read(written.path().join("lib/up/absolute")).unwrap(), b"x");
            assert_eq!(Tree::read_within(written.path(), Bounds::STUDENT).unwrap().links, unpacked.links);
        }
    }

    #[test]
    fn a_link_in_the_folder_of_a_link_is_left_out() {
        let mut tree = Tree::default();
        tree.put("p/q/file", "");
        let link = |(path, target): (&str, &str)| Link { path: path.to_owned(), target: target.to_owned() };
        let links = [
            ("p/r/a", "../.."),
            ("p/r/a/l", "../../../secret"),
            ("p/q", "x"),
            ("p/q/file", "x"),
            ("p/q/file/b", "x"),
        ];
        tree.put_links(links.map(link).into(), None);
        assert_eq!(tree.links().map(|(path, _)| path).collect::<Vec<_>>(), ["p/r/a"]);
        // Not by another archive in this one, nor by another name.
        let mut inner = Tree::default();
        inner.put_links(vec![link(("own/l", "../secret"))], None);
        tree.put_links(vec![link(("own", "."))], None);
        tree.put_tree("", inner);
        assert_eq!(tree.links().map(|(path, _)| path).collect::<Vec<_>>(), ["own", "p/r/a"]);
        let mut named = Tree::default();
        named.put_links(vec![link(("a:b", ".")), link(("a-b/l", "../secret"))], None);
        let named = named.renamed(|path| path.replace(':', "-"));
        assert_eq!(named.links().map(|(path, _)| path).collect::<Vec<_>>(), ["a-b"]);
    }

    /// Each link leads on to the next, by long ways: 5,000 of them took minutes.
    #[test]
    fn links_without_end_are_soon_given_up() {
        let link = |nth: usize| {
            let path = format!("{nth}/{}l", "a/".repeat(30));
            Link { path, target: format!("{}{}/{}l/b", "../".repeat(31), nth + 1, "a/".repeat(30)) }
        };
        let mut tree = Tree::default();
        tree.put_links((0..5000).map(link).collect(), None);
        let began = std::time::Instant::now();
        assert_eq!((tree.links.len(), tree.named().count()), (2000, 0));
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }

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
        let deep = (0..5).fold(folder.path().to_owned(), |above, _| above.join("d".repeat(200)));
        fs::create_dir_all(&deep).unwrap();
        let refused = Tree::read_within(folder.path(), Bounds::STUDENT).unwrap_err().to_string();
        assert_eq!(refused, "a path of more than 1000 bytes");
    }
}
