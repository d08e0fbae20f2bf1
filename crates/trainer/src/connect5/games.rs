//! Self-play games.

use anyhow::{Context, bail, ensure};
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::player::{Player, Settings};
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Outcome, Position as _, Score, Stopwatch};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Rows and columns of the grids, each equally likely.
const GRIDS: [[usize; 2]; 16] = [
    [15, 15],
    [15, 15],
    [15, 15],
    [15, 15],
    [15, 15],
    [12, 12],
    [12, 12],
    [12, 12],
    [9, 14],
    [9, 14],
    [9, 9],
    [10, 10],
    [11, 16],
    [13, 17],
    [19, 19],
    [19, 19],
];
/// Maximum number of random stones before a game.
const RANDOM_STONES: usize = 9;
/// Maximum number of moves. A longer game is a draw.
const LONGEST: usize = 140;

/// The result of a part that a random move ends.
pub const UNKNOWN: u8 = 3;

/// A game: its opening, moves and scores. A random move ends a part of a game, which is a line of its own: what comes before
/// it is the opening of the next part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Rows and columns of the grid.
    pub size: [usize; 2],
    /// Number of stones in the opening.
    pub opening: usize,
    /// 2: black wins, 1: draw, 0: white wins; [`UNKNOWN`] before a random move, which decides more than those played.
    pub result: u8,
    /// All moves as cell indices, those of the opening first.
    pub moves: Vec<usize>,
    /// The search's score for the mover at each move after the opening.
    pub scores: Vec<i32>,
}

impl fmt::Display for Game {
    /// Writes `size opening result move… ; score…`, with the size as `9x14`, or one number for a square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.size {
            [rows, columns] if rows == columns => write!(f, "{rows}")?,
            [rows, columns] => write!(f, "{rows}x{columns}")?,
        }
        write!(f, " {} {}", self.opening, self.result)?;
        self.moves.iter().try_for_each(|cell| write!(f, " {cell}"))?;
        write!(f, " ;")?;
        self.scores.iter().try_for_each(|score| write!(f, " {score}"))
    }
}

impl FromStr for Game {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> anyhow::Result<Self> {
        let (moves, scores) = line.split_once(';').context("no ';' between moves and scores")?;
        let (size, moves) = moves.split_once(' ').context("no size")?;
        let (rows, columns) = size.split_once('x').unwrap_or((size, size));
        let size = [rows.parse()?, columns.parse()?];
        let numbers: Vec<usize> = moves.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let scores: Vec<i32> = scores.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let [opening, result, moves @ ..] = numbers.as_slice() else {
            bail!("fewer than two numbers after the size")
        };
        let mut grid = Grid::new(size[0], size[1])?;
        ensure!(*result <= UNKNOWN.into(), "expected a result from 0 to 3, found {result}");
        ensure!(
            opening.checked_add(scores.len()) == Some(moves.len()),
            "expected an opening and as many moves as scores"
        );
        for &cell in moves {
            ensure!(cell < grid.rows() * grid.columns(), "cell {cell} is not on the grid");
            ensure!(grid.stone(Cell::new(cell)).is_none(), "cell {cell} is taken twice");
            grid.set(Cell::new(cell), Some(Color::Black));
        }
        let bounds = -Score::INFINITY.value()..=Score::INFINITY.value();
        ensure!(scores.iter().all(|score| bounds.contains(score)), "a score is out of range");
        Ok(Self { size, opening: *opening, result: *result as u8, moves: moves.to_vec(), scores })
    }
}

impl Game {
    /// Returns a position's target in a fit, from 0 (`mover` loses) to 1: `thought`, the search's value, has the `share`, and
    /// the result the rest, if it is known.
    pub fn target(&self, mover: Color, thought: f32, share: f32) -> f32 {
        let black = f32::from(self.result) / 2.0;
        match (self.result, mover) {
            (UNKNOWN, _) => thought,
            (_, Color::Black) => share * thought + (1.0 - share) * black,
            (_, Color::White) => share * thought + (1.0 - share) * (1.0 - black),
        }
    }
}

/// Plays games of these numbers, each with its own random opening drawn from `seed`.
#[cfg(test)]
pub fn play(games: Range<u64>, nodes: u64, seed: u64, evaluation: Evaluation) -> impl Iterator<Item = Game> {
    play_with(games, nodes, seed, evaluation, 0.0).flatten()
}

