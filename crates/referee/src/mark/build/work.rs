//! Students' work as it was handed in.

use super::recipe;
use anyhow::{Context, Result, bail, ensure};
use courses::archive::{Bounds, Form, Tree};
use courses::fault::Trouble;
use std::fs;
use std::path::Path;

/// Returns the files of a student's work: of a folder, of an archive, or of an archive in a folder.
pub(super) fn unpacked(work: &Path) -> Result<Tree> {
    let mut tree = if work.is_dir() {
        Tree::read_within(work, Bounds::STUDENT)?
    } else if let Ok(form) = Form::of(work) {
        form.unpack(&bounded(work)?, Bounds::STUDENT)?
    } else {
        let name = work.file_name().context("no file")?.to_string_lossy();
        let name = name.split_once("_assignsubmission_file_").map_or(&*name, |(_, name)| name);
        let mut tree = Tree::default();
        tree.put(name, bounded(work)?);
        tree
    };
    tree.retain(is_work);
    // Moodle puts what a student has uploaded into a folder: an archive, or several files.
    let archives =
        || tree.iter().filter(|(path, _)| !path.contains('/') && Form::of(Path::new(path)).is_ok());
    let sources = tree.iter().filter(|(path, _)| recipe::is_source(path)).count();
    if sources == 0 && archives().count() == 1 {
        let path = archives().next().map(|(path, _)| path.to_owned()).context("an archive")?;
        let file = tree.take(&path).context("an archive")?;
        let inner = Form::of(Path::new(&path))?.unpack(&file.bytes, Bounds::STUDENT);
        let mut inner = inner.with_context(|| path.clone())?;
        inner.retain(is_work);
        tree.put_tree("", inner);
    }
    ensure!(!tree.is_empty(), "it holds no files");
    Ok(tree)
}

/// Reads a file of a bounded size.
fn bounded(path: &Path) -> Result<Vec<u8>> {
    use std::io::Read as _;
    let data = fs::metadata(path)?;
    ensure!(data.is_file(), "it is no file");
    if data.len() > Bounds::STUDENT.bytes {
        bail!("a file of {} MB", data.len() >> 20);
    }
    let mut bytes = Vec::new();
    wire::file::open(path)?.take(Bounds::STUDENT.bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// False for files that systems and tools leave in archives.
fn is_work(path: &str) -> bool {
    !path.split('/').any(|part| ["__MACOSX", ".git", ".DS_Store", "__pycache__"].contains(&part))
}

/// Returns the text of an error that the work causes while it is read: it is no archive, or may not be opened.
///
/// # Errors
/// The system's other errors, such as too many open files.
pub(super) fn of_reading(work: &Path, error: anyhow::Error) -> Result<String, Trouble> {
    use std::io::ErrorKind;
    let system = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    let is_of_work = |system: &std::io::Error| {
        matches!(system.kind(), ErrorKind::NotFound | ErrorKind::PermissionDenied) || is_of_names(system)
    };
    match system {
        Some(system) if system.raw_os_error().is_some() && !is_of_work(system) => {
            Err(Trouble::Referee(format!("{}: {error:#}", work.display())))
        }
        _ => Ok(format!("{error:#}")),
    }
}

/// True for the system's errors that names in the work cause.
pub(super) fn is_of_names(error: &std::io::Error) -> bool {
    use rustix::io::Errno;
    use std::io::ErrorKind;
    matches!(
        error.kind(),
        ErrorKind::AlreadyExists
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
    ) || error.raw_os_error() == Some(Errno::LOOP.raw_os_error())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;

    #[test]
    fn an_archive_in_a_folder_is_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let mut tree = Tree::default();
        tree.put("tp1/bot.py", "print(1)");
        tree.put("__MACOSX/tp1/._bot.py", "x");
        fs::write(folder.path().join("tp1.tar.gz"), Form::TarGz.pack(&tree).unwrap()).unwrap();
        fs::write(folder.path().join("rapport.pdf"), "%PDF").unwrap();
        let paths = |tree: &Tree| tree.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>();
        assert_eq!(paths(&unpacked(folder.path()).unwrap()), ["rapport.pdf", "tp1/bot.py"]);
        // Beside sources an archive is a file like others.
        fs::write(folder.path().join("main.py"), "").unwrap();
        assert_eq!(paths(&unpacked(folder.path()).unwrap()), ["main.py", "rapport.pdf", "tp1.tar.gz"]);
        let link = folder.path().join("loop.zip");
        std::os::unix::fs::symlink(&link, &link).unwrap();
        assert!(of_reading(&link, unpacked(&link).unwrap_err()).is_ok(), "a card says so");
        let single = folder.path().join("Ana_1_assignsubmission_file_bot.py");
        fs::write(&single, "print(1)").unwrap();
        assert_eq!(paths(&unpacked(&single).unwrap()), ["bot.py"]);
    }
}
