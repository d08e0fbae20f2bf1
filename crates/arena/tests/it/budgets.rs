//! Budgets: disk, engines, streams, requests and memory, for each visitor and for all of them.

use crate::engines::{WAITS, arena_with};
use crate::server::{Arena, TWO, exchange, field, wait};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// A connection from another address of this machine.
fn from(source: &str, to: &str) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let source: SocketAddr = format!("{source}:0").parse().unwrap();
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(source).unwrap();
        socket.connect(to.parse().unwrap()).await.unwrap()
    });
    let stream = stream.into_std().unwrap();
    stream.set_nonblocking(false).unwrap();
    stream
}

#[test]
fn a_full_folder_makes_room_for_new_games_by_the_oldest_that_ended() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let record = {
        let arena = Arena::start(&["--data", folder]);
        let room = arena.open("uttt", &TWO, "");
        arena.press(&room, "40", &[]);
        let path = |room: &str| data.path().join(format!("{}.jsonl", &room[3..]));
        let goes_on = std::fs::read_to_string(path(&room)).unwrap();
        arena.act(&room, "resign");
        let ended = std::fs::read_to_string(path(&room)).unwrap();
        std::fs::remove_file(path(&room)).unwrap();
        (goes_on, ended)
    };
    for nth in 0..1000 {
        let text = if nth < 3 { &record.0 } else { &record.1 };
        let path = data.path().join(format!("{nth:012x}.jsonl"));
        std::fs::write(&path, text).unwrap();
        let file = std::fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(std::time::SystemTime::now() - Duration::from_secs(10_000 - nth)).unwrap();
    }
    let arena = Arena::start(&["--data", folder]);
    let room = arena.open("uttt", &TWO, "");
    arena.press(&room, "40", &[]);
    let is_there = |name: &str| data.path().join(format!("{name}.jsonl")).exists();
    assert!(is_there(&room[3..]));
    // Those that go on stay; the oldest of those that are over went.
    assert!((0..3).all(|nth| is_there(&format!("{nth:012x}"))));
    assert!(!is_there(&format!("{:012x}", 3)) && is_there(&format!("{:012x}", 999)));
    assert!(std::fs::read_dir(data.path()).unwrap().count() <= 1002);
}

#[test]
fn a_game_that_cannot_be_kept_says_so_on_its_page_until_it_can() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("games");
    let arena = Arena::start(&["--data", folder.to_str().unwrap()]);
    let room = arena.open("uttt", &TWO, "");
    let view = arena.press(&room, "40", &[]);
    assert!(!view.contains("not kept"), "{view}");
    std::fs::rename(&folder, data.path().join("away")).unwrap();
    for cell in ["36", "0"] {
        let view = arena.press(&room, cell, &[]);
        assert!(view.contains("this game is not kept"), "{view}");
    }
    let french = arena.get(&format!("{room}/view?lang=fr")).body;
    assert!(french.contains("cette partie n'est pas gardée"), "{french}");
    assert!(arena.get(&format!("{room}?lang=en")).body.contains("this game is not kept"));
    std::fs::rename(data.path().join("away"), &folder).unwrap();
    let view = arena.press(&room, "1", &[]);
    assert!(!view.contains("not kept"), "{view}");
}