/// The same with a share of random moves. Returns the parts of each game; the last one's result is known.
pub fn play_with(
    games: Range<u64>,
    nodes: u64,
    seed: u64,
    evaluation: Evaluation,
    random_share: f32,
) -> impl Iterator<Item = Vec<Game>> {
    games.map(move |number| {
        let of_game = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
        one(nodes, evaluation, random_share, &mut Xoshiro256PlusPlus::seed_from_u64(of_game))
    })
}

fn one(nodes: u64, evaluation: Evaluation, random_share: f32, random: &mut Xoshiro256PlusPlus) -> Vec<Game> {
    let mut parts = Vec::new();
    let size @ [rows, columns] = GRIDS[random.random_range(0..GRIDS.len())];
    let mut position = Position::from_grid(&Grid::new(rows, columns).expect("a size of ours"));
    let mut moves = Vec::new();
    for _ in 0..random.random_range(1..=RANDOM_STONES) {
        let cell = near(&moves, size, random);
        if position.is_legal(cell) {
            position.play(cell);
            moves.push(cell.index());
        }
    }
    let mut opening = moves.len();
    let mut player = Player::new(Settings { evaluation, table_bytes: 1 << 20, ..Settings::default() });
    let mut scores = Vec::new();
    let mut proven_winner = None;
    while position.outcome().is_none() && moves.len() < LONGEST && proven_winner.is_none() {
        if random_share > 0.0 && random.random::<f32>() < random_share {
            let cell = near(&moves, size, random);
            if position.is_legal(cell) {
                if !scores.is_empty() {
                    let scores = std::mem::take(&mut scores);
                    parts.push(Game { size, opening, result: UNKNOWN, moves: moves.clone(), scores });
                }
                position.play(cell);
                moves.push(cell.index());
                opening = moves.len();
                continue;
            }
        }
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
    parts.push(Game { size, opening, result, moves, scores });
    parts
}

/// Returns a random cell within two steps of a stone, or near the middle of an empty grid.
fn near(moves: &[usize], [rows, columns]: [usize; 2], random: &mut Xoshiro256PlusPlus) -> Cell {
    let around = match moves {
        [] => Cell::at(rows / 2, columns / 2, columns),
        _ => Cell::new(moves[random.random_range(0..moves.len())]),
    };
    let at = around.coordinates(columns);
    let mut step = |from: usize, side: usize| {
        let to = (from + random.random_range(0..5)).saturating_sub(2);
        to.min(side - 1)
    };
    Cell::at(step(at.row, rows), step(at.column, columns), columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_survives_its_line_and_the_same_seed_plays_it_again() {
        for game in play(0..4, 30, 5, Evaluation::Learned) {
            assert_eq!(game.to_string().parse::<Game>().unwrap(), game);
        }
        assert!(play(2..4, 30, 5, Evaluation::Learned).eq(play(0..4, 30, 5, Evaluation::Learned).skip(2)));
        let parts: Vec<Game> = play_with(0..9, 30, 5, Evaluation::Learned, 0.2).flatten().collect();
        let known = parts.iter().filter(|part| part.result != UNKNOWN).count();
        assert!(known == 9 && parts.len() > 12, "{parts:?}");
        assert!(parts.iter().all(|part| part.to_string().parse::<Game>().unwrap() == *part));
        assert!("15 1 4 7 ;".parse::<Game>().is_err() && "".parse::<Game>().is_err());
    }

    #[test]
    fn what_no_game_has_is_refused() {
        assert!("8 2 1 20 21 63 ; 5".parse::<Game>().is_ok());
        for line in [
            "15 18446744073709551615 1 ; 3",
            "15 2 1 9 4294967305 8 7 ; 5 -5",
            "8 2 1 20 21 64 ; 5",
            "8 2 1 20 21 20 ; 5",
            "8 3 1 20 21 22 ; 5",
            "8 2 1 20 21 63 ; -2147483648",
            "8 2 4 20 21 63 ; 5",
            "1024 0 1 ;",
        ] {
            assert!(line.parse::<Game>().is_err(), "{line}");
        }
    }
}
