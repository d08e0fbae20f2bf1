//! Zip and tar files in memory. The same files always give the same bytes: sorted, with one date.
//!
//! An archive may come from a stranger. Unpacking takes files and the links that stay within the archive, no devices.
//! No path leaves the archive, and [`Bounds`] limit the number and the size of the files.

mod link;
mod tree;

use link::Link;
pub use tree::{File, Tree, folder_of};

use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, Cursor, Read, Write};
use std::path::{Component, Path};

/// The format of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// `.zip`
    Zip,
    /// `.tar`
    Tar,
    /// `.tar.gz` or `.tgz`
    TarGz,
}

/// Files and folders that systems and tools leave beside works.
pub const LEFT: [&str; 4] = ["__MACOSX", ".git", ".DS_Store", "__pycache__"];

/// Limits of what is read from an archive or a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The number of files and folders.
    pub files: usize,
    /// The bytes of all files together.
    pub bytes: u64,
}

impl Bounds {
    /// The limits of the project's own archives.
    pub const OWN: Self = Self { files: 100_000, bytes: 1 << 30 };
    /// The limits of a student's work.
    pub const STUDENT: Self = Self { files: 10_000, bytes: 64 << 20 };

    /// Counts one more file or folder.
    fn enter(&mut self) -> Result<()> {
        self.files = self.files.checked_sub(1).context(TOO_MANY)?;
        Ok(())
    }

    /// Counts the bytes of one more file.
    fn count(&mut self, bytes: u64) -> Result<()> {
        self.bytes = self.bytes.checked_sub(bytes).context(TOO_LARGE)?;
        Ok(())
    }

    /// Reads a whole file.
    fn read(&mut self, file: impl Read) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.take(self.bytes + 1).read_to_end(&mut bytes)?;
        self.count(bytes.len() as u64)?;
        Ok(bytes)
    }

    /// The largest tar file within these bounds: each file has a header, its padding and a long name.
    fn tar(self) -> u64 {
        self.bytes + 4096 * (self.files as u64 + 1)
    }
}

const TOO_MANY: &str = "too many files";
const TOO_LARGE: &str = "the files are too large";

/// Reads an unpacked tar file up to its bound. Its library takes memory for a name as long as its header says, and
/// reads over an entry of any length.
struct Bounded<R> {
    inner: R,
    left: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| io::Error::other(TOO_LARGE))?;
        Ok(read)
    }
}

impl Form {
    /// Returns the extension of the file name.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Zip => "zip",
            Self::Tar => "tar",
            Self::TarGz => "tar.gz",
        }
    }

    /// Packs the files and returns the archive's bytes.
    ///
    /// # Errors
    /// If the format cannot hold a path.
    pub fn pack(self, tree: &Tree) -> Result<Vec<u8>> {
        match self {
            Self::Zip => zip(tree),
            Self::Tar => tar(tree, Vec::new()),
            Self::TarGz => Ok(tar(tree, GzEncoder::new(Vec::new(), Compression::best()))?.finish()?),
        }
    }

    /// Unpacks an archive. Its first bytes count, where its name tells another format. Links out of it are left out.
    ///
    /// # Errors
    /// If the bytes are not a valid archive, a path leaves it, or its files exceed the bounds.
    pub fn unpack(self, bytes: &[u8], bounds: Bounds) -> Result<Tree> {
        self.unpack_of(None, bytes, bounds)
    }

    /// Unpacks an archive of the files below the folder `root`, to which links may lead by absolute paths.
    ///
    /// # Errors
    /// Those of [`unpack`](Self::unpack).
    pub fn unpack_of(self, root: Option<&Path>, bytes: &[u8], bounds: Bounds) -> Result<Tree> {
        let root = root.map(Path::to_string_lossy);
        let form = match bytes {
            [0x1f, 0x8b, ..] => Self::TarGz,
            [b'P', b'K', ..] => Self::Zip,
            _ if self == Self::TarGz => Self::Tar,
            _ => self,
        };
        let tree = match form {
            Self::Zip => unzip(root.as_deref(), bytes, bounds),
            Self::Tar => untar(root.as_deref(), bytes, bounds),
            Self::TarGz => untar(root.as_deref(), MultiGzDecoder::new(bytes), bounds),
        }?;
        tree.check(bounds)?;
        Ok(tree)
    }

    /// Returns the format of a file by its name.
    ///
    /// # Errors
    /// If the name has another extension.
    pub fn of(path: &Path) -> Result<Self> {
        let name = path.to_string_lossy().to_ascii_lowercase();
        match () {
            () if name.ends_with(".zip") => Ok(Self::Zip),
            () if name.ends_with(".tar") => Ok(Self::Tar),
            () if name.ends_with(".tar.gz") || name.ends_with(".tgz") => Ok(Self::TarGz),
            () => bail!("{}: none of .zip, .tar, .tar.gz and .tgz", path.display()),
        }
    }
}

/// Returns true for the name of an archive in a format that is not read.
#[must_use]
pub fn is_unread(path: &Path) -> bool {
    const ENDINGS: [&str; 9] = ["7z", "bz2", "gz", "lzma", "rar", "tbz2", "txz", "xz", "zst"];
    let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
    end.is_some_and(|end| ENDINGS.contains(&&*end)) && Form::of(path).is_err()
}

/// Most bytes of a path in a stranger's work.
const LONGEST: usize = 1000;

/// Refuses a path that is too long, or that no system can hold.
fn check_path(path: &str) -> Result<()> {
    ensure!(path.len() <= LONGEST && !path.contains('\0'), "a path of more than {LONGEST} bytes");
    Ok(())
}

