//! The cost of the sandbox: the start of a process, and a question with its answer.
//!
//! `cargo test --release -p courses --test it costs -- --ignored --nocapture`

use courses::peer::{Command, Peer, Supervisor};
use courses::sandbox::{Mode, Options, Sandbox};
use std::time::{Duration, Instant};

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn cat(sandbox: Option<&Sandbox>) -> Command {
    Command { sandbox: sandbox.cloned(), ..Command::split("cat").unwrap() }
}

#[test]
#[ignore = "takes a quiet machine"]
fn costs() {
    let supervisor = Supervisor::new();
    let plain = Options::new(Mode::Auto);
    let kinds = [
        ("off", None),
        ("without namespaces", Sandbox::new(&Options { namespaces: false, ..plain.clone() }).unwrap()),
        ("auto", Sandbox::new(&plain).unwrap()),
    ];
    let minute = || Instant::now() + Duration::from_secs(60);
    let (mut starts, mut ends, mut moves) =
        ([const { Vec::new() }; 3], [const { Vec::new() }; 3], [const { Vec::new() }; 3]);
    // Taken in turns, so that all meet the same load.
    for _ in 0..200 {
        for (kind, (_, sandbox)) in kinds.iter().enumerate() {
            let began = Instant::now();
            let mut peer = Peer::spawn(&supervisor, &cat(sandbox.as_ref())).unwrap();
            peer.send(b"ready\n", minute()).unwrap();
            peer.line(minute()).unwrap();
            starts[kind].push(began.elapsed());
            for _ in 0..50 {
                let asked = Instant::now();
                peer.send(b"1 2 3\n", minute()).unwrap();
                peer.line(minute()).unwrap();
                moves[kind].push(asked.elapsed());
            }
            let ended = Instant::now();
            peer.close(b"");
            ends[kind].push(ended.elapsed());
        }
    }
    println!("medians in ms          start     end  question");
    for (kind, (name, _)) in kinds.iter().enumerate() {
        let [start, end, question] = [&starts, &ends, &moves].map(|times| median(times[kind].clone()));
        println!("{name:<20} {start:>7.3} {end:>7.3} {question:>9.4}");
    }
}
