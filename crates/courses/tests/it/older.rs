//! Systems that lack a call: older kernels, and those that have run out of what it takes.

use super::attacks::inherited_descriptor;
use super::support::{attack, attacker, options, sandbox};
use courses::fault::Trouble;
use courses::peer::{Peer, Supervisor};
use courses::sandbox::{Network, Options};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::collections::BTreeMap;

/// Runs `test` in a thread whose call fails, and that of its processes.
fn without<T: Send>(call: libc::c_long, error: i32, test: impl FnOnce() -> T + Send) -> T {
    let target = std::env::consts::ARCH.try_into().unwrap();
    let rules = BTreeMap::from([(call, Vec::new())]);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(error as u32), target);
    let filter: BpfProgram = filter.unwrap().try_into().unwrap();
    let confined = move || {
        rustix::thread::set_no_new_privs(true).unwrap();
        apply_filter(&filter).unwrap();
        test()
    };
    std::thread::scope(|scope| scope.spawn(confined).join()).unwrap()
}

/// Linux before 5.11 cannot mark all descriptors at once, before 5.9 not close them.
#[test]
fn programs_start_and_have_no_descriptors_on_an_older_kernel() {
    for namespaces in [true, false] {
        let inherited = without(libc::SYS_close_range, libc::ENOSYS, || {
            let (supervisor, sandbox) = (Supervisor::new(), sandbox(&Options { namespaces, ..options() }));
            inherited_descriptor(&supervisor, &sandbox)
        });
        assert!(!inherited, "with namespaces: {namespaces}");
    }
}

#[test]
fn programs_start_on_a_system_without_filters_of_calls() {
    let (words, answer) = without(libc::SYS_seccomp, libc::ENOSYS, || {
        let (supervisor, sandbox) = (Supervisor::new(), sandbox(&options()));
        let (peer, answer) = attack(&supervisor, &attacker(&sandbox, Network::None), "read /etc/hostname");
        peer.close(b"");
        (sandbox.layers().words(), answer)
    });
    assert!(words.contains("without") && words.contains("filters of system calls"), "{words}");
    assert!(!answer.starts_with("ended"), "{answer}");
}

#[test]
fn a_sandbox_that_cannot_be_made_any_more_is_no_fault_of_the_program() {
    let sandbox = sandbox(&options());
    if sandbox.layers().namespaces.is_err() {
        println!("skipped: this system offers {}", sandbox.layers().words());
        return;
    }
    let trouble = without(libc::SYS_unshare, libc::ENOSPC, || {
        let supervisor = Supervisor::new();
        Peer::spawn(&supervisor, &attacker(&sandbox, Network::None)).map(drop).unwrap_err()
    });
    let told = "the sandbox: No space left on device (os error 28)";
    assert!(matches!(&trouble, Trouble::Referee(error) if error == told), "{trouble:?}");
}
