//! The layers of protection, found by trying them, and their names.

use super::{SPARE_USERS, notices, raw, spaces};
use rustix::thread::{CapabilitySet, capabilities};
use std::io;
use std::os::unix::fs::fchown;

/// The first Landlock ABI with rules for TCP.
pub(super) const TCP: i32 = 4;
/// The first Landlock ABI that keeps signals inside.
const SIGNALS: i32 = 6;
/// The newest Landlock ABI that is used.
const NEWEST: i32 = 7;

/// Programs run in this program's namespaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoNamespaces {
    /// The options ask for none.
    #[error("not asked for")]
    NotAskedFor,
    /// The system refuses them with this error number.
    #[error("{}", io::Error::from_raw_os_error(*.0))]
    Refused(i32),
    /// The process that tried them was killed.
    #[error("the process that tried it was killed")]
    Killed,
}

/// The layers that hold on this system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layers {
    /// The Landlock ABI in use, 0 without Landlock.
    pub landlock: i32,
    /// True if system calls are filtered.
    pub calls: bool,
    /// True if refused calls are reported, so that a card can tell of them.
    pub reports: bool,
    /// True if programs run under a user of their own. Only root can give them one.
    pub spare_user: bool,
    /// `Ok` if programs run in namespaces of their own, or the reason why not.
    pub namespaces: Result<(), NoNamespaces>,
    /// True if this program is root, whose processes no limit counts.
    is_root: bool,
    /// The number of threads that this user had at the start of the run.
    threads: u64,
}

impl Layers {
    /// Tries each layer. `newest` bounds the Landlock ABI; without `namespaces` none are tried.
    pub(super) fn found(newest: i32, namespaces: bool) -> Self {
        let is_root = rustix::process::geteuid().is_root();
        let needed = CapabilitySet::SETUID | CapabilitySet::SETGID | CapabilitySet::CHOWN;
        // For the folders of another user: to look at them and to remove them.
        let needed = needed | CapabilitySet::DAC_OVERRIDE | CapabilitySet::FOWNER;
        let may = capabilities(None).is_ok_and(|sets| sets.effective.contains(needed));
        // A user namespace may have no other users.
        let spare = SPARE_USERS.0 + SPARE_USERS.1 - 1;
        let given = |file| fchown(file, Some(spare), Some(spare));
        let may = may && tempfile::tempfile().and_then(given).is_ok();
        Self {
            landlock: raw::landlock_abi().min(newest).clamp(0, NEWEST),
            calls: raw::has_filters(),
            reports: notices::are_possible(),
            spare_user: is_root && may,
            namespaces: if namespaces { tried() } else { Err(NoNamespaces::NotAskedFor) },
            is_root,
            threads: if is_root { 0 } else { threads_of(rustix::process::getuid().as_raw()) },
        }
    }

    /// Returns the number of processes of this user if the system counts them against a limit.
    pub(super) fn processes(&self) -> Option<u64> {
        match (self.spare_user, self.is_root) {
            (true, _) => Some(0),
            (false, true) => None,
            (false, false) => Some(self.threads),
        }
    }

    /// Returns the layers that hold, in words.
    #[must_use]
    pub fn held(&self) -> Vec<String> {
        let mut held = Vec::new();
        if self.landlock > 0 {
            let mut kinds = vec!["files"];
            kinds.extend((self.landlock >= TCP).then_some("TCP ports"));
            kinds.extend((self.landlock >= SIGNALS).then_some("signals"));
            held.push(format!("Landlock ABI {} ({})", self.landlock, kinds.join(", ")));
        }
        held.extend(self.calls.then(|| "system calls".to_owned()));
        held.extend(self.spare_user.then(|| "own user".to_owned()));
        held.extend(self.namespaces.is_ok().then(|| self.spaces().to_owned()));
        held.push(if self.counts() { "limits" } else { "limits but processes" }.to_owned());
        held
    }

    /// Names the namespaces.
    fn spaces(&self) -> &'static str {
        if self.is_root {
            "namespaces (processes, mounts, network, IPC)"
        } else {
            "namespaces (users, processes, mounts, network, IPC)"
        }
    }

    /// True if a limit on processes binds.
    fn counts(&self) -> bool {
        self.spare_user || !self.is_root
    }

    /// True if programs cannot signal others.
    fn keeps_signals(&self) -> bool {
        self.landlock >= SIGNALS || self.spare_user || self.namespaces.is_ok()
    }

    /// Returns the layers that do not hold, in words.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let all = [
            (self.landlock > 0, "Landlock"),
            (self.landlock >= TCP || self.namespaces.is_ok(), "Landlock ABI 4 (TCP ports)"),
            (self.keeps_signals(), "Landlock ABI 6 (signals)"),
            (self.calls, "filters of system calls"),
            (self.counts(), "a limit on processes"),
        ];
        let missing = all.into_iter().filter(|(holds, _)| !holds).map(|(_, name)| name.to_owned());
        let namespaces = self.namespaces.as_ref().err().map(|reason| format!("namespaces ({reason})"));
        missing.chain(namespaces).collect()
    }

    /// Describes the layers for the head of a card or a record.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = self.held().join(", ");
        let missing = self.missing();
        if !missing.is_empty() {
            words += &format!("; without {}", missing.join(", "));
        }
        if !self.reports {
            words += "; what it refuses is not reported";
        }
        words
    }
}

/// Tries the namespaces.
fn tried() -> Result<(), NoNamespaces> {
    spaces::try_them()
        .map_err(|error| error.raw_os_error().map_or(NoNamespaces::Killed, NoNamespaces::Refused))
}

/// Returns the number of threads of a user, which `RLIMIT_NPROC` counts.
fn threads_of(user: u32) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let of_user = entries.filter(|entry| {
        entry.file_name().as_encoded_bytes().first().is_some_and(u8::is_ascii_digit)
            && entry.metadata().is_ok_and(|data| data.uid() == user)
    });
    of_user
        .map(|entry| std::fs::read_dir(entry.path().join("task")).map_or(1, |all| all.count() as u64))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_layer_is_named_where_it_holds_and_where_it_is_missing() {
        let all = Layers {
            landlock: 7,
            calls: true,
            reports: true,
            spare_user: false,
            namespaces: Ok(()),
            is_root: false,
            threads: 0,
        };
        let spaces = "namespaces (users, processes, mounts, network, IPC)";
        let words = format!("Landlock ABI 7 (files, TCP ports, signals), system calls, {spaces}, limits");
        assert_eq!(all.words(), words);
        let refused = Err(NoNamespaces::Refused(1));
        let old = Layers { landlock: 2, namespaces: refused, ..all.clone() };
        assert!(old.words().starts_with("Landlock ABI 2 (files), "), "{}", old.words());
        assert_eq!(
            old.missing(),
            [
                "Landlock ABI 4 (TCP ports)",
                "Landlock ABI 6 (signals)",
                "namespaces (Operation not permitted (os error 1))"
            ]
        );
        let unasked = Layers { namespaces: Err(NoNamespaces::NotAskedFor), ..all.clone() };
        assert_eq!(unasked.missing(), ["namespaces (not asked for)"]);
        let silent = Layers { reports: false, ..all.clone() };
        assert_eq!(silent.words(), format!("{words}; what it refuses is not reported"));
        let root = Layers { is_root: true, ..all };
        assert!(root.words().ends_with("limits but processes; without a limit on processes"));
    }
}
