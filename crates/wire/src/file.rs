//! Writes files whole or not at all, appends whole records, and detects when one command names a file twice.
//!
//! - [`write()`], [`Replacement`]: replace a file once the new one is complete and on the disk.
//! - [`Appended`]: a file that grows; a failed append leaves it unchanged, and another program's change is noticed.
//! - [`open`]: opens a file for reading, and never waits for a pipe or a device.
//! - [`Scratch`]: a temporary folder, removed even by a signal; [`remove_folder`]: removes one that a program has filled.
//! - [`Files`]: the inputs and outputs of one command, compared before any of them is opened for writing.
//!
//! `clippy.toml` forbids every other way to open a file for writing or to remove a whole folder.

#![allow(clippy::disallowed_methods, reason = "this module is the one place that opens files for writing")]

mod appended;
pub(crate) mod call;
pub(crate) mod calls;
mod files;
mod place;
mod read;
#[cfg(all(target_os = "linux", feature = "attributes"))]
mod removal;
mod scratch;

#[cfg(any(test, feature = "faults"))]
pub mod faults;

pub use appended::{Appended, Changed};
pub use files::{Clash, Files};
pub use read::{Input, open};
#[cfg(all(target_os = "linux", feature = "attributes"))]
pub use removal::remove_folder;
pub use scratch::{Scratch, remove_scratch};
#[cfg(not(all(target_os = "linux", feature = "attributes")))]
pub use std::fs::remove_dir_all as remove_folder;

use call::Call;
use calls::call;
use place::Place;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, SystemTime};

/// A new file that replaces an old one on [`finish`](Self::finish). A reader of the path sees all of the old file or
/// all of the new one, even after a power cut.
///
/// A symbolic link is followed: its target is replaced, or created if it does not exist. The old file's mode and owner
/// are kept, and on Linux with the feature `attributes` its extended attributes. A device, a pipe or a descriptor of
/// this process is written in place. Nothing can be renamed over a file that is a mount point, as in a container: the
/// new content is copied into it in the end, and a failure of the copy may leave a part.
///
/// The old file stays locked until then: a program that waits for the lock opens the new one.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    into: PathBuf,
    /// The locked old file; `None` if there was none.
    old: Option<Appended>,
    /// The path of the temporary file; `None` if the target is written in place.
    temporary: Option<PathBuf>,
}

impl Replacement {
    /// Creates an empty temporary file next to `path`, with the mode and the owner of the file to be replaced. The one for
    /// a mount point is in the system's temporary folder.
    ///
    /// # Errors
    /// The folder refuses the file, `path` is a folder, the old file is write-protected or locked by another program, or
    /// its owner cannot be kept.
    pub fn create(path: &Path) -> io::Result<Self> {
        match Place::of(path)? {
            Place::File(into) => Self::of_file(into),
            Place::Special => {
                let file = calls::open_special(path)?;
                Ok(Self { file, into: path.to_owned(), old: None, temporary: None })
            }
        }
    }

    fn of_file(into: PathBuf) -> io::Result<Self> {
        let old = Appended::to_replace(&into)?;
        Self::over(old, into)
    }

    fn over(old: Option<Appended>, into: PathBuf) -> io::Result<Self> {
        let before = old.as_ref().map(|old| old.file().metadata()).transpose()?;
        let is_mounted = calls::is_mount_point(&into);
        let named =
            if is_mounted { into.file_name().map(|name| std::env::temp_dir().join(name)) } else { None };
        let (temporary, file) = create_temporary(named.as_ref().unwrap_or(&into), before.is_some())?;
        let replacement = Self { file, into, old, temporary: Some(temporary) };
        if let Some(before) = before.filter(|_| !is_mounted) {
            calls::own(&replacement.file, &before)?;
            calls::attributes(&replacement.file, &replacement.into)?;
            call(Call::Mode, || replacement.file.set_permissions(before.permissions()))?;
        }
        Ok(replacement)
    }

