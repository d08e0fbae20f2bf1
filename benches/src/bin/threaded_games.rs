//! Plays games in which each move is searched by several threads, and checks every move and every end. For
//! `scripts/soak.sh threads`, built as it is or with a sanitizer.
//!
//! ```text
//! threaded_games [GAMES] [THREADS]
//! ```

#![forbid(unsafe_code)]

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let games = numbers.first().copied().unwrap_or(1000).div_ceil(5);
    benches::play_with_threads(games, numbers.get(1).copied().unwrap_or(3));
}
