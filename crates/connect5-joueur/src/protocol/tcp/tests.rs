use super::*;
use std::io::{Read, Write};
use wire::file::faults::{self, Fault};

fn with_shared<T>(listener: &TcpListener, then: impl FnOnce(&Arc<Shared>) -> T) -> T {
    let local = listener.local_addr().unwrap();
    then(&Arc::new(Shared {
        team: Team::default(),
        settings: Settings::default(),
        reporting: Reporting::Silent,
        search_log: SearchLog::Nothing,
        clients: Mutex::default(),
        places: CLIENTS,
        idle: IDLE,
        memory: Mutex::new(MEMORY),
        stopping: AtomicBool::new(false),
        local,
    }))
}

fn with_client(then: impl FnOnce(&mut Client<'_>)) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let _peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let reader = Reader::new(wire::tcp::accept(&listener).unwrap().0);
    with_shared(&listener, |shared| {
        let mut client = Client {
            deadline: reader.deadline(),
            peer: "peer",
            shared,
            number: 0,
            asks: false,
            taken: 0,
            player: Player::default(),
        };
        then(&mut client);
    });
}

#[test]
fn a_client_has_minutes_between_requests_and_little_within_one() {
    with_client(|client| {
        let deadline = client.deadline.clone();
        let is_nearly = |limit: Duration| {
            let left = deadline.left();
            left <= limit && limit - left < Duration::from_secs(20)
        };
        client.request_begun();
        assert!(is_nearly(REQUEST));
        client.answered();
        assert!(is_nearly(IDLE));
        let silent = client.unread(ErrorKind::WouldBlock.into()).to_string();
        assert_eq!(silent, "nothing was asked for 600 s");
    });
}

#[test]
fn a_failure_names_what_failed() {
    with_client(|client| {
        client.request_begun();
        for (kind, read, written) in [
            (
                ErrorKind::WouldBlock,
                "a request did not end within 60 s",
                "nothing was read of the answer for 30 s",
            ),
            (ErrorKind::ConnectionReset, "cannot read: connection reset", "cannot write: connection reset"),
            (ErrorKind::BrokenPipe, "cannot read: broken pipe", "cannot write: broken pipe"),
        ] {
            for (failure, text) in
                [(client.unread(kind.into()), read), (client.unwritten(kind.into()), written)]
            {
                assert!(failure.to_string().starts_with(text) && failure.code() == 1, "{failure}");
            }
        }
    });
}

/// A session of one request; returns what the client has received.
fn session(fault: Fault, nth: u64) -> (String, bool) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    // It says everything at first: the calls are the same in every session.
    client.write_all(b"3 3\n000\n0N0\n000\n0\n0\n").unwrap();
    let stream = wire::tcp::accept(&listener).unwrap().0;
    with_shared(&listener, |shared| {
        let seat = Seat::take(&stream, shared).unwrap();
        let ((), struck) = faults::with(fault, nth, || talk(stream, seat));
        assert!(shared.clients.lock().unwrap().is_empty(), "its place is free again");
        assert_eq!(*shared.memory.lock().unwrap(), MEMORY);
        let mut heard = String::new();
        let _ = client.read_to_string(&mut heard);
        (heard, struck)
    })
}

#[test]
fn whichever_call_fails_a_session_ends_and_gives_its_place_back() {
    let (whole, _) = session(Fault::Short, u64::MAX - 1);
    assert!(whole.lines().count() >= 2, "{whole}");
    for fault in Fault::OF_CONNECTIONS {
        for nth in 0.. {
            let (heard, struck) = session(fault, nth);
            let context = format!("{fault:?} at call {nth}: {heard}");
            assert!(whole.starts_with(&heard), "{context}");
            assert!(struck && !fault.is_harmless() || heard == whole, "{context}");
            if !struck {
                assert!(nth >= 3, "{context}");
                break;
            }
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn a_program_that_cannot_start_again_says_so() {
    for program in [Err(ErrorKind::NotFound.into()), Ok("/nowhere/at/all".into())] {
        let failure = start_again(program).to_string();
        assert!(failure.starts_with("cannot start again with MALLOC_ARENA_MAX=1"), "{failure}");
    }
}

#[test]
fn what_a_client_takes_is_missing_until_it_is_answered() {
    with_client(|client| {
        let left = |client: &Client<'_>| *client.shared.memory.lock().unwrap();
        for side in [15, 1_000] {
            let grid = Grid::new(side, side).unwrap();
            let table = client.thinking(&grid).unwrap().settings().table_bytes;
            assert_eq!(MEMORY - left(client), table + position_bytes(&grid));
            assert!(left(client) >= (MEMORY - position_bytes(&grid)) / 2);
            client.answered();
            assert_eq!(left(client), MEMORY);
        }
    });
}
