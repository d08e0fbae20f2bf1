//! New games: from the first page's form, from a file, or from a saved record.

use super::{
    Browser, LONGEST, Saved, Seat, Session, Settings, Spec, Strength, TimeControl, games_of, late, notes,
    resigned,
};
use anyhow::{Context as _, Result, anyhow, ensure};
use courses::drawing::Language;
use courses::fault::excerpt;
use courses::french::french;
use courses::notation;
use courses::note::Notes;
use courses::play;
use courses::record::{About, Missed, Played, Record, Variation};
use courses::registry::{self, Game};
use courses::seated::{self, Seated};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A wish for a new game, as the first page sends it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct New {
    /// The name of the game.
    pub game: String,
    /// `play`, `study`, `watch` or `replay`.
    pub mode: String,
    /// The start as typed.
    pub start: String,
    /// True for a drawn opening.
    pub drawn: bool,
    /// The size of the board, where it is free.
    pub size: String,
    /// The players, by seat: `person`, `own` or the name of a player given at the start.
    pub seats: Vec<String>,
    /// `level 4` or `millis 1000`, for the seats without their own in `strengths`.
    pub strength: String,
    /// The strength of each seat's engine.
    pub strengths: Vec<String>,
    /// The moves so far.
    pub moves: Vec<String>,
    /// The turns that a server played for a player.
    pub missed: Vec<(usize, Missed)>,
    /// Microseconds of each move.
    pub micros: Vec<u64>,
    /// The notes on the moves.
    pub notes: Notes,
    /// Lines beside the moves.
    pub variations: Vec<Variation>,
    /// Facts from the file of another program.
    pub about: About,
    /// The players, if the game was played elsewhere.
    pub names: Vec<Seated>,
    /// The seat that resigned.
    pub resigned: Option<usize>,
    /// The seat that lost on time.
    pub late: Option<usize>,
    /// The time of each player: `5+3` for minutes and seconds added a move, `10s` for seconds a move; in older links
    /// `move MILLIS` or `game MILLIS INCREMENT`. Empty means no limit.
    pub time: String,
    /// The name of the person who opens the game.
    pub name: String,
}

/// The reason why a wish is refused.
#[derive(Debug, Clone)]
pub enum Unable {
    /// The game does not exist.
    NoGame,
    /// No seat is taken.
    NobodyPlays,
    /// The text is not a strength.
    NoStrength(String),
    /// The text is not a time.
    NoTime(String),
    /// The start, a move, a player or a file is not valid: the error in English.
    Invalid(String),
}

impl From<anyhow::Error> for Unable {
    fn from(error: anyhow::Error) -> Self {
        Self::Invalid(error.to_string())
    }
}

impl Unable {
    /// Returns the reason in a language.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NoGame => language.choose("ce jeu n'existe pas", "no such game").to_owned(),
            Self::NobodyPlays => language.choose("personne ne joue", "nobody plays").to_owned(),
            Self::NoStrength(text) => {
                format!("\"{text}\" {}", language.choose("n'est pas une force", "is no strength"))
            }
            Self::NoTime(text) => {
                let expected = language.choose(
                    "n'est pas un temps : écrivez 5+3 (minutes, secondes de plus par coup) ou 10s (secondes par coup)",
                    "is no time: write 5+3 (minutes, seconds more a move) or 10s (seconds a move)",
                );
                format!("\"{text}\" {expected}")
            }
            Self::Invalid(error) => match language {
                Language::French => french(error),
                Language::English => error.clone(),
            },
        }
    }
}

/// Reads a strength; level 4 if the text is empty.
fn strength_of(text: &str) -> Result<Strength, Unable> {
    if text.is_empty() {
        return Ok(Strength::Level(4));
    }
    let strength = text.split_once(' ').and_then(|(kind, number)| match kind {
        "level" => number.parse().ok().filter(|level| (1..=10).contains(level)).map(Strength::Level),
        "millis" => number.parse().ok().filter(|time| (10..=60_000).contains(time)).map(Strength::Millis),
        _ => None,
    });
    strength.ok_or_else(|| Unable::NoStrength(excerpt(text)))
}

impl New {
    /// Returns the game.
    ///
    /// # Errors
    /// [`Unable::NoGame`].
    pub fn game(&self) -> Result<Game, Unable> {
        registry::find(&self.game).ok_or(Unable::NoGame)
    }

    /// Returns the game that is pasted as a start. It keeps its moves.
    ///
    /// # Errors
    /// If the text is a record file or a game of a notation, and the game is not valid.
    pub fn pasted(&self) -> Result<Option<Record>, Unable> {
        if notation::of(&self.start).is_none() && !self.start.trim_start().starts_with('{') {
            return Ok(None);
        }
        Ok(games_of(&self.start)?.into_iter().next())
    }

