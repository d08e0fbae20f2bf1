//! The calls that the sandbox refused, as faults of their own kinds.

use super::support::{attack, attacker, options, sandbox};
use courses::fault::Kind::{self, OpenedNetwork, WroteOutside};
use courses::peer::Supervisor;
use courses::sandbox::{Network, Options, Sandbox};
use std::fs;
use std::net::TcpListener;

/// Returns the sandboxes to try, with namespaces and without, if their refusals are reported.
fn reporting() -> Vec<Sandbox> {
    let all = [true, false].map(|namespaces| sandbox(&Options { namespaces, ..options() }));
    let reports = all.iter().all(|of| of.layers().reports && of.layers().landlock > 0);
    if !reports {
        println!("skipped: this system offers {}", all[0].layers().words());
    }
    all.into_iter().filter(|_| reports).collect()
}

/// Returns the refusals of a program that gets one order, by kind and detail.
fn refusals(sandbox: &Sandbox, network: Network, order: &str) -> Vec<(Kind, String)> {
    let supervisor = Supervisor::new();
    let mut command = attacker(sandbox, network);
    "Ana".clone_into(&mut command.player);
    let (peer, answer) = attack(&supervisor, &command, order);
    let ended = peer.close(b"");
    let told: Vec<_> =
        supervisor.take_refusals("Ana").into_iter().map(|(fault, _)| (fault.kind, fault.detail)).collect();
    let of_the_end: Vec<_> = ended.refusals.into_iter().map(|fault| (fault.kind, fault.detail)).collect();
    assert_eq!(told, of_the_end, "{order}: {answer}");
    told
}

#[test]
fn a_refused_use_of_the_network_is_told_with_its_call() {
    let door = TcpListener::bind("127.0.0.1:0").unwrap();
    let (own, other) = (door.local_addr().unwrap(), "127.0.0.1:9");
    for sandbox in reporting() {
        let of = |network, order: String| refusals(&sandbox, network, &order);
        let told = |detail: &str| vec![(OpenedNetwork, detail.to_owned())];
        assert_eq!(of(Network::None, format!("tcp {own}")), told("a TCP socket (IPv4)"));
        assert_eq!(of(Network::None, format!("udp {own}")), told("a UDP socket (IPv4)"));
        assert_eq!(of(Network::Client(own.port()), format!("tcp {own}")), []);
        let elsewhere = of(Network::Client(own.port()), format!("tcp {other}"));
        assert_eq!(elsewhere, told("connect to 127.0.0.1 port 9"));
        assert_eq!(of(Network::Client(own.port()), format!("udp {own}")), told("a UDP socket (IPv4)"));
        // The C library asks for names of users like this.
        assert_eq!(of(Network::None, "unix /run/nobody".to_owned()), []);
    }
}

#[test]
fn a_refused_write_is_told_with_its_path() {
    // In `/tmp` a program may have files of its own.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = folder.path().join("log.txt");
    for sandbox in reporting() {
        let of = |order: String| refusals(&sandbox, Network::None, &order);
        let wrote = vec![(WroteOutside, format!("open {}", file.display()))];
        assert_eq!(of(format!("write {}", file.display())), wrote);
        assert_eq!(of(format!("read {}", folder.path().display())), [], "a read is none");
        assert_eq!(of("disk 1".to_owned()), [], "the scratch folder is its own");
        assert!(!file.exists());
    }
    fs::write(&file, "").unwrap();
}

#[test]
fn a_flood_of_refused_calls_leaves_few_reports_and_ends() {
    for sandbox in reporting() {
        let told = refusals(&sandbox, Network::None, "files 5000 /nowhere");
        assert_eq!(told.len(), 8, "{told:?}");
        assert_eq!(told[0], (WroteOutside, "mkdir /nowhere/0".to_owned()));
    }
}
