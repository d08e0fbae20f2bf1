//! The analysis dialogue: the best plan after each first move, refined until the analysis is stopped.
//!
//! A position is the number of the player to move, the turns played, the turn limit for each player (−1: none), each
//! player's points, frites and beers, and the state in the wire format: `0 12 500 40,1,0 25,0,2 25x17/…`.

use crate::player::{Player, Settings};
use crate::rules::{Game, MAX_LINE, MAX_PLAYERS, Purse, State};
use search_core::side_by_side::FlagClock;
use search_core::{Control, Depth};
use smallvec::SmallVec;
use wire::analysis::{self, Listener, Value};

/// Number of plans refined after the first beam.
const MOST: usize = 6;
/// Greater than the length of any plan.
const DEEPEST: Depth = 400;
// The largest maze, and the text before it: seven words and twelve numbers.
const _: () = assert!(MAX_LINE + 512 <= analysis::MAX_LINE);

/// The player used for analysis.
#[derive(Debug)]
pub struct Analyst {
    settings: Settings,
}

impl Analyst {
    /// Creates an analyst with these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }
}

/// Returns the text of a position as [`Analyst`] reads it.
#[must_use]
pub fn written(game: &Game) -> String {
    let mover = game.to_move();
    let limit = game.turn_limit().map_or("-1".to_owned(), |limit| limit.to_string());
    let purse = |purse: &Purse| format!(" {},{},{}", purse.points, purse.frites, purse.beers);
    let purses: String = game.purses.iter().map(purse).collect();
    format!("{mover} {} {limit}{purses} {}", game.turns(), game.state)
}

/// The text is not a match in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("mover, turns, limit, purses, state expected")]
pub struct NotAMatch;

fn read(text: &str) -> Option<Game> {
    let mut words = text.split(' ');
    let mover: usize = words.next()?.parse().ok()?;
    let turns: u64 = words.next()?.parse().ok()?;
    let limit: i64 = words.next()?.parse().ok()?;
    let state: State = words.next_back()?.parse().ok()?;
    let purse = |word: &str| {
        let numbers: Vec<u32> = word.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let &[points, frites, beers] = numbers.as_slice() else { return None };
        Some(Purse { points, frites, beers })
    };
    let purses: SmallVec<[Purse; MAX_PLAYERS]> = words.map(purse).collect::<Option<_>>()?;
    let fits = mover < purses.len() && purses.len() == state.players.len();
    fits.then(|| Game::resume(state, purses, mover, turns, u64::try_from(limit).ok()))
}

impl analysis::Analyst for Analyst {
    type Position = Game;
    type Error = NotAMatch;

    fn read(&self, text: &str) -> Result<Game, NotAMatch> {
        read(text).ok_or(NotAMatch)
    }

    fn analyse(&mut self, game: &Game, listener: &mut Listener<'_>) {
        let clock = FlagClock::by(listener.stop, listener.clock());
        // A new player each time: a viewer jumps through a match, so the opponents' policies cannot be inferred.
        let mut player = Player::new(self.settings);
        let control = Control::new(FlagClock::limits(DEEPEST), &clock);
        player.lines(game, MOST.max(listener.moves()), &control, &mut |lines, nodes| {
            let depth = lines.first().map_or(0, |line| line.turns.len());
            listener.report(
                depth as u32,
                nodes,
                lines.iter().map(|line| (Value::Points(line.value), &line.turns)),
            );
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Command, Direction, Move, Settings as Map};
    use std::sync::atomic::AtomicBool;
    use wire::analysis::Analyst as _;

    /// Returns all info lines of an analysis.
    fn told(game: &Game) -> Vec<analysis::Info> {
        let stop = AtomicBool::new(false);
        let mut analyst = Analyst::new(Settings { width: 60, ..Settings::default() });
        let position = analyst.read(&written(game)).unwrap();
        let mut told = Vec::new();
        let mut tell = |info: &analysis::Info| told.push(info.clone());
        analyst.analyse(&position, &mut Listener::new(3, &stop, &mut tell));
        told
    }

    fn game(players: usize) -> Game {
        let map = Map { players, dunes: 10, maze_seed: 3, item_seed: 3, ..Map::default() };
        Game::new(map.generate().unwrap(), Some(500))
    }

    #[test]
    fn a_match_is_read_back() {
        let mut match_of_two = game(2);
        for _ in 0..5 {
            match_of_two.play(Command::from(Move::Step(Direction::East)));
        }
        match_of_two.purses[1] = Purse { points: 40, frites: 2, beers: 1 };
        assert_eq!(read(&written(&match_of_two)), Some(match_of_two));
        for text in [
            "",
            "0 0 -1",
            "1 0 -1 0,0,0 3x3/D-D-D-D-S-D-D-D-D/1-1,1",
            "0 0 -1 0,0 3x3/D-D-D-D-S-D-D-D-D/1-1,1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_large_maze_is_read_by_the_dialogue() {
        let map = Map { width: 101, height: 101, ..Map::default() };
        let game = Game::new(map.generate().unwrap(), None);
        let line = format!("position {}\n", written(&game));
        assert!(line.len() > 16 << 10, "{}", line.len());
        let mut output = Vec::new();
        let mut analyst = Analyst::new(Settings::default());
        analysis::serve(&mut analyst, std::io::Cursor::new(line), &mut output).unwrap();
        assert_eq!(output, b"ready\n");
    }

    #[test]
    fn the_best_plan_alone_takes_everything_and_its_value_is_its_turns() {
        let game = game(1);
        let lines = told(&game);
        let best = lines.iter().rfind(|info| info.rank == 1).unwrap();
        let mut played = game.clone();
        for mv in &best.line {
            played.play(Command::read(mv.as_bytes()));
        }
        assert_eq!((played.mussels_left(), best.value), (0, Value::Points(-(best.line.len() as f64))));
        // Wider beams are never worse, and each first move appears once.
        let values: Vec<f64> = lines.iter().filter(|info| info.rank == 1).map(points).collect();
        assert!(values.len() > 1 && values.is_sorted(), "{values:?}");
        let last = &lines[lines.len() - 2..];
        assert!(last[0].line[0] != last[1].line[0] && points(&last[0]) >= points(&last[1]), "{last:?}");
    }

    fn points(info: &analysis::Info) -> f64 {
        match info.value {
            Value::Points(points) => points,
            other => panic!("{other}"),
        }
    }

    #[test]
    fn among_others_a_plan_is_worth_marks() {
        let lines = told(&game(4));
        assert!(lines.iter().all(|info| (0.0..=6.0).contains(&points(info))), "{lines:?}");
        assert!(lines.iter().any(|info| info.rank == 2), "{lines:?}");
    }
}
