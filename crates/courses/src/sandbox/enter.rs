//! The steps between the start of a process and its program.

use super::calls::Programs;
use super::copy::Copy;
use super::spaces::{SHARED, Spaces};
use super::{group, pass, raw};
use rustix::fs::Mode;
use rustix::mount::mount_bind;
use rustix::process::{Gid, Resource, Rlimit, Uid, getpid, set_child_subreaper, setrlimit};
use rustix::thread::{self as own, CapabilitiesSecureBits, CapabilitySet, CapabilitySets};
use std::ffi::{CStr, CString};
use std::io::{self, IsTerminal as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Restrictions that a process takes on before its program starts.
pub(super) struct Entry {
    /// The file by which it joins its group.
    pub(super) door: Option<OwnedFd>,
    pub(super) limits: Vec<(Resource, Rlimit)>,
    /// The folder of its work, if the program changes it.
    pub(super) changed: Option<Changed>,
    /// The work to make in the folder that it changes, or else in its scratch folder, where it then starts.
    pub(super) copy: Option<Copy>,
    /// The limit of its virtual memory. The copy of this program that it is until its program starts may have more.
    pub(super) space: Option<Rlimit>,
    /// The Landlock rules, without those for folders that exist only since the process was started.
    pub(super) ruleset: Option<OwnedFd>,
    /// The rights in its own folder in `/proc`.
    pub(super) reading: u64,
    /// The rights in its scratch folder.
    pub(super) writing: u64,
    /// The rights to its terminal, which a name such as `/dev/stdout` opens anew.
    pub(super) terminal: u64,
    pub(super) scratch: CString,
    pub(super) filters: Programs,
    /// The way by which the reported calls reach the referee.
    pub(super) reports: Option<OwnedFd>,
    /// The user to become. Only root has one.
    pub(super) user: Option<(Uid, Gid)>,
    /// True if that user keeps the right to read closed folders.
    pub(super) reads_closed: bool,
    pub(super) spaces: Option<Spaces>,
}

/// A folder that the program changes.
pub(super) struct Changed {
    pub(super) path: CString,
    /// The folder in the scratch folder that takes its place.
    place: CString,
    /// The name in the scratch folder by which it is still found, if it is.
    kept: Option<CString>,
}

impl Changed {
    pub(super) fn new(folder: &Path, scratch: &Path, kept: Option<&Path>) -> io::Result<Self> {
        let text = |path: &Path| CString::new(path.as_os_str().as_bytes());
        let kept = kept.map(text).transpose()?;
        Ok(Self { path: text(folder)?, place: text(&scratch.join("work"))?, kept })
    }

    /// Mounts the folder's place over it.
    fn mount(&self, user: Option<(Uid, Gid)>) -> io::Result<()> {
        if let Some(kept) = &self.kept {
            make_folder(kept, None)?;
            mount_bind(&self.path, kept)?;
        }
        make_folder(&self.place, user)?;
        Ok(mount_bind(&self.place, &self.path)?)
    }
}

fn make_folder(path: &CStr, user: Option<(Uid, Gid)>) -> io::Result<()> {
    rustix::fs::mkdir(path, Mode::RWXU)?;
    if let Some((user, group)) = user {
        rustix::fs::chown(path, Some(user), Some(group))?;
    }
    Ok(())
}

impl Entry {
    /// Has a process take all this on once it is started.
    pub(super) fn attach(self, builder: &mut std::process::Command) {
        raw::before_start(builder, move || self.enter());
    }

    /// Makes system calls alone: it takes neither memory nor locks.
    fn enter(&self) -> io::Result<()> {
        raw::close_descriptors_at_start()?;
        if let Some(door) = &self.door {
            group::join(door)?;
        }
        for (resource, limit) in &self.limits {
            setrlimit(*resource, *limit)?;
        }
        let mut processes = c"/proc/self";
        if let Some(spaces) = &self.spaces {
            spaces.enter()?;
            if spaces.mount()? {
                processes = c"/proc";
            }
            if spaces.root != self.scratch {
                make_folder(&self.scratch, self.user)?;
            }
            if let Some(changed) = &self.changed {
                changed.mount(self.user)?;
            }
        } else {
            // Its orphans become its children, so that the looks at its processes find them.
            set_child_subreaper(Some(getpid()))?;
        }
        if let Some(ruleset) = &self.ruleset {
            raw::allow(ruleset, processes, self.reading)?;
            raw::allow(ruleset, &self.scratch, self.writing)?;
            if let Some(spaces) = &self.spaces {
                raw::allow(ruleset, &spaces.root, self.writing)?;
                raw::allow(ruleset, SHARED, self.writing)?;
            }
            if let Some(Changed { path, .. }) = &self.changed {
                raw::allow(ruleset, path, self.writing)?;
            }
            for stream in raw::streams() {
                if stream.is_terminal() {
                    raw::allow_opened(ruleset, stream, self.terminal)?;
                }
            }
        }
        if let Some(copy) = &self.copy {
            let work = self.changed.as_ref().map_or(&self.scratch, |changed| &changed.path);
            // While it may read closed folders.
            copy.make(work, self.user)?;
        }
        match self.user {
            Some((user, group)) => {
                give_streams(user, group);
                become_user(user, group, self.reads_closed)?;
            }
            None => own::set_capabilities(None, only(CapabilitySet::empty()))?,
        }
        if let Some(space) = self.space {
            setrlimit(Resource::As, space)?;
        }
        own::set_no_new_privs(true)?;
        if let Some(ruleset) = &self.ruleset {
            raw::restrict(ruleset)?;
        }
        for filter in &*self.filters.refusing {
            // An error of seccomp's is the system's last one.
            seccompiler::apply_filter(filter).map_err(|_| io::Error::last_os_error())?;
        }
        if let (Some(filter), Some(reports)) = (&self.filters.reporting, &self.reports) {
            let listener = raw::filter_and_listen(filter)?;
            pass::send(reports, &[0], Some(&listener))?;
        }
        Ok(())
    }
}

/// Gives the process's pipes and terminal to its user: a name such as `/dev/stdout` opens them anew.
fn give_streams(user: Uid, group: Gid) {
    const PIPES: u64 = 0x5049_5045;
    const TERMINALS: u64 = 0x1cd1;
    for stream in raw::streams() {
        if rustix::fs::fstatfs(stream)
            .is_ok_and(|system| [PIPES, TERMINALS].contains(&(system.f_type as u64)))
        {
            // Where this fails, such a name alone cannot be opened.
            let _ = rustix::fs::fchown(stream, Some(user), Some(group));
        }
    }
}

/// The capability by which a process of another user reads this program's files where Landlock lets it: a teacher's
/// folders are often closed to others. Docker's root has none that does not let it write.
pub(super) const READER: CapabilitySet = CapabilitySet::DAC_READ_SEARCH;

/// Becomes another user. With `reads`, it keeps that capability.
fn become_user(user: Uid, group: Gid, reads: bool) -> io::Result<()> {
    let permitted = own::capabilities(None)?.permitted;
    let reads = reads && permitted.contains(READER);
    own::set_keep_capabilities(reads)?;
    if reads && permitted.contains(CapabilitySet::SETPCAP) {
        // Otherwise access(2), by which compilers find their linker, denies what open(2) allows.
        own::set_capabilities_secure_bits(CapabilitiesSecureBits::NO_SETUID_FIXUP)?;
    }
    own::set_thread_groups(&[])?;
    own::set_thread_res_gid(group, group, group)?;
    own::set_thread_res_uid(user, user, user)?;
    if reads {
        own::set_capabilities(None, only(READER))?;
        own::configure_capability_in_ambient_set(READER, true)?;
    }
    Ok(())
}

fn only(kept: CapabilitySet) -> CapabilitySets {
    CapabilitySets { effective: kept, permitted: kept, inheritable: kept }
}