#[test]
fn one_visitor_starts_a_few_engines_and_leaves_places_for_others() {
    let (arena, _folder) = arena_with(WAITS, &[]);
    let study = json!({ "game": "othello", "mode": "study", "seats": TWO });
    let rooms: Vec<String> = (0..30).map(|_| arena.enter(&study)).collect();
    std::thread::sleep(Duration::from_millis(300));
    let started = arena.children().len();
    // Each has its guard.
    assert!(started <= 16, "{started} processes");
    let view = arena.get(&format!("{}/view", rooms[29])).body;
    assert!(view.contains("too many engines") && field(&view, "study") == "false", "{view}");
    // What one lets go another has.
    arena.post(&format!("{}/act", rooms[0]), &json!({ "do": "study", "on": false }));
    let on = || arena.post(&format!("{}/act", rooms[29]), &json!({ "do": "study", "on": true })).body;
    wait("a place", || (field(&on(), "study") == "true").then_some(()));
    // Where all places are taken, those with more make room until all have as many.
    let mut all: Vec<(u8, String)> = rooms.into_iter().map(|room| (1, room)).collect();
    for visitor in 2..10 {
        for _ in 0..8 {
            let body = study.to_string();
            let (address, token, length) = (&arena.address, &arena.token, body.len());
            let mut stream = from(&format!("127.0.0.{visitor}"), address);
            write!(
                stream,
                "POST /new HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nX-Arena-Token: {token}\r\n\
                 Content-Length: {length}\r\n\r\n{body}"
            )
            .unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            let at = answer.find("/r/").unwrap_or_else(|| panic!("{answer}"));
            all.push((visitor, answer[at..at + 15].to_owned()));
        }
    }
    let views = || all.iter().map(|(visitor, room)| (*visitor, arena.get(&format!("{room}/view")).body));
    let counts = || {
        let mut counts = [0; 10];
        views().for_each(|(visitor, view)| {
            counts[usize::from(visitor)] += usize::from(field(&view, "study") == "true");
            assert!(!view.contains("the engine failed"), "{view}");
        });
        counts
    };
    wait("a fair share", || {
        let counts = counts();
        (counts[1..].iter().all(|count| (2..=3).contains(count)) && counts.iter().sum::<usize>() <= 24)
            .then_some(())
    });
}

#[test]
fn streams_of_one_address_are_few_and_the_oldest_makes_room() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("uttt", &TWO, "");
    let mut bytes = [0; 512];
    // The first is the oldest: it has a place before others ask for theirs.
    let mut first = news(&arena, "127.0.0.1", &[&room]);
    assert!(first.read(&mut bytes).unwrap() > 0);
    let streams: Vec<TcpStream> = (0..299).map(|_| news(&arena, "127.0.0.1", &[&room])).collect();
    // It is closed; the latest lives and hears of a move.
    first.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
    wait("the end of the oldest stream", || matches!(first.read(&mut bytes), Ok(0)).then_some(()));
    arena.press(&room, "40", &[]);
    let mut last = streams.last().unwrap();
    last.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut heard = Vec::new();
    while !String::from_utf8_lossy(&heard).contains(&format!("data: {} 1", &room[3..])) {
        let count = last.read(&mut bytes).unwrap();
        assert!(count > 0);
        heard.extend_from_slice(&bytes[..count]);
    }
}

#[test]
fn pages_that_one_address_asks_for_without_end_make_nobody_else_wait() {
    let arena = Arena::start(&["--no-data"]);
    let many = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", arena.address).repeat(200);
    let clients: Vec<TcpStream> = (0..300)
        .map(|_| {
            let mut stream = from("127.0.0.2", &arena.address);
            stream.write_all(many.as_bytes()).unwrap();
            let mut reader = stream.try_clone().unwrap();
            std::thread::spawn(move || {
                let mut bytes = vec![0; 1 << 16];
                while reader.read(&mut bytes).is_ok_and(|count| count > 0) {}
            });
            stream
        })
        .collect();
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    for _ in 0..3 {
        assert_eq!(
            exchange(
                &arena.address,
                &format!("GET /open HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", arena.address)
            )
            .status,
            200
        );
    }
    let took = began.elapsed();
    for client in clients {
        let _ = client.shutdown(std::net::Shutdown::Both);
    }
    assert!(took < Duration::from_millis(1500), "{took:?}");
}

#[test]
fn bodies_that_arrive_slowly_make_nobody_else_wait() {
    let arena = Arena::start(&["--no-data"]);
    let (address, token) = (&arena.address, &arena.token);
    let head = format!(
        "POST /open HTTP/1.1\r\nHost: {address}\r\nX-Arena-Token: {token}\r\nContent-Length: 4000000\r\n\r\n("
    );
    let _slow: Vec<TcpStream> = (2..22)
        .map(|nth| {
            let mut stream = from(&format!("127.0.1.{nth}"), address);
            stream.write_all(head.as_bytes()).unwrap();
            stream
        })
        .collect();
    // They are read once the last one is.
    std::thread::sleep(Duration::from_millis(300));
    let game = "(;GM[4]SZ[15];B[aa];W[bb])";
    for text in [game.to_owned(), format!("{game}{}", " ".repeat(100_000))] {
        let began = Instant::now();
        assert_eq!(arena.post_text("/open", &text).status, 200);
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    }
}

