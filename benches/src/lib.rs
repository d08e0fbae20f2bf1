//! The common part of all games' benches: the groups `evaluation/<game>/<name>` and `search/<game>/<name>`.
//!
//! - [`table`]: a table of the measurements for each game.
//! - [`threads`]: searches by several threads.
//! - [`duel`]: a search with more means against the same with less.
//! - The others: what a game gives to these.

#![forbid(unsafe_code)]

pub mod connect5;
pub mod duel;
pub mod gounki;
pub mod moules;
pub mod othello;
pub mod table;
pub mod threads;
pub mod uttt;

use criterion::{Criterion, Throughput};
use search_core::Score;
use std::fmt::Display;
use std::hint::black_box;
use std::time::Duration;

/// Criterion's settings for short samples: each bench takes about a second.
#[must_use]
pub fn brief() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(200))
        .measurement_time(Duration::from_millis(800))
}

/// The evaluation functions of every game.
#[must_use]
pub fn games() -> Vec<table::Game> {
    vec![connect5::game(), gounki::game(), moules::game(), othello::game(), uttt::game()]
}

/// The searches of every game that several threads can share.
#[must_use]
pub fn works() -> Vec<threads::Work> {
    [othello::works(), gounki::works(), connect5::works(), uttt::works()].into_iter().flatten().collect()
}

/// Plays games of every game whose search has threads: the games, and the threads of a search.
pub fn play_with_threads(games: usize, threads: usize) {
    for play in [othello::play, gounki::play, connect5::play, uttt::play] {
        play(games, threads);
    }
}

/// Plays a match: the number of games, and the means of the two players.
pub type Duel = fn(usize, &[duel::Means; 2]);

/// The games whose search has threads.
pub const DUELS: [(&str, Duel); 4] = [
    ("connect5", connect5::duel),
    ("gounki", gounki::duel),
    ("othello", othello::duel),
    ("uttt", uttt::duel),
];

/// The group `evaluation/<game>`: every evaluation function on the same positions. A time is for all positions
/// together.
pub fn compare_evaluations<E: Copy + Display, P>(
    criterion: &mut Criterion,
    game: &str,
    evaluations: &[E],
    positions: &[P],
    evaluate: impl Fn(E, &P) -> Score,
) {
    let mut group = criterion.benchmark_group(format!("evaluation/{game}"));
    group.throughput(Throughput::Elements(positions.len() as u64));
    for &evaluation in evaluations {
        let all = || positions.iter().map(|at| evaluate(evaluation, black_box(at)).value()).sum::<i32>();
        group.bench_function(evaluation.to_string(), |bencher| bencher.iter(all));
    }
    group.finish();
}

/// The group `search/<game>`: a fixed search with every evaluation function from the same positions. `nodes` runs the
/// search and returns its node count, which is printed and stored for the table.
pub fn compare_searches<E: Copy + Display, P>(
    criterion: &mut Criterion,
    game: &str,
    evaluations: &[E],
    positions: &[P],
    mut nodes: impl FnMut(E, &P) -> u64,
) {
    let mut group = criterion.benchmark_group(format!("search/{game}"));
    for &evaluation in evaluations {
        let mut all = || positions.iter().map(|at| nodes(evaluation, at)).sum::<u64>();
        if is_measured() {
            let count = all();
            println!("search/{game}/{evaluation}: {count} nodes");
            let file = table::nodes_file(game, &evaluation.to_string());
            let kept = file.parent().map_or(Ok(()), std::fs::create_dir_all);
            if let Err(error) = kept.and_then(|()| wire::file::write(&file, format!("{count}\n"))) {
                eprintln!("{}: {error}", file.display());
            }
        }
        group.bench_function(evaluation.to_string(), |bencher| bencher.iter(&mut all));
    }
    group.finish();
}

/// Returns true if benches are measured, not only run once or listed.
fn is_measured() -> bool {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |argument: &str| arguments.iter().any(|of| of == argument);
    has("--bench") && !["--test", "--list", "--profile-time"].into_iter().any(has)
}

/// Prints a game's table and the path of criterion's report with its plots; prints nothing if nothing was measured.
pub fn summary(game: &str) {
    let all = games();
    let Some(game) = all.iter().find(|of| of.name == game).filter(|_| is_measured()) else { return };
    let rows = table::rows(game);
    if rows.iter().all(|row| row.nanoseconds.is_none()) {
        return;
    }
    let title = format!("{}: change against the run before; ≈ none that is sure", game.name);
    println!("{}", table::text(&title, &rows, None));
    let report = table::criterion_folder().join("report/index.html");
    if report.is_file() {
        println!("report with plots: {}\n", report.display());
    }
}

/// Defines the `main` of a game's bench: runs its groups, then prints criterion's report and the game's table.
#[macro_export]
macro_rules! main {
    ($group:ident, $game:literal) => {
        fn main() {
            $group();
            criterion::Criterion::default().configure_from_args().final_summary();
            $crate::summary($game);
        }
    };
}