    /// Returns the settings: the seats chosen; only persons for a study or a replay, only engines to watch. `seat`
    /// makes a seat of a name, a strength and a seed.
    ///
    /// # Errors
    /// [`Unable`].
    pub fn settings(
        &self,
        game: Game,
        seed: u64,
        seat: impl Fn(&str, Strength, u64) -> Result<Seat>,
    ) -> Result<Settings, Unable> {
        let (least, most) = game.seats().into_inner();
        let strength = |nth: usize| self.strengths.get(nth).filter(|text| !text.is_empty());
        let seats = self.seats.iter().take(most).enumerate().filter(|(_, who)| !who.is_empty());
        let plays = |who| match (self.mode.as_str(), who) {
            ("study" | "replay", _) => "person",
            ("watch", "person") => "own",
            (_, who) => who,
        };
        let chosen = seats.map(|(nth, who)| (plays(who.as_str()), strength(nth).unwrap_or(&self.strength)));
        let mut names: Vec<(&str, &str)> = chosen.map(|(who, strength)| (who, strength.as_str())).collect();
        if names.is_empty() && matches!(self.mode.as_str(), "study" | "replay") {
            names.push(("person", ""));
        }
        if names.is_empty() {
            return Err(Unable::NobodyPlays);
        }
        while names.len() < least {
            names.push((if self.mode == "watch" { "own" } else { "person" }, &self.strength));
        }
        let seats = names.into_iter().enumerate().map(|(nth, (who, text))| {
            let strength = strength_of(text)?;
            seat(who, strength, seed + nth as u64).map_err(Unable::from)
        });
        let seats: Vec<Seat> = seats.collect::<Result<_, Unable>>()?;
        let pace = if self.mode == "watch" { 300 } else { 0 };
        let names = self.names.iter().take(seats.len()).cloned().map(Seated::shortened).collect();
        let [resigned, late] = [self.resigned, self.late].map(|seat| seat.filter(|seat| *seat < seats.len()));
        let is_study = self.mode == "study";
        let time = self.time()?.filter(|_| !is_study);
        Ok(Settings { seats, pace, resigned, late, time, is_study, names, ..Settings::default() })
    }

    fn time(&self) -> Result<Option<TimeControl>, Unable> {
        if self.time.trim().is_empty() {
            return Ok(None);
        }
        self.time.parse().map(Some).map_err(|_| Unable::NoTime(excerpt(&self.time)))
    }

    /// Returns the opening, as typed, drawn by `number`, or the game's own, and the moves so far. A typed list of moves
    /// is an opening, but in a study, and with move numbers, it is a game from its beginning.
    ///
    /// # Errors
    /// If the start is not valid.
    pub fn beginning(&self, game: Game, seats: usize, number: u64) -> Result<(String, Played)> {
        let text = self.start.trim();
        let (mut moves, missed, micros) = (self.moves.clone(), self.missed.clone(), self.micros.clone());
        let own = || game.beginning(&self.size, number).filter(|_| text.is_empty());
        let mut opening = if self.drawn {
            play::drawn(game, &self.size, number % 1_000_000)?
        } else if let Some(opening) = own() {
            opening
        } else {
            play::start(game, &game.sized(text, &self.size), seats)?
        };
        let is_game = moves.is_empty() && (self.mode == "study" || play::is_numbered(text)) && !self.drawn;
        if is_game && let Some(line) = play::moves_of(game, &opening, seats) {
            (opening, moves) = line;
        }
        Ok((
            game.resized(opening, &self.size),
            Played {
                moves,
                missed,
                micros,
                notes: self.notes.clone(),
                variations: self.variations.clone(),
                about: self.about.clone(),
                ..Played::default()
            },
        ))
    }
}

/// Returns the project's own player as a seat.
#[must_use]
pub fn own(game: Game, strength: Strength, seed: u64) -> Spec {
    let name = game.executables().first().copied().unwrap_or_default().to_owned();
    let (folder, sandbox) = Default::default();
    Spec { name, player: None, strength, seed, folder, sandbox, is_missing: false }
}

/// Returns the game and the settings of a recorded game, to show it.
///
/// # Errors
/// [`Unable::NoGame`].
pub fn replayed(record: &Record) -> Result<(Game, Settings), Unable> {
    let game = registry::find(&record.course).ok_or(Unable::NoGame)?;
    let seats = vec![Seat::Person; record.names.len()];
    let (resigned, late) = (resigned(&record.played), late(&record.played));
    let names = seated::all(&record.played.seated, &record.names);
    Ok((game, Settings { seats, resigned, late, names, ..Settings::default() }))
}

