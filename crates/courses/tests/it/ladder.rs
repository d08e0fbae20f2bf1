//! Games of each level against the one below.

use courses::options::GameOptions;
use courses::play::own::Terms;
use courses::registry::{self, Game};
use courses::strength::Strength;
use search_core::Stopwatch;

/// Plays a game from drawn opening `nth`, and returns the points of the stronger one, which begins every other game.
fn points(game: Game, levels: [u8; 2], opening: &str, nth: usize) -> f64 {
    let mut play = game.open(opening, 2).unwrap();
    let seats = if nth.is_multiple_of(2) { [0, 1] } else { [1, 0] };
    let mut players = seats.map(|side| {
        let terms = Terms { strength: Strength::Level(levels[side]), limits: None, memory: 16 << 20 };
        game.own_player(opening, 2, &terms).unwrap()
    });
    while let Some(mover) = play.mover(play.moves().len()).filter(|_| play.moves().len() < 2_000) {
        let chosen = players[mover].choose(play.moves(), &Stopwatch::start()).unwrap();
        play.play(&chosen.text).unwrap();
    }
    let stronger = usize::from(seats[0] != 0);
    play.ending(play.moves().len()).map_or(0.5, |ending| ending.points[stronger])
}

/// `LADDER_GAME`, `LADDER_GAMES` (`0-400`: the games 0 to 399) and `LADDER_LEVELS` (`2-10`) choose what is played.
#[test]
#[ignore = "hours: cargo test --release -p courses --test it -- --ignored --nocapture a_level_wins"]
fn a_level_wins_against_the_one_below() {
    let variable = |name: &str, default: &str| std::env::var(name).unwrap_or_else(|_| default.to_owned());
    let only = variable("LADDER_GAME", "");
    let range = |name, default| {
        let text = variable(name, default);
        let (from, to) = text.split_once('-').unwrap();
        from.parse::<usize>().unwrap()..to.parse().unwrap()
    };
    let games = range("LADDER_GAMES", "0-400");
    let levels = range("LADDER_LEVELS", "2-10");
    for game in registry::all().into_iter().filter(|game| only.is_empty() || game.name() == only) {
        let course = GameOptions::default().course(game, 2).unwrap();
        for level in levels.start as u8..=levels.end as u8 {
            let played = games
                .clone()
                .map(|nth| points(game, [level, level - 1], &course.opening(nth as u64 / 2), nth));
            let sum: f64 = played.sum();
            println!(
                "{game} level {level} against {}: {:.1} % of {} games",
                level - 1,
                100.0 * sum / games.len() as f64,
                games.len()
            );
        }
    }
}
