//! À la pêche aux moules over TCP: the referee is the server, for two to four clients or a single one.

pub mod assignment;
mod builtin;
#[cfg(feature = "marking")]
mod compliance;
pub mod drawing;
#[cfg(feature = "hand-in")]
mod hand_in;
mod journal;
mod lessons;
#[cfg(feature = "marking")]
mod mark;
mod opening;
mod own;
pub mod page;
mod review;
mod seats;
mod seen;
#[cfg(feature = "peers")]
mod server;
mod shown;

pub use opening::{Opening, OpeningError};
pub use seats::let_in_alone;
pub use seen::{Score, Scores, Seen};
pub use shown::picture;

use crate::course::{Asked, Board, Course, GameSetup, OpeningSet, Setup};
use crate::duel::IllegalMove;
use crate::fault::{Fault, Trouble, excerpt};
use crate::record::Played;
use crate::seed::mix;
use moules_client::protocol::event::Origin;
use moules_client::rules::{Command, End, Game, Move, Settings};
use seats::{Answer, Table};
use shown::Shown;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// The maze game with its settings.
#[derive(Debug, Clone)]
pub struct Moules {
    /// The generator's settings. Each game sets the seeds and the number of players.
    pub settings: Settings,
    /// Number of turns of each player.
    pub turns: u64,
    /// Number of players in a game.
    pub seats: usize,
    /// The openings, each the seeds of a maze and its items.
    pub set: OpeningSet,
    /// Time of a turn, if not the course's.
    pub time: Option<Duration>,
}

/// The course's time of a turn.
pub const TIME: Duration = Duration::from_millis(2000);

impl Moules {
    /// Parses an opening. Missing settings are the course's.
    fn start(&self, opening: &str) -> Result<Opening, OpeningError> {
        let mut start = Opening { settings: self.settings, turns: Some(self.turns), played: Vec::new() };
        start.read(opening).map(|()| start)
    }

    fn game(&self, opening: &str, players: usize) -> Result<Game, OpeningError> {
        self.start(opening)?.game(players)
    }
}

impl Setup for Moules {
    fn name(&self) -> &'static str {
        "moules"
    }

    fn seats(&self) -> RangeInclusive<usize> {
        1..=4
    }

    fn set(&self) -> &OpeningSet {
        &self.set
    }

    fn opening(&self, number: u64) -> String {
        match self.set.get(number) {
            Some(line) => line.to_owned(),
            // After the end of the set, mazes are drawn from the run's seed.
            None => {
                let seed = self.set.seed();
                format!(
                    "maze {} items {}",
                    mix(seed, 2 * number) % 1_000_000,
                    mix(seed, 2 * number + 1) % 1_000_000
                )
            }
        }
    }

    fn is_timed(&self) -> bool {
        true
    }

    fn setting(&self) -> String {
        let start = Opening { settings: self.settings, turns: Some(self.turns), played: Vec::new() };
        format!("{}; openings {}", start.setting(), self.set.name())
    }

    fn own(&self, extra: &str) -> String {
        // Three quarters of the turn, as the client's 1.5 s are of the course's 2 s.
        let time = match self.time {
            Some(time) if !extra.contains("--time") => format!(" --time {}", time.mul_f64(0.75).as_millis()),
            _ => String::new(),
        };
        format!("moules-client {{host}} {{port}} {{name}}{time} {extra}").trim_end().to_owned()
    }
}

impl Course for Moules {
    fn check_openings(&self) -> anyhow::Result<()> {
        self.set.check(|line| Ok(self.start(line)?))?;
        self.game(&self.opening(0), self.seats)?;
        Ok(())
    }