    /// Syncs the new file to the disk, then renames it over the old one, or copies it into a mount point.
    ///
    /// # Errors
    /// Those of the system, or another program writes to a file that it created meanwhile; the old file stays unless the
    /// copy failed.
    pub fn finish(mut self) -> io::Result<()> {
        if self.temporary.is_some() && self.old.is_none() {
            self.old = Appended::to_replace(&self.into)?;
        }
        let Some(temporary) = self.temporary.take() else { return self.file.flush() };
        let moved =
            calls::sync(&self.file).and_then(|()| call(Call::Rename, || fs::rename(&temporary, &self.into)));
        let is_left = moved.is_err();
        let moved = match moved.as_ref().map_err(io::Error::kind) {
            Err(io::ErrorKind::ResourceBusy | io::ErrorKind::CrossesDevices) => self.copy(),
            _ => moved,
        };
        forget(&temporary, is_left);
        moved?;
        self.old.iter_mut().for_each(Appended::keep);
        calls::sync_folder(&self.into);
        Ok(())
    }

    /// Copies the new file into a mount point.
    fn copy(&mut self) -> io::Result<()> {
        let mut into = calls::open(&self.into, OpenOptions::new().write(true).truncate(true))?;
        self.file.rewind()?;
        io::copy(&mut self.file, &mut into)?;
        calls::sync(&into)
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        calls::write(&mut self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            forget(&temporary, true);
        }
    }
}

/// A temporary file that is not finished, or a temporary folder.
#[derive(Debug)]
struct Unfinished {
    path: PathBuf,
    /// True if another process removes it after this one.
    is_guarded: bool,
}

static UNFINISHED: Mutex<Vec<Unfinished>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn forget(path: &Path, removes: bool) {
    if removes {
        let _ = fs::remove_file(path);
    }
    unfinished().retain(|other| other.path != path);
}

/// True once the program is about to exit.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Removes all temporary files and folders, and provisional files that are empty, for a program that is about to exit. What
/// [another process](Scratch::guarded) removes too is left to it after 0.1 s. A thread that writes a file or creates a
/// temporary folder afterwards waits for the exit.
pub fn remove_unfinished() {
    const PATIENCE: Duration = Duration::from_millis(100);
    ENDING.store(true, Ordering::SeqCst);
    let mut unfinished = unfinished();
    let (guarded, own): (Vec<_>, Vec<_>) = unfinished.drain(..).partition(|one| one.is_guarded);
    own.iter().for_each(|one| remove_scratch(&one.path));
    appended::remove_provisional();
    let (done, are_removed) = mpsc::channel();
    let remove = move || {
        guarded.iter().for_each(|one| remove_scratch(&one.path));
        let _ = done.send(());
    };
    // Without a thread the channel is closed at once.
    let _ = std::thread::Builder::new().name("removal".into()).spawn(remove);
    let _ = are_removed.recv_timeout(PATIENCE);
    // Locked until the exit: no thread registers another one.
    std::mem::forget(unfinished);
}

/// Waits for the exit once the program is about to exit.
pub(crate) fn wait_if_ending() {
    while ENDING.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// Calls `before` and removes all temporary files and folders when SIGINT, SIGTERM or SIGHUP ends the program. A signal
/// that the program was started to ignore, as by `nohup`, stays ignored. For programs without a handler of their own.
///
/// # Errors
/// The system has no thread or no signal left.
#[cfg(feature = "signals")]
pub fn remove_unfinished_on_signals(before: impl Fn() + Send + 'static) -> io::Result<()> {
    #[cfg(unix)]
    {
        let mut signals = signal_hook::iterator::Signals::new(crate::signals::that_end())?;
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            for signal in signals.forever() {
                ENDING.store(true, Ordering::SeqCst);
                before();
                remove_unfinished();
                crate::writer::finish_notes();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        })?;
    }
    #[cfg(not(unix))]
    drop(before);
    Ok(())
}

