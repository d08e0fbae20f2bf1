//! Runs a build: a shell script in the work's folder, within the sandbox and a time limit.

use super::Builder;
use anyhow::Result;
use courses::archive::{Bounds, Form, Tree};
use courses::fault::{Trouble, excerpt};
use courses::peer::{Command, Ended, Peer};
use courses::sandbox::Sandbox;
use rustix::io::Errno;
use std::fmt::Display;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The time limit of a build.
pub(super) const LIMIT: Duration = Duration::from_secs(180);
/// The number of lines of a build's output on a card.
const LINES: usize = 20;

/// Limits of the files after a build.
const BUILT: Bounds = Bounds { bytes: 60 << 20, ..Bounds::STUDENT };

/// Copies the work with its times to the folder that the sandbox has mounted over its own, if there is one: builds keep
/// absolute paths. Where its user may not open that folder, it is another. All output but the archive goes to standard error.
const BEFORE: &str = "set -e
if [ \"$REFEREE_RUST\" ]; then
    PATH=$REFEREE_RUST:$PATH
    export PATH
fi
work=$(pwd -P)
if ! (cd \"$work\") 2>/dev/null; then
    work=$(mktemp -d) || exit 97
fi
if ! [ . -ef \"$work\" ]; then
    tar -cf - . | (cd \"$work\" && tar -xof -) || exit 97
fi
trap '[ $? != 97 ] || exit 1' EXIT
cd \"$work/$REFEREE_BELOW\"
{";
/// The end of a build whose copy failed. After the copy a trap gives this end another code.
const NO_COPY: &str = "exit code 97";
/// `make` in a build. The files are read even if it failed: the program may be there, and a later target be none that the
/// course asks for.
pub(super) const MAKE: &str = "make || ended=$?";
/// The same for a `make` that makes everything anew.
pub(super) const MAKE_ANEW: &str = "make -B || ended=$?";
/// Writes the archive of all files but those that cargo needs for another build alone.
const AFTER: &str = "} </dev/null >&2
cd \"$work\"
find . -name .rustc_info.json -exec sh -c 'cd \"${1%/*}\" && for kind in deps build incremental .fingerprint; do
    rm -rf ./*/\"$kind\" ./*/*/\"$kind\"
done' sh {} ';'
tar -cf - .
exit ${ended-0}";

/// The files after a build, with the reason why it failed if it did, or that reason alone.
type Made = Result<(Tree, Option<String>), String>;

impl Builder<'_> {
    /// Checks that programs in the sandbox may enter the folder of all builds. Some file systems are their owner's alone, as of
    /// FUSE.
    ///
    /// # Errors
    /// They may not, or [`Trouble::Interrupted`].
    pub fn check_place(&self) -> Result<(), Trouble> {
        if self.sandbox.is_none() {
            return Ok(());
        }
        let command = Command {
            words: ["ls", "-d", "."].map(str::to_owned).to_vec(),
            folder: Some(self.place.clone()),
            sandbox: self.sandbox.clone(),
            ..Command::default()
        };
        let mut peer = Peer::spawn(self.supervisor, &command)?;
        peer.whole_output(Instant::now() + LIMIT)?;
        let Ended { status, errors, .. } = peer.close(b"");
        if status.as_deref() == Some("exit code 0") {
            return Ok(());
        }
        let why = excerpt(errors.lines().next().unwrap_or_default());
        Err(Trouble::Referee(format!("{}: closed to programs in the sandbox: {why}", self.place.display())))
    }

    /// Runs a build. Returns what it has made and the last lines of its output.
    pub(super) fn run(&self, folder: &Path, script: &str, below: &str) -> Result<(Made, Vec<String>)> {
        let mut command = Command {
            // The script is no argument, for the sandbox opens the folder of each file that a command names.
            words: ["sh", "-c", "eval \"$REFEREE_BUILD\""].map(str::to_owned).to_vec(),
            folder: Some(folder.to_owned()),
            changes: true,
            environment: vec![
                ("REFEREE_BUILD".to_owned(), format!("{BEFORE}\n{script}\n{AFTER}")),
                ("REFEREE_BELOW".to_owned(), format!("./{below}")),
            ],
            sandbox: self.sandbox.clone(),
            ..Command::default()
        };
        if let Some(rust) = &self.rust {
            // Before the folders of PATH, of which the sandbox leaves those that it opens.
            command.environment.push(("REFEREE_RUST".to_owned(), rust.to_string_lossy().into_owned()));
        }
        // In the sandbox it has one.
        let scratch = if self.sandbox.is_none() { Some(self.supervisor.scratch()?) } else { None };
        let temporary = scratch.iter().map(|scratch| scratch.path().to_string_lossy().into_owned());
        command.environment.extend(temporary.map(|path| ("TMPDIR".to_owned(), path)));
        let began = Instant::now();
        let mut peer = Peer::spawn(self.supervisor, &command)?;
        let output = peer.whole_output(began + LIMIT)?;
        let is_late = began.elapsed() >= LIMIT;
        let Ended { status, errors, remarks, .. } = peer.close(b"");
        drop(scratch);
        let lines: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        let log = last.iter().map(|line| excerpt(line)).chain(remarks).collect();
        let files =
            || Form::Tar.unpack_of(Some(folder), &output, BUILT).map_err(|error| format!("{error:#}"));
        let made = match status.as_deref() {
            _ if is_late => Err(format!("it did not end in {} s", LIMIT.as_secs())),
            Some(NO_COPY) => {
                let last = lines.last().copied().unwrap_or("its folder cannot be made");
                let why = format!("{}: the scratch folder of its build: {}", folder.display(), excerpt(last));
                return Err(Trouble::Referee(why).into());
            }
            // Then tar was stopped.
            _ if output.len() as u64 > BUILT.bytes + (4 << 20) => {
                Err("the files after it are too large".to_owned())
            }
            Some("exit code 0") => files().map(|files| (files, None)),
            Some(status) => {
                // In namespaces it has a disk of its own.
                let is_apart = |sandbox: &Sandbox| sandbox.layers().namespaces.is_ok();
                if !self.sandbox.as_ref().is_some_and(is_apart) {
                    has_space(&std::env::temp_dir())?;
                    has_space(folder)?;
                }
                let status = status.to_owned();
                match files().ok().filter(|files| !files.is_empty()) {
                    Some(files) => Ok((files, Some(status))),
                    None => Err(status),
                }
            }
            None => Err("it did not end".to_owned()),
        };
        Ok((made, log))
    }

    /// Returns the folders with programs.
    fn programs(&self) -> Vec<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        self.rust.iter().cloned().chain(std::env::split_paths(&path)).collect()
    }

    pub(super) fn finds(&self, tool: &str) -> bool {
        self.programs().iter().any(|folder| folder.join(tool).is_file())
    }
}

/// True for a folder whose file system starts no programs.
pub(super) fn is_without_programs(folder: &Path) -> bool {
    let flags = rustix::fs::statvfs(folder).map(|system| system.f_flag);
    flags.is_ok_and(|flags| flags.contains(rustix::fs::StatVfsMountFlags::NOEXEC))
}

/// True if files of a work have lost their right to be executed: some file systems, such as FAT, keep none.
pub(super) fn loses_rights(tree: &Tree, folder: &Path) -> bool {
    let is_kept = |path: &str| {
        fs::metadata(folder.join(path)).map_or(true, |data| data.permissions().mode() & 0o100 != 0)
    };
    tree.iter().any(|(path, file)| file.executable && !is_kept(path))
}

/// Returns an error if a folder has no space left, on its disk or within a quota: then builds fail that are right.
pub(super) fn has_space(folder: &Path) -> Result<(), Trouble> {
    use rustix::fs::{FallocateFlags, Mode, OFlags};
    /// In bytes, enough for most builds, and for a small one.
    const LEAST: u64 = 64 << 20;
    const TRIED: u64 = 8 << 20;
    let trouble = |why: &dyn Display| Trouble::Referee(format!("{}: {why}", folder.display()));
    let left = rustix::fs::statvfs(folder).map_err(|error| trouble(&error))?;
    // A quota shows in a trial alone. Some systems have no files without a name.
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    let trial = rustix::fs::open(folder, flags, Mode::RUSR | Mode::WUSR)
        .and_then(|file| rustix::fs::fallocate(file, FallocateFlags::empty(), 0, TRIED));
    // A small disk may be all but empty.
    if left.f_bavail.saturating_mul(left.f_frsize) < LEAST && left.f_bavail < left.f_blocks / 4
        || left.f_favail == 0 && left.f_files > 0
        || matches!(trial, Err(Errno::DQUOT | Errno::NOSPC))
    {
        return Err(trouble(&"no space left, so that a build failed"));
    }
    Ok(())
}
