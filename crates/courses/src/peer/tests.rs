//! Calls that fail: a player answers all the same, or is gone.

use super::*;
use wire::file::faults::{self, Fault as Injected};

/// Sends two lines to a player that repeats them, and returns what comes back.
fn dialogue(mut peer: Peer<'_>) -> Result<Vec<String>, Trouble> {
    let deadline = Instant::now() + Duration::from_secs(20);
    peer.send(b"one\ntwo\n", deadline)?;
    Ok(vec![peer.line(deadline)?, peer.line(deadline)?])
}

fn whichever_call_fails(faults: &[Injected], open: impl Fn() -> Result<Vec<String>, Trouble>) {
    for &fault in faults {
        for nth in 0.. {
            let (heard, struck) = faults::with(fault, nth, &open);
            let context = format!("{fault:?} at call {nth}: {heard:?}");
            match heard {
                Ok(lines) => assert_eq!(lines, ["one", "two"], "{context}"),
                Err(Trouble::Fault(Fault { kind: Kind::Crash | Kind::ProtocolError, .. })) => {
                    assert!(struck && !fault.is_harmless(), "{context}");
                }
                Err(_) => panic!("{context}"),
            }
            if !struck {
                assert!(nth >= 2, "{context}");
                break;
            }
        }
    }
}

#[test]
fn whichever_call_fails_a_process_answers_or_is_gone() {
    let supervisor = Supervisor::new();
    let command = Command::split("cat").unwrap();
    // A process that still runs is waited for, so the other faults are left to connections.
    let faults = [Injected::Interrupted, Injected::Short, Injected::Later, Injected::Closed];
    whichever_call_fails(&faults, || dialogue(Peer::spawn(&supervisor, &command)?));
}

/// Both are children of this program that lead a group of their own.
#[test]
fn the_end_of_a_player_leaves_the_programs_of_an_archives_check() {
    let supervisor = Supervisor::new();
    let play = || dialogue(Peer::spawn(&supervisor, &Command::split("cat").unwrap()).unwrap()).unwrap();
    // What a program has started before its first player is known anyway.
    play();
    let mut check = children::start(std::process::Command::new("sleep").arg("60")).unwrap();
    play();
    let ended = check.try_wait();
    let _ = check.kill();
    let _ = check.wait();
    assert!(matches!(ended, Ok(None)), "{ended:?}");
}

#[test]
fn a_script_without_an_interpreters_line_is_a_shells() {
    let folder = tempfile::tempdir().unwrap();
    wire::file::write_new(&folder.path().join("repeat"), "exec cat\n").unwrap();
    let mode = <std::fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o755);
    std::fs::set_permissions(folder.path().join("repeat"), mode).unwrap();
    let supervisor = Supervisor::new();
    let command = Command { folder: Some(folder.path().to_owned()), ..Command::split("./repeat").unwrap() };
    assert_eq!(dialogue(Peer::spawn(&supervisor, &command).unwrap()).unwrap(), ["one", "two"]);
}

#[test]
fn a_connection_that_was_reset_before_it_was_accepted_is_a_player_that_is_gone() {
    let supervisor = Supervisor::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    rustix::net::sockopt::set_socket_linger(&client, Some(Duration::ZERO)).unwrap();
    drop(client);
    let (stream, _) = accept(&listener).unwrap();
    assert!(stream.peer_addr().is_err(), "the reset has arrived");
    let mut peer = Peer::adopt(&supervisor, stream).unwrap();
    let heard = peer.line(Instant::now() + Duration::from_secs(20));
    assert!(matches!(&heard, Err(Trouble::Fault(fault)) if fault.kind == Kind::Crash), "{heard:?}");
}

#[test]
fn a_server_that_resets_its_connections_is_a_player_that_is_gone() {
    let supervisor = Supervisor::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        while let Ok((stream, _)) = accept(&listener) {
            let _ = rustix::net::sockopt::set_socket_linger(&stream, Some(Duration::ZERO));
        }
    });
    for _ in 0..5 {
        let mut peer = Peer::spawn(&supervisor, &Command::split("sleep 60").unwrap()).unwrap();
        let deadline = Instant::now() + Duration::from_secs(20);
        let heard = peer.call(port, deadline).and_then(|()| peer.line(deadline));
        assert!(matches!(&heard, Err(Trouble::Fault(_))), "{heard:?}");
        peer.close(b"");
    }
}

#[test]
fn whichever_call_fails_a_player_over_tcp_answers_or_is_gone() {
    let supervisor = Supervisor::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = wire::tcp::accept(&listener) {
            let _ = std::io::copy(&mut stream.try_clone().unwrap(), &mut stream);
        }
    });
    let faults = [&Injected::OF_CONNECTIONS[..], &[Injected::Later]].concat();
    whichever_call_fails(&faults, || dialogue(Peer::connect(&supervisor, address)?));
}
