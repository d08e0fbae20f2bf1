//! The maze, alone: the first move of all shortest plans that take every mussel. Easy: plans of a few turns, without beer.
//!
//! The proof is the player's own planner, with beams so wide that small mazes lose no state; the audit visits every
//! state by the rules, breadth first.

use crate::puzzles::{Goal, Level, Proven, Solved, Source};
use anyhow::{Context, Result, bail};
use moules_client::player::{Player, Settings};
use moules_client::rules::{Cell, Command, Direction, Game, Move, Settings as Map, Tile};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Control, Limits, Stopwatch};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::mem;
use std::ops::RangeInclusive;

/// The largest beam of the proof, in states a layer.
const WIDTH: usize = 20_000;
/// The least number of first moves that lead to different states.
const CHOICE: usize = 3;
/// The length of a plan in turns. Of a shorter one, the planner does not tell all ways to end.
const TURNS: RangeInclusive<usize> = 3..=24;
/// The length of an easy plan.
const EASY: RangeInclusive<usize> = 3..=5;
/// The least number of mussels left, but in an easy puzzle.
const MUSSELS: usize = 2;

/// The maze's puzzles.
#[derive(Debug)]
pub(crate) struct Moules;

/// A match in a maze, and how it came about.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    map: Map,
    played: Vec<Move>,
    game: Game,
}

impl Place {
    fn start(map: Map) -> Result<Self> {
        Ok(Self { map, played: Vec::new(), game: Game::new(map.generate()?, None) })
    }

    fn play(&mut self, mv: Move) {
        self.game.play(Command::from(mv));
        self.played.push(mv);
    }
}

impl Source for Moules {
    type Position = Place;

    /// Plays the player's own plan. A client that is led through the same turns then knows which bonuses it has.
    fn game(&mut self, seed: u64, level: Level) -> Vec<(usize, Place)> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let sizes = [[9, 9], [11, 9], [11, 11], [13, 9], [13, 11]];
        let [width, height] = sizes[random.random_range(0..sizes.len())];
        let is_easy = level == Level::Easy;
        let map = Map {
            width,
            height,
            dunes: random.random_range(20..=50),
            players: 1,
            mussels: if is_easy { random.random_range(1..=3) } else { random.random_range(3..=5) },
            beers: if is_easy { 0 } else { random.random_range(1..=2) },
            frites: if is_easy { random.random_range(0..=1) } else { random.random_range(1..=3) },
            maze_seed: random.random_range(0..1_000_000),
            item_seed: random.random_range(0..1_000_000),
        };
        let least = if is_easy { 1 } else { MUSSELS };
        let mut found = Vec::new();
        let Ok(mut place) = Place::start(map) else { return found };
        let mut player = Player::new(Settings::default());
        for ply in 0.. {
            if place.game.end().is_some() || place.game.mussels_left() < least {
                break;
            }
            if choices(&place.game) >= CHOICE {
                found.push((ply, place.clone()));
            }
            let report = player.think(&place.game, Limits::default(), &Stopwatch::start());
            match report.best {
                Some(mv) if place.game.allows(mv) => place.play(mv),
                _ => break,
            }
        }
        found
    }

    fn prove(&mut self, place: &Place, level: Level) -> Option<Proven> {
        let clock = Stopwatch::start();
        let control = Control::new(Limits::default(), &clock);
        let mut lines = Vec::new();
        let mut player = Player::new(Settings { width: WIDTH, ..Settings::default() });
        player.lines(&place.game, usize::MAX, &control, &mut |told, _| lines = told.to_vec());
        let [best, second, ..] = lines.as_slice() else { return None };
        let length = if level == Level::Easy { EASY } else { TURNS };
        if best.value <= second.value || !length.contains(&best.turns.len()) {
            return None;
        }
        // Another command with the same effect would be a second solution.
        let first = *best.turns.first()?;
        let next = |mv: Move| {
            let mut game = place.game.clone();
            game.play(Command::from(mv));
            (game.state, game.purses)
        };
        let twins = commands(&place.game).into_iter().filter(|&mv| mv != first && next(mv) == next(first));
        if twins.count() > 0 {
            return None;
        }
        let line = best.turns.iter().map(Move::to_string).collect();
        Some(Proven { goal: Goal::Turns(best.turns.len() as u32), line })
    }

    /// Mazes come from different seeds. One maze stands only once in a file, at any turn.
    fn signature(&self, place: &Place) -> String {
        format!("{} {}", place.map.maze_seed, place.map.item_seed)
    }

    fn answer(&mut self, place: &Place, nodes: u64) -> (Option<String>, u64) {
        let mut player = Player::new(Settings::default());
        let report = player.think(&place.game, Limits::nodes(nodes), &Stopwatch::start());
        (report.best.map(|mv| mv.to_string()), report.nodes)
    }

    fn write(&self, place: &Place) -> String {
        let Map { width, height, dunes, mussels, beers, frites, maze_seed, item_seed, .. } = place.map;
        let mut text = format!(
            "maze {maze_seed} items {item_seed} size {width}x{height} dunes {dunes} mussels {mussels} beers {beers} \
             frites {frites} turns 0"
        );
        for (nth, mv) in place.played.iter().enumerate() {
            let before = if nth == 0 { " played " } else { "/" };
            write!(text, "{before}{mv}").expect("a string takes any text");
        }
        text
    }

    fn read(&self, text: &str) -> Result<Place> {
        let mut map = Map { players: 1, ..Map::default() };
        let mut played = "";
        let words: Vec<&str> = text.split_whitespace().collect();
        for pair in words.chunks(2) {
            let &[key, value] = pair else { bail!("\"{}\" has no value", pair[0]) };
            match key {
                "maze" => map.maze_seed = value.parse()?,
                "items" => map.item_seed = value.parse()?,
                "size" => {
                    let (width, height) = value.split_once('x').context("expected WxH")?;
                    (map.width, map.height) = (width.parse()?, height.parse()?);
                }
                "dunes" => map.dunes = value.parse()?,
                "mussels" => map.mussels = value.parse()?,
                "beers" => map.beers = value.parse()?,
                "frites" => map.frites = value.parse()?,
                "turns" if value == "0" => {}
                "played" => played = value,
                _ => bail!("\"{key} {value}\" is not a setting of a puzzle"),
            }
        }
        let mut place = Place::start(map)?;
        for text in played.split('/').filter(|text| !text.is_empty()) {
            place.play(text.parse()?);
        }
        Ok(place)
    }

    fn solve(&mut self, place: &Place, goal: Goal) -> Solved {
        let Goal::Turns(turns) = goal else { return Solved { moves: Vec::new(), is_surpassed: false } };
        let (least, moves) = shortest(&place.game, turns);
        let moves = moves.iter().map(Move::to_string).collect();
        Solved { moves, is_surpassed: least < turns }
    }
}