    fn play(&self, setup: &mut GameSetup<'_>) -> Result<Played, Trouble> {
        let began = Instant::now();
        let count = setup.players.len();
        let opening = setup.opening;
        let mut game = self
            .game(opening, count)
            .map_err(|error| Trouble::referee(format_args!("opening \"{opening}\": {error}")))?;
        let mut table = Table::seat(setup, game.state.width * game.state.height)?;
        let mut played = Played::default();
        let mut seen = Seen::begin(&game.state);
        setup.tell(None, "", &Shown { game: &game, names: &table.names, seen: &seen });
        let time = |seat| setup.conditions_of(seat).time.unwrap_or(TIME) + setup.conditions.grace;
        let times: Vec<Duration> = (0..count).map(time).collect();
        let end = loop {
            if let Some(end) = game.end() {
                break end;
            }
            let seat = game.to_move();
            let Answer { text, spent, origin } = table.ask(seat, &game, times[seat])?;
            let before = game.purses[seat];
            game.play(Command::read(text.as_bytes()));
            let gained = game.purses[seat].points - before.points;
            let shown = if gained > 0 { format!("{text} (+{gained})") } else { text.clone() };
            seen.turn(seat, &excerpt(&text), origin, &game.state);
            setup.tell(Some(seat), &shown, &Shown { game: &game, names: &table.names, seen: &seen });
            played.missed.extend(seen::missed(origin).map(|missed| (played.moves.len(), missed)));
            played.moves.push(excerpt(&text));
            played.movers.push(seat);
            played.micros.push(spent.as_micros() as u64);
            played.thoughts.push(table.told(seat).map(|told| told.thought));
        };
        played.end = match end {
            End::AllTaken => "every mussel is taken".to_owned(),
            End::TurnLimit => format!("{} turns each", game.turns() / count as u64),
            End::AllPassed => "everybody passed".to_owned(),
        };
        played.points = game.marks().iter().map(|marks| marks / 6.0).collect();
        played.score = game.purses.iter().map(|purse| f64::from(purse.points)).collect();
        table.leave_all(&mut played);
        played.quote();
        played.wall = began.elapsed().as_micros() as u64;
        Ok(played)
    }

