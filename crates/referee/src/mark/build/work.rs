//! Students' work as it was handed in.

use crate::mark::class::FILE;
use crate::mark::paths::is_source;
use anyhow::{Context, Result, bail, ensure};
use courses::archive::{Bounds, Form, LEFT, Tree, folder_of};
use courses::fault::Trouble;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the files of a student's work: of a folder, of an archive, or of an archive in a folder.
pub(super) fn unpacked(work: &Path) -> Result<Tree> {
    let mut tree = if work.is_dir() {
        Tree::read_within(work, Bounds::STUDENT)?
    } else {
        let files = handed_in(work)?;
        match &files[..] {
            [(_, only)] if let Ok(form) = Form::of(only) => form.unpack(&bounded(only)?, Bounds::STUDENT)?,
            _ => {
                let (mut tree, mut left) = (Tree::default(), Bounds::STUDENT.bytes);
                for (name, path) in files {
                    let bytes = bounded(&path)?;
                    left = left.checked_sub(bytes.len() as u64).context("the files are too large")?;
                    tree.put(name, bytes);
                }
                tree
            }
        }
    };
    tree.retain(is_work);
    unpack_inner(&mut tree)?;
    tree.check(Bounds::STUDENT)?;
    ensure!(!tree.is_empty(), "it holds no files");
    Ok(tree)
}

/// Unpacks the archive in a work that holds no sources: Moodle puts what a student has uploaded into a folder, an archive or
/// several files. Of several archives the one with sources is meant.
fn unpack_inner(tree: &mut Tree) -> Result<()> {
    /// Most archives that are looked into.
    const MOST: usize = 4;
    let is_code = |path: &str| is_source(path) && !path.ends_with(".sh");
    let has_code = |tree: &Tree| tree.iter().any(|(path, _)| is_code(path));
    if has_code(tree) {
        return Ok(());
    }
    let archives: Vec<String> = tree
        .iter()
        .map(|(path, _)| path.to_owned())
        .filter(|path| Form::of(Path::new(path)).is_ok())
        .collect();
    let inner = |path: &String| -> Result<Tree> {
        let bytes = &tree.get(path).context("an archive")?.bytes;
        let mut inner =
            Form::of(Path::new(path))?.unpack(bytes, Bounds::STUDENT).with_context(|| path.clone())?;
        inner.retain(is_work);
        Ok(inner)
    };
    let found = match &archives[..] {
        [only] => Some((only, inner(only)?)),
        all => {
            let read = all.iter().take(MOST).filter_map(|path| Some((path, inner(path).ok()?)));
            let mut with_code: Vec<_> = read.filter(|(_, inner)| has_code(inner)).collect();
            let names: Vec<&str> = with_code.iter().map(|(path, _)| path.as_str()).collect();
            ensure!(names.len() < 2, "several archives with sources: {}; hand in one", names.join(" "));
            with_code.pop()
        }
    };
    if let Some((path, inner)) = found {
        tree.take(path);
        tree.put_tree(folder_of(path), inner);
    }
    Ok(())
}

/// Returns the files of a work that is a file, each with the name that its student gave: those of Moodle's export that
/// begin with the same name and number.
fn handed_in(work: &Path) -> Result<Vec<(String, PathBuf)>> {
    let name = work.file_name().context("no file")?.to_string_lossy();
    let Some((prefix, _)) = name.split_once(FILE) else {
        return Ok(vec![(name.into_owned(), work.to_owned())]);
    };
    let prefix = format!("{prefix}{FILE}");
    let folder = work.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        // Most files are another student's.
        if let Some(name) = name.to_string_lossy().strip_prefix(&prefix)
            && let path = entry.path()
            && path.is_file()
        {
            files.push((name.to_owned(), path));
        }
    }
    files.sort();
    Ok(files)
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
    // macOS puts what it knows of a file beside it.
    !path.split('/').any(|part| LEFT.contains(&part) || part.starts_with("._"))
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
    fn a_work_and_the_archive_in_it_are_bounded_together() {
        let folder = tempfile::tempdir().unwrap();
        let (mut tree, most) = (Tree::default(), Bounds::STUDENT.files - 100);
        (0..most).for_each(|nth| tree.put(format!("{nth}"), ""));
        fs::write(folder.path().join("tp1.zip"), Form::Zip.pack(&tree).unwrap()).unwrap();
        assert_eq!(unpacked(folder.path()).unwrap().len(), most);
        (0..101).for_each(|nth| fs::write(folder.path().join(format!("{nth}.txt")), "").unwrap());
        assert_eq!(unpacked(folder.path()).unwrap_err().to_string(), "too many files");
    }

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
        fs::write(folder.path().join("rapport.zip"), Form::Zip.pack(&Tree::default()).unwrap()).unwrap();
        fs::write(folder.path().join("installe.sh"), "").unwrap();
        fs::write(folder.path().join("._bot.py"), "").unwrap();
        let several = ["installe.sh", "rapport.pdf", "rapport.zip", "tp1/bot.py"];
        assert_eq!(paths(&unpacked(folder.path()).unwrap()), several);
        for name in ["rapport.zip", "installe.sh"] {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
        // Beside sources an archive is a file like others.
        fs::write(folder.path().join("main.py"), "").unwrap();
        assert_eq!(paths(&unpacked(folder.path()).unwrap()), ["main.py", "rapport.pdf", "tp1.tar.gz"]);
        let link = folder.path().join("loop.zip");
        std::os::unix::fs::symlink(&link, &link).unwrap();
        assert!(of_reading(&link, unpacked(&link).unwrap_err()).is_ok(), "a card says so");
        let single = folder.path().join("Ana_1_assignsubmission_file_bot.py");
        fs::write(&single, "print(1)").unwrap();
        assert_eq!(paths(&unpacked(&single).unwrap()), ["bot.py"]);
        fs::write(folder.path().join("Ana_1_assignsubmission_file_grille.py"), "").unwrap();
        fs::write(folder.path().join("Ana_12_assignsubmission_file_other.py"), "").unwrap();
        assert_eq!(paths(&unpacked(&single).unwrap()), ["bot.py", "grille.py"]);
    }
}