/// Creates a file with a new name in the folder of `path`; only its owner may read it if `is_private`. Whoever has its
/// lock may rename or remove it: one without a lock was left by a killed program, and is removed.
fn create_temporary(path: &Path, is_private: bool) -> io::Result<(PathBuf, File)> {
    const MOST_NAMES: u32 = 1000;
    /// More programs seldom write a file at the same time.
    const OFTEN: u32 = 8;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if is_private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = is_private;
    // A short name: `path` itself may be as long as the system allows.
    let sum = crate::checksum(path.file_name().unwrap_or_default().as_encoded_bytes());
    let named = |nth: u32| path.with_file_name(format!(".{sum:016x}-{nth}.tmp"));
    for other in (0..OFTEN).map(named).filter(|other| fs::symlink_metadata(other).is_ok()) {
        remove_if_left(&other);
    }
    for temporary in (0..MOST_NAMES).map(named) {
        // Locked before, so that no signal comes between.
        let mut unfinished = unfinished();
        let exists = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
        match calls::open_at_once(&temporary, &mut options) {
            Ok(file) if is_taken(&file, &temporary) => {}
            Ok(file) => {
                unfinished.push(Unfinished { path: temporary.clone(), is_guarded: false });
                return Ok((temporary, file));
            }
            Err(error) if exists(&error) => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Locks a new temporary file. Returns true if another program did so before, which believed that nobody writes it.
fn is_taken(file: &File, path: &Path) -> bool {
    // A system without locks removes no file that was left.
    matches!(file.try_lock(), Err(TryLockError::WouldBlock)) || !is_at(file, path)
}

/// Removes a temporary file that no living program has locked.
fn remove_if_left(path: &Path) {
    let Ok(file) = calls::open(path, OpenOptions::new().read(true)) else { return };
    if file.try_lock().is_ok() && is_at(&file, path) {
        let _ = fs::remove_file(path);
    }
}

/// True if an open file still has this path.
fn is_at(file: &File, path: &Path) -> bool {
    let there =
        |data: io::Result<fs::Metadata>| place::there(path, &data.ok().filter(fs::Metadata::is_file)?);
    let found = there(fs::symlink_metadata(path));
    found.is_some() && found == there(file.metadata())
}

/// Removes the temporary files that programs, killed while they wrote, left in a folder. No other program may write there.
pub fn remove_left(folder: &Path) {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_temporary = |name: &str| {
        let numbers = name.strip_prefix('.').and_then(|name| name.strip_suffix(".tmp")?.split_once('-'));
        numbers.is_some_and(|(sum, nth)| is_number(sum) && is_number(nth))
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_temporary) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Checks that `path` can be written, without changing anything.
///
/// # Errors
/// The reason why it cannot.
pub fn check(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        // A pipe can only be opened once it has a reader.
        Place::Special if is_pipe(path) => Ok(()),
        Place::Special => calls::open_special(path).map(drop),
        Place::File(_) => Replacement::create(path).map(drop),
    }
}

#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    fs::metadata(path).is_ok_and(|data| data.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_pipe(_: &Path) -> bool {
    false
}

/// Writes `bytes` to `path`. If that fails, the old file stays.
///
/// # Errors
/// Those of the system.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = Replacement::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// Writes `bytes` to `path` like [`write()`], but refuses a pipe or a device, which could make the caller wait.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] for what is not a plain file; those of the system.
pub fn write_plain(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let Place::File(into) = Place::of(path)? else { return Err(read::no_plain_file()) };
    let mut file = Replacement::of_file(into)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// Sets the time of a plain file's last change.
///
/// # Errors
/// Those of the system.
pub fn set_changed(path: &Path, time: SystemTime) -> io::Result<()> {
    File::open(path)?.set_modified(time)
}

/// Creates a file with `bytes`. Nothing is left if that fails.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if `path` exists; those of the system.
pub fn write_new(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = calls::open(path, OpenOptions::new().write(true).create_new(true))?;
    let written = file.write_all(bytes.as_ref());
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}

#[cfg(test)]
mod tests;
