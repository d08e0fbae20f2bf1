//! À la pêche aux moules: the evaluations on the same states, and the players on the same turn.

use criterion::{Criterion, criterion_group, criterion_main};
use moules_client::evaluation::Evaluation;
use moules_client::player::{Ai, Player, Settings};
use moules_client::rules::{Game, State};
use search_core::{Limits, Stopwatch};
use std::hint::black_box;
use std::time::Duration;

/// The first of each kind of initial state: one player, four players, open mazes, large ones.
fn games() -> Vec<Game> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../test-data/moules/initial_states.tsv");
    let text = std::fs::read_to_string(path).expect("the project's own test data");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let state = |line: &&str| line.rsplit('\t').next().unwrap_or("").parse::<State>().expect("a state");
    lines.iter().take(5).map(|line| Game::new(state(line), Some(500))).collect()
}

fn evaluations(c: &mut Criterion) {
    let games = games();
    let mut group = c.benchmark_group("evaluation/moules");
    group
        .sample_size(10)
        .measurement_time(Duration::from_millis(500))
        .warm_up_time(Duration::from_millis(100));
    for evaluation in Evaluation::ALL {
        group.bench_function(evaluation.name(), |b| {
            b.iter(|| games.iter().map(|game| evaluation.evaluate(black_box(game)).value()).sum::<i32>());
        });
    }
    group.finish();
}

fn searches(c: &mut Criterion) {
    let games = games();
    let mut group = c.benchmark_group("search/moules");
    group
        .sample_size(10)
        .measurement_time(Duration::from_millis(500))
        .warm_up_time(Duration::from_millis(100));
    for evaluation in Evaluation::ALL {
        let settings = Settings { ai: Ai::Planner, evaluation: *evaluation, width: 32 };
        let search = || {
            let think = |game| Player::new(settings).think(game, Limits::default(), &Stopwatch::start());
            games.iter().map(|game| think(game).nodes).sum::<u64>()
        };
        println!("search/moules/{evaluation}: {} nodes", search());
        group.bench_function(evaluation.name(), |b| b.iter(search));
    }
    group.finish();
}

fn players(c: &mut Criterion) {
    let games = games();
    let mut group = c.benchmark_group("player/moules");
    group
        .sample_size(10)
        .measurement_time(Duration::from_millis(500))
        .warm_up_time(Duration::from_millis(100));
    for ai in Ai::ALL {
        let settings = Settings { ai: *ai, width: 32, ..Settings::default() };
        group.bench_function(ai.name(), |b| {
            b.iter(|| {
                let think = |game| Player::new(settings).think(game, Limits::default(), &Stopwatch::start());
                games.iter().map(|game| think(game).nodes).sum::<u64>()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, evaluations, searches, players);
criterion_main!(benches);
