//! A student's work in the scratch folder: its folders are made there, with links to its files, so that paths lead to the
//! same files and new ones can be written beside them.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// Most folders and files that are made. Folders beyond are links as a whole.
const MOST: usize = 500;

/// The steps that make the work's folders, by paths below the scratch folder.
#[derive(Debug)]
pub(super) struct Copy {
    folders: Vec<CString>,
    /// Links, each with its target and its path.
    links: Vec<(CString, CString)>,
    /// The folder where the program starts.
    start: CString,
}

impl Copy {
    /// Looks at the files of `work`, whose program starts in `folder`.
    pub(super) fn of(work: &Path, folder: &Path) -> Self {
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes()).ok();
        let below = folder.strip_prefix(work).unwrap_or(Path::new(""));
        let (mut folders, mut links) = (Vec::new(), Vec::new());
        // The nearest to the root first.
        let mut waiting = std::collections::VecDeque::from([PathBuf::new()]);
        while let Some(at) = waiting.pop_front() {
            let entries = work.join(&at).read_dir().into_iter().flatten().flatten();
            for entry in entries {
                let path = at.join(entry.file_name());
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let has_place = folders.len() + links.len() + waiting.len() < MOST;
                if is_folder && (has_place || below.starts_with(&path)) {
                    folders.extend(text(&path));
                    waiting.push_back(path);
                } else {
                    links.extend(text(&entry.path()).zip(text(&path)));
                }
            }
        }
        let start = folders.iter().find(|made| Some(*made) == text(below).as_ref());
        Self { start: start.map_or_else(|| c".".to_owned(), Clone::clone), folders, links }
    }

    /// Makes the folders and links in a scratch folder, and goes to the program's. Makes system calls alone.
    pub(super) fn make(&self, scratch: &CString) -> io::Result<()> {
        rustix::process::chdir(scratch)?;
        for folder in &self.folders {
            rustix::fs::mkdir(folder, rustix::fs::Mode::RWXU)?;
        }
        for (target, path) in &self.links {
            rustix::fs::symlink(target, path)?;
        }
        Ok(rustix::process::chdir(&self.start)?)
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_work_lead_to_its_files() {
        let place = tempfile::tempdir().unwrap();
        let (work, scratch) = (place.path().join("work"), place.path().join("scratch"));
        for path in ["tp/src/bot", "tp/data/w", "tp/data/deep/d"] {
            std::fs::create_dir_all(work.join(path).parent().unwrap()).unwrap();
            std::fs::write(work.join(path), path).unwrap();
        }
        let many = work.join("tp/many");
        (0..MOST).for_each(|nth| std::fs::create_dir_all(many.join(format!("{nth}/x"))).unwrap());
        std::fs::create_dir(&scratch).unwrap();
        let copy = Copy::of(&work, &work.join("tp/src"));
        assert!(copy.folders.len() <= MOST, "{}", copy.folders.len());
        assert_eq!(copy.start.to_str(), Ok("tp/src"));
        // In a process of its own, because it changes its folder.
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", "cat bot ../data/w ../data/deep/d; echo x >../data/new; ls ../many | wc -l"]);
        let path = CString::new(scratch.as_os_str().as_bytes()).unwrap();
        super::super::raw::before_start(&mut shell, move || copy.make(&path));
        let output = shell.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert_eq!(told.trim(), format!("tp/src/bottp/data/wtp/data/deep/d{MOST}"), "{output:?}");
        assert!(scratch.join("tp/data/new").exists() && !work.join("tp/data/new").exists());
        assert_eq!(Copy::of(&work, &work).start.to_str(), Ok("."));
    }
}
