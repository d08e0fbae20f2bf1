//! A maze opening as text: two seeds, then any settings that differ from the course's.

use moules_client::rules::{Command, Game, GeneratorError, Settings};
use std::fmt;

/// A maze opening: the generator's settings, the turn limit, and the turns already played.
///
/// ```
/// use courses::games::moules::Opening;
///
/// let mut opening = Opening::default();
/// opening.read("maze 49811 items 52567 size 13x11 turns 7").unwrap();
/// assert_eq!((opening.settings.maze_seed, opening.settings.width, opening.turns), (49811, 13, Some(7)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The generator's settings.
    pub settings: Settings,
    /// The maximum number of turns of each player, if limited.
    pub turns: Option<u64>,
    /// The turns played before the start.
    pub played: Vec<String>,
}

/// An error in an opening.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// The seeds are not at the start.
    #[error("\"{text}\" is not \"maze N items N\"")]
    Seeds {
        /// The whole text.
        text: String,
    },
    /// The value of a setting is not a number.
    #[error("{key} \"{value}\": expected a number")]
    Number {
        /// The name of the setting.
        key: String,
        /// The text instead of a number.
        value: String,
    },
    /// The size is not two numbers.
    #[error("size \"{value}\": 25x17 is one")]
    Size {
        /// The text instead of a size.
        value: String,
    },
    /// There is no such setting.
    #[error("\"{key}\": maze, items, size, dunes, mussels, beers, frites, turns or played")]
    Key {
        /// The unknown word.
        key: String,
    },
    /// The settings give no maze.
    #[error(transparent)]
    Maze(#[from] GeneratorError),
    /// The turns go on after the game is over.
    #[error("moves after the end of the game")]
    AfterEnd,
}

impl Default for Opening {
    fn default() -> Self {
        Self { settings: Settings::default(), turns: Some(500), played: Vec::new() }
    }
}

impl Opening {
    /// Applies a text: `maze N items N`, then any of `size AxB`, `dunes N`, `mussels N`, `beers N`, `frites N`, `turns
    /// N` (0: no limit), `played E/S/F-E` (the turns before the start).
    ///
    /// # Errors
    /// The first word that is unknown, or whose number is missing.
    pub fn read(&mut self, text: &str) -> Result<(), OpeningError> {
        let words: Vec<&str> = text.split_whitespace().collect();
        if !matches!(words.as_slice(), ["maze", _, "items", _, ..]) {
            return Err(OpeningError::Seeds { text: text.to_owned() });
        }
        words.chunks(2).try_for_each(|pair| self.set(pair[0], pair.get(1).copied().unwrap_or_default()))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), OpeningError> {
        let wrong = || OpeningError::Number { key: key.to_owned(), value: value.to_owned() };
        let seed = || value.parse().map_err(|_| wrong());
        let count = || value.parse().map_err(|_| wrong());
        let settings = &mut self.settings;
        match key {
            "maze" => settings.maze_seed = seed()?,
            "items" => settings.item_seed = seed()?,
            "size" => {
                (settings.width, settings.height) =
                    sides(value).ok_or_else(|| OpeningError::Size { value: value.to_owned() })?;
            }
            "dunes" => settings.dunes = value.parse().map_err(|_| wrong())?,
            "mussels" => settings.mussels = count()?,
            "beers" => settings.beers = count()?,
            "frites" => settings.frites = count()?,
            "turns" => self.turns = Some(value.parse().map_err(|_| wrong())?).filter(|&turns| turns > 0),
            "played" => self.played = value.split('/').map(str::to_owned).collect(),
            _ => return Err(OpeningError::Key { key: key.to_owned() }),
        }
        Ok(())
    }

    /// Creates the match of `players` players.
    ///
    /// # Errors
    /// If the maze cannot be generated, or the match is over before its start.
    pub fn game(&self, players: usize) -> Result<Game, OpeningError> {
        let settings = Settings { players, ..self.settings };
        let state = settings.generate()?;
        let mut game = Game::new(state, self.turns);
        for text in &self.played {
            if game.end().is_some() {
                return Err(OpeningError::AfterEnd);
            }
            game.play(Command::read(text.as_bytes()));
        }
        Ok(game)
    }

    /// Returns the settings without the seeds, for the head of a run.
    #[must_use]
    pub fn setting(&self) -> String {
        let Settings { width, height, dunes, mussels, beers, frites, .. } = self.settings;
        let turns = self.turns.unwrap_or(0);
        format!(
            "{width}x{height}, {dunes} % dunes, {mussels} mussels, {beers} beers, {frites} frites, {turns} turns"
        )
    }

    /// Applies the [setting](Self::setting) of a run's head. Ignores an invalid text.
    pub fn read_setting(&mut self, text: &str) {
        let mut read = self.clone();
        let mut parts = text.split(';').next().unwrap_or_default().split(", ");
        let size = parts.next().unwrap_or_default();
        let each = |part: &str| {
            let (number, name) = part.split_once(' ')?;
            read.set(name.trim_start_matches("% "), number).ok()
        };
        if parts.map(each).collect::<Option<Vec<()>>>().is_some() && read.set("size", size).is_ok() {
            *self = read;
        }
    }
}

impl fmt::Display for Opening {
    /// Writes all settings, so that the text does not depend on the course's.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { width, height, dunes, mussels, beers, frites, maze_seed, item_seed, .. } =
            self.settings;
        let turns = self.turns.unwrap_or(0);
        write!(
            f,
            "maze {maze_seed} items {item_seed} size {width}x{height} dunes {dunes} mussels {mussels} beers {beers} \
             frites {frites} turns {turns}"
        )?;
        if self.played.is_empty() { Ok(()) } else { write!(f, " played {}", self.played.join("/")) }
    }
}

fn sides(text: &str) -> Option<(usize, usize)> {
    let (width, height) = text.split_once('x')?;
    Some((width.parse().ok()?, height.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_read_back_from_its_own_words_and_from_a_runs_head() {
        let settings = Settings { width: 13, height: 11, dunes: 30, mussels: 6, ..Settings::default() };
        let small = Opening { settings, turns: Some(7), ..Opening::default() };
        for opening in [small.clone(), Opening { turns: None, ..small.clone() }] {
            let mut read = Opening::default();
            read.read(&opening.to_string()).unwrap();
            assert_eq!(read, opening);
            read.played = ["C", "F-E", "E"].map(str::to_owned).to_vec();
            let mut later = Opening::default();
            later.read(&read.to_string()).unwrap();
            assert_eq!((&later, later.game(2).unwrap().turns()), (&read, 3));
            let mut told = Opening::default();
            told.read_setting(&format!("{}; openings moules.txt", opening.setting()));
            assert_eq!(told, opening);
        }
        let mut same = small.clone();
        for other in ["", "played in the arena", "13x11, 30 % dunes, six mussels", "9x9, 1 wall"] {
            same.read_setting(other);
            assert_eq!(same, small, "{other}");
        }
    }

    #[test]
    fn other_words_are_refused() {
        for text in [
            "",
            "maze 1",
            "maze x items 1",
            "maze 1 items 1 size 9",
            "maze 1 items 1 turns",
            "maze 1 items 1 a 1",
        ] {
            assert!(Opening::default().read(text).is_err(), "{text}");
        }
    }
}