/// Returns a path below the archive's root, with `/` between folders. `None` for the root itself.
fn below(path: &Path) -> Result<Option<String>> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => parts.push(part.to_string_lossy()),
            Component::CurDir => {}
            // As unzip and tar do.
            Component::RootDir | Component::ParentDir if parts.is_empty() => {}
            _ => bail!("a path that leaves the archive: {}", path.display()),
        }
    }
    let text = parts.join("/");
    check_path(&text)?;
    Ok(Some(text).filter(|text| !text.is_empty()))
}

fn mode(file: &File) -> u32 {
    if file.executable { 0o755 } else { 0o644 }
}

fn zip(tree: &Tree) -> Result<Vec<u8>> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let dated = zip::write::SimpleFileOptions::default().last_modified_time(zip::DateTime::default());
    for path in tree.empty_folders() {
        writer.add_directory(path, dated)?;
    }
    for (path, file) in tree.iter() {
        let options = dated
            .compression_method(zip::CompressionMethod::Deflated)
            .compression_level(Some(9))
            .unix_permissions(mode(file));
        writer.start_file(path, options)?;
        writer.write_all(&file.bytes)?;
    }
    for (path, target) in tree.links() {
        writer.add_symlink(path, target, dated)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn unzip(root: Option<&str>, bytes: &[u8], mut bounds: Bounds) -> Result<Tree> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes))?;
    let (mut tree, mut folders, mut links) = (Tree::default(), Vec::new(), Vec::new());
    for index in 0..archive.len() {
        bounds.enter()?;
        let file = archive.by_index(index)?;
        let path = match file.enclosed_name() {
            Some(path) => path,
            None => file.mangled_name()?,
        };
        let Some(path) = below(&path)? else { continue };
        if file.is_dir() {
            folders.push(path);
        } else if file.is_symlink() {
            let target = String::from_utf8_lossy(&bounds.read(file)?).into_owned();
            links.push(Link { path, target });
        } else {
            let executable = file.unix_mode().is_some_and(|mode| mode & 0o100 != 0);
            let changed = changed(&file);
            tree.put_file(path, File { bytes: bounds.read(file)?, executable, changed });
        }
    }
    tree.put_folders(folders);
    tree.put_links(links, root);
    Ok(tree)
}

/// Returns the time of a file in a zip file: its second where it is told, or else one of two seconds without a time zone.
fn changed(file: &zip::read::ZipFile<'_, impl Read>) -> Option<u64> {
    let exact = file.extra_data_fields().find_map(|field| match field {
        zip::ExtraField::ExtendedTimestamp(times) => times.mod_time(),
        _ => None,
    });
    let rough = || {
        let date = file.last_modified()?;
        let days = (1980..date.year()).map(|year| if is_leap(year) { 366 } else { 365 }).sum::<u64>()
            + LENGTHS.iter().take(usize::from(date.month()) - 1).sum::<u64>()
            + u64::from(is_leap(date.year()) && date.month() > 2)
            + u64::from(date.day())
            - 1;
        let hours = days * 24 + u64::from(date.hour());
        Some(FIRST_DAY + (hours * 60 + u64::from(date.minute())) * 60 + u64::from(date.second()))
    };
    exact.map(u64::from).or_else(rough).filter(|&time| time != FIRST_DAY)
}

/// The days of the months of a year that is no leap year.
const LENGTHS: [u64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

/// The first day of the zip format, in seconds since 1970: the date of what is packed here. Some versions of tar warn about a
/// date of zero.
const FIRST_DAY: u64 = 315_532_800;

fn tar<W: Write>(tree: &Tree, to: W) -> Result<W> {
    let mut builder = tar::Builder::new(to);
    let header = |size: u64, mode: u32| {
        let mut header = tar::Header::new_gnu();
        header.set_size(size);
        header.set_mode(mode);
        header.set_mtime(FIRST_DAY);
        header
    };
    for path in tree.empty_folders() {
        let mut header = header(0, 0o755);
        header.set_entry_type(tar::EntryType::Directory);
        builder.append_data(&mut header, format!("{path}/"), io::empty())?;
    }
    for (path, file) in tree.iter() {
        let mut header = header(file.bytes.len() as u64, mode(file));
        builder.append_data(&mut header, path, file.bytes.as_slice())?;
    }
    for (path, target) in tree.links() {
        let mut header = header(0, 0o777);
        header.set_entry_type(tar::EntryType::Symlink);
        builder.append_link(&mut header, path, target)?;
    }
    Ok(builder.into_inner()?)
}

fn untar(root: Option<&str>, bytes: impl Read, mut bounds: Bounds) -> Result<Tree> {
    let mut archive = tar::Archive::new(Bounded { inner: bytes, left: bounds.tar() });
    let (mut tree, mut folders, mut links) = (Tree::default(), Vec::new(), Vec::new());
    for entry in archive.entries()? {
        bounds.enter()?;
        let entry = entry?;
        let Some(path) = below(&entry.path()?)? else { continue };
        let kind = entry.header().entry_type();
        if kind.is_dir() {
            folders.push(path);
        } else if kind.is_file() || kind.is_gnu_sparse() {
            let executable = entry.header().mode()? & 0o100 != 0;
            let changed = entry.header().mtime().ok().filter(|&time| time != FIRST_DAY);
            tree.put_file(path, File { bytes: bounds.read(entry)?, executable, changed });
        } else if let Some(target) = entry.link_name()? {
            if kind.is_symlink() {
                links.push(Link { path, target: target.to_string_lossy().into_owned() });
            } else if let Some(file) =
                below(&target).ok().flatten().and_then(|target| tree.get(&target).cloned())
            {
                // The second name of a file.
                bounds.count(file.bytes.len() as u64)?;
                tree.put_file(path, file);
            }
        }
    }
    tree.put_folders(folders);
    tree.put_links(links, root);
    Ok(tree)
}

#[cfg(test)]
mod tests;
