//! Confines programs by strangers with layers of the kernel, without root.
//!
//! - [`Sandbox`]: the layers of a run, found by trying them; [`Options`]: the choice between them.
//! - [`Layers`]: the layers that hold, in words for a card or a record; [`NoNamespaces`]: why that layer is missing.
//! - `policy`: the folders and variables that a program may use.
//! - `files`: Landlock rules; `calls`: filters of system calls.
//! - `spaces`: namespaces; `enter`: the steps between the start of a process and its program; `raw`: unsafe calls.
//! - `group`: the kernel's bound on the memory of a program's processes, where it can be had.
//! - `watch`: ends programs that take too much; `usage`: the memory and the files of their processes;
//!   `shares`: the memory that processes share.
//! - `notices`: tells which refused calls a program tried; `pass`: hands over descriptors.
//! - `refusal`: finds the refused path in a program's error messages.
//!
//! See landlock(7), seccomp(2), namespaces(7) and capabilities(7).

mod calls;
mod closed;
mod copy;
mod enter;
mod files;
mod group;
mod layers;
mod network;
mod notices;
mod pass;
mod policy;
mod raw;
mod refusal;
mod shares;
mod spaces;
mod usage;
mod watch;

pub(crate) use calls::FILTERS;
pub use layers::{Layers, NoNamespaces};
pub use network::Network;
pub(crate) use policy::{drop_java_note, without_java_note};
pub(crate) use raw::error_of_step;
pub(crate) use refusal::{refused, unreadable};

use crate::fault::{Fault, Trouble};
use crate::peer::{Command, Limit};
use closed::Closed;
use copy::Copy;
use enter::{Changed, Entry};
use group::{Group, Groups};
use notices::Told;
use rustix::process::{Gid, Pid, Resource, Rlimit, Uid};
use spaces::{Begun, Ends, Spaces};
use std::ffi::CString;
use std::io;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use watch::{Bounds, Watched};
use wire::file::Scratch;

/// The amount of protection that a run asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Mode {
    /// As many layers as the system offers, for programs that are not the project's own.
    Auto,
    /// All layers, for every program.
    Strict,
    /// No layer.
    Off,
}

/// The choice of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The amount of protection.
    pub mode: Mode,
    /// Files and folders that programs may read besides their own.
    pub allow: Vec<PathBuf>,
    /// The newest Landlock ABI to use, to see what an older kernel offers.
    pub landlock: i32,
    /// True to use namespaces where the system has them.
    pub namespaces: bool,
    /// True to use control groups where the system has them.
    pub groups: bool,
    /// Private memory of all processes of a program together, in bytes.
    pub memory: u64,
    /// The size of a program's scratch folder in bytes.
    pub disk: u64,
}

impl Options {
    /// Returns the options of a mode, with nothing allowed beyond it.
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        Self {
            mode,
            allow: Vec::new(),
            landlock: i32::MAX,
            namespaces: true,
            groups: true,
            memory: MEMORY,
            disk: DISK,
        }
    }
}

/// A sandbox could not be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SandboxError {
    /// Strict mode, and a layer does not hold.
    #[error("--sandbox strict: this system lacks {0}")]
    Missing(String),
    /// A path of `--allow` without a sandbox.
    #[error("--allow needs --sandbox auto or strict, and the sandbox is off")]
    Unused,
    /// A path of `--allow` cannot be opened.
    #[error("--allow {0}: {1}")]
    Allow(String, String),
}

/// The number of processes and threads of a program.
const PROCESSES: u64 = 512;
/// The number of open files of a process.
const FILES: u64 = 1024;
/// The processor time of a process in seconds: a day, longer than any game.
const PROCESSOR_SECONDS: u64 = 86_400;
/// The private memory of a program in bytes.
const MEMORY: u64 = 4 << 30;
/// The size of a scratch folder in bytes.
const DISK: u64 = 256 << 20;
/// The first of the user numbers that nobody else uses, and how many there are.
const SPARE_USERS: (u32, u32) = (52_000, 8_000);

/// The layers of a run.
#[derive(Debug, Clone)]
pub struct Sandbox(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    options: Options,
    layers: Layers,
    system: files::System,
    filters: calls::Filters,
    groups: Option<Groups>,
    closed: Closed,
    /// The option that bounds the heap of a Java machine, if it needs a bound.
    java_heap: String,
}