    fn show(
        &self,
        opening: &str,
        played: &Played,
        each: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> anyhow::Result<()> {
        let mut game = self.game(opening, played.points.len().max(1))?;
        each(&|| picture(&game));
        for text in &played.moves {
            if game.end().is_some() {
                return Err(OpeningError::AfterEnd.into());
            }
            game.play(Command::read(text.as_bytes()));
            each(&|| picture(&game));
        }
        Ok(())
    }

    /// Asks a player that is alone in the maze, after leading it through the turns played before.
    fn ask(&self, setup: &GameSetup<'_>) -> Result<Asked, Trouble> {
        let opening = setup.opening;
        let wrong = |error: OpeningError| Trouble::referee(format_args!("opening \"{opening}\": {error}"));
        let start = self.start(opening).map_err(wrong)?;
        let mut game = Opening { played: Vec::new(), ..start.clone() }.game(1).map_err(wrong)?;
        let alone = GameSetup { players: setup.players[..1].to_vec(), observer: None, ..*setup };
        let mut table = Table::seat(&alone, game.state.width * game.state.height)?;
        let time = alone.conditions_of(0).time.unwrap_or(TIME) + alone.conditions.grace;
        for text in &start.played {
            table.ask(0, &game, time)?;
            table.told(0);
            game.play(Command::read(text.as_bytes()));
        }
        let Answer { text, spent, origin } = table.ask(0, &game, time)?;
        let told = table.told(0);
        let mut played = Played::default();
        table.leave_all(&mut played);
        let illegal = || Fault::illegal(format!("{} in this position", excerpt(&text)));
        let mv = text.parse::<Move>().ok().filter(|&mv| game.allows(mv)).ok_or_else(illegal);
        match played.faults.pop() {
            Some((_, fault)) if origin != Origin::Player => return Err(fault.into()),
            _ => {}
        }
        let mv = mv?;
        let is_answer = |word: &str| Some(word.parse::<Move>().ok()? == mv);
        let settled = told.as_ref().and_then(|told| told.settled(spent, is_answer));
        Ok(Asked { mv: mv.to_string(), time: spent, thought: told.map(|told| told.thought), settled })
    }

    /// Checks the moves of a player that is alone in the maze.
    fn check_moves(&self, opening: &str, moves: &[String]) -> anyhow::Result<()> {
        let game = self.game(opening, 1)?;
        match moves.iter().find(|text| !text.parse::<Move>().is_ok_and(|mv| game.allows(mv))) {
            Some(text) => Err(IllegalMove::Solution { text: text.clone() }.into()),
            None => Ok(()),
        }
    }

    fn last_drawing(&self, opening: &str, played: &Played) -> anyhow::Result<String> {
        let mut game = self.game(opening, played.points.len().max(1))?;
        let mut seen = Seen::begin(&game.state);
        for (text, &seat) in played.moves.iter().zip(&played.movers) {
            game.play(Command::read(text.as_bytes()));
            seen.turn(seat, text, Origin::Player, &game.state);
        }
        Ok(Shown { game: &game, names: &[], seen: &seen }.drawing())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_replayed_board_by_board() {
        let course = Moules {
            settings: Settings::default(),
            turns: 2,
            seats: 2,
            set: OpeningSet::new("moules", "maze 1 items 1", 1),
            time: None,
        };
        assert!(course.is_timed());
        let played = |moves: usize| Played {
            points: vec![0.0; 2],
            moves: vec!["C".to_owned(); moves],
            ..Played::default()
        };
        let opening = course.opening(0);
        for moves in [0, 1, 2] {
            assert_eq!(course.replay(&opening, &played(moves)).unwrap().len(), moves + 1);
        }
        assert!(course.replay(&opening, &played(9)).is_err(), "everybody passed before");
    }

    #[test]
    fn what_is_told_of_a_turn_names_the_points_that_it_gained() {
        let course = Moules {
            settings: Settings::default(),
            turns: 60,
            seats: 2,
            set: OpeningSet::new("moules", "maze 1 items 1", 1),
            time: None,
        };
        let players: Vec<_> =
            (0..2).map(|_| "builtin:greedy".parse::<crate::player::Player>().unwrap()).collect();
        let (conditions, supervisor) = (crate::course::Conditions::default(), crate::peer::Supervisor::new());
        let mut told = [0.0; 2];
        let mut observer = |event: &crate::course::Event<'_>| {
            let Some(seat) = event.seat else { return };
            if let Some((_, gain)) = event.text.split_once(" (") {
                let gain: u32 = gain.trim_matches(['+', ')']).parse().expect("points");
                assert!(gain > 0, "{}", event.text);
                told[seat] += f64::from(gain);
            }
        };
        let opening = course.opening(0);
        let mut setup = GameSetup {
            players: players.iter().collect(),
            opening: &opening,
            seed: 1,
            conditions: &conditions,
            supervisor: &supervisor,
            processor: None,
            observer: Some(&mut observer),
        };
        let played = course.play(&mut setup).unwrap();
        assert!(played.score.iter().sum::<f64>() > 100.0, "{:?}", played.score);
        assert_eq!(told.to_vec(), played.score);
    }

    #[test]
    fn our_client_thinks_three_quarters_of_a_turn() {
        let of = |time| Moules {
            settings: Settings::default(),
            turns: 500,
            seats: 4,
            set: OpeningSet::new("moules", "maze 1 items 1", 1),
            time,
        };
        let hundred = Some(Duration::from_millis(100));
        assert_eq!(of(hundred).own(""), "moules-client {host} {port} {name} --time 75");
        assert_eq!(of(hundred).own("--time 10"), "moules-client {host} {port} {name} --time 10");
        assert_eq!(of(None).own("--ia est"), "moules-client {host} {port} {name} --ia est");
    }
}
