//! What a click costs, and what those who watch cost those who play. `ARENA_FIGURES=1 … -- --nocapture speed` prints
//! what was measured.

use crate::server::{Arena, Connection, clicks, exchange, field, figure, player, say, wait};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

const CLICKS: usize = 1000;
/// Games in each manner.
const GAMES: u32 = 2;
/// The floor, for the 99th of a hundred clicks of a build as it is used.
const FLOOR: Duration = Duration::from_millis(30);

/// The time at this share of all times.
fn share(times: &mut [Duration], share: f64) -> Duration {
    times.sort();
    times[((times.len() - 1) as f64 * share) as usize]
}

#[test]
fn a_click_is_answered_within_thirty_milliseconds() {
    for (game, start) in [
        ("othello", ""),
        ("uttt", ""),
        ("gounki", ""),
        ("connect5", "15x15"),
        ("moules", "maze 1 items 1 size 25x17 turns 2000"),
    ] {
        let data = tempfile::tempdir().unwrap();
        let arena = Arena::start(&["--data", data.path().to_str().unwrap()]);
        let mut connection = Connection::open(&arena);
        let mut times = Vec::new();
        let before = arena.processor();
        let mut random = 1_u64;
        while times.len() < CLICKS {
            let room = arena.open(game, &["person", "person"], start);
            let mut view = arena.get(&format!("{room}/view")).body;
            while times.len() < CLICKS {
                let choices = clicks(&view);
                if choices.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let click = &choices[(random >> 33) as usize % choices.len()];
                let path: Vec<String> = field(&view, "path").split_whitespace().map(str::to_owned).collect();
                let act = json!({ "do": "press", "click": click, "path": path });
                let (answer, time) = connection.post(&format!("{room}/act"), &act);
                times.push(time);
                view = answer.body;
            }
        }
        let (middle, late) = (share(&mut times, 0.5), share(&mut times, 0.99));
        let (most, each) = (times[CLICKS - 1], (arena.processor() - before) / CLICKS as u32);
        figure(&format!(
            "click {game}: median {middle:.1?}, p99 {late:.1?}, longest {most:.1?}, processor {each:.1?} a click"
        ));
        // A build without optimisation, beside other tests, is held to the floor by its median.
        let held = if cfg!(debug_assertions) { middle } else { late };
        assert!(held <= FLOOR, "{game}: {held:?}");
    }
}

/// Follows a room as a page does, fetching every picture it is told of, until the game is over.
fn follow(address: &str, room: &str) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET {room}/events HTTP/1.1\r\nHost: {address}\r\n\r\n").unwrap();
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        if line.starts_with("data:") {
            let ask = format!("GET {room}/view HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
            if is_over(&exchange(address, &ask).body) {
                return;
            }
        }
    }
}

fn is_over(view: &str) -> bool {
    let said = field(view, "say");
    ["wins", "a draw"].iter().any(|word| said.contains(word))
}

#[test]
fn fifty_watchers_cost_little_time_and_little_memory() {
    if player("uttt").is_none() {
        say("uttt is not built: cargo build --workspace");
        return;
    }
    let arena = Arena::start(&["--no-data"]);
    let game = |watchers: usize| {
        let wish = json!({ "game": "uttt", "seats": ["own", "own"], "strength": "level 6" });
        let answer = arena.post("/new", &wish).body;
        let room = answer.split('"').nth(3).unwrap().to_owned();
        let (began, before) = (Instant::now(), arena.processor());
        let moves = std::thread::scope(|scope| {
            for _ in 0..watchers {
                scope.spawn(|| follow(&arena.address, &room));
            }
            arena.get(&room);
            let over = || Some(arena.get(&format!("{room}/view")).body).filter(|view| is_over(view));
            field(&wait("the end", over), "length").parse::<u32>().unwrap()
        });
        (began.elapsed() / moves, (arena.processor() - before) / moves)
    };
    // The first game warms the machine; then each manner in turn.
    game(0);
    let mut sums = [(Duration::ZERO, Duration::ZERO); 2];
    for _ in 0..GAMES {
        for (sum, watchers) in sums.iter_mut().zip([0, 50]) {
            let (wall, processor) = game(watchers);
            *sum = (sum.0 + wall / GAMES, sum.1 + processor / GAMES);
        }
    }
    let [(alone, quiet), (watched, busy)] = sums;
    let memory = arena.most_memory();
    figure(&format!(
        "a move: {alone:.2?} alone, {watched:.2?} with fifty watchers ({:.3}); the arena's processor {quiet:.2?} and \
         {busy:.2?}; its memory at most {:.1} MB",
        watched.as_secs_f64() / alone.as_secs_f64(),
        memory as f64 / 1e6
    ));
    assert!(memory <= 100_000_000, "{memory} bytes");
}