/// Sandboxes are equal if they are the same one.
impl PartialEq for Sandbox {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Sandbox {}

/// The folder and the user of one process, kept until it has ended.
#[derive(Debug)]
pub(crate) struct Kept {
    watched: Option<Watched>,
    ends: Option<Ends>,
    /// The referee's socket in a client's network.
    pub(crate) door: Option<TcpListener>,
    /// A socket in a server's network, not connected yet.
    pub(crate) line: Option<OwnedFd>,
    /// Taken when the process has begun.
    group: Option<Group>,
    bounds: Bounds,
    network: Network,
    /// This program's end of the way by which the process sends its reported calls.
    reports: Option<OwnedFd>,
    told: Option<Told>,
    /// The folders that it may write to, until it has begun.
    writable: Vec<PathBuf>,
    /// Removed with this.
    _scratch: Scratch,
}

impl Kept {
    /// Returns the process that became the program, and the namespace's first one if there is one. `started` leads their
    /// group.
    ///
    /// # Errors
    /// If the namespaces' processes could not be started.
    pub(crate) fn begin(&mut self, started: Pid) -> io::Result<(Pid, Option<Pid>)> {
        let (first, program) = match self.ends.as_ref().map(Ends::begun).transpose()? {
            Some(Begun { first, program, socket }) => {
                match self.network {
                    Network::Server(_) => self.line = socket,
                    Network::Client(_) | Network::None => self.door = socket.map(TcpListener::from),
                }
                (Some(first), program)
            }
            None => (None, started),
        };
        self.watched = Some(Watched::new(started, program, first, self.group.take(), self.bounds.clone()));
        let writable = std::mem::take(&mut self.writable);
        self.told = self.reports.take().and_then(|end| Told::receive(&end, self.network, writable));
        Ok((program, first))
    }

    /// Returns the process that failed to become the program, and the namespace's first one, if they were started.
    pub(crate) fn abandoned(&mut self) -> Option<(Pid, Pid)> {
        let Begun { first, program, .. } = self.ends.as_ref()?.begun().ok()?;
        Some((program, first))
    }

    /// Returns the processor time of all the program's processes at the last look.
    pub(crate) fn ran(&self) -> Duration {
        self.watched.as_ref().map_or(Duration::ZERO, Watched::ran)
    }

    /// Returns the refused calls that the program tried.
    pub(crate) fn faults(&self) -> Vec<Fault> {
        self.told.as_ref().map(Told::faults).unwrap_or_default()
    }

    /// Returns the reason why the program was killed, if it took more than its bounds.
    pub(crate) fn verdict(&self) -> Option<&str> {
        self.watched.as_ref()?.verdict()
    }
}

impl Sandbox {
    /// Finds the layers that hold here. `None` for [`Mode::Off`].
    ///
    /// # Errors
    /// [`SandboxError`].
    pub fn new(options: &Options) -> Result<Option<Self>, SandboxError> {
        if options.mode == Mode::Off {
            return if options.allow.is_empty() { Ok(None) } else { Err(SandboxError::Unused) };
        }
        for path in &options.allow {
            let failed =
                |error: std::io::Error| SandboxError::Allow(path.display().to_string(), error.to_string());
            // A pipe by its name, such as /dev/stdin, exists and has no path.
            path.canonicalize().map_err(failed)?;
        }
        let layers = Layers::found(options.landlock, options.namespaces);
        if options.mode == Mode::Strict
            && let Some(missing) = layers.missing().first()
        {
            return Err(SandboxError::Missing(missing.clone()));
        }
        let system = files::System::open(layers.landlock);
        let filters = match layers.calls {
            true => calls::Filters::new(layers.reports, layers.landlock > 0),
            false => calls::Filters::none(),
        };
        let groups = options.groups.then(Groups::found).flatten();
        let java_heap = policy::java_heap(options.memory);
        let closed = Closed::default();
        let inner = Inner { options: options.clone(), filters, layers, system, groups, closed, java_heap };
        Ok(Some(Self(Arc::new(inner))))
    }

    /// Returns the layers that hold.
    #[must_use]
    pub fn layers(&self) -> &Layers {
        &self.0.layers
    }