/// Lists recorded games, each with a title and the fields of [`New`].
#[must_use]
pub fn listed(records: &[Record], language: Language) -> Value {
    let end = |record: &Record| match language {
        Language::French => french(&record.played.end),
        Language::English => record.played.end.clone(),
    };
    let games = records.iter().map(|record| {
        let seated = seated::all(&record.played.seated, &record.names);
        let names: Vec<String> = seated.iter().map(|seated| seated.name(language)).collect();
        json!({
            "title": format!("{} · {} · {}", record.game + 1, names.join(" – "), end(record)),
            "game": record.course,
            "start": record.opening,
            "moves": record.played.moves,
            "missed": record.played.missed,
            "micros": record.played.micros,
            "notes": record.played.notes,
            "variations": record.played.variations,
            "about": record.played.about,
            "names": seated,
            "resigned": resigned(&record.played),
            "late": late(&record.played),
        })
    });
    json!({ "games": games.collect::<Vec<_>>() })
}

impl Session {
    /// Returns the settings of another game with the same seats.
    #[must_use]
    pub fn again(&self) -> Settings {
        let mut settings =
            Settings { resigned: None, late: None, names: Vec::new(), ..self.settings.clone() };
        settings.holders.iter_mut().for_each(|holder| holder.ticket = None);
        settings
    }

    /// Returns a game that begins with the first `at` moves of this one, with the notes that a browser sees on them, and
    /// other moves, which persons continue. Without other moves the seats stay as they are. The rest of this game is a
    /// variation there.
    #[must_use]
    pub fn branch(&self, at: usize, line: Vec<String>, by: &Browser) -> (Played, Settings) {
        let mut moves = self.play.moves()[..at].to_vec();
        let settings = match line.is_empty() {
            true => self.again(),
            false => {
                let seats = vec![Seat::Person; self.play.seats()];
                Settings { seats, is_study: true, ..Settings::default() }
            }
        };
        moves.extend(line);
        let variations = self.beside(&moves, by);
        let missed = self.play.missed().into_iter().filter(|(nth, _)| *nth < at).collect();
        let notes = self.notes_on(&notes::places(&moves), by);
        let notes = notes.into_iter().map(|(nth, note)| (nth, note.clone())).collect();
        (Played { moves, missed, notes, variations, ..Played::default() }, settings)
    }
}

/// Opens a session for a game that begins with the moves of `played`.
///
/// # Errors
/// If the opening or a move is not valid.
pub fn open(game: Game, opening: &str, played: &Played, settings: Settings) -> Result<Session> {
    let (moves, seats) = (&played.moves, settings.seats.len());
    ensure!(moves.len() <= LONGEST, "{} moves: a game has at most {LONGEST} here", moves.len());
    let mut play = play::open(game, opening, seats)?;
    for (nth, text) in moves.iter().enumerate() {
        play.play(text).map_err(|error| anyhow!("move {}: {error}", nth + 1))?;
    }
    play.miss(&played.missed);
    ensure!(seats == play.seats(), "{seats} seats for a game of {}", play.seats());
    // A file may have any holders and losers.
    let holders = settings.holders.len();
    ensure!(holders == 0 || holders == seats, "{holders} holders of {seats} seats");
    let [resigned, late] = [settings.resigned, settings.late].map(|seat| seat.filter(|seat| *seat < seats));
    let mut session = Session::new(play, Settings { resigned, late, ..settings });
    session.set_times(&played.micros);
    session.add_notes(&notes::places(session.play.moves()), &played.notes);
    session.set_variations(&played.variations);
    let About { date, result, comment } = &played.about;
    session.about = About::new(date, result, comment);
    Ok(session)
}

/// Opens a saved session.
///
/// # Errors
/// As [`open`].
pub fn reopen(saved: Saved, record: &Record) -> Result<Session> {
    let game =
        registry::find(&record.course).with_context(|| format!("no game {}", excerpt(&record.course)))?;
    let Saved { settings, undone, variations, notes, paused, review } = saved;
    let mut session = open(game, &record.opening, &record.played, settings)?;
    (session.undone, session.variations, session.paused) = (undone, variations, paused);
    session.notes = notes;
    session.drop_equals();
    session.restore_review(review);
    Ok(session)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Holder;

    #[test]
    fn holders_and_losers_of_a_file_have_seats() {
        let opened = |holders: usize, loser: Option<usize>| {
            let holder = Holder { browser: Browser::default(), name: String::new(), ticket: None };
            let seats = vec![Seat::Person; 2];
            let holders = vec![holder; holders];
            let settings = Settings { seats, holders, resigned: loser, late: loser, ..Settings::default() };
            open(registry::find("othello").unwrap(), "", &Played::default(), settings)
        };
        assert!([1, 3].iter().all(|&holders| opened(holders, None).is_err()));
        assert!(opened(0, Some(2)).unwrap().over().is_none());
        assert!(opened(2, Some(1)).unwrap().over().is_some());
    }
}