#[test]
fn a_large_file_takes_little_memory() {
    let arena = Arena::start(&["--no-data"]);
    let before = arena.most_memory();
    let game = format!("(;GM[4]SZ[15]{})", ";B[aa];W[bb]".repeat(2));
    let uttt = |moves: &str| format!("[Event \"uttt\"]\n\n1. 40 {moves}");
    for text in [
        game.repeat((4 << 20) / game.len()),
        format!("(;GM[4]SZ[15]{})", ";B[aa];W[bb]".repeat(340_000)),
        uttt(&"(".repeat(4_000_000)),
        uttt(&"(a".repeat(2_000_000)),
        uttt(&format!("({}{}", "a ".repeat(20_000), "(b ".repeat(400))),
    ] {
        let answer = arena.post_text("/open", &text);
        assert!(answer.status == 200 || answer.status == 422, "{}", answer.status);
        let taken = arena.most_memory() - before;
        assert!(taken < 64 << 20, "{taken} bytes");
    }
}

#[test]
fn names_without_a_seat_are_not_kept() {
    let data = tempfile::tempdir().unwrap();
    let arena = Arena::start(&["--data", data.path().to_str().unwrap()]);
    let names = vec!["a".repeat(40); 50_000];
    let room = arena.enter(&json!({ "game": "uttt", "mode": "replay", "seats": TWO, "names": names }));
    arena.act(&room, "pause");
    let kept = std::fs::metadata(data.path().join(format!("{}.jsonl", &room[3..]))).unwrap().len();
    assert!(kept < 10_000, "{kept} bytes");
}

/// Opens a stream of news of rooms, each given as `/r/NAME`.
fn news(arena: &Arena, source: &str, rooms: &[&str]) -> TcpStream {
    let names: Vec<&str> = rooms.iter().map(|room| &room[3..15]).collect();
    let mut stream = from(source, &arena.address);
    let names = names.join(",");
    write!(stream, "GET /events?rooms={names} HTTP/1.1\r\nHost: {}\r\n\r\n", arena.address).unwrap();
    stream
}

#[test]
fn a_stream_that_names_a_room_many_times_does_not_delay_its_other_visitors() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("uttt", &TWO, "");
    let mut crowd: Vec<TcpStream> = (0..20).map(|_| news(&arena, "127.0.0.2", &[&*room; 100])).collect();
    // Every listener counts once its stream is heard.
    crowd.iter_mut().for_each(|stream| assert!(stream.read(&mut [0; 512]).unwrap() > 0));
    let mut stream = news(&arena, "127.0.0.3", &[&room]);
    std::thread::sleep(Duration::from_millis(500));
    arena.press(&room, "40", &[]);
    let began = Instant::now();
    let (mut heard, mut bytes) = (String::new(), [0; 512]);
    while !heard.contains(" 1\n") {
        let count = stream.read(&mut bytes).unwrap();
        assert!(count > 0, "{heard}");
        heard.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    // Of 2,000 listeners each would wait 16 s.
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
}

#[test]
fn rooms_that_a_visitor_opens_and_watches_without_end_are_closed_and_no_others() {
    let arena = Arena::start(&["--no-data"]);
    let own = {
        let body = json!({ "game": "uttt", "mode": "play", "seats": TWO }).to_string();
        let (address, token, length) = (&arena.address, &arena.token, body.len());
        let mut stream = from("127.0.0.2", address);
        let head = format!("Host: {address}\r\nConnection: close\r\nX-Arena-Token: {token}");
        write!(stream, "POST /new HTTP/1.1\r\n{head}\r\nContent-Length: {length}\r\n\r\n{body}").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let at = answer.find("/r/").unwrap_or_else(|| panic!("{answer}"));
        answer[at..at + 15].to_owned()
    };
    let _own_page = news(&arena, "127.0.0.2", &[&own]);
    let (mut rooms, mut streams) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        let more: Vec<String> = (0..50).map(|_| arena.open("uttt", &TWO, "")).collect();
        streams.push(news(&arena, "127.0.0.1", &more.iter().map(String::as_str).collect::<Vec<_>>()));
        rooms.extend(more);
        // The stream has begun once it is heard.
        assert!(streams.last_mut().unwrap().read(&mut [0; 512]).unwrap() > 0);
    }
    let open = rooms.iter().filter(|room| arena.get(&format!("{room}/view")).status == 200).count();
    assert!((350..400).contains(&open), "{open} rooms");
    assert_eq!(arena.get(&format!("{own}/view")).status, 200);
}
