//! Filters of system calls: tracing, mounting, kernel modules, sockets, terminal injection.

use super::{Network, raw};
use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of filters of a process.
pub(crate) const FILTERS: u32 = 4;

/// The programs of a process's filters, compiled.
#[derive(Debug, Clone)]
pub(super) struct Programs {
    /// Filters that let calls fail.
    pub(super) refusing: Arc<[BpfProgram]>,
    /// The filter that reports calls, if the system can.
    pub(super) reporting: Option<Arc<BpfProgram>>,
}

/// The filters for each kind of network use.
#[derive(Debug)]
pub(super) struct Filters {
    none: Programs,
    client: Programs,
    server: Programs,
}

/// A call that writes to a file system, with its path among the arguments.
pub(super) struct Write {
    pub(super) call: c_long,
    /// The name for people.
    pub(super) name: &'static str,
    /// The argument with the folder that a relative path begins in. `None` is the working folder.
    pub(super) folder: Option<usize>,
    /// The argument with the path.
    pub(super) path: usize,
    /// The argument with the flags of a call that may read only.
    flags: Option<u8>,
}

impl Write {
    const fn new(call: c_long, name: &'static str, folder: Option<usize>, path: usize) -> Self {
        Self { call, name, folder, path, flags: None }
    }

    const fn with_flags(self, flags: u8) -> Self {
        Self { flags: Some(flags), ..self }
    }
}

/// The calls that write to a file system by a path.
pub(super) const WRITES: &[Write] = &[
    Write::new(libc::SYS_openat, "open", Some(0), 1).with_flags(2),
    Write::new(libc::SYS_mkdirat, "mkdir", Some(0), 1),
    Write::new(libc::SYS_mknodat, "mknod", Some(0), 1),
    Write::new(libc::SYS_unlinkat, "unlink", Some(0), 1),
    Write::new(libc::SYS_renameat2, "rename to", Some(2), 3),
    Write::new(libc::SYS_linkat, "link", Some(2), 3),
    Write::new(libc::SYS_symlinkat, "symlink", Some(1), 2),
    Write::new(libc::SYS_truncate, "truncate", None, 0),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_open, "open", None, 0).with_flags(1),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_creat, "open", None, 0),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_mkdir, "mkdir", None, 0),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_rmdir, "rmdir", None, 0),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_unlink, "unlink", None, 0),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_rename, "rename to", None, 1),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_renameat, "rename to", Some(2), 3),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_link, "link", None, 1),
    #[cfg(target_arch = "x86_64")]
    Write::new(libc::SYS_symlink, "symlink", None, 1),
];

/// The bit of the numbers of x32 calls.
const X32: i64 = 0x4000_0000;

/// Returns the number of a call without the bit of x32.
pub(super) fn number(call: i32) -> c_long {
    c_long::from(call) & !X32
}

/// Returns true for a reported call that Landlock decides on. All others fail.
pub(super) fn goes_on(call: i32, network: Network) -> bool {
    let call = number(call);
    let connects = call == libc::SYS_connect && matches!(network, Network::Client(_));
    connects || WRITES.iter().any(|write| write.call == call)
}

