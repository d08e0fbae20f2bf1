//! Compares the evaluation functions of À la pêche aux moules on the same states, and the players on the same turn.

use benches::{brief, compare_evaluations, compare_searches};
use criterion::{Criterion, criterion_group};
use moules_client::evaluation::Evaluation;
use moules_client::player::{Ai, Player, Settings};
use moules_client::rules::{Game, State};
use search_core::{Limits, Stopwatch};

/// The first initial state of each kind: one player, four players, open mazes, large mazes.
fn games() -> Vec<Game> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../test-data/moules/initial_states.tsv");
    let text = std::fs::read_to_string(path).expect("the project's own test data");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let state = |line: &&str| line.rsplit('\t').next().unwrap_or("").parse::<State>().expect("a state");
    lines.iter().take(5).map(|line| Game::new(state(line), Some(500))).collect()
}

fn evaluations(criterion: &mut Criterion) {
    compare_evaluations(criterion, "moules", Evaluation::ALL, &games(), Evaluation::evaluate);
}

/// The planner's search with a beam of 32 plans.
fn searches(criterion: &mut Criterion) {
    compare_searches(criterion, "moules", Evaluation::ALL, &games(), |evaluation, game| {
        let settings = Settings { ai: Ai::Planner, evaluation, width: 32 };
        Player::new(settings).think(game, Limits::default(), &Stopwatch::start()).nodes
    });
}

fn players(criterion: &mut Criterion) {
    let games = games();
    let mut group = criterion.benchmark_group("player/moules");
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

criterion_group! {
    name = all;
    config = brief();
    targets = evaluations, searches, players
}
benches::main!(all, "moules");
