//! Games of the player against itself.

use anyhow::{Context, bail};
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Outcome, Position as _, Stopwatch};
use std::fmt;
use std::str::FromStr;

/// Sides of the grids that games are played on, each as often.
const SIDES: [usize; 5] = [10, 12, 15, 15, 19];
/// The most stones that are put at random before the game.
const RANDOM_STONES: usize = 9;
/// Longer games are called a draw.
const LONGEST: usize = 140;

/// A game: its opening, and what was played and thought from there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The side of the grid.
    pub side: usize,
    /// Stones of the opening.
    pub opening: usize,
    /// 2 black wins, 1 draw, 0 white wins.
    pub result: u8,
    /// All stones, those of the opening first.
    pub moves: Vec<usize>,
    /// The mover's score at each move after the opening.
    pub scores: Vec<i32>,
}

impl fmt::Display for Game {
    /// `side opening result move… ; score…`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.side, self.opening, self.result)?;
        self.moves.iter().try_for_each(|cell| write!(f, " {cell}"))?;
        write!(f, " ;")?;
        self.scores.iter().try_for_each(|score| write!(f, " {score}"))
    }
}

impl FromStr for Game {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> anyhow::Result<Self> {
        let (moves, scores) = line.split_once(';').context("no ';' between moves and scores")?;
        let numbers: Vec<usize> = moves.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let scores: Vec<i32> = scores.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [side, opening, result, moves @ ..] = numbers.as_slice() else {
            bail!("fewer than three numbers")
        };
        if *result > 2 || opening + scores.len() != moves.len() || Grid::new(*side, *side).is_err() {
            bail!("the numbers do not belong together");
        }
        Ok(Self { side: *side, opening: *opening, result: *result as u8, moves: moves.to_vec(), scores })
    }
}

/// Games one after the other, each from a few random stones near each other.
pub fn play(games: usize, nodes: u64, seed: u64) -> impl Iterator<Item = Game> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..games).map(move |_| one(nodes, &mut random))
}

fn one(nodes: u64, random: &mut Xoshiro256PlusPlus) -> Game {
    let side = SIDES[random.random_range(0..SIDES.len())];
    let mut position = Position::from_grid(&Grid::new(side, side).expect("a size of ours"));
    let mut moves = Vec::new();
    for _ in 0..random.random_range(1..=RANDOM_STONES) {
        let cell = near(&moves, side, random);
        if position.is_legal(cell) {
            position.play(cell);
            moves.push(cell.index());
        }
    }
    let opening = moves.len();
    let mut player = Player::new(Settings { table_bytes: 1 << 20, ..Settings::default() });
    let mut scores = Vec::new();
    let mut proven_winner = None;
    while position.outcome().is_none() && moves.len() < LONGEST && proven_winner.is_none() {
        let limits = Limits::nodes(random.random_range(nodes / 2..=nodes * 3 / 2));
        let report = player.think(&position, limits, &Stopwatch::start());
        let best = report.best.expect("the game goes on");
        if report.proven && report.score.is_win() {
            proven_winner = Some(position.mover());
        }
        position.play(best);
        moves.push(best.index());
        scores.push(report.score.value());
    }
    let winner = match position.outcome() {
        Some(Outcome::Loss) => Some(position.mover().other()),
        Some(_) => None,
        None => proven_winner,
    };
    let result = winner.map_or(1, |winner| if winner == Color::Black { 2 } else { 0 });
    Game { side, opening, result, moves, scores }
}

/// A cell within two steps of a stone, or near the middle of an empty grid.
fn near(moves: &[usize], side: usize, random: &mut Xoshiro256PlusPlus) -> Cell {
    let around = match moves {
        [] => Cell::at(side / 2, side / 2, side),
        _ => Cell::new(moves[random.random_range(0..moves.len())]),
    };
    let at = around.coordinates(side);
    let mut step = |from: usize| (from + random.random_range(0..5)).saturating_sub(2).min(side - 1);
    Cell::at(step(at.row), step(at.column), side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_survives_its_line_and_the_same_seed_plays_it_again() {
        let game = play(1, 30, 5).next().unwrap();
        assert_eq!(game.to_string().parse::<Game>().unwrap(), game);
        assert_eq!(play(1, 30, 5).next().unwrap(), game);
        assert!("15 1 3 7 ;".parse::<Game>().is_err() && "".parse::<Game>().is_err());
    }
}
