//! Plays two threads against one at an equal time a move (SPRT). The courses' own modes take one thread, so the referee
//! cannot play these games.
//!
//! ```text
//! threads_match GAME [MILLISECONDS] [GAMES]
//! ```

#![forbid(unsafe_code)]

use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| words.get(at).map_or(Some(default), |word| word.parse().ok());
    let name = words.first().map_or("", String::as_str);
    let names = benches::DUELS.map(|(name, _)| name).join(", ");
    let (Some(millis), Some(games)) = (number(1, 100), number(2, 2_000)) else {
        eprintln!("usage: threads_match GAME [MILLISECONDS] [GAMES]; the games: {names}");
        return ExitCode::from(2);
    };
    let Some((_, play)) = benches::DUELS.iter().find(|(game, _)| *game == name) else {
        eprintln!("threads_match: expected one of {names}, found {name:?}");
        return ExitCode::from(2);
    };
    play(games as usize, Duration::from_millis(millis));
    ExitCode::SUCCESS
}
