//! Players as they are written, named and limited.

use super::play::{PlayOptions, player};
use crate::mark::class::{self, Entry};
use courses::course::Course;
use courses::limits::PlayerLimits;
use courses::options::{Game, GameOptions};
use courses::player::{Player, distinct_names};
use std::path::Path;
use std::time::Duration;
use wire::Failure;

/// A player as it is written, on the command line or in a players file.
#[derive(Debug, Clone)]
pub struct Written {
    /// Its text.
    pub text: String,
    /// Its name, where it stands elsewhere than in the text.
    pub name: Option<String>,
    /// Its own limits.
    pub limits: PlayerLimits,
}

impl From<&str> for Written {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), name: None, limits: PlayerLimits::default() }
    }
}

/// The players of a players file.
///
/// # Errors
/// The file and what is wrong in it.
pub fn of_file(path: &Path) -> Result<Vec<Written>, Failure> {
    class::load(path)?.iter().map(of_entry).collect()
}

fn of_entry(entry: &Entry) -> Result<Written, Failure> {
    let clock = entry.tc.as_deref().map(str::parse).transpose();
    let limits = PlayerLimits {
        time: entry.time.map(Duration::from_millis),
        clock: clock.map_err(|error| Failure::input(format!("{}: {error}", entry.name)))?,
        memory: entry.memory.map(|megabytes| megabytes << 20),
        depth: entry.depth,
    };
    let text = format!("{} {}", entry.command, entry.options).trim_end().to_owned();
    Ok(Written { text, name: Some(entry.name.clone()), limits })
}

/// The players of a run, each with a name and with its own limits.
///
/// # Errors
/// One that is none, a limit of nobody.
pub fn players(
    options: &PlayOptions,
    game: Game,
    course: &dyn Course,
    seats: usize,
    written: &[Written],
) -> Result<Vec<Player>, Failure> {
    let mut players = Vec::new();
    for of in written {
        let mut player = player(course, &of.text)?;
        if let Some(name) = &of.name {
            player.name = name.replace(char::is_control, "\u{fffd}");
        }
        player.limits = of.limits;
        players.push(player);
    }
    distinct_names(&mut players);
    for text in &options.limits {
        let wrong = || Failure::input(format!("--limit \"{text}\": NAME:LIMITS is expected"));
        let (name, limits) = text.rsplit_once(':').ok_or_else(wrong)?;
        let named = players.iter_mut().find(|player| player.name == name);
        let named =
            named.ok_or_else(|| Failure::input(format!("--limit \"{text}\": nobody is called {name}")))?;
        named.limits =
            limits.parse().map_err(|error| Failure::input(format!("--limit \"{text}\": {error}")))?;
    }
    for (player, of) in players.iter_mut().zip(written) {
        limited(player, of, options, game, seats)?;
    }
    Ok(players)
}

/// Our own executables are told their limits on the command line: one with limits of its own is written anew.
fn limited(
    player: &mut Player,
    written: &Written,
    options: &PlayOptions,
    game: Game,
    seats: usize,
) -> Result<(), Failure> {
    let limits = player.limits;
    if limits.is_empty() {
        return Ok(());
    }
    if game == Game::Moules && limits.clock.is_some() {
        return Err(Failure::input("the maze knows no game clock"));
    }
    let time = limits.clock.map(|clock| clock.a_move()).or(limits.time);
    let own = GameOptions {
        time: time.map(|time| time.as_millis() as u64).or(options.timed().time),
        depth: limits.depth.unwrap_or(options.games.depth),
        ..options.games.clone()
    };
    player.reach = super::play::player(own.course(game, seats)?.as_ref(), &written.text)?.reach;
    player.text = format!("{} [{limits}]", player.text);
    Ok(())
}
