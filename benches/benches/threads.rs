//! Measures two threads against one: the time of the same searches, each position in turn with one thread, with two
//! independent searches at once, and with two threads. The independent ones show how much two processors can give here.
//!
//! ```text
//! cargo bench -p benches --bench threads [-- NAME]
//! ```

use benches::threads::Work;
use std::time::Instant;

/// The time and the nodes of some work.
fn timed(work: impl FnOnce() -> u64) -> (f64, f64) {
    let start = Instant::now();
    let nodes = work();
    (start.elapsed().as_secs_f64(), nodes as f64)
}

/// Runs all searches and prints the sums of their times.
fn measure(work: &Work) {
    let Work { name, count, search, by_nodes } = work;
    let apart = |number| {
        std::thread::scope(|scope| {
            let other =
                std::thread::Builder::new().spawn_scoped(scope, || search(number, 1)).expect("a thread");
            search(number, 1) + other.join().expect("it does not panic")
        })
    };
    let mut sums = [(0.0, 0.0); 3];
    for number in 0..*count {
        let runs = [timed(|| search(number, 1)), timed(|| apart(number)), timed(|| search(number, 2))];
        for (sum, (time, nodes)) in sums.iter_mut().zip(runs) {
            *sum = (sum.0 + time, sum.1 + nodes);
        }
    }
    let [one, apart, together] = sums;
    let nodes = together.1 / one.1;
    let most = 2.0 * one.0 / apart.0;
    let gained = one.0 / together.0 * if *by_nodes { nodes } else { 1.0 };
    println!(
        "{name:<22} {count:>3} {:>9.2} {:>10.2} {:>9.2} {:>7.2} {most:>7.2} {gained:>7.2} {:>6.2}",
        one.0,
        apart.0,
        together.0,
        nodes,
        gained / most
    );
}

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    // Cargo names the mode: without it this is a test, and one position of each is enough.
    let is_measured = arguments.iter().any(|argument| argument == "--bench");
    println!("searches, seconds        n       one  two apart  together   nodes    most  gained  share");
    for work in benches::works() {
        if wanted.is_none_or(|wanted| work.name.starts_with(wanted.as_str())) {
            measure(&Work { count: if is_measured { work.count } else { 1 }, ..work });
        }
    }
}
