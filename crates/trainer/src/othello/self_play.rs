//! Games of the evaluation against itself from random openings: positions that tournament players do not reach.

use super::teacher::Teacher;
use super::wthor::At;
use anyhow::Context;
use othello_player::rules::{Move, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use search_core::{Depth, Position as _};
use std::path::Path;

/// A game begins with this many random moves, each number with the same chance.
const RANDOM_MOVES: std::ops::RangeInclusive<usize> = 4..=16;

/// Games as lines of moves (`f5d6c3…`, passes left out).
#[must_use]
pub fn play(teacher: &Teacher, games: usize, depth: Depth, seed: u64) -> Vec<String> {
    let game = |number: usize| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_mul(0x9e37_79b9) ^ number as u64);
        let mut left = random.random_range(RANDOM_MOVES);
        let mut position = Position::START;
        let mut line = String::new();
        while position.outcome().is_none() {
            let moves = position.move_list();
            let mv = if left > 0 || moves.len() == 1 {
                moves[random.random_range(0..moves.len())]
            } else {
                teacher.choice(&position, depth)
            };
            left = left.saturating_sub(1);
            if mv != Move::PASS {
                line += &mv.to_string();
            }
            position = position.after(mv);
        }
        line
    };
    (0..games).into_par_iter().map(game).collect()
}

/// The positions of a file of such games, numbered from `first` on.
///
/// # Errors
/// When the file cannot be read, or a line is no game.
pub fn read(path: &Path, first: usize) -> anyhow::Result<Vec<At>> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut positions = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("{}, line {}", path.display(), number + 1);
        let mut at = At { position: Position::START, game: first + number, black: true, perfect: None };
        for index in (0..line.len()).step_by(2) {
            let word = line.get(index..index + 2).with_context(place)?;
            let mv: Move = word.parse().with_context(place)?;
            at.put(mv).with_context(|| format!("{}: {mv} is illegal", place()))?;
            positions.push(at);
        }
    }
    Ok(positions)
}
