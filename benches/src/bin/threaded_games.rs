//! Plays games in which each move is searched by several threads, and checks every move and every end. For
//! `scripts/soak.sh threads`, built as it is or with a sanitizer.
//!
//! ```text
//! threaded_games [GAMES] [THREADS]
//! ```

#![forbid(unsafe_code)]

use connect5_joueur::rules::{Grid, Position};
use search_core::testing::random_positions;
use search_core::{Limits, Report, Stopwatch};
use std::fmt::Debug;

/// The length at which a game that repeats itself is left.
const MOST_PLIES: usize = 300;

/// Plays some games from random openings, each move from `think`. Returns the number of moves.
///
/// # Panics
/// If a move is missing or illegal.
fn play<P: search_core::Position + Debug>(
    start: &P,
    games: usize,
    mut think: impl FnMut(&P) -> Report<P::Move>,
) -> usize {
    let mut moves = 0;
    for mut position in random_positions(start, 1, games, 8) {
        for _ in 0..MOST_PLIES {
            if position.outcome().is_some() {
                break;
            }
            let best = think(&position).best;
            let Some(mv) = best.filter(|&mv| position.is_legal(mv)) else {
                panic!("{best:?} is not legal in {position:?}")
            };
            position.play(mv);
            moves += 1;
        }
    }
    moves
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let games = numbers.first().copied().unwrap_or(1000).div_ceil(5);
    let threads = numbers.get(1).copied().unwrap_or(3);
    let clock = Stopwatch::start();
    let limits = Limits::nodes(1_000);

    let settings = othello_player::player::Settings { threads, ..Default::default() };
    let mut player = othello_player::player::Player::new(settings);
    let moves = play(&othello_player::rules::Position::START, games, |at| player.think(at, limits, &clock));
    println!("othello: {games} games, {moves} moves");

    let settings = gounki::player::Settings { threads, ..Default::default() };
    let mut player = gounki::player::Player::new(settings);
    let moves = play(&gounki::rules::Position::initial(), games, |at| player.think(at, limits, &clock));
    println!("gounki: {games} games, {moves} moves");

    let settings = connect5_joueur::player::Settings { threads, ..Default::default() };
    let mut player = connect5_joueur::player::Player::new(settings);
    let start = Position::from_grid(&Grid::new(12, 12).expect("a size"));
    let moves = play(&start, games, |at| player.think(at, limits, &clock));
    println!("connect5: {games} games, {moves} moves");

    for method in [uttt::player::Method::AlphaBeta, uttt::player::Method::MonteCarlo] {
        let settings =
            uttt::player::Settings { method, threads, table_bytes: 32 << 20, ..Default::default() };
        let mut player = uttt::player::Player::new(settings);
        let moves = play(&uttt::rules::State::start(), games, |at| player.think(at, limits, &clock));
        println!("uttt, {method}: {games} games, {moves} moves");
    }
}