/// Tries a filter that reports calls.
pub(super) fn can_report() -> bool {
    let Some(filter) = reporting(sockets(Kind::None)) else { return false };
    raw::try_apart(|| {
        rustix::thread::set_no_new_privs(true)?;
        raw::filter_and_listen(&filter).map(drop)
    })
    .is_ok()
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls that no player needs. They fail with "operation not permitted".
const REFUSED: &[c_long] = &[
    // Other processes' memory, registers and descriptors.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    // Keys of the user's session.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // File systems and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_quotactl,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    // Landlock has no rule for watches.
    libc::SYS_fanotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_inotify_add_watch,
    // The kernel and the machine.
    libc::SYS_bpf,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    // Channels to other processes that have no path.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_mq_open,
];

/// Calls whose first argument is a process, 0 for its own. They are refused for another one.
const OF_A_PROCESS: &[c_long] = &[
    libc::SYS_prlimit64,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
];

/// The numbers of two calls of Linux 6.13, on every processor.
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;

/// Calls that a program is told not to exist, so that it uses an older one that can be filtered or watched.
const UNKNOWN: &[c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Memory that is neither a process's nor a folder's.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_vmsplice,
    // Attributes are written to files that may not be opened. Tools that copy them know systems without.
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    // Rules fill the kernel's memory.
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

/// Sizes of a socket's buffers. The system takes them as wishes.
const BUFFERS: [i32; 4] = [libc::SO_SNDBUF, libc::SO_RCVBUF, libc::SO_SNDBUFFORCE, libc::SO_RCVBUFFORCE];

/// New namespaces as flags of `clone`.
const NAMESPACES: [i32; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Requests that put characters into a terminal's input or take it over.
const INJECTIONS: [u64; 3] = [libc::TIOCSTI, libc::TIOCLINUX, libc::TIOCSETD];

impl Filters {
    /// The filters of a system without any.
    pub(super) fn none() -> Self {
        let empty = || Programs { refusing: Arc::new([]), reporting: None };
        Self { none: empty(), client: empty(), server: empty() }
    }

    /// Compiles the filters. With `reports` the calls for sockets are reported instead of refused, with `has_landlock` also
    /// those that it refuses.
    pub(super) fn new(reports: bool, has_landlock: bool) -> Self {
        let of = |kind| {
            let mut programs = vec![(refused(), libc::EPERM), (unknown(), libc::ENOSYS), (unheeded(), 0)];
            let mut reported = sockets(kind);
            if !reports {
                programs.push((std::mem::take(&mut reported), libc::EACCES));
            } else if has_landlock {
                reported.extend(refused_by_landlock(kind));
            }
            let compiled = |(rules, error): (Rules, i32)| compiled(rules, SeccompAction::Errno(error as u32));
            Programs {
                refusing: programs.into_iter().filter_map(compiled).collect(),
                reporting: reports.then(|| reporting(reported)).flatten().map(Arc::new),
            }
        };
        Self { none: of(Kind::None), client: of(Kind::Client), server: of(Kind::Server) }
    }

    /// Returns the filters of a process.
    pub(super) fn of(&self, network: Network) -> Programs {
        match network {
            Network::None => &self.none,
            Network::Client(_) => &self.client,
            Network::Server(_) => &self.server,
        }
        .clone()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    None,
    Client,
    Server,
}

/// Compiles rules with the action on their calls. `None` on a processor that seccomp's library does not know.
fn compiled(rules: Rules, action: SeccompAction) -> Option<BpfProgram> {
    let target = std::env::consts::ARCH.try_into().ok()?;
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, target).ok()?;
    filter.try_into().ok()
}

/// Compiles rules whose calls are reported. The library has no such action: another one's value is replaced.
fn reporting(rules: Rules) -> Option<BpfProgram> {
    const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
    let mut program = compiled(rules, SeccompAction::Trace(0))?;
    for step in &mut program {
        if step.code == RETURN && step.k == libc::SECCOMP_RET_TRACE {
            step.k = libc::SECCOMP_RET_USER_NOTIF;
        }
    }
    Some(program)
}

/// The calls that Landlock refuses outside a program's folder and port.
fn refused_by_landlock(kind: Kind) -> Rules {
    let mut rules = Rules::new();
    for write in WRITES {
        let writing = [libc::O_WRONLY, libc::O_RDWR, libc::O_CREAT, libc::O_TRUNC].map(|flag| flag as u64);
        let by_flag = write.flags.map(|at| writing.map(|flag| rule(vec![masked(at, flag, flag)])).to_vec());
        rules.insert(write.call, by_flag.unwrap_or_default());
    }
    if kind == Kind::Client {
        rules.insert(libc::SYS_connect, Vec::new());
    }
    with_x32(rules)
}

/// Returns the condition that argument `index` has these bits under a mask.
fn masked(index: u8, mask: u64, bits: u64) -> SeccompCondition {
    condition(index, SeccompCmpOp::MaskedEq(mask), bits)
}

/// Compares the lower half of an argument, as the kernel reads an `int`: the upper half could hide it.
fn condition(index: u8, operator: SeccompCmpOp, value: u64) -> SeccompCondition {
    SeccompCondition::new(index, SeccompCmpArgLen::Dword, operator, value).expect("a call has six arguments")
}

fn rule(conditions: Vec<SeccompCondition>) -> SeccompRule {
    SeccompRule::new(conditions).expect("a rule has a condition")
}

/// Adds the numbers of the x32 calls, which the kernel counts to the same architecture: the filter would not see them.
fn with_x32(mut rules: Rules) -> Rules {
    if cfg!(target_arch = "x86_64") {
        let others: Vec<_> = rules.iter().map(|(call, rules)| (call | X32, rules.clone())).collect();
        rules.extend(others);
    }
    rules
}

fn refused() -> Rules {
    let mut rules: Rules = REFUSED.iter().map(|&call| (call, Vec::new())).collect();
    let new = NAMESPACES.iter().map(|&flag| rule(vec![masked(0, flag as u64, flag as u64)]));
    // A thread with descriptors of its own, which are not counted.
    let [thread, files] = [libc::CLONE_THREAD, libc::CLONE_FILES].map(|flag| flag as u64);
    let apart = rule(vec![masked(0, thread | files, thread)]);
    // It would make a child of the referee, which would not wait for it.
    let parent = libc::CLONE_PARENT as u64;
    let sibling = rule(vec![masked(0, parent, parent)]);
    rules.insert(libc::SYS_clone, new.chain([apart, sibling]).collect());
    // It would give up its orphans, which are no longer counted then.
    rules.insert(
        libc::SYS_prctl,
        vec![rule(vec![condition(0, SeccompCmpOp::Eq, libc::PR_SET_CHILD_SUBREAPER as u64)])],
    );
    let unshare = libc::CLOSE_RANGE_UNSHARE.into();
    rules.insert(libc::SYS_close_range, vec![rule(vec![masked(2, unshare, unshare)])]);
    let injections = INJECTIONS.iter().map(|&request| rule(vec![condition(1, SeccompCmpOp::Eq, request)]));
    rules.insert(libc::SYS_ioctl, injections.collect());
    // A process may set its own limits and priority, not another's.
    let others = |argument| rule(vec![condition(argument, SeccompCmpOp::Ne, 0)]);
    rules.extend(OF_A_PROCESS.iter().map(|&call| (call, vec![others(0)])));
    for (call, own) in [(libc::SYS_setpriority, libc::PRIO_PROCESS as u64), (libc::SYS_ioprio_set, 1)] {
        rules.insert(call, vec![rule(vec![condition(0, SeccompCmpOp::Ne, own)]), others(1)]);
    }
    #[cfg(target_arch = "x86_64")]
    {
        rules.extend(
            [libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS_inotify_init]
                .map(|call| (call, Vec::new())),
        );
        // x32 calls with numbers of their own: ioctl, sendmsg, ptrace, kexec_load, vmsplice, move_pages, sendmmsg, process_vm_readv,
        // its twin, setsockopt.
        rules.extend(
            [514, 518, 521, 528, 532, 533, 538, 539, 540, 541].map(|call: i64| (call | X32, Vec::new())),
        );
    }
    with_x32(rules)
}

fn unknown() -> Rules {
    with_x32(UNKNOWN.iter().map(|&call| (call, Vec::new())).collect())
}

/// Calls that succeed and do nothing: a socket's buffers keep their usual size, and a process its processors.
fn unheeded() -> Rules {
    let wish = |option| {
        rule(vec![
            condition(1, SeccompCmpOp::Eq, libc::SOL_SOCKET as u64),
            condition(2, SeccompCmpOp::Eq, option as u64),
        ])
    };
    with_x32(Rules::from([
        (libc::SYS_setsockopt, BUFFERS.map(wish).to_vec()),
        (libc::SYS_sched_setaffinity, Vec::new()),
    ]))
}

/// Refuses all sockets but those of TCP, and of TCP what the program's side does not need.
fn sockets(kind: Kind) -> Rules {
    const DATAGRAM: u64 = libc::SOCK_DGRAM as u64;
    let mut rules = Rules::new();
    if kind == Kind::None {
        rules.insert(libc::SYS_socket, Vec::new());
        return with_x32(rules);
    }
    let mut refused = vec![rule(vec![
        condition(0, SeccompCmpOp::Ne, libc::AF_INET as u64),
        condition(0, SeccompCmpOp::Ne, libc::AF_INET6 as u64),
    ])];
    // The kind of a socket is in the lower four bits, flags above: all kinds but SOCK_STREAM (1).
    refused.extend((DATAGRAM..16).chain([0]).map(|kind| rule(vec![masked(1, 0xf, kind)])));
    // Other protocols of streams, MPTCP for one, are not bound by Landlock's rules for TCP.
    refused.push(rule(vec![
        condition(2, SeccompCmpOp::Ne, 0),
        condition(2, SeccompCmpOp::Ne, libc::IPPROTO_TCP as u64),
    ]));
    rules.insert(libc::SYS_socket, refused);
    // A first message that connects would pass by the rule for connecting.
    let fast = libc::MSG_FASTOPEN as u64;
    for (call, flags) in [(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)] {
        rules.insert(call, vec![rule(vec![masked(flags, fast, fast)])]);
    }
    let other = if kind == Kind::Client { libc::SYS_listen } else { libc::SYS_connect };
    rules.insert(other, Vec::new());
    with_x32(rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;
    use rustix::process::{setpriority_pgrp, setpriority_process};
    use std::io;

    #[test]
    fn every_filter_compiles_and_fits_the_kernel() {
        const MOST: usize = 4096;
        for (reports, refusing) in [(false, 4), (true, 3)] {
            let filters = Filters::new(reports, true);
            for network in [Network::None, Network::Client(1), Network::Server(1)] {
                let Programs { refusing: all, reporting } = filters.of(network);
                assert_eq!((all.len(), reporting.is_some()), (refusing, reports), "{network:?}");
                assert_eq!(all.len() + reporting.iter().count(), FILTERS as usize, "{network:?}");
                let fits = |program: &BpfProgram| program.len() < MOST;
                assert!(all.iter().all(fits) && reporting.iter().all(|program| fits(program)), "{network:?}");
            }
        }
    }

    #[test]
    fn a_process_changes_its_own_priority_alone() {
        let program = compiled(refused(), SeccompAction::Errno(libc::EPERM as u32)).unwrap();
        let parent = rustix::process::getpid();
        let tried = raw::try_apart(|| {
            rustix::thread::set_no_new_privs(true)?;
            seccompiler::apply_filter(&program).map_err(|_| io::ErrorKind::Unsupported)?;
            setpriority_process(None, 5)?;
            let others = [setpriority_process(Some(parent), 5), setpriority_pgrp(None, 5)];
            let is_refused = others.iter().all(|done| *done == Err(Errno::PERM));
            if is_refused { Ok(()) } else { Err(Errno::EXIST.into()) }
        });
        assert!(tried.is_ok(), "{tried:?}");
    }

    #[test]
    fn a_reported_call_goes_on_only_where_another_layer_decides() {
        for (call, network, goes) in [
            (libc::SYS_openat, Network::None, true),
            (libc::SYS_openat | X32, Network::None, true),
            (libc::SYS_connect, Network::Client(1), true),
            (libc::SYS_connect, Network::Server(1), false),
            (libc::SYS_socket, Network::None, false),
            (libc::SYS_sendto, Network::Client(1), false),
            (libc::SYS_listen, Network::Client(1), false),
        ] {
            assert_eq!(goes_on(call as i32, network), goes, "call {call} of {network:?}");
        }
    }
}
