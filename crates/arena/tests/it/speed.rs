//! What a click costs, and what those who watch cost those who play. `ARENA_FIGURES=1 … -- --nocapture speed` prints
//! what was measured.

use crate::server::{Arena, Connection, clicks, field, figure};
use serde_json::json;
use std::time::Duration;

const CLICKS: usize = 1000;
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