    /// Returns true if the kernel bounds the memory of all processes of a program together.
    #[must_use]
    pub fn has_groups(&self) -> bool {
        self.0.groups.is_some()
    }

    /// Returns true if programs have another user, who cannot read folders that are closed to others.
    #[must_use]
    pub fn needs_open_folders(&self) -> bool {
        let has_reader =
            rustix::thread::capabilities(None).is_ok_and(|own| own.permitted.contains(enter::READER));
        self.0.layers.spare_user && !(has_reader && self.0.layers.landlock > 0)
    }

    /// Returns true if the project's own executables start inside too.
    #[must_use]
    pub fn holds_own(&self) -> bool {
        self.0.options.mode == Mode::Strict
    }

    /// Adds the sandbox to a process that is about to be started, with this scratch folder.
    ///
    /// # Errors
    /// The system's error, with the step that failed.
    pub(crate) fn attach(
        &self,
        command: &Command,
        scratch: Scratch,
        builder: &mut std::process::Command,
    ) -> Result<Kept, Trouble> {
        let inner = &*self.0;
        let failed = |what: &str, error: &dyn std::fmt::Display| {
            Trouble::referee(format_args!("the sandbox: {what}: {error}"))
        };
        let user = inner.layers.spare_user.then(spare_user);
        if let Some(user) = user {
            std::os::unix::fs::chown(scratch.path(), Some(user), Some(user))
                .map_err(|error| failed("the owner of its scratch folder", &error))?;
        }
        let mut readable = policy::folders_of(command);
        readable.extend_from_slice(&inner.options.allow);
        let ruleset = files::ruleset(&inner.system, &readable, command.network)
            .map_err(|error| failed("Landlock", &error))?;
        builder.env_clear();
        let has_rules = inner.layers.landlock > 0;
        builder.envs(policy::environment(scratch.path(), has_rules.then_some(&*readable)));
        // The heap of a Java machine has the limit that other programs have for all their memory.
        let limit = command.limit();
        let Options { memory, disk, .. } = inner.options;
        let (heap, memory) = match limit {
            Some(Limit::Heap(bytes)) => {
                (format!(" -Xmx{}m", bytes >> 20), memory.min(bytes.saturating_mul(2)))
            }
            Some(Limit::Space(_)) | None => (inner.java_heap.clone(), memory),
        };
        builder.envs([policy::java(&heap, scratch.path())]);
        let reads_closed =
            has_rules && user.is_some() && inner.closed.are_needed(command, &readable, scratch.path());
        let has_spaces = inner.layers.namespaces.is_ok();
        let folder = command.folder.as_ref().filter(|_| command.changes);
        let root = spaces::root(scratch.path(), &policy::base_of(command), &readable);
        let mut writable = vec![scratch.path().to_owned()];
        writable.extend(folder.cloned());
        // The work that it plays with: in namespaces its copy has the same path.
        let played = command.work.as_ref().filter(|_| has_spaces);
        let kept = played.map(|_| scratch.path().join(".work"));
        let changed = folder.or(played).map(|folder| Changed::new(folder, scratch.path(), kept.as_deref()));
        let changed = changed.transpose().map_err(|error| failed("the folder of its work", &error))?;
        if let Some((folder, user)) = folder.zip(user).filter(|_| !has_spaces) {
            files::give(folder, user).map_err(|error| failed("the owner of the working folder", &error))?;
        }
        let spaces = has_spaces.then(|| Spaces::new(command.network, user, root, inner.options.disk));
        let (spaces, ends) = spaces.transpose().map_err(|error| failed("namespaces", &error))?.unzip();
        let path = CString::new(scratch.path().as_os_str().as_bytes());
        let reports = inner.layers.reports.then(pass::pair).transpose();
        let (heard, reports) = reports.map_err(|error| failed("reports", &error))?.unzip();
        let group = inner.groups.as_ref().map(|groups| groups.group(memory.saturating_add(disk))).transpose();
        let group = group.map_err(|error| failed("its control group", &error))?;
        let door = group.as_ref().map(Group::door).transpose();
        let entry = Entry {
            door: door.map_err(|error| failed("its control group", &error))?,
            limits: limits(inner.layers.processes(), group.is_none().then_some(memory), disk),
            changed,
            copy: command.work.as_ref().map(|work| {
                let (folder, seen) = (command.folder.as_ref().unwrap_or(work), kept.as_ref().unwrap_or(work));
                Copy::of(work, folder, seen, self.needs_open_folders())
            }),
            space: match limit {
                Some(Limit::Space(bytes)) => Some(lowered(Resource::As, bytes)),
                Some(Limit::Heap(_)) | None => None,
            },
            ruleset,
            reading: files::of_processes(),
            writing: files::writing(inner.layers.landlock),
            terminal: files::of_terminal(inner.layers.landlock),
            scratch: path.map_err(|error| failed("its scratch folder", &error))?,
            spaces,
            filters: inner.filters.of(command.network),
            reports,
            user: user.map(|user| (Uid::from_raw(user), Gid::from_raw(user))),
            reads_closed,
        };
        entry.attach(builder);
        let folders = if has_spaces { Vec::new() } else { writable.clone() };
        writable.extend(scratch.path().canonicalize().ok());
        writable.extend(has_spaces.then(|| root.to_owned()));
        writable.extend(played.cloned());
        let bounds = Bounds { memory, folders, disk };
        let network = command.network;
        Ok(Kept {
            watched: None,
            ends,
            door: None,
            line: None,
            group,
            bounds,
            network,
            reports: heard,
            told: None,
            writable,
            _scratch: scratch,
        })
    }
}

/// Returns the limits of a process. `processes` counts those that run already under the same user. `data` bounds the memory
/// that it may ask for, used or not, where no control group bounds what is used; `disk` a file.
fn limits(processes: Option<u64>, data: Option<u64>, disk: u64) -> Vec<(Resource, Rlimit)> {
    let mut limits = vec![
        (Resource::Core, 0),
        (Resource::Fsize, disk),
        (Resource::Nofile, FILES),
        (Resource::Cpu, PROCESSOR_SECONDS),
        (Resource::Msgqueue, 0),
    ];
    limits.extend(data.map(|data| (Resource::Data, data)));
    limits.extend(processes.map(|others| (Resource::Nproc, others + PROCESSES)));
    limits.into_iter().map(|(resource, most)| (resource, lowered(resource, most))).collect()
}

/// Returns a limit of a process. One that is lower already stays: only root may raise it.
pub(crate) fn lowered(resource: Resource, most: u64) -> Rlimit {
    let now = rustix::process::getrlimit(resource).maximum;
    let most = now.map_or(most, |now| now.min(most));
    Rlimit { current: Some(most), maximum: Some(most) }
}

/// Returns a user number that no account has, another one for each process, so that programs cannot signal each other.
fn spare_user() -> u32 {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let taken = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let is_taken = |user: u32| {
        taken.lines().any(|line| line.split(':').nth(2).and_then(|of| of.parse().ok()) == Some(user))
    };
    let (first, count) = SPARE_USERS;
    let begin = std::process::id().wrapping_mul(37);
    let next = || first + begin.wrapping_add(COUNT.fetch_add(1, Ordering::Relaxed)) % count;
    let mut user = next();
    for _ in 0..count {
        if !is_taken(user) {
            break;
        }
        user = next();
    }
    user
}

/// Returns the start of the names of the scratch folders of the run with this mark.
fn scratch_prefix(mark: &str) -> String {
    format!("referee-scratch-{mark}-")
}

/// Creates a scratch folder in the run with this mark.
pub(crate) fn scratch(mark: &str) -> io::Result<Scratch> {
    let folder = || tempfile::Builder::new().prefix(&scratch_prefix(mark)).tempdir();
    Scratch::new(|| folder().map(tempfile::TempDir::keep))
}

/// Returns the scratch folders of the run with this mark.
pub(crate) fn scratch_folders(mark: &str) -> Vec<PathBuf> {
    let prefix = scratch_prefix(mark);
    let is_of_run =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let entries = std::fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_of_run).collect()
}

/// Returns the installations of these programs of `PATH` that are outside the system's folders.
#[must_use]
pub fn installations_of(programs: &[&str]) -> Vec<PathBuf> {
    programs.iter().flat_map(|program| policy::toolchain(program)).collect()
}

/// Returns a path in the form that `--allow` takes.
pub(crate) fn option_for(path: &Path) -> String {
    format!("--allow {}", shell_words::quote(&path.to_string_lossy()))
}
