//! Players from the command line or a players file.

use super::interrupt;
use super::language;
use super::options::PlayOptions;
use super::works::{self, Work};
use crate::mark::build::Built;
use crate::mark::class::PARTICIPANT;
use crate::mark::class::{self, Entry};
use courses::course::Course;
use courses::french::say;
use courses::limits::PlayerLimits;
use courses::options::GameOptions;
use courses::player::{Player, clean_name, distinct_names, named};
use courses::registry::Game;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use wire::Failure;

/// A player as written on the command line or in a players file.
#[derive(Debug, Clone)]
pub struct Written {
    /// The player's text.
    pub text: String,
    /// Name given separately from the command.
    pub name: Option<String>,
    /// Its own limits.
    pub limits: PlayerLimits,
    /// The build, if it came as a student's work.
    pub built: Option<Built>,
}

impl From<&str> for Written {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), name: None, limits: PlayerLimits::default(), built: None }
    }
}

impl Written {
    fn player(&self, course: &dyn Course) -> Result<Player, Failure> {
        player_of(course, &self.text, self.built.as_ref())
    }
}

/// Reads a players file, or builds the work of a class. Work that cannot be built is left out, with a note.
///
/// # Errors
/// The file, and what is wrong in it.
pub fn of_file(path: &Path, game: Game, options: &PlayOptions) -> Result<Vec<Written>, Failure> {
    let entries = class::load(path)?;
    let columns = entries.iter().flat_map(|entry| &entry.columns).map(|(column, _)| column.as_str());
    let columns: BTreeSet<&str> = columns.filter(|column| *column != PARTICIPANT).collect();
    if !columns.is_empty() {
        let columns = columns.into_iter().collect::<Vec<_>>().join(", ");
        let note = format!("referee: {}: columns that a tournament does not use: {columns}", path.display());
        wire::note(note);
    }
    let supervisor = interrupt::supervisor()?;
    interrupt::prepares();
    let works = works::built(path, entries, game, &options.sandbox, supervisor, options.quiet)?;
    let mut players = Vec::new();
    for Work { entry, built } in works {
        match built.as_ref().and_then(|built| built.error.as_ref()) {
            Some(error) => {
                let language = language::of_notes();
                let is_left_out = language.choose("est laissé de côté", "is left out");
                let (colon, error) = (language.colon(), say(error, language));
                wire::note(format_args!("referee: {} {is_left_out}{colon}{error}", entry.name));
            }
            None => players.push(Written { built, ..of_entry(&entry)? }),
        }
    }
    Ok(players)
}

fn of_entry(entry: &Entry) -> Result<Written, Failure> {
    let clock = entry.tc.as_deref().map(str::parse).transpose();
    let limits = PlayerLimits {
        time: entry.time.map(Duration::from_millis),
        clock: clock.map_err(|error| Failure::input(format!("{}: {error}", entry.name)))?,
        memory: entry.memory.map(|megabytes| u64::from(megabytes.get()) << 20),
        depth: entry.depth,
        view: None,
    };
    let text = format!("{} {}", entry.command, entry.options).trim_end().to_owned();
    Ok(Written { text, name: Some(entry.name.clone()), limits, built: None })
}

/// Returns the players of a run, each with a distinct name and its own limits.
///
/// # Errors
/// If a player is not valid, or a limit names an unknown player.
pub fn players(
    options: &PlayOptions,
    game: Game,
    course: &dyn Course,
    seats: usize,
    written: &[Written],
) -> Result<Vec<Player>, Failure> {
    let mut players = Vec::new();
    for of in written {
        let mut player = of.player(course)?;
        if let Some(name) = &of.name {
            player.name = clean_name(name);
        }
        player.limits = of.limits;
        players.push(player);
    }
    distinct_names(&mut players);
    for text in &options.limits {
        let wrong = || Failure::input(format!("--limit \"{text}\": expected NAME:LIMITS"));
        let (name, limits) = text.rsplit_once(':').ok_or_else(wrong)?;
        let named = players.iter_mut().find(|player| player.name == name);
        let named =
            named.ok_or_else(|| Failure::input(format!("--limit \"{text}\": no player is named {name}")))?;
        named.limits =
            limits.parse().map_err(|error| Failure::input(format!("--limit \"{text}\": {error}")))?;
    }
    for (player, of) in players.iter_mut().zip(written) {
        limited(player, of, options, game, seats)?;
    }
    Ok(players)
}

