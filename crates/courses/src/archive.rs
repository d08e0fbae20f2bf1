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
mod tests {
    use super::*;

    const FORMS: [Form; 3] = [Form::Zip, Form::Tar, Form::TarGz];

    #[test]
    fn what_is_packed_comes_out_again() {
        let mut tree = Tree::default();
        tree.put("a/é.txt", "texte");
        tree.put_executable("programme", [0, 1, 2]);
        // A path longer than the 100 bytes of a plain tar header.
        tree.put(format!("{}fin", "dossier/".repeat(20)), "x".repeat(100_000));
        tree.put_folders(["a", "obj", "src/obj"].map(str::to_owned));
        let links = [("src/programme", "../programme"), ("a/root", ".."), ("lien", "a")];
        let link = |(path, target): (&str, &str)| Link { path: path.to_owned(), target: target.to_owned() };
        tree.put_links(links.map(link).into(), None);
        assert_eq!(tree.empty_folders().collect::<Vec<_>>(), ["obj", "src/obj"]);
        for form in FORMS {
            let bytes = form.pack(&tree).unwrap();
            assert_eq!(bytes, form.pack(&tree).unwrap(), "the same bytes again");
            for named in FORMS {
                let is_read = named != Form::Zip || form != Form::Tar;
                let unpacked = named.unpack(&bytes, Bounds::OWN);
                assert!(!is_read || unpacked.is_ok_and(|unpacked| unpacked == tree), "{form:?} as {named:?}");
            }
        }
    }