/// Returns every command that the rules allow, but for passing.
fn commands(game: &Game) -> Vec<Move> {
    let steps = || Direction::ALL.into_iter().map(Some).chain([None]);
    let beers = steps().flat_map(|a| steps().flat_map(move |b| steps().map(move |c| Move::Beer([a, b, c]))));
    let jumps = Direction::ALL.into_iter().map(Move::Jump);
    let single = Direction::ALL.into_iter().map(Move::Step);
    single.chain(jumps).chain(beers).filter(|&mv| game.allows(mv)).collect()
}

/// Returns the number of different states after one command.
fn choices(game: &Game) -> usize {
    let mut states = Vec::new();
    for mv in commands(game) {
        let mut next = game.clone();
        next.act(0, mv);
        if !states.contains(&next) {
            states.push(next);
        }
    }
    states.len()
}

/// A state of a plan: the player's cell, the items taken, and the bonuses in hand.
type Key = (Cell, u64, u32, u32);

/// A set of first moves: at most 4 steps, 4 jumps and 125 ways to drink a beer.
type Firsts = [u128; 2];

/// Returns the least number of turns to take every mussel, if it is at most `most`, and the first moves of all plans of
/// that length.
fn shortest(game: &Game, most: u32) -> (u32, Vec<Move>) {
    let items: Vec<usize> = (0..game.state.tiles.len()).filter(|&at| is_item(game.state.tiles[at])).collect();
    let key = |game: &Game| -> Key {
        let taken = items.iter().enumerate().filter(|&(_, &at)| !is_item(game.state.tiles[at]));
        let taken = taken.fold(0, |taken, (nth, _)| taken | 1 << nth);
        (game.state.players[0], taken, game.purses[0].frites, game.purses[0].beers)
    };
    let firsts = commands(game);
    let mut seen: HashSet<Key> = HashSet::from([key(game)]);
    // Each state of a layer with the first moves that lead there, as bits.
    let mut layer: HashMap<Key, (Game, Firsts)> =
        HashMap::from([(key(game), (game.clone(), Firsts::default()))]);
    for turn in 1..=most {
        let mut next: HashMap<Key, (Game, Firsts)> = HashMap::new();
        for (game, begun) in mem::take(&mut layer).into_values() {
            for mv in commands(&game) {
                let mut then = game.clone();
                then.act(0, mv);
                let key = key(&then);
                if seen.contains(&key) {
                    continue;
                }
                let begun = if turn > 1 { begun } else { bit(&firsts, mv) };
                let (_, all) = next.entry(key).or_insert((then, Firsts::default()));
                *all = joined(*all, begun);
            }
        }
        let ended = next.values().filter(|(game, _)| game.mussels_left() == 0);
        let begun = ended.fold(Firsts::default(), |all, &(_, begun)| joined(all, begun));
        if begun != Firsts::default() {
            let is_begun = |mv: &Move| joined(begun, bit(&firsts, *mv)) == begun;
            return (turn, firsts.iter().copied().filter(is_begun).collect());
        }
        seen.extend(next.keys().copied());
        layer = next;
    }
    (most + 1, Vec::new())
}

fn is_item(tile: Tile) -> bool {
    !matches!(tile, Tile::Dune | Tile::Sand)
}

/// Returns the set of one first move.
fn bit(firsts: &[Move], mv: Move) -> Firsts {
    let at = firsts.iter().position(|&first| first == mv).expect("one of the first moves");
    let mut set = Firsts::default();
    set[at / 128] |= 1 << (at % 128);
    set
}

fn joined(a: Firsts, b: Firsts) -> Firsts {
    [a[0] | b[0], a[1] | b[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_plan_of_a_corridor_is_counted() {
        let line = "9x3/D-D-D-D-D-D-D-D-D-D-10-S-S-S-S-10-S-D-D-D-D-D-D-D-D-D-D/1-3,1";
        let game = Game::new(line.parse().unwrap(), None);
        // Two to the left, then five to the right; the other way round takes a turn more.
        let (turns, moves) = shortest(&game, 20);
        assert_eq!((turns, moves), (7, vec![Move::Step(Direction::West)]));
        assert_eq!(shortest(&game, 6).0, 7);
    }
}