/// Returns the player under its own limits. Our own executables get limits as options, so their command changes.
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
    if !game.knows_clocks() && limits.clock.is_some() {
        return Err(Failure::input(format!("{} has no game clock", game.name())));
    }
    let time = limits.clock.map(|clock| clock.a_move()).or(limits.time);
    let own = GameOptions {
        time: time.map(|time| time.as_millis() as u64).or(options.timed().time),
        depth: limits.depth.unwrap_or(options.games.depth),
        ..options.games.clone()
    };
    player.reach = written.player(own.course(game, seats)?.as_ref())?.reach;
    player.text = format!("{} [{limits}]", player.text);
    Ok(())
}

/// Parses a player, with `own` expanded.
pub fn player(course: &dyn Course, text: &str) -> Result<Player, Failure> {
    let Some(own) = Own::of(text) else { return text.parse().map_err(Failure::input) };
    let mut player: Player = own.written(course.own(own.arguments)).parse().map_err(Failure::input)?;
    if own.name.is_none() {
        player.name = text.replacen(':', " ", 1);
    }
    Ok(player)
}

/// Parses a player, or the command of a student's work that was built.
pub fn player_of(course: &dyn Course, text: &str, built: Option<&Built>) -> Result<Player, Failure> {
    let Some(built) = built else { return player(course, text) };
    let mut player = Player::of_work(text).map_err(Failure::input)?;
    built.place(&mut player);
    Ok(player)
}

/// Expands `own` to a command with a protocol that can start from any position.
pub fn own_of_positions(course: &dyn Course, text: &str) -> String {
    let Some(own) = Own::of(text) else { return text.to_owned() };
    // Named by its text, unless it has a name.
    Own { name: own.name.or(Some("own")), ..own }.written(course.own_of_positions(own.arguments))
}

/// `[NAME=]own[:ARGUMENTS]`, which stands for the project's own executable of the game.
#[derive(Clone, Copy)]
struct Own<'a> {
    name: Option<&'a str>,
    arguments: &'a str,
}

impl<'a> Own<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let arguments = |text: &'a str| if text == "own" { Some("") } else { text.strip_prefix("own:") };
        let plain = arguments(text).map(|arguments| Self { name: None, arguments });
        plain.or_else(|| {
            let (name, rest) = named(text);
            Some(Self { name: Some(name?), arguments: arguments(rest)? })
        })
    }

    /// Returns the player's text with this command.
    fn written(&self, command: String) -> String {
        match self.name {
            Some(name) => {
                let plain = format!("{name}={command}");
                let quote = if name.contains('"') { '\'' } else { '"' };
                if named(&plain).0 == Some(name) { plain } else { format!("{quote}{name}{quote}={command}") }
            }
            None => command,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use courses::player::Reach;
    use courses::registry;

    #[test]
    fn our_own_players_keep_their_names() {
        let speaks = |game: &Game| game.protocols().contains(&"nboard");
        let game = registry::all().into_iter().find(speaks).unwrap();
        let course = GameOptions::default().course(game, 2).unwrap();
        let of = |text: &str| player(course.as_ref(), text).unwrap();
        for (text, name) in [
            ("own", "own"),
            ("own:--depth 3", "own --depth 3"),
            ("own:--eval=discs", "own --eval=discs"),
            ("own2=own:--depth 3", "own2"),
            ("ownership=own", "ownership"),
            ("me=own", "me"),
            ("L2/G3 #1=own", "L2/G3 #1"),
            ("sh 2=own:--depth 3", "sh 2"),
            ("\"-x=y\"=own", "-x=y"),
        ] {
            assert_eq!(of(text).name, name, "{text}");
            let positions = of(&own_of_positions(course.as_ref(), text));
            assert!(
                matches!(positions.reach, Reach::Process { protocol: Some("nboard"), .. }),
                "{text}: {positions:?}"
            );
            assert!(positions.name == name || positions.name == "own", "{text}: {}", positions.name);
        }
        assert_eq!(of("owner --fast").name, "owner --fast");
        assert_eq!(own_of_positions(course.as_ref(), "owner=gtp:x"), "owner=gtp:x");
    }
}
