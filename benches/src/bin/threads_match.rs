//! Plays a search against the same with less (SPRT): two threads against one at an equal time a move (`threads`), one
//! thread with twice the time (`time`, the most that two threads could give), or two threads against one at an equal
//! number of thousand nodes (`nodes`). The courses' own modes take one thread, so the referee cannot play these games.
//!
//! ```text
//! threads_match GAME [MILLISECONDS] [GAMES] [threads|time|nodes]
//! ```

#![forbid(unsafe_code)]

use benches::duel;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize, default| words.get(at).map_or(Some(default), |word| word.parse().ok());
    let name = words.first().map_or("", String::as_str);
    let names = benches::DUELS.map(|(name, _)| name).join(", ");
    let twice = words.get(3).map_or("threads", String::as_str);
    let means = number(1, 100).and_then(|amount| duel::means(twice, amount));
    let (Some(means), Some(games)) = (means, number(2, 2_000)) else {
        eprintln!(
            "usage: threads_match GAME [MILLISECONDS] [GAMES] [threads|time|nodes]; the games: {names}"
        );
        return ExitCode::from(2);
    };
    let Some((_, play)) = benches::DUELS.iter().find(|(game, _)| *game == name) else {
        eprintln!("threads_match: expected one of {names}, found {name:?}");
        return ExitCode::from(2);
    };
    play(games as usize, &means);
    ExitCode::SUCCESS
}
