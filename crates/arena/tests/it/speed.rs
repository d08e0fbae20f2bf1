//! The cost of a click, and the cost of viewers to a running game. `ARENA_FIGURES=1 … -- --nocapture speed` prints the
//! measurements.

use crate::server::{Arena, Connection, clicks, field, figure, is_built};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::Barrier;
use std::time::Duration;

/// A build without optimisation is held to the median alone, which a hundred clicks tell.
const CLICKS: usize = if cfg!(debug_assertions) { 100 } else { 1000 };
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

/// Leaves the processor to everybody else: a watcher's own machine is another one.
fn give_way() {
    let thread = std::fs::read_link("/proc/thread-self").unwrap();
    let number = thread.file_name().unwrap();
    let done = Command::new("renice").args(["-n", "19", "-p"]).arg(number).stdout(Stdio::null()).status();
    assert!(done.is_ok_and(|status| status.success()), "renice");
}

/// Follows a room as a page does, fetching every picture it is told of by one connection, until the game is over.
fn follow(arena: &Arena, room: &str) {
    let mut stream = TcpStream::connect(&arena.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "GET /events?rooms={} HTTP/1.1\r\nHost: {}\r\n\r\n", &room[3..], arena.address).unwrap();
    let mut pictures = Connection::open(arena);
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        if line.starts_with("data:") && is_over(&pictures.get(&format!("{room}/view")).body) {
            return;
        }
    }
}

fn is_over(view: &str) -> bool {
    let said = field(view, "say");
    ["wins", "a draw"].iter().any(|word| said.contains(word))
}

/// A game as it was played.
#[derive(Clone, Copy, Default)]
struct Spent {
    wall: f64,
    engines: f64,
    arena: f64,
}

/// The processor's seconds of every engine of the arena, by process.
fn engines(arena: &Arena) -> BTreeMap<u32, f64> {
    let seconds = |pid: u32| arena.processor_of(pid).map(|time| time.as_secs_f64());
    arena.children().into_iter().filter_map(|pid| Some((pid, seconds(pid)?))).collect()
}

/// The microseconds of every move of a record file's only game.
fn micros(record: &str) -> Vec<u64> {
    let game: serde_json::Value = serde_json::from_str(record.lines().nth(1).unwrap()).unwrap();
    game["micros"].as_array().unwrap().iter().map(|micros| micros.as_u64().unwrap()).collect()
}

/// Plays a game between two engines at fixed nodes with `watchers` viewers.
fn watched_game(arena: &Arena, level: &str, watchers: usize) -> (Spent, usize) {
    let wish = json!({ "game": "uttt", "seats": ["own", "own"], "strength": level });
    let room = arena.enter(&wish);
    let (before, known) = (arena.processor(), engines(arena));
    let ready = Barrier::new(watchers + 1);
    std::thread::scope(|scope| {
        for _ in 0..watchers {
            scope.spawn(|| {
                give_way();
                ready.wait();
                follow(arena, &room);
            });
        }
        ready.wait();
        arena.get(&room);
        // The end is told, as it is to a page: asking for it would be a watcher, too.
        follow(arena, &room);
    });
    // The game's own time: a page hears of its end the later, the more of them there are.
    let micros = micros(&arena.get(&format!("{room}/record")).body);
    let (wall, moves) = (micros.iter().sum::<u64>() as f64 / 1e6, micros.len());
    let engines =
        engines(arena).into_iter().filter(|(pid, _)| !known.contains_key(pid)).map(|(_, time)| time).sum();
    (Spent { wall, engines, arena: (arena.processor() - before).as_secs_f64() }, moves)
}

/// The middle of some ratios, their least and their greatest.
fn middle(mut ratios: Vec<f64>) -> (f64, f64, f64) {
    ratios.sort_by(f64::total_cmp);
    (ratios[ratios.len() / 2], ratios[0], ratios[ratios.len() - 1])
}

#[test]
fn fifty_watchers_cost_little_time_and_little_memory() {
    if !is_built("uttt") {
        return;
    }
    // A build as it is used is measured; any other shows that it works.
    let (pairs, level) = if cfg!(debug_assertions) { (1, "level 4") } else { (9, "level 8") };
    let arena = Arena::start(&["--no-data"]);
    // The first game warms the machine; then each manner in turn, who is first in turn, too.
    if !cfg!(debug_assertions) {
        watched_game(&arena, level, 0);
    }
    let mut played: Vec<[Spent; 2]> = Vec::new();
    for pair in 0..pairs {
        let mut both = [Spent::default(); 2];
        let mut lengths = [0; 2];
        for nth in [pair % 2, 1 - pair % 2] {
            (both[nth], lengths[nth]) = watched_game(&arena, level, [0, 50][nth]);
        }
        // Fixed nodes: the same game both times.
        assert_eq!(lengths[0], lengths[1]);
        figure(&format!(
            "pair {pair}, {} moves: wall {:.2} and {:.2} s, engines {:.2} and {:.2} s, arena {:.2} and {:.2} s",
            lengths[0],
            both[0].wall,
            both[1].wall,
            both[0].engines,
            both[1].engines,
            both[0].arena,
            both[1].arena
        ));
        played.push(both);
    }
    let ratio =
        |of: fn(&Spent) -> f64| middle(played.iter().map(|[alone, seen]| of(seen) / of(alone)).collect());
    let (wall, least, most) = ratio(|spent| spent.wall);
    let engines = ratio(|spent| spent.engines);
    // Whatever else the machine does: the processor's time that fifty watchers take beside the engines'.
    let sum = |of: fn(&[Spent; 2]) -> f64| played.iter().map(of).sum::<f64>();
    let share = sum(|[alone, seen]| seen.arena - alone.arena) / sum(|[alone, _]| alone.engines);
    let memory = arena.most_memory();
    figure(&format!(
        "fifty watchers: wall {wall:.3} ({least:.3} to {most:.3}), engines {:.3} ({:.3} to {:.3}), the page's processor \
         {:.1} % of the engines', memory {:.1} MB",
        engines.0,
        engines.1,
        engines.2,
        100.0 * share,
        memory as f64 / 1e6
    ));
    assert!(memory <= 100_000_000, "{memory} bytes");
    assert!(cfg!(debug_assertions) || share <= 0.03, "{share}");
}