    #[test]
    fn a_sparse_file_and_gzip_members_are_read_as_tar_reads_them() {
        let folder = tempfile::tempdir().unwrap();
        let script = "printf begin >w && truncate -s 1M w && printf end >>w && tar --sparse -cf s.tar w";
        let made = std::process::Command::new("sh").args(["-c", script]).current_dir(folder.path()).status();
        if !made.is_ok_and(|status| status.success()) {
            println!("skipped: there is no GNU tar here");
            return;
        }
        let bytes = std::fs::read(folder.path().join("s.tar")).unwrap();
        assert!(bytes.len() < 1 << 19, "the hole is left out");
        let member = |bytes: &[u8]| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        };
        let (first, second) = bytes.split_at(700);
        let members = [member(first), member(second)].concat();
        for (form, bytes) in [(Form::Tar, &bytes), (Form::TarGz, &members)] {
            let tree = form.unpack(bytes, Bounds::STUDENT).unwrap();
            let file = &tree.get("w").unwrap().bytes;
            assert!(
                file.len() == (1 << 20) + 3 && file.starts_with(b"begin") && file.ends_with(b"end"),
                "{form:?}"
            );
            assert!(form.unpack(bytes, Bounds { bytes: 1 << 20, ..Bounds::STUDENT }).is_err(), "{form:?}");
        }
    }

    #[test]
    fn an_archive_is_read_within_its_bounds() {
        let mut tree = Tree::default();
        tree.put("bomb", vec![0; 1 << 20]);
        tree.put("b", "b");
        for form in FORMS {
            let bytes = form.pack(&tree).unwrap();
            let error = |bounds| form.unpack(&bytes, bounds).unwrap_err().to_string();
            assert_eq!(error(Bounds { bytes: 1 << 20, ..Bounds::STUDENT }), "the files are too large");
            assert_eq!(error(Bounds { files: 1, ..Bounds::STUDENT }), "too many files");
            assert!(form.unpack(&bytes, Bounds { files: 2, bytes: (1 << 20) + 1 }).is_ok());
        }
        let mut deep = Tree::default();
        ["a/b/c/1", "a/b/c/2", "a-b/1", "a/d/1"].into_iter().for_each(|path| deep.put(path, ""));
        for form in FORMS {
            let unpacked = |files| form.unpack(&form.pack(&deep).unwrap(), Bounds { files, bytes: 1 });
            assert_eq!(unpacked(8).unwrap_err().to_string(), "too many files", "its folders count");
            assert!(unpacked(9).is_ok());
        }
    }

    /// A tar file with an entry of this type, name and content. The library's own writer refuses such names.
    fn tar_with(kind: tar::EntryType, name: &str, link: &str, content: &[u8]) -> Vec<u8> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.as_mut_bytes()[157..157 + link.len()].copy_from_slice(link.as_bytes());
        header.set_cksum();
        let mut builder = tar::Builder::new(Vec::new());
        builder.append(&header, content).unwrap();
        builder.into_inner().unwrap()
    }

    #[test]
    fn neither_a_long_name_nor_an_entry_to_skip_leaves_the_bounds() {
        use tar::EntryType;
        let bounds = Bounds { files: 2, bytes: 1 << 16 };
        for kind in [EntryType::GNULongName, EntryType::GNULongLink, EntryType::XHeader, EntryType::Char] {
            let mut bytes = tar_with(kind, "a", "", &vec![b'a'; 1 << 20]);
            bytes.truncate(bytes.len() - 1024);
            bytes.extend(tar_with(EntryType::Regular, "b", "", b"b"));
            let error = Form::Tar.unpack(&bytes, bounds).unwrap_err();
            assert!(format!("{error:#}").contains(TOO_LARGE), "{kind:?}: {error:#}");
        }
    }

    fn zip_with(add: impl FnOnce(&mut zip::ZipWriter<Cursor<Vec<u8>>>)) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        add(&mut writer);
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn no_path_leaves_the_archive_and_no_link_comes_out() {
        use tar::EntryType;
        let paths = |tree: Tree| tree.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>();
        for (name, path) in [("../x", "x"), ("../../tp1/x", "tp1/x"), ("/etc/x", "etc/x")] {
            let bytes = tar_with(EntryType::Regular, name, "", b"x");
            assert_eq!(paths(Form::Tar.unpack(&bytes, Bounds::STUDENT).unwrap()), [path]);
            let zipped = zip_with(|writer| {
                writer.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
            });
            assert_eq!(paths(Form::Zip.unpack(&zipped, Bounds::STUDENT).unwrap()), [path]);
        }
        let bytes = tar_with(EntryType::Regular, "a/../../x", "", b"x");
        let error = Form::Tar.unpack(&bytes, Bounds::STUDENT).unwrap_err().to_string();
        assert!(error.starts_with("a path that leaves the archive"), "{error}");
        for kind in
            [EntryType::Symlink, EntryType::Link, EntryType::Char, EntryType::Fifo, EntryType::Directory]
        {
            let bytes = tar_with(kind, "a", "/etc/passwd", b"");
            assert!(Form::Tar.unpack(&bytes, Bounds::STUDENT).unwrap().is_empty(), "{kind:?}");
        }
        let links = zip_with(|writer| {
            let options = zip::write::SimpleFileOptions::default();
            writer.add_directory("d", options).unwrap();
            writer.add_symlink("a", "/etc/passwd", options).unwrap();
            writer.start_file("d/b", options).unwrap();
        });
        let tree = Form::Zip.unpack(&links, Bounds::STUDENT).unwrap();
        assert_eq!(tree.iter().map(|(path, _)| path).collect::<Vec<_>>(), ["d/b"]);
    }

    #[test]
    fn the_date_of_a_zip_entry_is_kept_to_the_second() {
        for ((year, month, day, hour, minute, second), seconds) in [
            ((1980, 1, 2, 0, 0, 0), 315_619_200),
            ((2000, 2, 29, 23, 59, 58), 951_868_798),
            ((2024, 3, 1, 0, 0, 0), 1_709_251_200),
            ((2026, 11, 28, 10, 20, 30), 1_795_861_230),
        ] {
            let bytes = zip_with(|writer| {
                let date = zip::DateTime::from_date_and_time(year, month, day, hour, minute, second).unwrap();
                let options = zip::write::SimpleFileOptions::default().last_modified_time(date);
                writer.start_file("a", options).unwrap();
            });
            let tree = Form::Zip.unpack(&bytes, Bounds::STUDENT).unwrap();
            assert_eq!(tree.get("a").unwrap().changed, Some(seconds), "{year}-{month}-{day}");
        }
    }

    #[test]
    fn bytes_that_are_no_archive_are_refused() {
        for form in FORMS {
            assert!(form.unpack(&[1; 600], Bounds::STUDENT).is_err(), "{form:?}");
        }
        assert_eq!(Form::of(Path::new("A.TGZ")).unwrap(), Form::TarGz);
        assert!(Form::of(Path::new("a.rar")).is_err());
        let is_unread = |name| super::is_unread(Path::new(name));
        assert!(is_unread("a.RAR") && is_unread("a.tar.xz") && !is_unread("a.tar.gz") && !is_unread("a.py"));
    }
}
