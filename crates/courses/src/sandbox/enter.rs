//! The steps between the start of a process and its program.

use super::calls::Programs;
use super::copy::Copy;
use super::spaces::{SHARED, Spaces};
use super::{group, pass, raw};
use rustix::process::{Gid, Resource, Rlimit, Uid, getpid, set_child_subreaper, setrlimit};
use rustix::thread::{self as own, CapabilitiesSecureBits, CapabilitySet, CapabilitySets};
use std::ffi::CString;
use std::io::{self, IsTerminal as _};
use std::os::fd::OwnedFd;

/// Restrictions that a process takes on before its program starts.
pub(super) struct Entry {
    /// The file by which it joins its group.
    pub(super) door: Option<OwnedFd>,
    pub(super) limits: Vec<(Resource, Rlimit)>,
    /// The work to make in its scratch folder, where it then starts.
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
    pub(super) spaces: Option<Spaces>,
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
            if spaces.mount(&self.scratch)? {
                processes = c"/proc";
            }
        } else {
            // Its orphans become its children, so that the looks at its processes find them.
            set_child_subreaper(Some(getpid()))?;
        }
        if let Some(ruleset) = &self.ruleset {
            raw::allow(ruleset, processes, self.reading)?;
            raw::allow(ruleset, &self.scratch, self.writing)?;
            if self.spaces.is_some() {
                raw::allow(ruleset, SHARED, self.writing)?;
            }
            for stream in raw::streams() {
                if stream.is_terminal() {
                    raw::allow_opened(ruleset, stream, self.terminal)?;
                }
            }
        }
        match self.user {
            Some((user, group)) => {
                give_streams(user, group);
                become_user(user, group, self.ruleset.is_some())?;
            }
            None => own::set_capabilities(None, only(CapabilitySet::empty()))?,
        }
        if let Some(copy) = &self.copy {
            copy.make(&self.scratch)?;
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

/// Becomes another user. With `reads`, the process may still read files of this program's user where Landlock lets it:
/// a teacher's folders are often closed to others.
fn become_user(user: Uid, group: Gid, reads: bool) -> io::Result<()> {
    let kept = CapabilitySet::DAC_READ_SEARCH;
    let permitted = own::capabilities(None)?.permitted;
    let reads = reads && permitted.contains(kept);
    own::set_keep_capabilities(reads)?;
    if reads && permitted.contains(CapabilitySet::SETPCAP) {
        // Otherwise access(2), by which compilers find their linker, denies what open(2) allows.
        own::set_capabilities_secure_bits(CapabilitiesSecureBits::NO_SETUID_FIXUP)?;
    }
    own::set_thread_groups(&[])?;
    own::set_thread_res_gid(group, group, group)?;
    own::set_thread_res_uid(user, user, user)?;
    if reads {
        own::set_capabilities(None, only(kept))?;
        own::configure_capability_in_ambient_set(kept, true)?;
    }
    Ok(())
}

fn only(kept: CapabilitySet) -> CapabilitySets {
    CapabilitySets { effective: kept, permitted: kept, inheritable: kept }
}
