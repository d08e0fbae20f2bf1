//! The table next to a maze: trails, points and bonuses, last turns, late answers, marks so far.

use super::drawing::{badge, way};
use super::page::last_turn;
use crate::drawing::Language;
use crate::play::watched::Scoreboard;
use crate::record::Missed;
use moules_client::protocol::event::Origin;
use moules_client::rules::{Cell, Game, State};

/// Maximum length of a trail.
const TRAIL: usize = 16;

/// Returns the reason for a turn of the server, or `None` if the player made the turn itself.
pub fn missed(origin: Origin) -> Option<Missed> {
    match origin {
        Origin::Player => None,
        Origin::Late => Some(Missed::Late),
        Origin::Gone => Some(Missed::Gone),
    }
}

impl From<Missed> for Origin {
    fn from(missed: Missed) -> Self {
        match missed {
            Missed::Late => Self::Late,
            Missed::Gone => Self::Gone,
        }
    }
}

/// A match as its viewers see it, by seat.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The last cells of each player.
    pub trails: Vec<Vec<Cell>>,
    last: Vec<Option<(String, Origin)>>,
    late: Vec<u64>,
}

impl Seen {
    /// Creates the view at the start of a match.
    #[must_use]
    pub fn begin(state: &State) -> Self {
        let seats = state.players.len();
        let mut seen =
            Self { trails: vec![Vec::new(); seats], last: vec![None; seats], late: vec![0; seats] };
        seen.follow(state);
        seen
    }

    /// Adds a turn, which led to this state.
    pub fn turn(&mut self, seat: usize, text: &str, origin: Origin, state: &State) {
        self.last[seat] = Some((text.to_owned(), origin));
        self.late[seat] += u64::from(origin != Origin::Player);
        if let (Ok(mv), Some(&from)) = (text.parse(), self.trails[seat].last()) {
            // A beer may turn corners.
            let way = way(state, from, &[mv]);
            if way.last() == Some(&state.players[seat]) {
                way.into_iter().for_each(|place| follow(&mut self.trails[seat], place));
            }
        }
        self.follow(state);
    }

    /// Adds all players' cells to the trails.
    fn follow(&mut self, state: &State) {
        self.trails.iter_mut().zip(&state.players).for_each(|(trail, &place)| follow(trail, place));
    }

    /// Returns the table next to the maze.
    #[must_use]
    pub fn table(&self, game: &Game, names: &[String]) -> Scores {
        let marks = game.marks();
        let player = |(seat, name): (usize, &String)| {
            let (purse, last) = (game.purses[seat], self.last[seat].as_ref());
            Score {
                name: name.clone(),
                points: purse.points,
                frites: purse.frites,
                beers: purse.beers,
                last: last.map_or_else(String::new, |(text, _)| text.clone()),
                is_late: last.is_some_and(|(_, origin)| *origin == Origin::Late),
                is_gone: last.is_some_and(|(_, origin)| *origin == Origin::Gone),
                late: self.late[seat],
                marks: marks[seat],
            }
        };
        let seats = game.player_count() as u64;
        Scores {
            turn: game.turns() / seats,
            limit: game.turn_limit(),
            mussels: game.mussels_left(),
            players: names.iter().enumerate().take(game.player_count()).map(player).collect(),
        }
    }
}

/// Adds a cell to a trail.
fn follow(trail: &mut Vec<Cell>, place: Cell) {
    if trail.last() != Some(&place) {
        trail.push(place);
        if trail.len() > TRAIL {
            trail.remove(0);
        }
    }
}

/// The table next to a maze.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scores {
    /// Number of rounds played.
    pub turn: u64,
    /// The maximum number of turns of each player, if limited.
    pub limit: Option<u64>,
    /// Mussels left.
    pub mussels: usize,
    /// The players, by seat.
    pub players: Vec<Score>,
}

/// A row of the table.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Score {
    /// The player's name.
    pub name: String,
    /// Points of mussels.
    pub points: u32,
    /// Frites in hand.
    pub frites: u32,
    /// Beers in hand.
    pub beers: u32,
    /// The last turn's command.
    pub last: String,
    /// True if the answer was late, so that another command was played.
    pub is_late: bool,
    /// True if the player is gone.
    pub is_gone: bool,
    /// Number of turns played for a late or absent player.
    pub late: u64,
    /// The marks for the points so far: 6, 4, 2, 0 by rank.
    pub marks: f64,
}

impl Scoreboard for Scores {
    fn summary(&self, language: Language) -> String {
        let say = |french: &'static str, english: &'static str| language.choose(french, english);
        let of = self.limit.map_or_else(String::new, |limit| format!(" {} {limit}", say("sur", "of")));
        let (left, mussels) = self.left(language);
        format!("{} {}{of} · {left} {mussels}", say("tour", "turn"), self.turn)
    }

    fn heads(&self, language: Language) -> Vec<&'static str> {
        let heads = [
            ("nom", "name"),
            ("points", "points"),
            ("frites", "fries"),
            ("bières", "beers"),
            ("dernier coup", "last turn"),
            ("retards", "late"),
            ("barème", "marks"),
        ];
        heads.map(|(french, english)| language.choose(french, english)).to_vec()
    }

    fn rows(&self, language: Language) -> Vec<(String, Vec<String>)> {
        let cells = |score: &Score| {
            vec![
                score.name.clone(),
                score.points.to_string(),
                score.frites.to_string(),
                score.beers.to_string(),
                last_turn(score, language),
                score.late.to_string(),
                score.marks.to_string(),
            ]
        };
        self.players.iter().enumerate().map(|(seat, score)| (badge(seat), cells(score))).collect()
    }

    fn left(&self, language: Language) -> (usize, &'static str) {
        (self.mussels, language.choose("moules", "mussels"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use moules_client::rules::{Command, Settings};

    #[test]
    fn who_is_late_is_told_with_their_marks() {
        let settings = Settings { players: 2, dunes: 0, maze_seed: 3, item_seed: 3, ..Settings::default() };
        let mut game = Game::new(settings.generate().unwrap(), Some(500));
        let mut seen = Seen::begin(&game.state);
        for (seat, text, origin) in
            [(0, "S", Origin::Player), (1, "C", Origin::Late), (0, "S", Origin::Player)]
        {
            game.play(Command::read(text.as_bytes()));
            seen.turn(seat, text, origin, &game.state);
        }
        game.purses[1].points = 10;
        let scores = seen.table(&game, &["a".to_owned(), "b".to_owned()]);
        assert_eq!((scores.turn, scores.limit, scores.players.len()), (1, Some(500), 2));
        let told = |seat: usize| {
            let score = &scores.players[seat];
            (score.last.as_str(), score.is_late, score.late, score.marks)
        };
        assert_eq!((told(0), told(1)), (("S", false, 0, 0.0), ("C", true, 1, 6.0)));
        assert_eq!(seen.trails[0].len(), 3);
        // A beer's corners are in the trail.
        game.play(Command::read(b"C"));
        game.purses[0].beers = 1;
        game.play(Command::read(b"B-S-E-N"));
        seen.turn(0, "B-S-E-N", Origin::Player, &game.state);
        let steps: Vec<u32> = seen.trails[0].windows(2).map(|pair| pair[0].0.abs_diff(pair[1].0)).collect();
        assert!(steps.iter().all(|step| [1, 25].contains(step)), "{steps:?}");
    }
}
